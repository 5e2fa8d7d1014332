#ifndef PALLASITE_PROPERTIES_TWO_FAULTS_H_
#define PALLASITE_PROPERTIES_TWO_FAULTS_H_

#include <cstdint>

#include "generators/two_faults.h"
#include "properties/property.h"

namespace pallasite {

// How a kernel with two faults was judged.
enum class TwoFaultOutcome : uint8_t {
  kForetold,   // the precedence graph, or their places, named the winner
  kUndecided,  // one of the two, and nothing foretold which
  kAnother,    // together they break a third rule: a limit, an unmodelled mix
};

// Where a kernel breaks two rules, the model reports the one that dominates in
// the precedence graph; of two from the same stage, the one whose item comes
// first.
Failure TheDominantRuleWins(const TwoFaults& faults, TwoFaultOutcome& outcome);

}  // namespace pallasite

#endif  // PALLASITE_PROPERTIES_TWO_FAULTS_H_
