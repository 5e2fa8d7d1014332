#include <cstdint>

#include "generators/valid/context.h"

namespace pallasite::valid {

RefTree GenAccumulator(Context& context) {
  const auto dtype = PickDType(context, {DType::kFloat32, DType::kInt32});
  // One warpgroup computes 64 rows at a time, up to 256 columns.
  return RefTree{
      AccumulatorSpec{.dtype = dtype.value_or(DType::kFloat32),
                      .shape = {context.choices.Pick<int64_t>({64, 128}),
                                context.Size(8, 256, 8)}}};
}

}  // namespace pallasite::valid
