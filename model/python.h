#ifndef PALLASITE_MODEL_PYTHON_H_
#define PALLASITE_MODEL_PYTHON_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "model/config/shape.h"

namespace pallasite {

// How Python prints values inside JAX's messages. Called only to build the text
// of a refusal.

std::string PyTuple(absl::Span<const int64_t> values);      // "(8,)", "(8, 64)"
std::string PyTuple(absl::Span<const std::string> values);  // "('a', 'b')"
std::string PyList(absl::Span<const std::string> values);   // "['a', 'b']"
std::string PyList(absl::Span<const Wide> values);          // "[8, 64]"
std::string PyStr(std::string_view text);                   // "'a'"
std::string PyInt(Wide value);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_PYTHON_H_
