#include "properties/describe.h"

#include <string>

namespace pallasite {

std::string Describe(const Verdict& verdict) {
  std::string text(Name(verdict.kind));
  if (verdict.rule != nullptr) text += " " + std::string(verdict.rule->id);
  if (!verdict.unmodelled.empty()) text += " (" + verdict.unmodelled + ")";
  if (!verdict.location.empty()) text += " at " + verdict.location;
  if (verdict.error) text += ": " + verdict.error->message;
  return text;
}

}  // namespace pallasite
