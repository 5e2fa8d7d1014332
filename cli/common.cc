#include "cli/common.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "model/text/case.h"
#include "model/text/facts_json.h"
#include "model/text/json_reader.h"
#include "model/text/json_spelling.h"
#include "nlohmann/json.hpp"

namespace pallasite::cli {
namespace {

std::string Describe(const std::string& path, const char* what) {
  return absl::StrCat(path, ": ", what, ": ", std::strerror(errno));
}

}  // namespace

Target TargetOption::For(const KernelConfig& config) const {
  Target target = TargetOf(config);
  if (jax) target.jax = *jax;
  if (arch) target.arch = *arch;
  return target;
}

absl::StatusOr<TargetOption> ParseTarget(std::string_view text) {
  TargetOption option;
  if (text.empty()) return option;
  for (const absl::string_view part : absl::StrSplit(AsAbsl(text), ',')) {
    const std::pair<absl::string_view, absl::string_view> pair =
        absl::StrSplit(part, absl::MaxSplits('=', 1));
    const std::string_view value(pair.second.data(), pair.second.size());
    if (pair.first == "jax") {
      absl::StatusOr<Release> release = ParseRelease(value);
      if (!release.ok()) return release.status();
      option.jax = *release;
    } else if (pair.first == "arch") {
      absl::StatusOr<Arch> arch = ParseArch(value);
      if (!arch.ok()) return arch.status();
      option.arch = *arch;
    } else {
      return absl::InvalidArgumentError(absl::StrCat(
          "--target: expected jax=RELEASE or arch=X.Y, got \"", part, "\""));
    }
  }
  return option;
}

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  if (path == "-") {
    return std::string(std::istreambuf_iterator<char>(std::cin), {});
  }
  if (std::filesystem::is_directory(path)) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": is a directory, expected a file"));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::NotFoundError(Describe(path, "cannot be opened"));
  std::ostringstream content;
  content << file.rdbuf();
  if (file.bad()) return absl::DataLossError(Describe(path, "cannot be read"));
  return std::move(content).str();
}

absl::Status WriteFile(const std::string& path, std::string_view content) {
  const std::string temporary = absl::StrCat(path, ".", getpid(), ".tmp");
  const int fd =
      open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) {
    return absl::UnavailableError(Describe(temporary, "cannot be created"));
  }
  bool written = true;
  for (std::string_view rest = content; written && !rest.empty();) {
    const ssize_t count = write(fd, rest.data(), rest.size());
    if (count >= 0) rest.remove_prefix(static_cast<size_t>(count));
    written = count >= 0 || errno == EINTR;
  }
  written = written && fsync(fd) == 0;
  const bool closed = close(fd) == 0;
  if (!written || !closed || rename(temporary.c_str(), path.c_str()) != 0) {
    const std::string problem = Describe(path, "cannot be written");
    unlink(temporary.c_str());
    return absl::UnavailableError(problem);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<NamedConfig>> ReadConfigFile(
    const std::string& path) {
  absl::StatusOr<std::string> text = ReadFile(path);
  if (!text.ok()) return text.status();
  const std::string name = path == "-" ? "standard input" : path;
  const auto located = [&](const std::string& where, const absl::Status& s) {
    return absl::InvalidArgumentError(absl::StrCat(where, ": ", s.message()));
  };
  const std::vector<JsonChunk> chunks = SplitJson(*text);
  if (chunks.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        name, ": holds no configuration; docs/config.md shows the format"));
  }
  std::vector<NamedConfig> configs;
  for (const JsonChunk& chunk : chunks) {
    const std::string where =
        chunks.size() == 1 ? name : absl::StrCat(name, ":", chunk.line);
    // A corpus case wraps a configuration; it starts with its version.
    if (chunk.json.substr(0, 64).find("\"case\"") != std::string_view::npos) {
      absl::StatusOr<CorpusCase> read = ReadCase(chunk.json);
      if (!read.ok()) return located(where, read.status());
      configs.push_back({where, std::move(read->config)});
      continue;
    }
    absl::StatusOr<KernelConfig> read = ReadConfig(chunk.json);
    if (!read.ok()) return located(where, read.status());
    configs.push_back({where, *std::move(read)});
  }
  return configs;
}

std::string ProjectDir() {
  const char* home = std::getenv("PALLASITE_HOME");
  return home != nullptr && *home != '\0' ? home : PALLASITE_SOURCE_DIR;
}

const Style& Colours() {
  static constexpr Style kPlain = {};
  static constexpr Style kColour = {"\033[32m", "\033[31m", "\033[33m",
                                    "\033[2m",  "\033[1m",  "\033[0m"};
  static const bool colour =
      isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  return colour ? kColour : kPlain;
}

nlohmann::ordered_json VerdictJson(const Verdict& verdict, const Facts* facts) {
  nlohmann::ordered_json json;
  json["verdict"] = Name(verdict.kind);
  if (verdict.rule != nullptr) json["rule"] = verdict.rule->id;
  if (verdict.error) {
    json["class"] = Name(verdict.error->exception);
    json["message"] = verdict.error->message;
    json["phase"] = Name(verdict.error->phase);
  }
  if (verdict.kind != VerdictKind::kAccepted) {
    json["location"] = verdict.location;
  }
  if (!verdict.unmodelled.empty()) json["unmodelled"] = verdict.unmodelled;
  if (verdict.rule != nullptr) {
    json["why"] = verdict.rule->why;
    json["fix"] = verdict.rule->fix;
    if (verdict.rule->defect != DefectKind::kNone) {
      json["defect"] = Name(verdict.rule->defect);
      json["spec_verdict"] = verdict.rule->spec_verdict;
    }
  }
  if (facts != nullptr && verdict.AcceptedByJax()) {
    json["facts"] = nlohmann::ordered_json::parse(FactsToJson(*facts));
  }
  return json;
}

void PrintError(absl::string_view message) {
  std::cerr << "pallasite: " << message << "\n";
}

}  // namespace pallasite::cli
