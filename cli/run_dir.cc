#include "cli/run_dir.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace pallasite::cli {

absl::StatusOr<RunDir> RunDir::Open(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) {
    return absl::UnavailableError(
        absl::StrCat(path, ": cannot be created: ", error.message()));
  }
  RunDir dir(path);
  const std::string lock = dir.File(".lock");
  dir.lock_ = open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (dir.lock_ < 0) {
    return absl::UnavailableError(
        absl::StrCat(lock, ": cannot be created: ", std::strerror(errno)));
  }
  if (flock(dir.lock_, LOCK_EX | LOCK_NB) != 0) {
    return absl::FailedPreconditionError(absl::StrCat(
        path, ": another run is writing here; choose another --out"));
  }
  const std::string journal = dir.File("divergences.jsonl");
  dir.journal_ =
      open(journal.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC,
           0644);
  if (dir.journal_ < 0) {
    return absl::UnavailableError(
        absl::StrCat(journal, ": cannot be created: ", std::strerror(errno)));
  }
  return dir;
}

RunDir::~RunDir() {
  if (journal_ >= 0) close(journal_);
  if (lock_ >= 0) close(lock_);
}

std::string RunDir::File(std::string_view name) const {
  return path_ + "/" + std::string(name);
}

absl::Status RunDir::AppendDivergence(std::string_view line) {
  const std::string text = std::string(line) + "\n";
  if (write(journal_, text.data(), text.size()) !=
      static_cast<ssize_t>(text.size())) {
    return absl::UnavailableError(absl::StrCat(
        path_, ": a divergence cannot be written: ", std::strerror(errno)));
  }
  return absl::OkStatus();
}

}  // namespace pallasite::cli
