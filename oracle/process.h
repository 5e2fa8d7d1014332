#ifndef PALLASITE_ORACLE_PROCESS_H_
#define PALLASITE_ORACLE_PROCESS_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace pallasite {

// A child process that talks in lines over its standard input and output, in a
// process group of its own, so that Ctrl-C in a terminal does not reach it.
// Nothing here blocks, except Kill for the moment that a killed process takes.
class LineProcess {
 public:
  static absl::StatusOr<std::unique_ptr<LineProcess>> Start(
      const std::string& program, const std::string& argument);
  ~LineProcess();
  LineProcess(const LineProcess&) = delete;
  LineProcess& operator=(const LineProcess&) = delete;

  // Descriptors to poll: lines (also for writing while `HasUnsent`) and errors.
  int lines_fd() const { return lines_fd_; }
  int errors_fd() const { return errors_fd_; }
  bool HasUnsent() const { return !unsent_.empty(); }

  // Queues text and sends what fits now.
  void Send(std::string_view text);
  void SendMore();
  // Takes in what has arrived. False when the process has hung up, or writes
  // without end.
  bool Receive();
  // The next complete line, without its newline.
  std::optional<std::string> NextLine();

  int64_t ResidentBytes() const;
  // Asks for a stack dump on standard error, which ends the process.
  void Abort();
  // Lets the process and all it started end soon; Kill is to follow.
  void Doom();
  // Ends the process and all it started, and collects its last words.
  void Kill();
  // After Kill: "signal 11", "exit status 1".
  const std::string& ending() const { return ending_; }
  const std::string& error_tail() const { return error_tail_; }

 private:
  LineProcess(pid_t pid, int lines_fd, int errors_fd)
      : pid_(pid), lines_fd_(lines_fd), errors_fd_(errors_fd) {}
  void ReceiveErrors();

  pid_t pid_;
  int lines_fd_;
  int errors_fd_;
  std::string unsent_;
  std::string received_;
  std::string error_tail_;
  std::string ending_;
};

}  // namespace pallasite

#endif  // PALLASITE_ORACLE_PROCESS_H_
