#ifndef PALLASITE_GENERATORS_WILD_KNOBS_H_
#define PALLASITE_GENERATORS_WILD_KNOBS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/config/kernel_config.h"

namespace pallasite::wild {

// A part of a configuration that can be changed. Knobs point into it, and live
// until the next change of its structure.

struct ExtentKnob {  // of an array or ref: from 0 to 2^40
  int64_t* extent;
  Shape* shape = nullptr;  // that it belongs to
};
struct ShapeKnob {  // as a whole: its rank and order
  Shape* shape;
};
struct IntegerKnob {  // anything at all
  int64_t* value;
};
struct OptionalIntegerKnob {
  std::optional<int64_t>* value;
};
struct ScalarKnob {
  Scalar* scalar;
};
struct DTypeKnob {
  DType* dtype;
};
struct BoolKnob {
  bool* value;
};
struct OptionalBoolKnob {
  std::optional<bool>* value;
};
struct AxisKnob {  // the name of an axis, where one is used
  std::string* name;
};
struct AxesKnob {
  std::vector<std::string>* names;
};
struct MeshKnob {  // at most 8 devices, or nobody can simulate it
  Named<int64_t>* mesh;
};
struct AxisListKnob {  // grid or cluster, where axes are declared
  AxisList* axes;
};
struct ThreadsKnob {
  ThreadAxis* threads;
};
struct ParamsKnob {
  CompilerParams* params;
};
struct RefKnob {  // space, transforms, layout
  RefSpec* ref;
};
struct TreeKnob {
  RefTree* tree;
};
struct TreesKnob {  // items of a sequence, groups of a union
  std::vector<RefTree>* trees;
};
struct ScratchKnob {
  Named<RefTree>* scratch;
};
struct BodyKnob {
  std::vector<Op>* body;
};
struct RefExprKnob {
  RefExpr* ref;
};
struct ViewsKnob {
  std::vector<View>* views;
};
struct IndicesKnob {
  std::vector<Index>* indices;
};
struct PeerKnob {
  PeerView* peer;
};
struct PrefetchKnob {
  AsyncPrefetchOp* op;
};

using Knob =
    std::variant<ExtentKnob, ShapeKnob, IntegerKnob, OptionalIntegerKnob,
                 ScalarKnob, DTypeKnob, BoolKnob, OptionalBoolKnob, AxisKnob,
                 AxesKnob, MeshKnob, AxisListKnob, ThreadsKnob, ParamsKnob,
                 RefKnob, TreeKnob, TreesKnob, ScratchKnob, BodyKnob,
                 RefExprKnob, ViewsKnob, IndicesKnob, PeerKnob, PrefetchKnob>;

std::vector<Knob> KnobsOf(KernelConfig& config);

}  // namespace pallasite::wild

#endif  // PALLASITE_GENERATORS_WILD_KNOBS_H_
