#include <algorithm>
#include <cstdint>
#include <string_view>

#include "generators/valid/context.h"
#include "generators/valid/tma.h"

namespace pallasite::valid {
namespace {

constexpr std::string_view kInputNames[] = {"x", "y", "z"};
constexpr std::string_view kOutputNames[] = {"o", "p", "q"};
// Keeps byte offsets far below the 2^40 bytes that TMA strides can express.
constexpr int64_t kMaxElements = int64_t{1} << 32;

// Any array at all.
ArraySpec GenAnyArray(Context& context) {
  ArraySpec array;
  array.dtype = *PickDType(context, DTypeSet::All());
  int64_t left = kMaxElements;
  context.choices.List(0, context.policy.max_rank, [&](size_t) {
    const int64_t extent =
        context.Size(0, std::min(left, context.policy.max_extent));
    left /= std::max<int64_t>(extent, 1);
    array.shape.push_back(extent);
  });
  return array;
}

DTypeSet TmaTypes(bool input) {
  static const DTypeSet sets[] = {
      DTypeSet::Where([](const DTypeInfo& info) {
        return IsTmaDType(InKernel(info.dtype, false));
      }),
      DTypeSet::Where([](const DTypeInfo& info) {
        return IsTmaDType(InKernel(info.dtype, true));
      })};
  return sets[input ? 1 : 0];
}

// An array that TMA can address: rows of whole 16-byte units, at most five
// dimensions with more than one element.
std::optional<ArraySpec> GenTmaArray(Context& context, bool input) {
  const auto dtype = PickDType(context, TmaTypes(input));
  if (!dtype) return std::nullopt;
  ArraySpec array{.dtype = *dtype};
  const int64_t unit = TmaUnit(InKernel(*dtype, input));
  int64_t left = kMaxElements;
  const int64_t minor =
      context.Size(unit, std::max(unit, context.policy.max_extent), unit);
  left /= minor;
  size_t wide = 1;
  context.choices.List(0, context.policy.max_rank - 1, [&](size_t) {
    const int64_t most = wide == kTmaMaxRank ? 1 : left;
    const int64_t extent =
        context.Size(1, std::min(most, context.policy.max_extent));
    if (extent > 1) ++wide;
    left /= extent;
    array.shape.push_back(extent);
  });
  array.shape.push_back(minor);
  return array;
}

ArraySpec GenArray(Context& context, bool input) {
  if (context.Has(Area::kPrefetch) && context.choices.Chance(85)) {
    if (auto array = GenTmaArray(context, input)) return *std::move(array);
  }
  return GenAnyArray(context);
}

}  // namespace

void GenArrays(Context& context) {
  const GenPolicy& policy = context.policy;
  context.choices.List(
      0, std::min(std::size(kInputNames), policy.max_inputs),
      [&](size_t i) {
        context.config.inputs.emplace_back(kInputNames[i],
                                           GenArray(context, true));
      },
      97);
  // A kernel without outputs is dropped before anybody looks at it.
  context.choices.List(
      1, std::clamp<size_t>(policy.max_outputs, 1, std::size(kOutputNames)),
      [&](size_t i) {
        context.config.outputs.emplace_back(kOutputNames[i],
                                            GenArray(context, false));
      });
}

}  // namespace pallasite::valid
