// NVTX's C++ interface; no-ops on the simulator (nvToolsExt.h).
#pragma once

#include "nvtx3/nvToolsExt.h"

namespace nvtx3 {
inline namespace v1 {

struct domain {
  struct global {};
};
struct rgb {
  constexpr rgb(unsigned char, unsigned char, unsigned char) {}
};
struct argb {
  constexpr argb(unsigned char, unsigned char, unsigned char, unsigned char) {}
};
struct color {
  template <class... T>
  constexpr explicit color(const T&...) {}
};
struct payload {
  template <class T>
  constexpr explicit payload(const T&) {}
};
struct category {
  constexpr explicit category(uint32_t) {}
};
template <class D = domain::global>
struct registered_string_in {
  explicit registered_string_in(const char*) {}
};
using registered_string = registered_string_in<>;
struct event_attributes {
  template <class... T>
  explicit event_attributes(const T&...) {}
};

template <class D = domain::global>
class scoped_range_in {
 public:
  template <class... T>
  explicit scoped_range_in(const T&...) {}
  scoped_range_in(const scoped_range_in&) = delete;
  scoped_range_in& operator=(const scoped_range_in&) = delete;
  ~scoped_range_in() {}
};
using scoped_range = scoped_range_in<>;
template <class D = domain::global>
class unique_range_in {
 public:
  template <class... T>
  explicit unique_range_in(const T&...) {}
  unique_range_in(unique_range_in&&) noexcept {}
  ~unique_range_in() {}
};
using unique_range = unique_range_in<>;

template <class D = domain::global, class... T>
void mark_in(const T&...) {}
template <class... T>
void mark(const T&...) {}

}  // namespace v1
}  // namespace nvtx3

#define NVTX3_FUNC_RANGE() (void)0
#define NVTX3_FUNC_RANGE_IN(domain) (void)0
