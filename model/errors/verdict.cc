#include "model/errors/verdict.h"

#include <string_view>

namespace pallasite {

std::string_view Name(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::kAccepted:
      return "accepted";
    case VerdictKind::kRejected:
      return "rejected";
    case VerdictKind::kDefect:
      return "defect";
    case VerdictKind::kUnmodelled:
      return "unmodelled";
  }
  return "";
}

}  // namespace pallasite
