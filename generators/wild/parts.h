#ifndef PALLASITE_GENERATORS_WILD_PARTS_H_
#define PALLASITE_GENERATORS_WILD_PARTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "generators/choices.h"
#include "generators/policy.h"
#include "model/config/kernel_config.h"

namespace pallasite::wild {

// Parts of configurations without regard to whether they make sense where they
// are put.
class Parts {
 public:
  Parts(Choices& choices, const GenPolicy& policy, const KernelConfig& config)
      : choices_(choices), policy_(policy), config_(config) {}

  // Something close to `present`, half or twice it, or on a boundary.
  int64_t Near(int64_t present);
  // The same, negative and huge ones included.
  int64_t Integer(int64_t present);
  DType AnyDType();
  // An axis of the kernel or mesh, or one that does not exist.
  std::string AnyAxis();

  Scalar AnyScalar();
  Index AnyIndex();
  PeerView AnyPeer();
  View AnyView();
  Predicate AnyPredicate();
  RefTransform AnyTransform(const RefSpec& ref);
  TmemLayoutSpec AnyLayout(const RefSpec& ref);
  RefTree AnyLeaf();
  // An array, or a leaf of the scratch.
  RefExpr AnyRef();
  Op AnyOp();

 private:
  Choices& choices_;
  const GenPolicy& policy_;
  const KernelConfig& config_;
};

// Every path that ends at a leaf of the scratch, and the arrays.
std::vector<RefExpr> Refs(const KernelConfig& config);

}  // namespace pallasite::wild

#endif  // PALLASITE_GENERATORS_WILD_PARTS_H_
