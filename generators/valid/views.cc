#include "generators/valid/views.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pallasite::valid {
namespace {

// Index arithmetic in a kernel is 32 bits wide.
constexpr int64_t kMaxIndex = 2147483647;

// `axis_index * scale + offset` that stays from 0 to `last`; nullopt when the
// kernel has no axis.
std::optional<AxisIndex> GenAxisIndex(Context& context, int64_t last) {
  const auto axes = AxesInScope(context.config);
  if (axes.empty()) return std::nullopt;
  const Axis& axis = context.choices.Pick(axes);
  last = std::min(last, kMaxIndex);
  const int64_t steps = axis.size - 1;
  AxisIndex index{.axis = std::string(axis.name)};
  index.scale = context.Size(0, steps == 0 ? last : last / steps);
  index.offset = context.Size(0, last - index.scale * steps);
  return index;
}

Scalar GenScalar(Context& context, int64_t last) {
  if (context.choices.Chance(40)) {
    if (auto index = GenAxisIndex(context, last)) return *std::move(index);
  }
  return context.Size(0, last);
}

struct Range {
  int64_t start = 0;
  int64_t size = 0;
};

Range GenRange(Context& context, const Dim& dim) {
  Range range;
  range.size = context.Size(dim.step, dim.size, dim.step);
  range.start = context.Size(0, dim.size - range.size);
  return range;
}

// A Python slice: parts may be left out, count from the end, or reach past it.
PySlice GenPySlice(Context& context, const Range& range, int64_t extent) {
  Choices& choices = context.choices;
  PySlice slice;
  if (range.start != 0 || choices.Bool()) {
    slice.start = choices.Chance(15) ? range.start - extent : range.start;
  }
  const int64_t stop = range.start + range.size;
  if (stop < extent) {
    slice.stop = choices.Chance(15) ? stop - extent : stop;
  } else if (choices.Bool()) {
    slice.stop = choices.Chance(15) ? extent + 1 : extent;
  }
  if (choices.Chance(10)) slice.step = 1;
  return slice;
}

Index GenIndex(Context& context, Dim& dim) {
  enum { kWhole, kSlice, kInteger, kStatic, kDynamic };
  Choices& choices = context.choices;
  auto kind = dim.must_index ? size_t{kInteger}
                             : choices.Weighted({30, 20, 20, 15, 15});
  if (kind == kInteger && !dim.indexable) kind = kSlice;
  switch (kind) {
    case kWhole:
      return PySlice{};
    case kInteger: {
      dim.indexed = true;
      dim.must_index = false;
      return GenScalar(context, dim.size - 1);
    }
    case kSlice: {
      const Range range = GenRange(context, dim);
      const PySlice slice = GenPySlice(context, range, dim.size);
      dim.size = range.size;
      return slice;
    }
    default: {
      Range range = GenRange(context, dim);
      DynamicSlice slice{.start = range.start, .size = range.size};
      if (kind == kDynamic) {
        auto start = GenAxisIndex(context, dim.size - range.size);
        if (start) slice.start = *std::move(start);
      }
      if (choices.Chance(10)) slice.stride = 1;
      dim.size = range.size;
      return slice;
    }
  }
}

bool IsWhole(const Index& index) {
  const auto* slice = std::get_if<PySlice>(&index);
  return slice != nullptr && *slice == PySlice{};
}

// What one writes: every index, none for the last whole dimensions, or `...`
// for a run of whole dimensions, which may be empty.
std::vector<Index> Abbreviate(Context& context, std::vector<Index> indices) {
  enum { kComplete, kTrimmed, kEllipsis };
  switch (context.choices.Weighted({50, 40, 10})) {
    case kComplete:
      return indices;
    case kTrimmed:
      // `.at[()]` is an index too, but not one that anybody writes.
      while (indices.size() > 1 && IsWhole(indices.back())) indices.pop_back();
      return indices;
    default: {
      const size_t at = context.choices.UpTo(indices.size());
      size_t end = at;
      while (end < indices.size() && IsWhole(indices[end])) ++end;
      std::vector<Index> shorter(indices.begin(), indices.begin() + at);
      shorter.emplace_back(EllipsisIndex{});
      shorter.insert(shorter.end(), indices.begin() + end, indices.end());
      return shorter;
    }
  }
}

// --- Device ids

// Something from 0 to size - 1, computed from the position in the mesh or not.
Scalar GenCoordinate(Context& context, int64_t size) {
  Choices& choices = context.choices;
  if (choices.Chance(40)) {
    for (const auto& [name, extent] : context.config.mesh) {
      if (extent > size) continue;
      // The same position, or the one opposite.
      if (choices.Bool()) {
        return AxisIndex{.axis = name, .scale = -1, .offset = extent - 1};
      }
      return AxisIndex{.axis = name};
    }
  }
  return choices.Between(0, size - 1);
}

DeviceIdDict GenDeviceIdDict(Context& context) {
  DeviceIdDict dict;
  // JAX sorts the keys, and Python does not compare names with tuples: either
  // every key is one axis, or one key joins them.
  const bool join = context.choices.Chance(25);
  int64_t devices = 1;
  for (const auto& [name, size] : context.config.mesh) {
    if (!context.choices.Chance(70)) continue;
    devices = join ? devices * size : size;
    if (dict.entries.empty() || !join) dict.entries.emplace_back();
    DeviceIdDict::Entry& entry = dict.entries.back();
    entry.axes.push_back(name);
    entry.index = GenCoordinate(context, devices);
  }
  return dict;
}

}  // namespace

AtView GenAtView(Context& context, Dims& dims) {
  AtView view;
  for (Dim& dim : dims) {
    if (!dim.indexed) view.indices.push_back(GenIndex(context, dim));
  }
  view.indices = Abbreviate(context, std::move(view.indices));
  return view;
}

PeerView GenPeerView(Context& context) {
  Choices& choices = context.choices;
  const auto& mesh = context.config.mesh;
  PeerView peer;
  int64_t devices = 1;
  for (const auto& axis : mesh) devices *= axis.second;
  enum { kLogical, kCoordinates, kDict };
  const auto kind =
      mesh.empty() ? size_t{kLogical} : choices.Weighted({40, 40, 20});
  switch (kind) {
    case kLogical:
      peer.id_type = DeviceIdType::kLogical;
      peer.device_id = GenCoordinate(context, devices);
      return peer;
    case kCoordinates: {
      if (mesh.size() == 1 && choices.Bool()) {
        peer.device_id = GenCoordinate(context, devices);
        return peer;
      }
      DeviceIdTuple tuple;
      for (const auto& axis : mesh) {
        tuple.coordinates.push_back(GenCoordinate(context, axis.second));
      }
      peer.device_id = std::move(tuple);
      return peer;
    }
    default:
      peer.device_id = GenDeviceIdDict(context);
      return peer;
  }
}

}  // namespace pallasite::valid
