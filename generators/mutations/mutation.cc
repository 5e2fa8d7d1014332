#include "generators/mutations/mutation.h"

#include <string_view>
#include <vector>

namespace pallasite {

absl::Span<const Mutation> Mutations() {
  static const auto& rows = *new std::vector<Mutation>([] {
    std::vector<Mutation> all;
    for (const auto table :
         {mutations::RefMutations(), mutations::RefUnionMutations(),
          mutations::KernelMutations(), mutations::BarrierMutations(),
          mutations::ScratchMutations(), mutations::PrintLayoutMutations(),
          mutations::IndexingMutations(), mutations::GatherMutations(),
          mutations::RemoteMutations(), mutations::PrefetchMutations()}) {
      all.insert(all.end(), table.begin(), table.end());
    }
    return all;
  }());
  return rows;
}

const Mutation* FindMutation(std::string_view rule) {
  for (const Mutation& mutation : Mutations()) {
    if (mutation.rule == rule) return &mutation;
  }
  return nullptr;
}

}  // namespace pallasite
