#ifndef PALLASITE_MODEL_TEXT_PYTHON_EMITTER_H_
#define PALLASITE_MODEL_TEXT_PYTHON_EMITTER_H_

#include <string>

#include "model/config/kernel_config.h"

namespace pallasite {

// The kernel as Python source. It expects `jax`, `jnp`, `pl`, `plgpu` and
// `P` (`jax.sharding.PartitionSpec`) to be imported and defines
//   body(...)        the kernel body,
//   scratch_types()  its scratch, one item an entry of `config.scratch`, built
//   in
//                    declaration order; absent when there is none,
//   construct()      everything that runs before tracing: returns the callable
//                    and its arguments, for
//                    `jax.jit(callable).trace(*arguments)`.
// Names in the configuration must be Python identifiers.
std::string EmitPythonBody(const KernelConfig& config, const Target& target);

// A standalone script around the same source. It asks the installed JAX and
// prints one JSON line: outcome ("accepted" or "raised"), class, message, phase
// and raise_site (innermost JAX frame).
std::string EmitReproScript(const KernelConfig& config, const Target& target);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_TEXT_PYTHON_EMITTER_H_
