#include "model/lower/shared/prefetch.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <variant>

#include "model/lower/shared/cluster_axis.h"
#include "model/resolve.h"

namespace pallasite {

GmemArray PrefetchedArray(const AsyncPrefetchOp& op,
                          const KernelConfig& config) {
  const ResolvedRef resolved = Resolve(config, op.ref);
  const ArraySpec& array = *resolved.array;
  return {.dtype = resolved.is_input ? WithoutX64(array.dtype) : array.dtype,
          .shape = array.shape};
}

bool CheckPrefetchAxes(const AsyncPrefetchOp& op, const KernelConfig& config,
                       const Location& at, Checker& checker) {
  if (!op.collective_axes) return true;
  const Location axes(at, "collective_axes");
  for (size_t i = 0; i < op.collective_axes->size(); ++i) {
    if (!CheckClusterAxis(config.kernel, (*op.collective_axes)[i],
                          Location(axes, static_cast<int64_t>(i)), checker)) {
      return false;
    }
  }
  return true;
}

bool HasPlainDescriptor(const RefExpr& ref) {
  return std::none_of(ref.views.begin(), ref.views.end(), [](const View& view) {
    const auto* at = std::get_if<AtView>(&view);
    if (at == nullptr) return std::holds_alternative<PeerView>(view);
    return std::any_of(at->indices.begin(), at->indices.end(),
                       [](const Index& index) {
                         return std::holds_alternative<Scalar>(index);
                       });
  });
}

}  // namespace pallasite
