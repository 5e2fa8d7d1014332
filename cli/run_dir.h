#ifndef PALLASITE_CLI_RUN_DIR_H_
#define PALLASITE_CLI_RUN_DIR_H_

#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace pallasite::cli {

// The folder a campaign writes to, held by one process at a time.
class RunDir {
 public:
  // Creates the folder if need be and locks it.
  static absl::StatusOr<RunDir> Open(const std::string& path);
  RunDir(RunDir&& other) noexcept
      : path_(std::move(other.path_)),
        lock_(std::exchange(other.lock_, -1)),
        journal_(std::exchange(other.journal_, -1)) {}
  RunDir& operator=(RunDir&&) = delete;
  ~RunDir();

  const std::string& path() const { return path_; }
  std::string File(std::string_view name) const;
  // Appends one line to divergences.jsonl in a single write, so that a killed
  // process loses at most the line it was writing.
  absl::Status AppendDivergence(std::string_view line);

 private:
  explicit RunDir(std::string path) : path_(std::move(path)) {}

  std::string path_;
  int lock_ = -1;
  int journal_ = -1;
};

}  // namespace pallasite::cli

#endif  // PALLASITE_CLI_RUN_DIR_H_
