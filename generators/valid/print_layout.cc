#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "generators/valid/context.h"

namespace pallasite::valid {
namespace {

// A scratch ref that print_layout can take, and how the body names it.
struct Printable {
  std::string_view name;
  std::vector<PathStep> path;
};

// Refs of tensor memory that a later step counts in MLIR's element widths: no
// complex types, and bool is one bit wide.
bool TmemPrints(const RefSpec& ref, bool lane_union_member) {
  const DTypeInfo& info = Info(ref.dtype);
  if (info.kind == DTypeKind::kComplex) return false;
  // Batched refs are printed one batch at a time, which takes a view.
  if (ref.shape.size() > 2) return false;
  if (info.kind == DTypeKind::kBool) {
    const bool packed = ref.packed.value_or(false) || ref.layout.has_value();
    if (packed) return false;
  }
  // The Lane lowering aliases members of 128 rows only.
  return !lane_union_member || ref.shape[0] == 128;
}

bool SmemPrints(const RefSpec& ref, bool lane) {
  (void)ref;
  (void)lane;
  return true;
}

class Finder {
 public:
  explicit Finder(const Context& context) : context_(context) {}

  std::vector<Printable> Find() {
    for (const auto& [name, tree] : context_.config.scratch) {
      name_ = name;
      Walk(tree, false);
    }
    return std::move(found_);
  }

 private:
  void Walk(const RefTree& tree, bool in_union) {
    if (const auto* ref = std::get_if<RefSpec>(&tree.node)) {
      const bool prints = ref->space == MemorySpace::kTmem
                              ? TmemPrints(*ref, in_union && context_.lane())
                              : SmemPrints(*ref, context_.lane());
      if (prints) found_.push_back({name_, path_});
    } else if (const auto* sequence = std::get_if<RefSequence>(&tree.node)) {
      WalkItems(sequence->items, in_union);
    } else if (const auto* dict = std::get_if<RefDict>(&tree.node)) {
      for (const auto& [key, child] : dict->entries) {
        path_.emplace_back(key);
        Walk(child, in_union);
        path_.pop_back();
      }
    } else if (const auto* spec = std::get_if<RefUnionSpec>(&tree.node)) {
      WalkItems(spec->groups, true);
    }
  }
  void WalkItems(const std::vector<RefTree>& items, bool in_union) {
    for (size_t i = 0; i < items.size(); ++i) {
      path_.emplace_back(static_cast<int64_t>(i));
      Walk(items[i], in_union);
      path_.pop_back();
    }
  }

  const Context& context_;
  std::string_view name_;
  std::vector<PathStep> path_;
  std::vector<Printable> found_;
};

}  // namespace

std::optional<Op> GenPrintLayout(Context& context) {
  const std::vector<Printable> printables = Finder(context).Find();
  if (printables.empty()) return std::nullopt;
  const Printable& printable = context.choices.Pick(printables);
  return Op{PrintLayoutOp{
      RefExpr{.name = std::string(printable.name), .path = printable.path}}};
}

}  // namespace pallasite::valid
