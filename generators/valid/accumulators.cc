#include <cstdint>

#include "generators/valid/context.h"

namespace pallasite::valid {

RefTree GenAccumulator(Context& context) {
  const auto dtype = PickDType(context, [&](const DTypeInfo& info) {
    // The Warpgroup lowering initializes 32-bit accumulators only.
    return info.dtype == DType::kFloat32 || info.dtype == DType::kInt32 ||
           (info.dtype == DType::kFloat16 && context.lane());
  });
  // One warpgroup computes 64 rows at a time, up to 256 columns.
  return RefTree{
      AccumulatorSpec{.dtype = dtype.value_or(DType::kFloat32),
                      .shape = {context.choices.Pick<int64_t>({64, 128}),
                                context.Size(8, 256, 8)}}};
}

}  // namespace pallasite::valid
