#include "properties/valid_is_accepted.h"

#include "model/evaluate.h"
#include "properties/describe.h"

namespace pallasite {

Failure ValidIsAccepted(const KernelConfig& config) {
  const Verdict verdict = Evaluate(config, TargetOf(config));
  if (verdict.kind == VerdictKind::kAccepted) return std::nullopt;
  return "generated as valid, but the model says: " + Describe(verdict);
}

}  // namespace pallasite
