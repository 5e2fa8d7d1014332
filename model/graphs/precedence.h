#ifndef PALLASITE_MODEL_GRAPHS_PRECEDENCE_H_
#define PALLASITE_MODEL_GRAPHS_PRECEDENCE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "model/errors/rule.h"

namespace pallasite {

// Which of two broken rules is reported, as far as that does not depend on
// where they are broken: a directed acyclic graph from the stages that may
// report each rule. A rule by which JAX wrongly accepts yields to every
// refusal.
class Precedence {
 public:
  // That of the catalogue.
  static const Precedence& OfCatalogue();
  explicit Precedence(const RuleList& rules);

  // Whether `winner` is reported whenever both are broken, wherever. Rules that
  // neither dominates are decided by the order of the configuration's items.
  bool Dominates(const RuleDoc& winner, const RuleDoc& loser) const;

  // All rules, each after those that dominate it.
  std::vector<const RuleDoc*> Order() const;

  // Graphviz: the rules, boxed by the stages that report them.
  std::string Dot() const;

 private:
  RuleList rules_;
  absl::flat_hash_map<const RuleDoc*, size_t> index_;
  std::vector<size_t> order_;
  std::vector<std::vector<bool>> dominates_;
};

}  // namespace pallasite

#endif  // PALLASITE_MODEL_GRAPHS_PRECEDENCE_H_
