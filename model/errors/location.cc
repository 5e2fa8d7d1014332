#include "model/errors/location.h"

#include <string>

#include "absl/strings/str_cat.h"

namespace pallasite {

std::string Location::Format() const {
  if (parent_ == nullptr) return "";
  std::string text = parent_->Format();
  if (name_.empty()) {
    absl::StrAppend(&text, "[", index_, "]");
  } else {
    absl::StrAppend(&text, text.empty() ? "" : ".",
                    absl::string_view(name_.data(), name_.size()));
  }
  return text;
}

}  // namespace pallasite
