#ifndef PALLASITE_ORACLE_COMPARE_H_
#define PALLASITE_ORACLE_COMPARE_H_

#include <optional>
#include <string>
#include <string_view>

#include "model/errors/verdict.h"
#include "oracle/answer.h"

namespace pallasite {

// How the model and real JAX differ over one configuration, as one line of
// text; nullopt when they agree in acceptance, exception class, complete
// message, phase and facts. An unmodelled verdict claims nothing and agrees
// with everything; a worker that failed agrees with nothing.
std::optional<std::string> Differ(const Verdict& verdict, const Facts& facts,
                                  const OracleAnswer& answer);

// How the pool words the end of a worker that did that, which is what
// PyExc::kSegmentationFault stands for.
inline constexpr std::string_view kDiedOfSegmentationFault =
    "the worker ended with signal 11";

// What JAX did, as one line: "accepted", "ValueError (trace): ...".
std::string Summary(const OracleAnswer& answer);
std::string Summary(const Verdict& verdict);

}  // namespace pallasite

#endif  // PALLASITE_ORACLE_COMPARE_H_
