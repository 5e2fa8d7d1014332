#include "model/lower/shared/tma_descriptor.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "model/python.h"

namespace pallasite {
namespace {

constexpr std::string_view kArea = "gmem-smem-copies";
constexpr std::string_view kMergeSource =
    "launch_context.py CollapseLeadingIndicesTransform.apply";

struct Descriptor {
  DType dtype = DType::kFloat32;
  EngineBox box;
};

// The Python class of an MLIR element type that TMA takes.
std::string ElementClass(DType dtype) {
  switch (dtype) {
    case DType::kFloat4E2M1FN:
      return "Float4E2M1FNType";
    case DType::kFloat8E4M3FN:
      return "Float8E4M3FNType";
    case DType::kFloat8E5M2:
      return "Float8E5M2Type";
    case DType::kFloat8E8M0FNU:
      return "Float8E8M0FNUType";
    case DType::kBFloat16:
      return "BF16Type";
    case DType::kFloat16:
      return "F16Type";
    case DType::kFloat32:
      return "F32Type";
    default:
      return "IntegerType";
  }
}

constexpr Rule<Descriptor> kDescriptorRules[] = {
    {.doc = {.id = "lower.tma.merged-overflow",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings =
                 {{.raises = PyExc::kTypeError,
                   .pattern =
                       "get(): incompatible function arguments. The following "
                       "argument types are supported:\n    1. get(shape: "
                       "collections.abc.Sequence[int], element_type: "
                       "jaxlib.mlir._mlir_libs._mlir.ir.Type, layout: "
                       "jaxlib.mlir._mlir_libs._mlir.ir.Attribute | None = "
                       "None, memory_space: "
                       "jaxlib.mlir._mlir_libs._mlir.ir.Attribute | None = "
                       "None, loc: _mlir.ir.Location | None = None) -> "
                       "jaxlib.mlir._mlir_libs._mlir.ir.MemRefType\n\nInvoked "
                       "with types: list, "
                       "jaxlib.mlir._mlir_libs._mlir.ir.{element}, "
                       "jaxlib.mlir._mlir_libs._mlir.ir.StridedLayoutAttr, "
                       "NoneType"}},
             .why = "The dimensions that integers index share one of the "
                    "engine's dimensions, whose extent has to fit 64 bits.",
             .fix = "Use an array that fits into memory.",
             .source = kMergeSource,
             .defect = DefectKind::kUndocumented,
             .spec_verdict = "Refuse, saying that the array is too large."},
     .violated = [](const Descriptor& descriptor) -> Finding {
       constexpr Wide kMax = std::numeric_limits<int64_t>::max();
       if (descriptor.box.merged_extent.value_or(1) <= kMax) return Holds();
       return Broken({{"element", ElementClass(descriptor.dtype)}});
     }},
    {.doc = {.id = "lower.tma.merged-empty",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kMlirError,
                           .pattern = "Invalid type:\nerror: {*}: invalid "
                                      "memref size"}},
             .why = "The dimensions that integers index share one of the "
                    "engine's dimensions. When one of them is empty its extent "
                    "comes out negative.",
             .fix = "Do not transfer from empty arrays.",
             .source = kMergeSource,
             .defect = DefectKind::kUndocumented,
             .spec_verdict = "Refuse, saying that the array is empty."},
     .violated =
         [](const Descriptor& descriptor) {
           return BrokenIf(descriptor.box.merged_extent.value_or(1) < 0);
         }},
    {.doc = {.id = "lower.tma.minor-stride",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.pattern =
                               "TMA requires the stride of the last dimension "
                               "after transforming the GMEM reference to be 1, "
                               "but it is {stride}."}},
             .why = "The TMA engine reads rows of neighbouring elements. An "
                    "integer index into the last dimension makes another one "
                    "the last.",
             .fix = "Take a slice of the last dimension.",
             .source = "launch_context.py LaunchContext._get_tma_desc"},
     .violated = [](const Descriptor& descriptor) -> Finding {
       const int64_t stride = descriptor.box.minor_stride;
       if (stride == 1) return Holds();
       return Broken({{"stride", PyInt(stride)}});
     }},
};

}  // namespace

bool CheckTmaDescriptor(const GmemArray& array, const TmaBox& box,
                        const Location& at, Checker& checker) {
  return checker.Check(kDescriptorRules,
                       Descriptor{array.dtype, ToEngine(array, box, false)},
                       at);
}

void AppendTmaDescriptorRules(std::vector<const RuleDoc*>& rules) {
  AppendDocs(kDescriptorRules, rules);
}

}  // namespace pallasite
