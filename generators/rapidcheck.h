#ifndef PALLASITE_GENERATORS_RAPIDCHECK_H_
#define PALLASITE_GENERATORS_RAPIDCHECK_H_

#include <rapidcheck.h>

#include <cstddef>
#include <memory>
#include <ostream>
#include <utility>

#include "generators/choices.h"
#include "generators/shrink.h"
#include "model/config/kernel_config.h"
#include "model/text/json_writer.h"

namespace pallasite {

// RapidCheck prints counterexamples with this.
inline void showValue(const KernelConfig& config, std::ostream& out) {
  out << WriteConfig(config);
}

namespace rapidcheck_internal {

template <typename T>
struct Drawn {
  T value;
  Trace trace;
};

template <typename T, typename Generate>
Drawn<T> Draw(ChoiceSource& source, const Generate& generate) {
  Choices choices(source);
  T value = generate(choices);
  return {std::move(value), choices.trace()};
}

template <typename T, typename Generate>
rc::Seq<Drawn<T>> Simpler(const Drawn<T>& drawn, const Generate& generate) {
  const auto steps = std::make_shared<const ShrinkSteps>(drawn.trace);
  const auto trace = std::make_shared<const Trace>(drawn.trace);
  return rc::seq::mapMaybe(rc::seq::range<size_t>(0, steps->size()),
                           [=](size_t step) -> rc::Maybe<Drawn<T>> {
                             const auto values = (*steps)[step];
                             if (!values) return rc::Nothing;
                             ReplaySource replay(*values);
                             Drawn<T> simpler = Draw<T>(replay, generate);
                             if (!ShortlexLess(simpler.trace, *trace))
                               return rc::Nothing;
                             return simpler;
                           });
}

}  // namespace rapidcheck_internal

// A RapidCheck generator that draws through Choices and shrinks the trace.
// `generate(Choices&)` is called again for every step, so it must be
// deterministic.
template <typename T, typename Generate>
rc::Gen<T> FromChoices(Generate generate) {
  using Drawn = rapidcheck_internal::Drawn<T>;
  return [generate](const rc::Random& random, int) {
    RandomSource source(rc::Random(random).next());
    return rc::shrinkable::map(
        rc::shrinkable::shrinkRecur(
            rapidcheck_internal::Draw<T>(source, generate),
            [generate](const Drawn& drawn) {
              return rapidcheck_internal::Simpler<T>(drawn, generate);
            }),
        [](Drawn&& drawn) { return std::move(drawn.value); });
  };
}

}  // namespace pallasite

#endif  // PALLASITE_GENERATORS_RAPIDCHECK_H_
