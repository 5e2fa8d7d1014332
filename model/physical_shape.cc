#include "model/physical_shape.h"

#include <cstddef>
#include <variant>

#include "model/tmem_layout.h"

namespace pallasite {

Shape Tiled(const Shape& shape, const Shape& tiling) {
  Shape tiled;
  if (tiling.empty()) return tiled;
  const size_t leading =
      shape.size() > tiling.size() ? shape.size() - tiling.size() : 0;
  tiled.assign(shape.begin(), shape.end());
  for (size_t i = leading; i < shape.size(); ++i) {
    tiled[i] /= tiling[i - leading];
  }
  tiled.insert(tiled.end(), tiling.begin(), tiling.end());
  return tiled;
}

Shape PhysicalShape(const RefSpec& ref) {
  if (ref.space == MemorySpace::kTmem) return CollapsedTmemShape(ref.shape);
  Shape shape = ref.shape;
  for (const RefTransform& transform : ref.transforms) {
    if (const auto* tiling = std::get_if<TilingTransform>(&transform)) {
      shape = Tiled(shape, tiling->tiling);
    }
  }
  return shape;
}

}  // namespace pallasite
