// Views on arrays: indices, slices, transposes, reshapes.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "generators/mutations/edit.h"
#include "generators/mutations/mutation.h"

namespace pallasite::mutations {
namespace {

constexpr int64_t kRows = 8;  // of the arrays that edit.h makes

View At(std::vector<Index> indices) { return AtView{std::move(indices)}; }
View Everything() { return At({PySlice{}}); }

// Prefetches rows through `views`.
bool Through(KernelConfig& config, Choices& choices, std::vector<View> views) {
  AddPrefetchOfRows(config, choices, std::move(views));
  return true;
}

// The same with one index into the rows, in one `.at` or after another.
bool Indexed(KernelConfig& config, Choices& choices, Index index) {
  std::vector<View> views;
  if (choices.Bool()) views.push_back(Everything());
  views.push_back(At({std::move(index)}));
  return Through(config, choices, std::move(views));
}

int64_t TooWide(Choices& choices) {
  return choices.Pick<int64_t>({int64_t{1} << 31, int64_t{1} << 32, INT64_MAX});
}

// Where a value of the kernel can stand: in an index, a slice or a predicate.
bool PutAxis(KernelConfig& config, Choices& choices, AxisIndex axis) {
  switch (choices.UpTo(3)) {
    case 0:
      SomePrefetch(config, choices).predicate =
          AxisEquals{.axis = axis.axis, .value = axis.offset};
      return true;
    case 1:
      return Indexed(config, choices, Scalar{std::move(axis)});
    case 2:
      return Indexed(config, choices,
                     DynamicSlice{.start = std::move(axis), .size = 1});
    default:
      return Through(config, choices,
                     {PeerView{.device_id = Scalar{std::move(axis)},
                               .id_type = DeviceIdType::kLogical}});
  }
}

constexpr Mutation kMutations[] = {
    {.rule = "trace.axis.unbound",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return PutAxis(config, choices, {.axis = "q"});
         }},
    {.rule = "trace.axis.operand-overflow",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return PutAxis(
               config, choices,
               {.axis = RequireGridAxis(config), .offset = TooWide(choices)});
         }},
    {.rule = "trace.indexing.negative-stride",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return Indexed(config, choices,
                          DynamicSlice{.size = choices.Between(0, kRows),
                                       .stride = -choices.Between(1, 8)});
         }},
    {.rule = "trace.indexing.several-ellipses",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           std::vector<Index> indices = {EllipsisIndex{}, EllipsisIndex{}};
           if (choices.Bool()) indices.emplace_back(PySlice{});
           return Through(config, choices, {At(std::move(indices))});
         }},
    {.rule = "trace.indexing.too-many-indices",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           if (choices.Bool()) {
             return Through(config, choices,
                            {At({PySlice{}, PySlice{}, PySlice{}})});
           }
           // An integer leaves one dimension less.
           return Through(config, choices,
                          {At({int64_t{0}}), At({PySlice{}, PySlice{}})});
         }},
    {.rule = "trace.indexing.zero-step",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return Indexed(config, choices, PySlice{.step = 0});
         }},
    {.rule = "trace.indexing.negative-step",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return Indexed(config, choices,
                          PySlice{.step = -choices.Between(1, 8)});
         }},
    {.rule = "trace.indexing.integer-overflow",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           const int64_t value = TooWide(choices);
           return Indexed(config, choices,
                          Scalar{choices.Bool() ? value : -value - 1});
         }},
    {.rule = "trace.indexing.slice-start",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           const int64_t start = kRows + choices.Between(0, 8);
           if (choices.Bool()) {
             return Indexed(config, choices, PySlice{.start = start});
           }
           return Indexed(config, choices,
                          DynamicSlice{.start = start, .size = 1});
         }},
    {.rule = "trace.indexing.slice-end",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           const int64_t start = choices.Between(1, kRows - 1);
           return Indexed(
               config, choices,
               DynamicSlice{.start = start,
                            .size = kRows - start + choices.Between(1, 8)});
         }},
    {.rule = "trace.indexing.unchecked-end",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return Indexed(config, choices,
                          DynamicSlice{.size = kRows + choices.Between(1, 8)});
         }},
    {.rule = "trace.indexing.unchecked-slice",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           const int64_t size = choices.Between(1, kRows / 2);
           return Indexed(config, choices,
                          DynamicSlice{.start = -size - choices.Between(0, 3),
                                       .size = size});
         }},
    {.rule = "trace.indexing.unchecked-integer",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return Indexed(config, choices,
                          Scalar{choices.Bool() ? kRows + choices.Between(0, 8)
                                                : -choices.Between(1, 8)});
         }},
    {.rule = "trace.transpose.rank",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return Through(config, choices,
                          {TransposeView{choices.Pick(
                               {Shape{0}, Shape{}, Shape{0, 1, 2}})},
                           Everything()});
         }},
    {.rule = "trace.transpose.range",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return Through(config, choices,
                          {TransposeView{choices.Pick(
                               {Shape{0, 2}, Shape{-3, 1}, Shape{7, 0}})},
                           Everything()});
         }},
    {.rule = "trace.reshape.size",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return Through(config, choices,
                          {ReshapeView{choices.Pick(
                              {Shape{7}, Shape{}, Shape{kRows, 3}})}});
         }},
    {.rule = "trace.reshape.several-inferred",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return Through(config, choices,
                          {ReshapeView{choices.Pick(
                              {Shape{-1, -1}, Shape{kRows, -1, -1}})}});
         }},
    {.rule = "trace.reshape.inferred-from-zero",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return Through(config, choices,
                          {ReshapeView{choices.Pick(
                              {Shape{-1, 0}, Shape{0, kRows, -1}})}});
         }},
    {.rule = "trace.reshape.indivisible",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return Through(config, choices,
                          {ReshapeView{choices.Pick(
                              {Shape{-1, 7}, Shape{3, -1}, Shape{-1, 5, 2}})}});
         }},
    {.rule = "lower.gmem.view",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           View view = TransposeView{{1, 0}};
           switch (choices.UpTo(2)) {
             case 0:
               break;
             case 1:
               view = ReshapeView{{-1}};
               break;
             default:
               view = ClusterView{
                   {{RequireClusterAxes(config, 1).front(), int64_t{0}}}};
           }
           return Through(config, choices, {std::move(view)});
         }},
    {.rule = "lower.indexing.chained-stride",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           View strided = At({PySlice{.step = choices.Between(2, 8)}});
           if (choices.Bool()) {
             return Through(config, choices,
                            {std::move(strided), Everything()});
           }
           return Through(config, choices, {Everything(), std::move(strided)});
         }},
    {.rule = "lower.indexing.dynamic-stride",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return Through(
               config, choices,
               {At({DynamicSlice{
                   .start = AxisIndex{.axis = RequireGridAxis(config)},
                   .size = choices.Between(1, 4),
                   .stride = 2}})});
         }},
    {.rule = "lower.indexing.negative-length",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return Through(
               config, choices,
               {At({DynamicSlice{
                   .start = AxisIndex{.axis = RequireGridAxis(config)},
                   .size = -choices.Between(1, 8)}})});
         }},
};

}  // namespace

absl::Span<const Mutation> IndexingMutations() { return kMutations; }

}  // namespace pallasite::mutations
