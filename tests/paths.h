#ifndef PALLASITE_TESTS_PATHS_H_
#define PALLASITE_TESTS_PATHS_H_

#include <string>

namespace pallasite {

// A file of the source tree, by its path from the root.
std::string SourcePath(const std::string& path);

// The command under test.
std::string BinaryPath();

}  // namespace pallasite

#endif  // PALLASITE_TESTS_PATHS_H_
