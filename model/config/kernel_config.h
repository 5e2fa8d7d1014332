#ifndef PALLASITE_MODEL_CONFIG_KERNEL_CONFIG_H_
#define PALLASITE_MODEL_CONFIG_KERNEL_CONFIG_H_

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/config/dtype.h"
#include "model/config/ops.h"
#include "model/config/ref.h"
#include "model/config/shape.h"

namespace pallasite {

// A JAX release: 0.11.2, 0.12.0.1.
struct Release {
  int major = 0;
  int minor = 0;
  int patch = 0;
  int post = 0;
  auto operator<=>(const Release&) const = default;
};
inline constexpr Release kDefaultRelease = {0, 11, 2};

// An NVIDIA architecture: 8.0 Ampere, 9.0 Hopper, 10.0 Blackwell.
struct Arch {
  int major = 9;
  int minor = 0;
  auto operator<=>(const Arch&) const = default;
};

struct Target {
  Release jax = kDefaultRelease;
  Arch arch;
  bool operator==(const Target&) const = default;
};

enum class Lowering : uint8_t { kLane, kWarpgroup };

// Sizes and names are separate because Pallas takes them separately and checks
// that they agree.
struct AxisList {
  Shape sizes;
  std::vector<std::string> names;
  bool operator==(const AxisList&) const = default;
};

struct ThreadAxis {
  std::optional<int64_t> count;
  std::optional<std::string> name;
  bool operator==(const ThreadAxis&) const = default;
};

enum class DimensionSemantics : uint8_t { kParallel, kSequential };
enum class TraceScope : uint8_t { kWarp, kWarpgroup };

// `plgpu.CompilerParams`; an absent field takes the release's default.
struct CompilerParams {
  std::optional<Lowering> lowering;
  std::optional<std::vector<DimensionSemantics>> dimension_semantics;
  std::optional<bool> approx_math;
  std::optional<int64_t> max_concurrent_steps;
  std::optional<bool> unsafe_no_auto_barriers;
  std::optional<int64_t> reduction_scratch_bytes;
  std::optional<int64_t> profile_space;  // events
  std::optional<std::string> profile_dir;
  std::optional<TraceScope> profile_trace_scope;
  std::optional<bool> profile_bounds_check;
  std::optional<bool> skip_device_barrier;
  bool operator==(const CompilerParams&) const = default;
};

struct KernelSpec {
  AxisList grid;
  AxisList cluster;
  ThreadAxis threads;
  CompilerParams params;
  bool operator==(const KernelSpec&) const = default;
};

struct ArraySpec {
  DType dtype = DType::kFloat32;
  Shape shape;
  bool operator==(const ArraySpec&) const = default;
};

template <typename T>
using Named = std::vector<std::pair<std::string, T>>;

// One Pallas Mosaic GPU kernel: everything its legality depends on.
struct KernelConfig {
  // What the file says it is for; a command-line target wins over it.
  std::optional<Target> target;
  // JAX device mesh the kernel is shard_mapped over: axis names to sizes.
  Named<int64_t> mesh;
  KernelSpec kernel;
  Named<ArraySpec> inputs;
  Named<ArraySpec> outputs;
  Named<RefTree> scratch;
  std::vector<Op> body;
  bool operator==(const KernelConfig&) const = default;
};

// The target that a configuration names, or the default one.
inline Target TargetOf(const KernelConfig& config) {
  return config.target.value_or(Target{});
}

// Devices that the oracle simulates on the CPU: the largest mesh it can build.
inline constexpr int64_t kMaxMeshDevices = 8;

}  // namespace pallasite

#endif  // PALLASITE_MODEL_CONFIG_KERNEL_CONFIG_H_
