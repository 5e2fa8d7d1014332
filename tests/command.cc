#include "tests/command.h"

#include <stdlib.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace pallasite {

CommandResult RunCommand(const std::string& command) {
  CommandResult result;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return result;
  std::array<char, 4096> buffer;
  size_t count = 0;
  while ((count = fread(buffer.data(), 1, buffer.size(), pipe)) > 0) {
    result.output.append(buffer.data(), count);
  }
  result.exit_status = WEXITSTATUS(pclose(pipe));
  return result;
}

TempFolder::TempFolder() {
  std::string path =
      std::filesystem::temp_directory_path() / "pallasite-test-XXXXXX";
  path_ = mkdtemp(path.data());
}

TempFolder::~TempFolder() { std::filesystem::remove_all(path_); }

std::string TempFolder::At(const std::string& name) const {
  return path_ + "/" + name;
}

std::string TempFolder::Write(const std::string& name,
                              const std::string& text) const {
  std::ofstream(At(name)) << text;
  return At(name);
}

}  // namespace pallasite
