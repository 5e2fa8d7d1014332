#ifndef PALLASITE_PROPERTIES_MUTATION_BREAKS_ITS_RULE_H_
#define PALLASITE_PROPERTIES_MUTATION_BREAKS_ITS_RULE_H_

#include "generators/choices.h"
#include "generators/mutations/mutation.h"
#include "model/config/kernel_config.h"
#include "properties/property.h"

namespace pallasite {

// A mutation of a valid configuration breaks its rule: the model names that
// rule, and no other before it.
Failure MutationBreaksItsRule(KernelConfig valid, const Mutation& mutation,
                              Choices& choices);

}  // namespace pallasite

#endif  // PALLASITE_PROPERTIES_MUTATION_BREAKS_ITS_RULE_H_
