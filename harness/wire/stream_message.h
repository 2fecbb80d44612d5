// A message that both engines report in the same words.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

namespace warpmark::wire {

// Reports that `what` was queued on `stream` instead of the given stream. right: the call that would use the
// given stream.
inline std::string other_stream_message(std::string_view what, std::string_view stream,
                                        std::string_view right) {
  return fmt::format(
      "{} is queued on {}, not on the stream that the version was given, so that nothing orders it with the "
      "work there: {}",
      what, stream, right);
}

}  // namespace warpmark::wire
