#ifndef PALLASITE_PROPERTIES_PROPERTY_H_
#define PALLASITE_PROPERTIES_PROPERTY_H_

#include <optional>
#include <string>

namespace pallasite {

// Why a property does not hold; nullopt when it does. Properties know nothing
// of the engine that generates their arguments.
using Failure = std::optional<std::string>;

}  // namespace pallasite

#endif  // PALLASITE_PROPERTIES_PROPERTY_H_
