#include "model/lower/shared/tma_descriptor.h"

#include <cstdint>
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

constexpr Rule<Descriptor> kDescriptorRules[] = {
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

void AppendTmaDescriptorRules(RuleList& rules) {
  AppendDocs(kDescriptorRules, Stage::kFinishBody, rules);
}

}  // namespace pallasite
