#include "oracle/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace pallasite {
namespace {

constexpr size_t kErrorTail = 8 << 10;
constexpr size_t kReadSize = 64 << 10;
constexpr int kMaxReads = 16;  // at a time, so that a flood cannot hold us
constexpr size_t kMaxUnread = 16 << 20;  // no line is that long
constexpr int kLastWordsMs = 300;

// Both ends of the lines and of the errors; closes what nobody took.
struct Channels {
  std::array<int, 2> lines = {-1, -1};
  std::array<int, 2> errors = {-1, -1};
  ~Channels() {
    for (const int fd : {lines[0], lines[1], errors[0], errors[1]}) {
      if (fd >= 0) close(fd);
    }
  }
  // A socket rather than two pipes: a write to a dead process can then be told
  // not to raise SIGPIPE.
  bool Open() {
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, lines.data()) ==
               0 &&
           pipe2(errors.data(), O_CLOEXEC) == 0;
  }
};

void SetNonBlocking(int fd) {
  fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

// Reads what is there, up to a bound. False at the end of the stream.
bool Drain(int fd, std::string& into) {
  std::array<char, kReadSize> buffer;
  for (int reads = 0; reads < kMaxReads; ++reads) {
    const ssize_t count = read(fd, buffer.data(), buffer.size());
    if (count > 0) {
      into.append(buffer.data(), static_cast<size_t>(count));
    } else if (count < 0 && errno == EINTR) {
      continue;
    } else {
      return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    }
  }
  return true;
}

int Spawn(const std::string& program, const std::string& argument,
          const Channels& channels, pid_t& pid) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, channels.lines[1], 0);
  posix_spawn_file_actions_adddup2(&actions, channels.lines[1], 1);
  posix_spawn_file_actions_adddup2(&actions, channels.errors[1], 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  std::string program_copy = program;
  std::string argument_copy = argument;
  char* const argv[] = {program_copy.data(), argument_copy.data(), nullptr};
  const int error =
      posix_spawn(&pid, program.c_str(), &actions, &attributes, argv, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

std::string Ending(int status) {
  if (WIFSIGNALED(status)) return absl::StrCat("signal ", WTERMSIG(status));
  return absl::StrCat("exit status ", WEXITSTATUS(status));
}

}  // namespace

absl::StatusOr<std::unique_ptr<LineProcess>> LineProcess::Start(
    const std::string& program, const std::string& argument) {
  Channels channels;
  if (!channels.Open()) {
    return absl::ErrnoToStatus(errno, "cannot open pipes to a worker");
  }
  pid_t pid = 0;
  const int error = Spawn(program, argument, channels, pid);
  if (error != 0) {
    return absl::ErrnoToStatus(error, absl::StrCat("cannot run ", program));
  }
  SetNonBlocking(channels.lines[0]);
  SetNonBlocking(channels.errors[0]);
  std::unique_ptr<LineProcess> process(
      new LineProcess(pid, channels.lines[0], channels.errors[0]));
  channels.lines[0] = channels.errors[0] = -1;
  return process;
}

LineProcess::~LineProcess() {
  Kill();
  close(lines_fd_);
  close(errors_fd_);
}

void LineProcess::Send(std::string_view text) {
  unsent_ += text;
  SendMore();
}

void LineProcess::SendMore() {
  while (!unsent_.empty()) {
    const ssize_t count =
        send(lines_fd_, unsent_.data(), unsent_.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    // A process that has gone is noticed by Receive.
    if (count < 0) return;
    unsent_.erase(0, static_cast<size_t>(count));
  }
}

bool LineProcess::Receive() {
  ReceiveErrors();
  return Drain(lines_fd_, received_) && received_.size() <= kMaxUnread;
}

void LineProcess::ReceiveErrors() {
  Drain(errors_fd_, error_tail_);
  if (error_tail_.size() > kErrorTail) {
    error_tail_.erase(0, error_tail_.size() - kErrorTail);
  }
}

std::optional<std::string> LineProcess::NextLine() {
  const size_t end = received_.find('\n');
  if (end == received_.npos) return std::nullopt;
  std::string line = received_.substr(0, end);
  received_.erase(0, end + 1);
  return line;
}

int64_t LineProcess::ResidentBytes() const {
  std::ifstream statm(absl::StrCat("/proc/", pid_, "/statm"));
  int64_t total_pages = 0;
  int64_t resident_pages = 0;
  statm >> total_pages >> resident_pages;
  return resident_pages * sysconf(_SC_PAGESIZE);
}

void LineProcess::Abort() {
  kill(pid_, SIGABRT);
  pollfd hang_up = {.fd = lines_fd_, .events = POLLRDHUP, .revents = 0};
  poll(&hang_up, 1, kLastWordsMs);
}

void LineProcess::Doom() {
  if (pid_ != 0) kill(-pid_, SIGKILL);
}

void LineProcess::Kill() {
  if (pid_ == 0) return;
  int status = 0;
  // Asked first, so that a process that ended by itself keeps its own ending.
  const bool ended = waitpid(pid_, &status, WNOHANG) == pid_;
  Doom();
  while (!ended && waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = 0;
  ending_ = Ending(status);
  ReceiveErrors();
}

}  // namespace pallasite
