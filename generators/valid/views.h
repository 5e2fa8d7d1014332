#ifndef PALLASITE_GENERATORS_VALID_VIEWS_H_
#define PALLASITE_GENERATORS_VALID_VIEWS_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "generators/valid/context.h"

namespace pallasite::valid {

// A dimension of an array while views narrow it.
struct Dim {
  int64_t whole = 0;     // in the array
  int64_t size = 0;      // in the present view
  int64_t step = 1;      // the size stays a multiple of this
  bool indexed = false;  // gone: selected with an integer
  // May be indexed at all; TMA reads along the minor dimension.
  bool indexable = true;
  bool must_index = false;
};
using Dims = absl::InlinedVector<Dim, 8>;

// One `.at[...]` that keeps within bounds; updates the dimensions.
AtView GenAtView(Context& context, Dims& dims);

// `plgpu.remote_ref` of a device of the mesh.
PeerView GenPeerView(Context& context);

}  // namespace pallasite::valid

#endif  // PALLASITE_GENERATORS_VALID_VIEWS_H_
