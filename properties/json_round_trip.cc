#include "properties/json_round_trip.h"

#include <string>

#include "model/text/json_reader.h"
#include "model/text/json_writer.h"

namespace pallasite {
namespace {

Failure RoundTrips(const KernelConfig& config,
                   std::string (*write)(const KernelConfig&)) {
  const std::string text = write(config);
  const absl::StatusOr<KernelConfig> read = ReadConfig(text);
  if (!read.ok()) {
    return "refused as it was written: " +
           std::string(read.status().message()) + "\n" + text;
  }
  if (*read != config) return "read back differently:\n" + text;
  if (write(*read) != text) return "written differently again:\n" + text;
  return std::nullopt;
}

}  // namespace

Failure JsonRoundTrips(const KernelConfig& config) {
  if (Failure failure = RoundTrips(config, WriteConfig)) return failure;
  return RoundTrips(config, WriteConfigLine);
}

}  // namespace pallasite
