// Result type for functions whose callers handle failures: a value, or an Error whose message is shown to the
// user.
#pragma once

#include <cerrno>
#include <string>
#include <system_error>
#include <tl/expected.hpp>
#include <utility>

namespace warpmark {

// A problem that the user or the machine's owner has to fix. The message is shown unchanged, so it states the
// value, the rule and the remedy. A mistake in a student's code is a Cause (harness/model/grade.h), never an
// Error.
struct Error {
  std::string message;
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(std::string message) {
  return tl::unexpected<Error>(Error{std::move(message)});
}

// Throws std::system_error with errno, for failures that no caller can handle.
[[noreturn]] inline void throw_errno(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace warpmark
