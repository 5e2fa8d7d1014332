#ifndef PALLASITE_MODEL_PHYSICAL_SHAPE_H_
#define PALLASITE_MODEL_PHYSICAL_SHAPE_H_

#include "model/config/ref.h"
#include "model/config/shape.h"

namespace pallasite {

// The shape of `shape` cut into tiles: the tiled dimensions become counts of
// tiles, and the tile's own extents are appended. A tiling of higher rank than
// the shape adds dimensions; an empty one leaves a scalar. All tile extents are
// positive and divide the dimensions they meet.
Shape Tiled(const Shape& shape, const Shape& tiling);

// The shape a ref has in memory once its declaration was traced without error.
Shape PhysicalShape(const RefSpec& ref);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_PHYSICAL_SHAPE_H_
