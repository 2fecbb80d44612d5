// How a function that can fail tells its caller: a value, or an Error that says what to do next.
#pragma once

#include <cerrno>
#include <string>
#include <system_error>
#include <tl/expected.hpp>
#include <utility>

namespace warpmark {

// Something that the user or the machine has to change: shown as it is, so it holds the value, the rule, the
// remedy. (What a submission did wrong is a Cause, never an Error: see harness/model/grade.h.)
struct Error {
  std::string message;
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(std::string message) {
  return tl::unexpected<Error>(Error{std::move(message)});
}

// For what must not fail: a std::system_error of errno.
[[noreturn]] inline void throw_errno(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace warpmark
