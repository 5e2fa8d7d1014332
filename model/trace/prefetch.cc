#include "model/trace/prefetch.h"

#include "model/resolve.h"
#include "model/trace/ref_union.h"
#include "model/trace/scalar.h"
#include "model/trace/views.h"

namespace pallasite {
namespace {

constexpr Rule<ResolvedRef> kSpaceRules[] = {
    {.doc = {.id = "trace.prefetch.not-gmem",
             .area = "gmem-smem-copies",
             .phase = Phase::kTrace,
             .wordings = {{.pattern = "ref must be a GMEM reference, got "
                                      "{type}"}},
             .why = "A prefetch brings global memory into the L2 cache; other "
                    "memory is not cached there.",
             .fix = "Prefetch an input or output of the kernel.",
             .source = "primitives.py _check_ref"},
     .violated = [](const ResolvedRef& ref) -> Finding {
       if (SpaceOf(ref) == MemorySpace::kGmem) return Holds();
       return Broken({{"type", RefType(ref)}});
     }},
};

}  // namespace

bool TracePrefetch(const AsyncPrefetchOp& op, const KernelConfig& config,
                   const Location& at, Checker& checker) {
  const ResolvedRef resolved = Resolve(config, op.ref);
  const Location ref(at, "ref");
  if (resolved.unsupported) {
    return checker.Unmodelled("a use of something that is no ref", ref);
  }
  return UnpackUnion(resolved, ref, checker) &&
         TraceViews(op.ref, resolved, config, ref, checker) &&
         (!op.predicate ||
          TracePredicate(*op.predicate, config, Location(at, "predicate"),
                         checker)) &&
         TraceViewOperands(op.ref, ref, checker) &&
         checker.Check(kSpaceRules, resolved, ref);
}

void AppendPrefetchTraceRules(RuleList& rules) {
  AppendDocs(kSpaceRules, Stage::kTraceBody, rules);
}

}  // namespace pallasite
