#ifndef PALLASITE_PROPERTIES_DESCRIBE_H_
#define PALLASITE_PROPERTIES_DESCRIBE_H_

#include <string>

#include "model/errors/verdict.h"

namespace pallasite {

// "rejected construct.ref.tmem-rows at scratch.s: <message>"
std::string Describe(const Verdict& verdict);

}  // namespace pallasite

#endif  // PALLASITE_PROPERTIES_DESCRIBE_H_
