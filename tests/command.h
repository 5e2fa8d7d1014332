#ifndef PALLASITE_TESTS_COMMAND_H_
#define PALLASITE_TESTS_COMMAND_H_

#include <string>

namespace pallasite {

struct CommandResult {
  int exit_status = -1;
  std::string output;
};
// What a shell command writes to standard output, and how it ends.
CommandResult RunCommand(const std::string& command);

// A folder that goes away with the object.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  // The path of a file or folder in it.
  std::string At(const std::string& name) const;
  std::string Write(const std::string& name, const std::string& text) const;

 private:
  std::string path_;
};

}  // namespace pallasite

#endif  // PALLASITE_TESTS_COMMAND_H_
