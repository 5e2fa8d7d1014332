#include "model/construct/barrier.h"

#include <string_view>
#include <vector>

#include "model/python.h"

namespace pallasite {
namespace {

constexpr std::string_view kArea = "barriers";
constexpr std::string_view kPattern =
    "Num arrivals must be at least 1, but got {arrivals}";
constexpr std::string_view kWhy =
    "A barrier completes a phase when the announced number of arrivals has "
    "been "
    "made; with none it never has a phase to complete.";
constexpr std::string_view kFix = "Pass num_arrivals=1 or more.";

template <typename Spec>
Finding TooFewArrivals(const Spec& barrier) {
  if (barrier.num_arrivals >= 1) return Holds();
  return Broken({{"arrivals", PyInt(barrier.num_arrivals)}});
}

constexpr Rule<BarrierSpec> kBarrierRules[] = {
    {.doc = {.id = "construct.barrier.arrivals-positive",
             .area = kArea,
             .wordings = {{.pattern = kPattern}},
             .why = kWhy,
             .fix = kFix,
             .source = "core.py Barrier.__post_init__"},
     .violated = TooFewArrivals<BarrierSpec>},
};

constexpr Rule<ClusterBarrierSpec> kClusterBarrierRules[] = {
    {.doc = {.id = "construct.cluster-barrier.arrivals-positive",
             .area = kArea,
             .wordings = {{.pattern = kPattern}},
             .why = kWhy,
             .fix = kFix,
             .source = "core.py ClusterBarrier.__post_init__"},
     .violated = TooFewArrivals<ClusterBarrierSpec>},
};

}  // namespace

bool CheckBarrierConstruction(const BarrierSpec& barrier, const Location& at,
                              Checker& checker) {
  return checker.Check(kBarrierRules, barrier, at);
}

bool CheckBarrierConstruction(const ClusterBarrierSpec& barrier,
                              const Location& at, Checker& checker) {
  return checker.Check(kClusterBarrierRules, barrier, at);
}

void AppendBarrierRules(RuleList& rules) {
  AppendDocs(kBarrierRules, Stage::kConstructScratch, rules);
  AppendDocs(kClusterBarrierRules, Stage::kConstructScratch, rules);
}

}  // namespace pallasite
