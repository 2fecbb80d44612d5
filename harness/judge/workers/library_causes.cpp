#include "harness/judge/workers/library_causes.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "harness/build/source_places.h"

namespace warpmark::judge {
namespace {

// Returns the line of the version in a message's list of callers, "called from run.h:27, from v.cu:19"; 0 if
// there is none.
int line_of_caller(const std::string& message, const std::string& file) {
  const std::string from = fmt::format("from {}:", file);
  const std::size_t at = message.find(from);
  return at == std::string::npos ? 0 : std::atoi(message.c_str() + at + from.size());
}

}  // namespace

void point_out_of_library(Cause& cause, const Blame& blame) {
  if (blame.submission == nullptr || blame.file == nullptr || cause.line == 0 ||
      !std::filesystem::path(cause.file).is_absolute())
    return;
  int line = line_of_caller(cause.message, blame.file->name);
  if (line == 0)
    line = build::library_call(blame.file->text, std::filesystem::path(cause.file).stem().string()).line;
  const std::size_t end = std::min({cause.message.find(" ("), cause.message.find(", called from"),
                                    cause.message.find(';'), cause.message.size()});
  cause.message = fmt::format(
      "{} in a kernel of the library{}: look at the pointers that the call is given, of which one may be "
      "null, and "
      "at the sizes",
      cause.message.substr(0, end), line == 0 ? "" : fmt::format(", which line {} calls", line));
  cause.file = blame.file->name;
  cause.line = line;
  cause.other_line = 0;
  cause.excerpt = excerpt_in(blame, cause.file, line);
}

}  // namespace warpmark::judge
