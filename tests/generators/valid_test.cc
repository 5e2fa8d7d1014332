#include "generators/valid.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "generators/choices.h"
#include "gtest/gtest.h"
#include "model/config/walk.h"
#include "model/evaluate.h"
#include "model/text/json_writer.h"
#include "properties/valid_is_accepted.h"

namespace pallasite {
namespace {

std::vector<KernelConfig> Generate(uint64_t seed, size_t count,
                                   const GenPolicy& policy) {
  std::vector<KernelConfig> configs;
  RandomSource source(0);
  Choices choices(source);
  for (size_t i = 0; i < count; ++i) {
    source.Reseed(SeedFor(seed, i));
    choices.Restart();
    configs.push_back(GenKernelConfig(choices, policy));
  }
  return configs;
}

TEST(ValidTest, IsAcceptedByTheModel) {
  for (const KernelConfig& config : Generate(11, 20000, {})) {
    const Failure failure = ValidIsAccepted(config);
    ASSERT_FALSE(failure) << *failure << "\n" << WriteConfig(config);
  }
}

// --- What it can look like

bool AnyLeaf(const KernelConfig& config,
             const std::function<bool(const RefTree&)>& passes) {
  bool found = false;
  const auto visit = [&](auto&& self, const RefTree& tree) -> void {
    ForEachLeaf(
        tree, Location(), TreeOrder::kSource,
        [&](const RefTree& leaf, const Location&) {
          found |= passes(leaf);
          if (const auto* spec = std::get_if<RefUnionSpec>(&leaf.node)) {
            for (const RefTree& group : spec->groups) self(self, group);
          }
          return true;
        });
  };
  for (const auto& entry : config.scratch) visit(visit, entry.second);
  return found;
}

bool AnyRef(const KernelConfig& config,
            const std::function<bool(const RefSpec&)>& passes) {
  return AnyLeaf(config, [&](const RefTree& leaf) {
    const auto* ref = std::get_if<RefSpec>(&leaf.node);
    return ref != nullptr && passes(*ref);
  });
}

bool AnyPrefetch(const KernelConfig& config,
                 const std::function<bool(const AsyncPrefetchOp&)>& passes) {
  const auto visit = [&](auto&& self, const std::vector<Op>& body) -> bool {
    for (const Op& op : body) {
      if (const auto* prefetch = std::get_if<AsyncPrefetchOp>(&op.node)) {
        if (passes(*prefetch)) return true;
      }
      if (const auto* warp_map = std::get_if<WarpMapOp>(&op.node)) {
        if (self(self, warp_map->body)) return true;
      }
    }
    return false;
  };
  return visit(visit, config.body);
}

bool AnyIndex(const KernelConfig& config,
              const std::function<bool(const Index&)>& passes) {
  return AnyPrefetch(config, [&](const AsyncPrefetchOp& op) {
    for (const View& view : op.ref.views) {
      const auto* at = std::get_if<AtView>(&view);
      if (at == nullptr) continue;
      for (const Index& index : at->indices) {
        if (passes(index)) return true;
      }
    }
    return false;
  });
}

template <typename T>
bool HasView(const AsyncPrefetchOp& op) {
  for (const View& view : op.ref.views) {
    if (std::holds_alternative<T>(view)) return true;
  }
  return false;
}

template <typename T>
bool HasScratch(const KernelConfig& config) {
  return AnyLeaf(config, [](const RefTree& leaf) {
    return std::holds_alternative<T>(leaf.node);
  });
}

int64_t SmemBytes(const KernelConfig& config) {
  Facts facts;
  Evaluate(config, *config.target, &facts);
  return facts.smem_bytes;
}

int64_t TmemColumns(const KernelConfig& config) {
  Facts facts;
  Evaluate(config, *config.target, &facts);
  return facts.tmem_columns + facts.tmem_collective_columns;
}

struct Flavour {
  const char* name;
  bool (*shows)(const KernelConfig&);
};

constexpr Flavour kFlavours[] = {
    {"Lane lowering",
     [](const KernelConfig& c) {
       return c.kernel.params.lowering == Lowering::kLane;
     }},
    {"Warpgroup lowering",
     [](const KernelConfig& c) {
       return c.kernel.params.lowering == Lowering::kWarpgroup;
     }},
    {"the default lowering",
     [](const KernelConfig& c) { return !c.kernel.params.lowering; }},
    {"Ampere", [](const KernelConfig& c) { return c.target->arch.major == 8; }},
    {"Blackwell",
     [](const KernelConfig& c) { return c.target->arch.major == 10; }},
    {"a mesh of several axes",
     [](const KernelConfig& c) { return c.mesh.size() > 1; }},
    {"a grid of four axes",
     [](const KernelConfig& c) { return c.kernel.grid.sizes.size() == 4; }},
    {"a cluster of three axes",
     [](const KernelConfig& c) { return c.kernel.cluster.sizes.size() == 3; }},
    {"sixteen threads",
     [](const KernelConfig& c) { return c.kernel.threads.count == 16; }},
    {"no input", [](const KernelConfig& c) { return c.inputs.empty(); }},
    {"an array without elements",
     [](const KernelConfig& c) {
       return c.outputs[0].second.shape == Shape{0};
     }},
    {"complex SMEM",
     [](const KernelConfig& c) {
       return AnyRef(c, [](const RefSpec& ref) {
         return ref.space == MemorySpace::kSmem &&
                Info(ref.dtype).kind == DTypeKind::kComplex;
       });
     }},
    {"bool SMEM",
     [](const KernelConfig& c) {
       return AnyRef(c, [](const RefSpec& ref) {
         return ref.space == MemorySpace::kSmem && ref.dtype == DType::kBool;
       });
     }},
    {"a tiling and a swizzle",
     [](const KernelConfig& c) {
       return AnyRef(
           c, [](const RefSpec& ref) { return ref.transforms.size() == 2; });
     }},
    {"SMEM filled to the last byte",
     [](const KernelConfig& c) { return SmemBytes(c) == 227 * 1024; }},
    {"all 512 columns of TMEM",
     [](const KernelConfig& c) { return TmemColumns(c) == 512; }},
    {"packed TMEM",
     [](const KernelConfig& c) {
       return AnyRef(c, [](const RefSpec& ref) {
         return ref.packed == true && Info(ref.dtype).bits < 32;
       });
     }},
    {"TMEM of 64 rows",
     [](const KernelConfig& c) {
       return AnyRef(c, [](const RefSpec& ref) {
         return ref.space == MemorySpace::kTmem && !ref.layout &&
                ref.shape[ref.shape.size() - 2] == 64;
       });
     }},
    {"batched TMEM",
     [](const KernelConfig& c) {
       return AnyRef(c, [](const RefSpec& ref) {
         return ref.space == MemorySpace::kTmem && ref.shape.size() > 2;
       });
     }},
    {"collective TMEM",
     [](const KernelConfig& c) {
       return AnyRef(c,
                     [](const RefSpec& ref) { return ref.collective == true; });
     }},
    {"every explicit layout: scales",
     [](const KernelConfig& c) {
       return AnyRef(c, [](const RefSpec& ref) {
         return ref.layout && ref.layout->kind == TmemLayoutKind::kScales;
       });
     }},
    {"every explicit layout: scales of M64",
     [](const KernelConfig& c) {
       return AnyRef(c, [](const RefSpec& ref) {
         return ref.layout &&
                ref.layout->kind == TmemLayoutKind::kScalesM64Collective;
       });
     }},
    {"every explicit layout: sparse metadata",
     [](const KernelConfig& c) {
       return AnyRef(c, [](const RefSpec& ref) {
         return ref.layout &&
                ref.layout->kind == TmemLayoutKind::kSparseMetadata;
       });
     }},
    {"every explicit layout: M64 collective with a packing",
     [](const KernelConfig& c) {
       return AnyRef(c, [](const RefSpec& ref) {
         return ref.layout && ref.layout->packing.value_or(1) > 1;
       });
     }},
    {"a union of several groups",
     [](const KernelConfig& c) {
       return AnyLeaf(c, [](const RefTree& leaf) {
         const auto* spec = std::get_if<RefUnionSpec>(&leaf.node);
         return spec != nullptr && spec->groups.size() > 2;
       });
     }},
    {"a union in a union",
     [](const KernelConfig& c) {
       return AnyLeaf(c, [](const RefTree& leaf) {
         const auto* spec = std::get_if<RefUnionSpec>(&leaf.node);
         if (spec == nullptr) return false;
         for (const RefTree& group : spec->groups) {
           if (std::holds_alternative<RefUnionSpec>(group.node)) return true;
         }
         return false;
       });
     }},
    {"a dict of scratch",
     [](const KernelConfig& c) {
       for (const auto& entry : c.scratch) {
         if (std::holds_alternative<RefDict>(entry.second.node)) return true;
       }
       return false;
     }},
    {"a barrier", HasScratch<BarrierSpec>},
    {"a cluster barrier", HasScratch<ClusterBarrierSpec>},
    {"a leader-tracked cluster barrier",
     [](const KernelConfig& c) {
       return AnyLeaf(c, [](const RefTree& leaf) {
         const auto* barrier = std::get_if<ClusterBarrierSpec>(&leaf.node);
         return barrier != nullptr && barrier->leader_tracked;
       });
     }},
    {"an accumulator", HasScratch<AccumulatorSpec>},
    {"a prefetch of an output",
     [](const KernelConfig& c) {
       return AnyPrefetch(c, [&](const AsyncPrefetchOp& op) {
         return op.ref.name == c.outputs[0].first;
       });
     }},
    {"a slice from the end",
     [](const KernelConfig& c) {
       return AnyIndex(c, [](const Index& index) {
         const auto* slice = std::get_if<PySlice>(&index);
         return slice != nullptr && slice->start.value_or(0) < 0;
       });
     }},
    {"an integer index",
     [](const KernelConfig& c) {
       return AnyIndex(c, [](const Index& index) {
         return std::holds_alternative<Scalar>(index);
       });
     }},
    {"an ellipsis",
     [](const KernelConfig& c) {
       return AnyIndex(c, [](const Index& index) {
         return std::holds_alternative<EllipsisIndex>(index);
       });
     }},
    {"a dynamic start",
     [](const KernelConfig& c) {
       return AnyIndex(c, [](const Index& index) {
         const auto* slice = std::get_if<DynamicSlice>(&index);
         return slice != nullptr &&
                std::holds_alternative<AxisIndex>(slice->start);
       });
     }},
    {"three views in a row",
     [](const KernelConfig& c) {
       return AnyPrefetch(c, [](const AsyncPrefetchOp& op) {
         return op.ref.views.size() == 3;
       });
     }},
    {"a peer",
     [](const KernelConfig& c) { return AnyPrefetch(c, HasView<PeerView>); }},
    {"a collective prefetch",
     [](const KernelConfig& c) {
       return AnyPrefetch(c, [](const AsyncPrefetchOp& op) {
         return op.collective_axes && !op.collective_axes->empty();
       });
     }},
    {"a partitioned prefetch",
     [](const KernelConfig& c) {
       return AnyPrefetch(c, [](const AsyncPrefetchOp& op) {
         return op.leader_tracked &&
                std::holds_alternative<Partitioned>(*op.leader_tracked);
       });
     }},
    {"a predicate on an axis",
     [](const KernelConfig& c) {
       return AnyPrefetch(c, [](const AsyncPrefetchOp& op) {
         return op.predicate &&
                std::holds_alternative<AxisEquals>(*op.predicate);
       });
     }},
    {"warp_map",
     [](const KernelConfig& c) {
       for (const Op& op : c.body) {
         if (std::holds_alternative<WarpMapOp>(op.node)) return true;
       }
       return false;
     }},
    {"print_layout of a union's member",
     [](const KernelConfig& c) {
       for (const Op& op : c.body) {
         const auto* print = std::get_if<PrintLayoutOp>(&op.node);
         if (print == nullptr || print->ref.path.empty()) continue;
         for (const auto& [name, tree] : c.scratch) {
           if (name == print->ref.name &&
               std::holds_alternative<RefUnionSpec>(tree.node)) {
             return true;
           }
         }
       }
       return false;
     }},
};

TEST(ValidTest, ShowsEveryFlavour) {
  const std::vector<KernelConfig> configs = Generate(12, 20000, {});
  for (const Flavour& flavour : kFlavours) {
    size_t count = 0;
    for (const KernelConfig& config : configs) {
      if (flavour.shows(config)) ++count;
    }
    EXPECT_GE(count, 10u) << flavour.name;
  }
}

TEST(ValidTest, UsesEveryElementTypeInEveryPlace) {
  std::map<std::string, std::map<DType, int>> seen;
  for (const KernelConfig& config : Generate(13, 20000, {})) {
    ++seen["input"][config.inputs.empty() ? DType::kFloat32
                                          : config.inputs[0].second.dtype];
    ++seen["output"][config.outputs[0].second.dtype];
    AnyRef(config, [&](const RefSpec& ref) {
      ++seen[ref.space == MemorySpace::kSmem ? "smem" : "tmem"][ref.dtype];
      return false;
    });
  }
  for (const char* place : {"input", "output", "smem", "tmem"}) {
    EXPECT_EQ(seen[place].size(), AllDTypes().size()) << place;
  }
}

// --- Policies

TEST(ValidTest, KeepsToTheAreasOfThePolicy) {
  GenPolicy policy;
  policy.areas = {Area::kRefUnion};
  bool any = false;
  for (const KernelConfig& config : Generate(14, 2000, policy)) {
    EXPECT_TRUE(config.body.empty());
    for (const auto& entry : config.scratch) {
      any = true;
      ForEachLeaf(
          entry.second, Location(), TreeOrder::kSource,
          [&](const RefTree& leaf, const Location&) {
            EXPECT_TRUE(std::holds_alternative<RefUnionSpec>(leaf.node));
            return true;
          });
    }
  }
  EXPECT_TRUE(any);
}

TEST(ValidTest, KeepsToTheTargetOfThePolicy) {
  GenPolicy policy;
  policy.arch = Arch{10, 0};
  policy.lowering = Lowering::kLane;
  policy.dtypes = {DType::kFloat32, DType::kUInt8};
  for (const KernelConfig& config : Generate(15, 2000, policy)) {
    EXPECT_EQ(config.target->arch, policy.arch);
    EXPECT_EQ(config.kernel.params.lowering, policy.lowering);
    EXPECT_TRUE(policy.dtypes.Has(config.outputs[0].second.dtype));
  }
}

class TinyPolicyTest : public ::testing::TestWithParam<Area> {};

TEST_P(TinyPolicyTest, WhatAnOdometerReachesFirstIsAccepted) {
  const GenPolicy policy = GenPolicy::Tiny({GetParam()});
  constexpr size_t kMost = 50000;
  Odometer odometer;
  size_t count = 0;
  do {
    Choices choices(odometer);
    const KernelConfig config = GenKernelConfig(choices, policy);
    const Failure failure = ValidIsAccepted(config);
    ASSERT_FALSE(failure) << *failure << "\n" << WriteConfig(config);
  } while (++count < kMost && odometer.Advance());
  EXPECT_GT(count, 100u);
}

INSTANTIATE_TEST_SUITE_P(Areas, TinyPolicyTest, ::testing::ValuesIn(kAllAreas),
                         [](const ::testing::TestParamInfo<Area>& info) {
                           std::string name(Name(info.param));
                           std::erase(name, '-');
                           return name;
                         });

TEST(AreaTest, IsFoundByItsName) {
  for (const Area area : kAllAreas) EXPECT_EQ(AreaFromName(Name(area)), area);
  EXPECT_EQ(AreaFromName("nothing"), std::nullopt);
}

}  // namespace
}  // namespace pallasite
