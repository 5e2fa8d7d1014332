#ifndef PALLASITE_TESTS_ORACLE_SAMPLE_CONFIGS_H_
#define PALLASITE_TESTS_ORACLE_SAMPLE_CONFIGS_H_

#include <string>
#include <vector>

#include "model/config/kernel_config.h"

namespace pallasite {

// A configuration and what JAX 0.11.2 does with it.
struct Sample {
  std::string name;
  KernelConfig config;
  Arch arch;
  std::string phase;      // "accepted", or where it is refused
  std::string exception;  // class name
  std::string message;    // part of the text
};

// Small configurations that together use every kind of node, in each phase
// both refused and accepted.
std::vector<Sample> SampleConfigs();

// One input `x` and one output `o`, both f32[128,128], and nothing else.
KernelConfig PlainKernel();
RefTree Smem(DType dtype, Shape shape);
RefTree Tmem(Shape shape, bool collective = false);
RefTree List(std::vector<RefTree> items);
RefTree Tuple(std::vector<RefTree> items);
RefTree Union(std::vector<RefTree> groups);

}  // namespace pallasite

#endif  // PALLASITE_TESTS_ORACLE_SAMPLE_CONFIGS_H_
