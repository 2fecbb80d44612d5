// Builds the error message for work queued on a wrong stream, in the same words for GPU and simulator.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

namespace warpmark::wire {

// Returns the message that `what` was queued on `stream` instead of the stream passed to the student's
// function. right: the call that would use the correct stream.
inline std::string other_stream_message(std::string_view what, std::string_view stream,
                                        std::string_view right) {
  return fmt::format(
      "{} is queued on {}, not on the stream that the version was given, so that nothing orders it with the "
      "work there: {}",
      what, stream, right);
}

}  // namespace warpmark::wire
