#ifndef PALLASITE_MODEL_TEXT_PYTHON_OPS_H_
#define PALLASITE_MODEL_TEXT_PYTHON_OPS_H_

#include <string>
#include <utility>
#include <vector>

#include "model/config/kernel_config.h"
#include "model/config/ops.h"
#include "model/text/python_source.h"

namespace pallasite {

// Kernel arguments as Python parameters, in order. Names are kept unless the
// body needs them for something else.
class PyParameters {
 public:
  explicit PyParameters(const KernelConfig& config);
  std::string Of(const std::string& name) const;
  std::string List() const;

 private:
  void Add(const std::string& name);
  bool InUse(const std::string& parameter) const;

  std::vector<std::pair<std::string, std::string>> parameters_;
};

void WritePyOps(const std::vector<Op>& ops, const PyParameters& parameters,
                PyWriter& out);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_TEXT_PYTHON_OPS_H_
