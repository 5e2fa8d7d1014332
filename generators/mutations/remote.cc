// Refs to the memory of other devices.

#include <cstdint>
#include <utility>
#include <vector>

#include "generators/mutations/edit.h"
#include "generators/mutations/mutation.h"

namespace pallasite::mutations {
namespace {

using Entry = DeviceIdDict::Entry;

// A device that is always there.
PeerView Self() {
  return {.device_id = Scalar{int64_t{0}}, .id_type = DeviceIdType::kLogical};
}

// Prefetches rows of a peer.
bool FromPeer(KernelConfig& config, Choices& choices, DeviceId id,
              DeviceIdType id_type = DeviceIdType::kMesh) {
  std::vector<View> views;
  views.emplace_back(PeerView{.device_id = std::move(id), .id_type = id_type});
  if (choices.Bool()) views.emplace_back(AtView{{PySlice{.stop = 4}}});
  AddPrefetchOfRows(config, choices, std::move(views));
  return true;
}

constexpr Mutation kMutations[] = {
    {.rule = "trace.remote.peer-of-multicast",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           AddPrefetchOfRows(config, choices, {MulticastView{{"d"}}, Self()});
           return true;
         }},
    {.rule = "trace.remote.multicast-of-peer",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           AddPrefetchOfRows(config, choices, {Self(), MulticastView{{"d"}}});
           return true;
         }},
    {.rule = "trace.remote.mixed-device-id-keys",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return FromPeer(
               config, choices,
               DeviceIdDict{{Entry{.axes = {"d"}}, Entry{.axes = {"n", "r"}}}});
         }},
    {.rule = "trace.remote.integer-overflow",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           const auto id = choices.Pick<int64_t>(
               {int64_t{1} << 31, int64_t{1} << 40, -(int64_t{1} << 31) - 1});
           return FromPeer(config, choices, Scalar{id}, DeviceIdType::kLogical);
         }},
    {.rule = "lower.device-id.dict-not-mesh",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return FromPeer(config, choices,
                           DeviceIdDict{{Entry{.axes = {"d"}}}},
                           DeviceIdType::kLogical);
         }},
    {.rule = "lower.device-id.mixed-joint-axes",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           const std::string axis = RequireMeshAxis(config);
           const std::string other =
               choices.Bool() ? RequireGridAxis(config) : std::string("q");
           return FromPeer(config, choices,
                           DeviceIdDict{{Entry{.axes = {axis, other}}}});
         }},
    {.rule = "lower.device-id.rank",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           DeviceIdTuple tuple;
           const size_t rank = config.mesh.size();
           const size_t ids = rank > 1 && choices.Bool() ? rank - 1 : rank + 1;
           tuple.coordinates.assign(ids, Scalar{int64_t{0}});
           return FromPeer(config, choices, std::move(tuple));
         }},
    {.rule = "lower.device-id.unknown-axes",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           const std::string axis =
               choices.Bool() ? RequireGridAxis(config) : std::string("q");
           DeviceIdDict dict{{Entry{.axes = {axis}}}};
           if (!config.mesh.empty() && choices.Bool()) {
             dict.entries.push_back({.axes = {config.mesh.front().first}});
           }
           return FromPeer(config, choices, std::move(dict));
         }},
    {.rule = "lower.device-id.empty",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RequireNoMesh(config);
           if (choices.Bool()) {
             return FromPeer(config, choices, DeviceIdTuple{});
           }
           return FromPeer(config, choices, DeviceIdDict{});
         }},
    {.rule = "lower.device-id.logical-tuple",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           DeviceIdTuple tuple;
           choices.List(1, 3, [&](size_t) {
             tuple.coordinates.emplace_back(int64_t{0});
           });
           return FromPeer(config, choices, std::move(tuple),
                           DeviceIdType::kLogical);
         }},
    {.rule = "lower.device-id.outside-mesh",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RequireLowering(config, Lowering::kLane);
           const int64_t id =
               choices.Bool() ? choices.Between(8, 64) : -choices.Between(1, 8);
           return FromPeer(config, choices, Scalar{id}, DeviceIdType::kLogical);
         }},
    {.rule = "lower.device-id.replay",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RequireLowering(config, Lowering::kLane);
           return FromPeer(config, choices,
                           Scalar{AxisIndex{.axis = RequireGridAxis(config)}},
                           DeviceIdType::kLogical);
         }},
    {.rule = "lower.gmem.multicast",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           AddPrefetchOfRows(config, choices, {MulticastView{{"d"}}});
           return true;
         }},
    {.rule = "lower.prefetch.warpgroup-peer",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RequireLowering(config, Lowering::kWarpgroup);
           return FromPeer(config, choices, Scalar{int64_t{0}},
                           DeviceIdType::kLogical);
         }},
};

}  // namespace

absl::Span<const Mutation> RemoteMutations() { return kMutations; }

}  // namespace pallasite::mutations
