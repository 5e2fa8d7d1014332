#ifndef PALLASITE_GENERATORS_DTYPE_SET_H_
#define PALLASITE_GENERATORS_DTYPE_SET_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "model/config/dtype.h"

namespace pallasite {

class DTypeSet {
 public:
  constexpr DTypeSet() = default;
  constexpr DTypeSet(std::initializer_list<DType> dtypes) {
    for (const DType dtype : dtypes) Add(dtype);
  }
  // Those whose DTypeInfo satisfies `fits`.
  template <typename Fits>
  static DTypeSet Where(Fits&& fits) {
    DTypeSet set;
    for (const DTypeInfo& info : AllDTypes()) {
      if (fits(info)) set.Add(info.dtype);
    }
    return set;
  }
  static constexpr DTypeSet All() {
    DTypeSet all;
    all.bits_ =
        ~uint64_t{0} >> (63 - static_cast<unsigned>(DType::kComplex128));
    return all;
  }

  constexpr void Add(DType dtype) {
    bits_ |= uint64_t{1} << static_cast<unsigned>(dtype);
  }
  constexpr bool Has(DType dtype) const {
    return (bits_ >> static_cast<unsigned>(dtype) & 1) != 0;
  }
  constexpr bool empty() const { return bits_ == 0; }
  size_t size() const {
    return static_cast<size_t>(__builtin_popcountll(bits_));
  }
  // The n-th in DType order.
  DType operator[](size_t n) const {
    uint64_t left = bits_;
    while (n-- > 0) left &= left - 1;
    return static_cast<DType>(__builtin_ctzll(left));
  }

  constexpr DTypeSet Without(DType dtype) const {
    DTypeSet rest = *this;
    rest.bits_ &= ~(uint64_t{1} << static_cast<unsigned>(dtype));
    return rest;
  }
  constexpr DTypeSet operator&(DTypeSet other) const {
    other.bits_ &= bits_;
    return other;
  }

 private:
  uint64_t bits_ = 0;
};

}  // namespace pallasite

#endif  // PALLASITE_GENERATORS_DTYPE_SET_H_
