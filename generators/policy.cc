#include "generators/policy.h"

namespace pallasite {

std::string_view Name(Area area) {
  switch (area) {
    case Area::kKernel:
      return "kernel";
    case Area::kSmem:
      return "smem";
    case Area::kTmem:
      return "tmem";
    case Area::kRefUnion:
      return "ref-union";
    case Area::kBarriers:
      return "barriers";
    case Area::kAccumulators:
      return "accumulators";
    case Area::kPrefetch:
      return "prefetch";
    case Area::kPrintLayout:
      return "print-layout";
  }
  return "";
}

std::optional<Area> AreaFromName(std::string_view name) {
  for (const Area area : kAllAreas) {
    if (Name(area) == name) return area;
  }
  return std::nullopt;
}

GenPolicy GenPolicy::Tiny(AreaSet areas) {
  GenPolicy policy;
  policy.arch = Arch{9, 0};
  policy.lowering = Lowering::kLane;
  policy.areas = areas;
  policy.max_inputs = 1;
  policy.max_outputs = 1;
  policy.max_scratch = 1;
  policy.max_ops = 1;
  policy.max_tree_width = 2;
  policy.max_tree_depth = 1;
  policy.max_rank = 1;
  policy.max_views = 1;
  policy.max_grid_rank = 1;
  policy.max_extent = 8;
  policy.dtypes = {DType::kFloat32, DType::kInt4};
  policy.lattice_only = true;
  return policy;
}

}  // namespace pallasite
