#include "model/text/release.h"

#include <string>

#include "absl/strings/str_cat.h"

namespace pallasite {

std::string FormatRelease(const Release& release) {
  return absl::StrCat(release.major, ".", release.minor, ".", release.patch,
                      release.post == 0 ? "" : absl::StrCat(".", release.post));
}

}  // namespace pallasite
