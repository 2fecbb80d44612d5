// Error handling of functions whose caller decides: a value, or an Error that says what to do next.
#pragma once

#include <cerrno>
#include <string>
#include <system_error>
#include <tl/expected.hpp>
#include <utility>

namespace warpmark {

// A problem that the user or the machine's owner has to fix. Its message is shown unchanged, so it states the
// value, the rule and the remedy. (A fault of a submission is a Cause, never an Error: see
// harness/model/grade.h.)
struct Error {
  std::string message;
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(std::string message) {
  return tl::unexpected<Error>(Error{std::move(message)});
}

// For failures that no caller can handle: throws std::system_error of errno.
[[noreturn]] inline void throw_errno(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace warpmark
