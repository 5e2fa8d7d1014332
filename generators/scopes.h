#ifndef PALLASITE_GENERATORS_SCOPES_H_
#define PALLASITE_GENERATORS_SCOPES_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/types/span.h"
#include "generators/choices.h"
#include "model/config/kernel_config.h"

namespace pallasite {

// A subject in miniature: few enough configurations, legal or not, to go
// through all of them.
struct Scope {
  std::string_view name;
  std::string_view about;
  KernelConfig (*generate)(Choices& choices);
};

absl::Span<const Scope> Scopes();
// Null when there is none of that name.
const Scope* FindScope(std::string_view name);

// The configurations of a scope by number, in the order of an odometer.
class ScopeEnumerator {
 public:
  explicit ScopeEnumerator(const Scope& scope) : scope_(scope) {}

  // The configuration of this number, which must exceed that of the call
  // before. Nullopt when the scope has no more.
  std::optional<KernelConfig> At(uint64_t number);

 private:
  const Scope scope_;
  Odometer odometer_;
  uint64_t next_ = 0;
  bool exhausted_ = false;
};

}  // namespace pallasite

#endif  // PALLASITE_GENERATORS_SCOPES_H_
