#ifndef PALLASITE_MODEL_CATALOGUE_H_
#define PALLASITE_MODEL_CATALOGUE_H_

#include <string_view>

#include "absl/types/span.h"
#include "model/errors/rule.h"

namespace pallasite {

// Every rule of the model, in the order in which Evaluate consults them.
absl::Span<const RuleDoc* const> Catalogue();
// The same, with the stages of Evaluate that may report each.
absl::Span<const ListedRule> ListedRules();

// By id or by alias; null when there is none.
const RuleDoc* FindRule(std::string_view id_or_alias);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_CATALOGUE_H_
