#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
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

bool IsSwizzled(const RefSpec& ref) {
  return !ref.transforms.empty() &&
         std::holds_alternative<SwizzleTransform>(ref.transforms.back());
}

bool IsEmpty(const RefSpec& ref) {
  return std::find(ref.shape.begin(), ref.shape.end(), 0) != ref.shape.end();
}

bool SmemPrints(const RefSpec& ref, bool lane) {
  if (lane) return true;
  // Layout inference counts in MLIR's element widths: complex types have none,
  // and bool is one bit wide.
  const DTypeKind kind = Info(ref.dtype).kind;
  return !IsEmpty(ref) && kind != DTypeKind::kComplex &&
         !(kind == DTypeKind::kBool && IsSwizzled(ref));
}

bool TmemPrints(const RefSpec& ref, bool lane, bool in_union) {
  const DTypeKind kind = Info(ref.dtype).kind;
  const bool packed = ref.packed.value_or(false) || ref.layout.has_value();
  if (kind == DTypeKind::kComplex) return false;
  if (kind == DTypeKind::kBool && packed) return false;
  // Batched refs are printed one batch at a time, which takes a view.
  if (ref.shape.size() > 2) return false;
  // The Lane lowering aliases members of 128 rows only.
  return !(lane && in_union) || ref.shape[0] == 128;
}

bool Prints(const RefSpec& ref, bool lane, bool in_union) {
  // A member of a union silently loses half of its 64 bits.
  if (in_union && WithoutX64(ref.dtype) != ref.dtype) return false;
  return ref.space == MemorySpace::kTmem ? TmemPrints(ref, lane, in_union)
                                         : SmemPrints(ref, lane);
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
      if (Prints(*ref, context_.lane(), in_union)) {
        found_.push_back({name_, path_});
      }
    } else if (const auto* sequence = std::get_if<RefSequence>(&tree.node)) {
      WalkItems(sequence->items, in_union);
    } else if (const auto* dict = std::get_if<RefDict>(&tree.node)) {
      for (const auto& [key, child] : dict->entries) {
        path_.emplace_back(key);
        Walk(child, in_union);
        path_.pop_back();
      }
    } else if (const auto* spec = std::get_if<RefUnionSpec>(&tree.node)) {
      // Members of a union inside a union have no name in the body.
      if (!in_union) WalkItems(spec->groups, true);
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
