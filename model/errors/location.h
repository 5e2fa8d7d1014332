#ifndef PALLASITE_MODEL_ERRORS_LOCATION_H_
#define PALLASITE_MODEL_ERRORS_LOCATION_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace pallasite {

// A place in a configuration, as a chain of steps that lives on the stack while
// the model walks. Nothing is allocated until Format is called, which happens
// only when something is refused: "scratch.acc[0].transforms[1]".
class Location {
 public:
  Location() = default;
  // A step into a named field or entry.
  Location(const Location& parent, std::string_view name)
      : parent_(&parent), name_(name) {}
  // A step into a list.
  Location(const Location& parent, int64_t index)
      : parent_(&parent), index_(index) {}

  std::string Format() const;

 private:
  const Location* parent_ = nullptr;
  std::string_view name_;
  int64_t index_ = -1;
};

}  // namespace pallasite

#endif  // PALLASITE_MODEL_ERRORS_LOCATION_H_
