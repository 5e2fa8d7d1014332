#include "model/lower/shared/scoped.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/config/walk.h"
#include "model/element_width.h"
#include "model/evaluate.h"
#include "model/python.h"
#include "model/tmem_fit.h"
#include "model/tmem_layout.h"
#include "model/union_plan.h"

namespace pallasite {
namespace {

constexpr std::string_view kSource = "lowering.py _run_scoped_lowering_rule";

// --- WGMMA accumulators

struct Accumulator {
  const AccumulatorSpec& spec;
  bool threads = false;
  bool lane = false;
  size_t rank() const { return spec.shape.size(); }
};

constexpr std::array kAccumulatorTypes = {DType::kFloat32, DType::kInt32};

constexpr Rule<Accumulator> kAccumulatorRules[] = {
    {.doc = {.id = "lower.acc.collective",
             .area = "wgmma",
             .phase = Phase::kLower,
             .wordings = {{.pattern =
                               "WGMMA accumulators can only be allocated "
                               "non-collectively. Hint: remove collective_axes "
                               "from run_scoped. If other allocations are "
                               "performed as well, split the run_scoped into "
                               "two."}},
             .why = "An accumulator lives in the registers of one warpgroup; "
                    "the scratch of a kernel with threads is shared by all.",
             .fix = "Allocate the accumulator with pl.run_scoped inside the "
                    "body.",
             .source = kSource},
     .violated = [](const Accumulator& a) { return BrokenIf(a.threads); }},
    {.doc = {.id = "lower.acc.unsigned",
             .area = "wgmma",
             .phase = Phase::kLower,
             .wordings = {{.pattern =
                               "Invalid WGMMA accumulator dtype for s8/i8 "
                               "WGMMA. Expected signed integer, but got "
                               "{dtype}."}},
             .why = "Integer WGMMA accumulates into signed 32-bit integers.",
             .fix = "Use i32.",
             .source = kSource},
     .violated = [](const Accumulator& a) -> Finding {
       const DTypeInfo& info = Info(a.spec.dtype);
       if (info.kind != DTypeKind::kBool && info.kind != DTypeKind::kUnsigned) {
         return Holds();
       }
       return Broken({{"dtype", std::string(info.jax_name)}});
     }},
    {.doc = {.id = "lower.acc.lane-rank-0",
             .area = "wgmma",
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kTypeError,
                           .pattern =
                               "WGMMAAccumulator.zero() missing 2 required "
                               "positional arguments: 'm' and 'n'"}},
             .why = "An accumulator is a matrix.",
             .fix = "Give it two dimensions.",
             .source = kSource,
             .defect = DefectKind::kUndocumented,
             .spec_verdict = "Refuse when the accumulator is declared, naming "
                             "its rank."},
     .violated =
         [](const Accumulator& a) {
           return BrokenIf(a.lane && a.rank() == 0);
         }},
    {.doc = {.id = "lower.acc.lane-rank-1",
             .area = "wgmma",
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kTypeError,
                           .pattern =
                               "WGMMAAccumulator.zero() missing 1 required "
                               "positional argument: 'n'"}},
             .why = "An accumulator is a matrix.",
             .fix = "Give it two dimensions.",
             .source = kSource,
             .defect = DefectKind::kUndocumented,
             .spec_verdict = "Refuse when the accumulator is declared, naming "
                             "its rank."},
     .violated =
         [](const Accumulator& a) {
           return BrokenIf(a.lane && a.rank() == 1);
         }},
    {.doc = {.id = "lower.acc.lane-rank-3",
             .area = "wgmma",
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kTypeError,
                           .pattern = "WGMMAAccumulator.zero() got multiple "
                                      "values for argument 'dtype'"}},
             .why = "An accumulator is a matrix.",
             .fix = "Give it two dimensions.",
             .source = kSource,
             .defect = DefectKind::kUndocumented,
             .spec_verdict = "Refuse when the accumulator is declared, naming "
                             "its rank."},
     .violated =
         [](const Accumulator& a) {
           return BrokenIf(a.lane && a.rank() == 3);
         }},
    {.doc = {.id = "lower.acc.lane-shape",
             .area = "wgmma",
             .phase = Phase::kLower,
             .wordings = {{.pattern =
                               "WGMMA requires m and n to be multiples of 64 "
                               "and 8, got {m} and {n}"}},
             .why = "A warpgroup computes tiles of 64 rows by 8 columns.",
             .fix = "Round rows up to 64 and columns up to 8.",
             .source = "wgmma.py WGMMAAccumulator.zero"},
     .violated = [](const Accumulator& a) -> Finding {
       if (!a.lane || a.rank() != 2 ||
           (a.spec.shape[0] % 64 == 0 && a.spec.shape[1] % 8 == 0)) {
         return Holds();
       }
       return Broken(
           {{"m", PyInt(a.spec.shape[0])}, {"n", PyInt(a.spec.shape[1])}});
     }},
};

bool LowerAccumulator(const AccumulatorSpec& spec, const KernelConfig& config,
                      const Location& at, Checker& checker) {
  const Accumulator accumulator = {
      .spec = spec,
      .threads = config.kernel.threads.name.has_value(),
      .lane = LoweringOf(config, checker.release()) == Lowering::kLane};
  if (!checker.Check(kAccumulatorRules, accumulator, at)) return false;
  if (std::find(kAccumulatorTypes.begin(), kAccumulatorTypes.end(),
                spec.dtype) == kAccumulatorTypes.end()) {
    return checker.Unmodelled("accumulators of this element type", at);
  }
  if (spec.shape.empty() || spec.shape.size() > 3 ||
      std::find(spec.shape.begin(), spec.shape.end(), 0) != spec.shape.end()) {
    return checker.Unmodelled("accumulators of this shape", at);
  }
  const std::optional<Wide> elements = ElementCount(spec.shape);
  if (!elements || *elements > kMaxAccumulatorElements) {
    return checker.Unmodelled("accumulators of more than 2^20 elements", at);
  }
  return true;
}

// --- Tensor memory

constexpr Rule<Resources> kTmemBaseRules[] = {
    {.doc = {.id = "lower.tmem.no-columns",
             .area = "tcgen05/tmem",
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kAssertionError, .pattern = ""}},
             .why = "When no ref of the kernel has a column, no tensor memory "
                    "is allocated, and there is nothing to hand out.",
             .fix = "Give the TMEM refs at least one column.",
             .source = "lowering.py ModuleContext.alloc_tmem",
             .defect = DefectKind::kUndocumented,
             .spec_verdict =
                 "Refuse refs without columns when they are built."},
     .violated =
         [](const Resources& resources) {
           return BrokenIf(resources.all_tmem_columns() == 0);
         }},
};

constexpr Rule<LoweredTmem> kLaneTmemRules[] = {
    {.doc = {.id = "lower.tmem.lane-complex",
             .area = "tcgen05/tmem",
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kNotImplementedError,
                           .pattern = kNoWidthPattern}},
             .why = "Complex numbers have no width that tensor memory knows.",
             .fix = "Keep real and imaginary parts in separate refs.",
             .source = "utils.py bitwidth",
             .defect = DefectKind::kWrongMessage,
             .spec_verdict = "Refuse the element type when the ref is built; "
                             "the message is only the type's name, and "
                             "Warpgroup lowering accepts an unused ref."},
     .violated = [](const LoweredTmem& t) { return HasNoWidth(t.dtype); }},
    {.doc = {.id = "lower.tmem.lane-vector-length",
             .area = "tcgen05/tmem",
             .phase = Phase::kLower,
             .wordings = {{.pattern = kTmemVectorPattern}},
             .why =
                 "A bool counts as 8 bits when the ref is built and as 1 bit "
                 "when it is lowered, so four to a cell stops fitting.",
             .fix = "Use i8 or u8 instead of bool, or packed=False.",
             .source = "tcgen05.py TMEMRef.__post_init__",
             .defect = DefectKind::kUndocumented,
             .spec_verdict = "Count a bool alike everywhere."},
     .violated =
         [](const LoweredTmem& t) { return TmemVectorMismatch(t.fit); }},
};

bool LowerTmem(const RefSpec& ref, const Resources& resources, bool lane,
               const Location& at, Checker& checker) {
  return checker.Check(kTmemBaseRules, resources, at) &&
         (!lane || CheckLaneTmem(ref, ref.dtype, at, checker));
}

// --- Registers

struct RegisterRefs {
  bool any = false;
};

constexpr Rule<RegisterRefs> kRegisterRules[] = {
    {.doc = {.id = "lower.scratch.regs",
             .area = "ref-construction",
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kValueError,
                           .pattern =
                               "foreach() argument 2 is shorter than argument "
                               "1"}},
             .why = "Registers are not allocated as scratch; a plain array "
                    "lives in them.",
             .fix = "Use a local array, plgpu.ACC for a WGMMA accumulator, or "
                    "SMEM.",
             .source = kSource,
             .defect = DefectKind::kUndocumented,
             .spec_verdict =
                 "Refuse the memory space, as for GMEM; JAX forgets "
                 "the ref and stumbles over the count."},
     .violated = [](const RegisterRefs& regs) { return BrokenIf(regs.any); }},
};

}  // namespace

bool CheckLaneTmem(const RefSpec& ref, DType dtype, const Location& at,
                   Checker& checker) {
  return checker.Check(kLaneTmemRules, LowerTmemType(ref, dtype), at);
}

bool LowerScratch(const KernelConfig& config, const Resources& resources,
                  const Location& root, Checker& checker) {
  checker.Enter(Stage::kLowerScratch);
  const bool lane = LoweringOf(config, checker.release()) == Lowering::kLane;
  RegisterRefs registers;
  bool accumulators = false;
  bool unpacks = true;
  const bool ok = ForEachScratchLeaf(
      config, root, [&](const RefTree& leaf, const Location& at) {
        if (const auto* acc = std::get_if<AccumulatorSpec>(&leaf.node)) {
          accumulators = true;
          return LowerAccumulator(*acc, config, at, checker);
        }
        if (const auto* spec = std::get_if<RefUnionSpec>(&leaf.node)) {
          unpacks &= Unpacks(*spec);
          return SpaceOf(*spec) != MemorySpace::kTmem ||
                 checker.Check(kTmemBaseRules, resources, at);
        }
        const auto* ref = std::get_if<RefSpec>(&leaf.node);
        if (ref == nullptr) return true;
        registers.any |= ref->space == MemorySpace::kRegs;
        return ref->space != MemorySpace::kTmem ||
               LowerTmem(*ref, resources, lane, at, checker);
      });
  if (!ok) return false;
  const Location scratch(root, "scratch");
  if (accumulators && (registers.any || !unpacks)) {
    return checker.Unmodelled(
        "accumulators beside register refs or unaligned unions", scratch);
  }
  checker.Enter(Stage::kRegisters);
  return checker.Check(kRegisterRules, registers, scratch);
}

void AppendScopedRules(RuleList& rules) {
  AppendDocs(kAccumulatorRules, Stage::kLowerScratch, rules);
  AppendDocs(kTmemBaseRules, Stage::kLowerScratch, rules);
  AppendDocs(kLaneTmemRules, {Stage::kLowerScratch, Stage::kLowerBody}, rules);
  AppendDocs(kRegisterRules, Stage::kRegisters, rules);
}

}  // namespace pallasite
