#ifndef PALLASITE_MODEL_EVALUATE_H_
#define PALLASITE_MODEL_EVALUATE_H_

#include "model/config/kernel_config.h"
#include "model/errors/verdict.h"

namespace pallasite {

// What JAX does with `config`: construct, trace, lower, first error first.
// Pure. Facts are collected when `facts` is given; they are complete only when
// JAX accepts.
Verdict Evaluate(const KernelConfig& config, const Target& target,
                 Facts* facts = nullptr);

// The semantics a kernel is lowered with: its own choice or the release's
// default (Lane before 0.11.0, Warpgroup since).
Lowering LoweringOf(const KernelConfig& config, const Release& release);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_EVALUATE_H_
