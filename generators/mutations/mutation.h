#ifndef PALLASITE_GENERATORS_MUTATIONS_MUTATION_H_
#define PALLASITE_GENERATORS_MUTATIONS_MUTATION_H_

#include <string_view>

#include "absl/types/span.h"
#include "generators/choices.h"
#include "generators/policy.h"
#include "model/config/kernel_config.h"

namespace pallasite {

// How to break one rule, and nothing else, in a valid configuration.
struct Mutation {
  std::string_view rule;          // its id in the catalogue
  std::string_view precondition;  // in words; "always" when there is none
  // Adds what the rule is about where the configuration has none of it. False:
  // the precondition does not hold, and the configuration may be spoilt.
  bool (*apply)(KernelConfig& config, Choices& choices);
};

// Every row, in the order of the subjects' files.
absl::Span<const Mutation> Mutations();

// By the id of the rule; null when no row breaks it.
const Mutation* FindMutation(std::string_view rule);

// Breaks one rule of the release and the areas of the policy, drawn at random.
// Null when none could be broken; the configuration may be spoilt then.
const Mutation* BreakSomeRule(KernelConfig& config, Choices& choices,
                              const GenPolicy& policy);

namespace mutations {

// One table a subject, each in the file of its name.
absl::Span<const Mutation> RefMutations();
absl::Span<const Mutation> RefUnionMutations();
absl::Span<const Mutation> KernelMutations();
absl::Span<const Mutation> BarrierMutations();
absl::Span<const Mutation> ScratchMutations();
absl::Span<const Mutation> PrintLayoutMutations();
absl::Span<const Mutation> IndexingMutations();
absl::Span<const Mutation> GatherMutations();
absl::Span<const Mutation> RemoteMutations();
absl::Span<const Mutation> PrefetchMutations();

}  // namespace mutations
}  // namespace pallasite

#endif  // PALLASITE_GENERATORS_MUTATIONS_MUTATION_H_
