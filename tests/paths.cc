#include "tests/paths.h"

#include <string>

namespace pallasite {

// The only test file that knows where it was built: the others can be cached
// for every clone.
std::string SourcePath(const std::string& path) {
  return PALLASITE_SOURCE_DIR "/" + path;
}

std::string BinaryPath() { return PALLASITE_BINARY; }

}  // namespace pallasite
