#include "model/tmem_layout.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_format.h"

namespace pallasite {
namespace {

constexpr int64_t kWarpLanes = 32;

TmemLayout::Kind KindOf(TmemLayoutKind kind) {
  switch (kind) {
    case TmemLayoutKind::kScales:
      return TmemLayout::Kind::kScales;
    case TmemLayoutKind::kSparseMetadata:
      return TmemLayout::Kind::kSparseMetadata;
    case TmemLayoutKind::kM64Collective:
      return TmemLayout::Kind::kM64Collective;
    case TmemLayoutKind::kScalesM64Collective:
      return TmemLayout::Kind::kScalesM64Collective;
  }
  return TmemLayout::Kind::kDefault;
}

}  // namespace

bool HasOneBit(int64_t value) {
  const uint64_t magnitude = value < 0
                                 ? uint64_t{0} - static_cast<uint64_t>(value)
                                 : static_cast<uint64_t>(value);
  return __builtin_popcountll(magnitude) == 1;
}

int64_t TmemLayout::tile_rows() const {
  switch (kind) {
    case Kind::kHalfLane:
    case Kind::kM64Collective:
      return kTmemLanes / 2;
    case Kind::kScalesM64Collective:
      return kTmemLanes * 2;
    case Kind::kDefault:
    case Kind::kScales:
    case Kind::kSparseMetadata:
      break;
  }
  return kTmemLanes;
}

int64_t TmemLayout::tile_columns() const {
  switch (kind) {
    case Kind::kDefault:
      return packing;
    case Kind::kHalfLane:
    case Kind::kM64Collective:
      return columns;
    case Kind::kScales:
    case Kind::kScalesM64Collective:
      return 4;
    case Kind::kSparseMetadata:
      return 16;
  }
  return 1;
}

int64_t TmemLayout::vector_length() const {
  switch (kind) {
    case Kind::kDefault:
    case Kind::kHalfLane:
    case Kind::kM64Collective:
      return packing;
    case Kind::kScales:
    case Kind::kScalesM64Collective:
      return 4;
    case Kind::kSparseMetadata:
      return 16;
  }
  return 1;
}

int64_t TmemLayout::replication() const {
  if (kind == Kind::kScales) return 4;
  if (kind == Kind::kScalesM64Collective) return 2;
  return 1;
}

std::string TmemLayout::Repr() const {
  std::string tiles;
  const char* dims = "";
  switch (kind) {
    case Kind::kDefault:
      tiles = absl::StrFormat("((%d, %d), (%d, %d))", kTmemLanes, packing,
                              kWarpLanes, packing);
      dims = "warp_dims=(-4,), lane_dims=(-2,), vector_dim=-1";
      break;
    case Kind::kHalfLane:
      tiles = absl::StrFormat("((%d, %d), (%d, %d), (%d,))", kTmemLanes / 2,
                              columns, kWarpLanes / 2, columns / 2, packing);
      dims = "warp_dims=(-5,), lane_dims=(-4, -3), vector_dim=-1";
      break;
    case Kind::kM64Collective:
      tiles = absl::StrFormat("((%d, %d), (%d, %d), (%d,))", kTmemLanes / 2,
                              columns, kWarpLanes, columns / 2, packing);
      dims = "warp_dims=(-4, -5), lane_dims=(-3,), vector_dim=-1";
      break;
    case Kind::kScales:
      tiles = "((128, 4), (32, 1))";
      dims = "warp_dims=(Replicated(times=4),), lane_dims=(-2,), vector_dim=-3";
      break;
    case Kind::kScalesM64Collective:
      tiles = "((256, 4), (128, 4), (32, 4))";
      dims =
          "warp_dims=(Replicated(times=2), -6), lane_dims=(-2,), "
          "vector_dim=-1";
      break;
    case Kind::kSparseMetadata:
      tiles = "((128, 16), (32, 1), (16, 1), (8, 1))";
      dims = "warp_dims=(-8,), lane_dims=(-2, -4, -6), vector_dim=-7";
      break;
  }
  return absl::StrFormat("TMEMLayout(tiling=Tiling(tiles=%s), %s)", tiles,
                         dims);
}

TmemLayout LayoutOf(const RefSpec& ref) {
  if (ref.layout) {
    return {.kind = KindOf(ref.layout->kind),
            .columns = ref.layout->columns.value_or(0),
            .packing = ref.layout->packing.value_or(1)};
  }
  TmemLayout layout;
  if (ref.packed.value_or(false)) layout.packing = 32 / Info(ref.dtype).bits;
  if (ref.shape[ref.shape.size() - 2] == kTmemLanes / 2) {
    layout.kind = ref.collective.value_or(false)
                      ? TmemLayout::Kind::kM64Collective
                      : TmemLayout::Kind::kHalfLane;
    layout.columns = ref.shape.back();
  }
  return layout;
}

Shape CollapsedTmemShape(const Shape& shape) {
  if (shape.size() <= 2) return shape;
  int64_t columns = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i + 2 != shape.size()) columns *= shape[i];
  }
  return {shape[shape.size() - 2], columns};
}

bool HasEmptyBatch(const RefSpec& ref) {
  if (ref.shape.size() <= 2) return false;
  return std::find(ref.shape.begin(), ref.shape.end() - 2, 0) !=
         ref.shape.end() - 2;
}

int64_t ColumnsInShape(const TmemLayout& layout, const Shape& shape) {
  const int64_t cells = shape[0] * shape[1] * layout.replication();
  return cells / kTmemLanes / layout.vector_length();
}

}  // namespace pallasite
