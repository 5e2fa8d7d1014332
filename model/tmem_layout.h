#ifndef PALLASITE_MODEL_TMEM_LAYOUT_H_
#define PALLASITE_MODEL_TMEM_LAYOUT_H_

#include <cstdint>
#include <string>

#include "absl/types/span.h"
#include "model/config/ref.h"
#include "model/config/shape.h"

namespace pallasite {

inline constexpr int64_t kTmemLanes = 128;       // rows of tensor memory
inline constexpr int64_t kTmemMaxColumns = 512;  // of 32 bits each
// Each ref starts at a multiple of this many columns.
inline constexpr int64_t kTmemColumnAlignment = 4;

// How a 2D ref is spread over the lanes and columns of tensor memory.
struct TmemLayout {
  enum class Kind : uint8_t {
    kDefault,        // 128 rows, one a lane
    kHalfLane,       // 64 rows, one CTA
    kM64Collective,  // 64 rows, two CTAs
    kScales,
    kScalesM64Collective,
    kSparseMetadata,
  };
  Kind kind = Kind::kDefault;
  int64_t columns = 0;  // of the base tile of kHalfLane and kM64Collective
  int64_t packing = 1;  // elements that share a 32-bit cell

  // Extents of the base tile, which must divide the ref's, in elements.
  int64_t tile_rows() const;
  int64_t tile_columns() const;
  // Elements that lie side by side in one cell.
  int64_t vector_length() const;
  // Copies of the data that the layout keeps.
  int64_t replication() const;
  // As Python prints it.
  std::string Repr() const;
};

// True when `value` has exactly one bit set; Python counts the bits of the
// absolute value.
bool HasOneBit(int64_t value);

// The layout that a TMEM ref of an accepted construction has.
TmemLayout LayoutOf(const RefSpec& ref);

// The shape a TMEM ref occupies: batch dimensions are laid side by side along
// the columns.
Shape CollapsedTmemShape(const Shape& shape);

// Whether the ref has batch dimensions of which one is empty.
bool HasEmptyBatch(const RefSpec& ref);

// Columns that a 2D ref of this shape takes, once its shape fits the layout.
int64_t ColumnsInShape(const TmemLayout& layout, const Shape& shape);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_TMEM_LAYOUT_H_
