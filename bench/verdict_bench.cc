// How fast configurations are generated and judged, on one core.
//
//   build/release/pallasite_bench --benchmark_min_time=2

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "generators/case.h"
#include "generators/policy.h"
#include "model/evaluate.h"
#include "model/text/json_reader.h"

namespace pallasite {
namespace {

constexpr uint64_t kSeed = 1;
constexpr size_t kPool = 2048;

// What a kernel author or an autotuner asks about: accepted, 8 scratch refs, 6
// ops.
constexpr char kTypical[] = R"({"pallasite": 1,
 "target": {"jax": "0.11.2", "arch": "10.0"},
 "kernel": {"lowering": "%s", "grid": {"i": 8, "j": 16}, "cluster": {"c": 2}},
 "inputs": {"x": "f16[1024,4096]", "y": "f16[4096,2048]", "z": "f32[1024,2048]"},
 "outputs": {"o": "f32[1024,2048]"},
 "scratch": {
   "a": {"smem": "f16[128,64]", "transforms": [{"tile": [8, 64]}, {"swizzle": 128}]},
   "b": {"smem": "f16[64,128]", "transforms": [{"tile": [8, 64]}, {"swizzle": 128}]},
   "out": {"union": [{"smem": "f32[64,128]"}, {"smem": "f16[128,128]"}]},
   "acc": {"tmem": "f32[128,256]", "collective": true},
   "scales": {"tmem": "i8[128,64]", "packed": true, "collective": true},
   "full": {"barrier": {"num_barriers": 4}},
   "done": {"cluster_barrier": {"collective_axes": ["c"]}}},
 "body": [
   {"async_prefetch": {"ref": {"x": [{"at": [[0, 128], [0, 64]]}]}}},
   {"async_prefetch": {"ref": {"y": [{"at": [[0, 64], [0, 128]]}]}}},
   {"async_prefetch": {"ref": {"x": [{"at": [{"ds": [{"axis": "i", "scale": 128}, 128]}, [64, 128]]}]}}},
   {"async_prefetch": {"ref": {"y": [{"at": [[64, 128], {"ds": [{"axis": "j", "scale": 128}, 128]}]}]}}},
   {"async_prefetch": {"ref": {"z": [{"at": [[0, 64], [0, 128]]}]}}},
   {"print_layout": {"ref": "acc"}}]})";

KernelConfig Typical(const char* lowering) {
  absl::StatusOr<KernelConfig> config =
      ReadConfig(absl::StrFormat(kTypical, lowering));
  if (!config.ok() ||
      Evaluate(*config, TargetOf(*config)).kind != VerdictKind::kAccepted) {
    throw std::logic_error("the typical configuration is not accepted");
  }
  return *std::move(config);
}

std::vector<KernelConfig> CampaignConfigs() {
  std::vector<KernelConfig> configs;
  for (uint64_t i = 0; i < kPool; ++i) {
    configs.push_back(GenerateCase(kSeed, i, {}).config);
  }
  return configs;
}

void EvaluateAll(benchmark::State& state,
                 const std::vector<KernelConfig>& configs) {
  size_t i = 0;
  for (auto _ : state) {
    const KernelConfig& config = configs[i++ % configs.size()];
    benchmark::DoNotOptimize(Evaluate(config, TargetOf(config)));
  }
  state.SetItemsProcessed(state.iterations());
}

void BM_EvaluateTypicalLane(benchmark::State& state) {
  EvaluateAll(state, {Typical("lane")});
}
BENCHMARK(BM_EvaluateTypicalLane);

void BM_EvaluateTypicalWarpgroup(benchmark::State& state) {
  EvaluateAll(state, {Typical("warpgroup")});
}
BENCHMARK(BM_EvaluateTypicalWarpgroup);

void BM_EvaluateCampaign(benchmark::State& state) {
  EvaluateAll(state, CampaignConfigs());
}
BENCHMARK(BM_EvaluateCampaign);

void BM_GenerateCampaign(benchmark::State& state) {
  uint64_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(GenerateCase(kSeed, i++, {}));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_GenerateCampaign);

void BM_GenerateAndEvaluateCampaign(benchmark::State& state) {
  uint64_t i = 0;
  for (auto _ : state) {
    const GeneratedCase generated = GenerateCase(kSeed, i++, {});
    benchmark::DoNotOptimize(
        Evaluate(generated.config, TargetOf(generated.config)));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_GenerateAndEvaluateCampaign);

}  // namespace
}  // namespace pallasite

BENCHMARK_MAIN();
