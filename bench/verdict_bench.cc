// How fast configurations are generated and judged, on one core.
//
//   build/release/pallasite_bench --benchmark_min_time=2

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "generators/case.h"
#include "generators/policy.h"
#include "generators/valid.h"
#include "model/config/walk.h"
#include "model/evaluate.h"

namespace pallasite {
namespace {

constexpr uint64_t kSeed = 1;
constexpr size_t kPool = 2048;

size_t CountRefs(const KernelConfig& config) {
  size_t refs = 0;
  for (const auto& [name, tree] : config.scratch) {
    ForEachLeaf(tree, Location(Location(), name), TreeOrder::kFlatten,
                [&](const RefTree&, const Location&) {
                  ++refs;
                  return true;
                });
  }
  return refs;
}

// What a kernel author or an autotuner asks about: accepted, 8 scratch refs, 6
// ops.
std::vector<KernelConfig> TypicalConfigs() {
  GenPolicy policy;
  policy.max_scratch = 8;
  policy.max_ops = 6;
  std::vector<KernelConfig> configs;
  for (uint64_t i = 0; configs.size() < 64; ++i) {
    RandomSource source(SeedFor(kSeed, i));
    Choices choices(source);
    KernelConfig config = GenKernelConfig(choices, policy);
    if (config.body.size() == 6 && CountRefs(config) == 8) {
      configs.push_back(std::move(config));
    }
  }
  return configs;
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

void BM_EvaluateTypical(benchmark::State& state) {
  EvaluateAll(state, TypicalConfigs());
}
BENCHMARK(BM_EvaluateTypical);

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
