#include <algorithm>
#include <cstdint>
#include <optional>

#include "generators/valid/context.h"

namespace pallasite::valid {
namespace {

// A ref of `rows` by `columns` elements, repeated `batch` times, that takes
// `cells` columns of tensor memory a repetition.
struct Footprint {
  int64_t rows = 128;
  int64_t columns = 0;
  int64_t cells = 0;
};

// Element types that fit, and how many share a 32-bit cell.
struct Element {
  DType dtype = DType::kFloat32;
  int64_t packing = 1;
};

// How elements share the 32-bit cells of a ref.
enum class Cells : uint8_t { kDefault, kUnpacked, kPacked };

// Element types that a ref can have. The Lane lowering counts the bits of
// MLIR's element type, so bool is one bit wide there, and complex types have
// none.
DTypeSet ElementTypes(bool lane, Cells cells) {
  const auto set = [](bool lane, Cells cells) {
    return DTypeSet::Where([&](const DTypeInfo& info) {
      if (lane && info.kind == DTypeKind::kComplex) return false;
      if (cells == Cells::kDefault) return info.bits == 32;
      if (cells == Cells::kUnpacked) return true;
      return info.bits >= 4 && info.bits <= 32 &&
             !(lane && info.kind == DTypeKind::kBool);
    });
  };
  static const DTypeSet sets[2][3] = {
      {set(false, Cells::kDefault), set(false, Cells::kUnpacked),
       set(false, Cells::kPacked)},
      {set(true, Cells::kDefault), set(true, Cells::kUnpacked),
       set(true, Cells::kPacked)}};
  return sets[lane ? 1 : 0][static_cast<size_t>(cells)];
}

std::optional<Element> GenElement(Context& context, Cells cells, RefSpec& ref) {
  const auto dtype = PickDType(context, ElementTypes(context.lane(), cells));
  if (!dtype) return std::nullopt;
  Element element{.dtype = *dtype};
  if (cells == Cells::kUnpacked) ref.packed = false;
  if (cells == Cells::kPacked) {
    ref.packed = true;
    element.packing = 32 / Info(*dtype).bits;
  }
  return element;
}

// Columns must come out as a multiple of `align` cells.
int64_t GenCells(Context& context, int64_t most, int64_t align) {
  return context.Size(align, most, align);
}

// 128 rows, or 64 that are split into two halves along the columns.
std::optional<Footprint> GenInferred(Context& context, Cells element_cells,
                                     bool half_rows, int64_t cells,
                                     int64_t align, RefSpec& ref) {
  const auto element = GenElement(context, element_cells, ref);
  if (!element) return std::nullopt;
  ref.dtype = element->dtype;
  const int64_t p = element->packing;
  if (!half_rows) {
    const int64_t taken = GenCells(context, cells, align);
    return Footprint{.rows = 128, .columns = taken * p, .cells = taken};
  }
  // Blocks of 16 columns take 8 / p cells each. Sixteen columns of eight
  // elements a cell make a layout that JAX refuses as not canonical.
  const int64_t step = std::max<int64_t>(align, 8 / p);
  const int64_t least = p == 8 ? std::max<int64_t>(step, 2) : step;
  const int64_t taken = context.Size(least, cells, step);
  return Footprint{.rows = 64, .columns = taken * 2 * p, .cells = taken};
}

// Element types of which `length` fill a cell.
DTypeSet VectorTypes(bool lane, int64_t length) {
  return DTypeSet::Where([&](const DTypeInfo& info) {
    return info.bits * length == 32 && !(lane && info.kind == DTypeKind::kBool);
  });
}

std::optional<Footprint> GenScales(Context& context, int64_t cells,
                                   bool m64_collective, RefSpec& ref) {
  const auto dtype = PickDType(context, VectorTypes(context.lane(), 4));
  if (!dtype) return std::nullopt;
  ref.dtype = *dtype;
  ref.layout = TmemLayoutSpec{.kind = m64_collective
                                          ? TmemLayoutKind::kScalesM64Collective
                                          : TmemLayoutKind::kScales};
  // Every 4 columns of one tile of rows take 4 cells.
  const int64_t tiles =
      context.choices.Between(1, std::min<int64_t>(2, cells / 4));
  const int64_t columns = GenCells(context, cells / tiles, 4);
  return Footprint{.rows = tiles * (m64_collective ? 256 : 128),
                   .columns = columns,
                   .cells = tiles * columns};
}

std::optional<Footprint> GenSparseMetadata(Context& context, int64_t cells,
                                           int64_t align, RefSpec& ref) {
  const auto dtype = PickDType(context, VectorTypes(context.lane(), 16));
  if (!dtype) return std::nullopt;
  ref.dtype = *dtype;
  ref.layout = TmemLayoutSpec{.kind = TmemLayoutKind::kSparseMetadata};
  const int64_t taken = GenCells(context, cells, align);
  return Footprint{.rows = 128, .columns = 16 * taken, .cells = taken};
}

std::optional<Footprint> GenM64Collective(Context& context, int64_t cells,
                                          int64_t align, RefSpec& ref) {
  const bool packed = context.choices.Bool();
  const auto dtype = PickDType(
      context,
      ElementTypes(context.lane(), packed ? Cells::kPacked : Cells::kUnpacked));
  if (!dtype) return std::nullopt;
  ref.dtype = *dtype;
  const int64_t p = packed ? 32 / Info(*dtype).bits : 1;
  const int64_t step = std::max<int64_t>(align, 8 / p);
  const int64_t least = p == 8 ? std::max<int64_t>(step, 2) : step;
  if (least > cells) return std::nullopt;
  const int64_t taken = context.Size(least, cells, step);
  ref.layout = TmemLayoutSpec{.kind = TmemLayoutKind::kM64Collective,
                              .columns = taken * 2 * p};
  if (packed) ref.layout->packing = p;
  // The layout's tile may cover the ref several times.
  const int64_t tiles =
      context.choices.Between(1, std::min<int64_t>(2, cells / taken));
  return Footprint{
      .rows = 64 * tiles, .columns = taken * 2 * p, .cells = tiles * taken};
}

// Every form takes 8 columns at least. One decision tells them apart, so that
// the simplest form has the shortest trace.
std::optional<Footprint> GenFootprint(Context& context, int64_t cells,
                                      int64_t align, RefSpec& ref) {
  switch (context.choices.Weighted({25, 17, 17, 7, 7, 7, 5, 5, 5, 5})) {
    case 0:
      return GenInferred(context, Cells::kDefault, false, cells, align, ref);
    case 1:
      return GenInferred(context, Cells::kUnpacked, false, cells, align, ref);
    case 2:
      return GenInferred(context, Cells::kPacked, false, cells, align, ref);
    case 3:
      return GenInferred(context, Cells::kDefault, true, cells, align, ref);
    case 4:
      return GenInferred(context, Cells::kUnpacked, true, cells, align, ref);
    case 5:
      return GenInferred(context, Cells::kPacked, true, cells, align, ref);
    case 6:
      return GenScales(context, cells, false, ref);
    case 7:
      return GenScales(context, cells, true, ref);
    case 8:
      return GenSparseMetadata(context, cells, align, ref);
    default:
      return GenM64Collective(context, cells, align, ref);
  }
}

}  // namespace

bool OpenTmem(Context& context) {
  if (context.tmem_open) return true;
  // JAX keeps the address of the allocation in 4 bytes of shared memory.
  if (context.smem.left() < 4) return false;
  context.smem.Spend(4);
  context.tmem_open = true;
  return true;
}

int64_t TmemColumns(const RefSpec& ref) {
  int64_t elements = 1;
  for (const int64_t extent : ref.shape) elements *= extent;
  if (!ref.layout) {
    const int64_t packing =
        ref.packed.value_or(false) ? 32 / Info(ref.dtype).bits : 1;
    return elements / 128 / packing;
  }
  switch (ref.layout->kind) {
    case TmemLayoutKind::kScales:
      return elements * 4 / 128 / 4;
    case TmemLayoutKind::kScalesM64Collective:
      return elements * 2 / 128 / 4;
    case TmemLayoutKind::kSparseMetadata:
      return elements / 128 / 16;
    case TmemLayoutKind::kM64Collective:
      return elements / 128 / ref.layout->packing.value_or(1);
  }
  return 0;
}

std::optional<RefSpec> GenTmemRef(Context& context, int64_t columns,
                                  RefUse use) {
  if (columns < 8) return std::nullopt;
  RefSpec ref{.space = MemorySpace::kTmem};
  // JAX measures a union once with every ref padded to four columns and once
  // with the last one unpadded, so the last must need no padding.
  const int64_t align = use == RefUse::kUnionMemberLast ? 4 : 1;
  Shape batch;
  int64_t left = columns;
  if (context.choices.Chance(15)) {
    context.choices.List(1, 2, [&](size_t) {
      const int64_t extent = context.Size(1, std::min<int64_t>(left / 8, 16));
      left /= extent;
      batch.push_back(extent);
    });
  }
  const auto footprint = GenFootprint(context, left, align, ref);
  if (!footprint) return std::nullopt;
  ref.shape = batch;
  ref.shape.push_back(footprint->rows);
  ref.shape.push_back(footprint->columns);
  if (context.tmem_collective) {
    ref.collective = true;
  } else if (context.choices.Chance(20)) {
    ref.collective = false;
  }
  return ref;
}

}  // namespace pallasite::valid
