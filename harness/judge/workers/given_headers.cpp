#include "harness/judge/workers/given_headers.h"

#include <fmt/format.h>

#include "harness/source_edits/callers.h"

namespace warpmark::judge {

int line_that_reaches(const Blame& blame, const std::string& file, int line) {
  if (blame.file == nullptr || blame.submission == nullptr || line <= 0) return 0;
  const auto given = blame.submission->given.find(file);
  if (given == blame.submission->given.end()) return 0;
  return source_edits::line_that_reaches(blame.file->text, given->second, line);
}

void leave_given_header(Cause& cause, const Blame& blame) {
  const int line = cause.accesses.empty() ? line_that_reaches(blame, cause.file, cause.line) : 0;
  if (line == 0) return;
  cause.message += fmt::format("; that is line {} of {}, which this line reaches", cause.line, cause.file);
  cause.file = blame.file->name;
  cause.line = line;
  cause.other_line = 0;
  cause.excerpt = excerpt_in(blame, cause.file, cause.line);
}

}  // namespace warpmark::judge
