#include "harness/source_edits/callers.h"

#include <algorithm>
#include <string>
#include <vector>

#include "harness/source_edits/source.h"

namespace warpmark::source_edits {
namespace {

// Returns the first token of the function's body that calls or launches one of the functions; kNone if none
// does.
std::size_t call_in(const Source& source, const Function& function, const std::vector<std::string>& names) {
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    const std::string_view behind = source.at(k + 1);
    const bool calls = behind == "(" || behind == "<" || behind == "<<<";
    if (calls && std::ranges::find(names, source.at(k)) != names.end()) return k;
  }
  return Source::kNone;
}

}  // namespace

int line_that_reaches(std::string_view text, std::string_view header, int line) {
  const Source given(header);
  std::vector<std::string> names;
  for (const Function& function : given.functions()) {
    if (given.line(function.open) <= line && line <= given.line(function.close))
      names.push_back(function.name);
  }
  if (names.empty()) return 0;
  // Those that call it, and those that call these.
  for (bool more = true; more;) {
    more = false;
    for (const Function& function : given.functions()) {
      if (std::ranges::find(names, function.name) != names.end() ||
          call_in(given, function, names) == Source::kNone)
        continue;
      names.push_back(function.name);
      more = true;
    }
  }
  const Source source(text);
  for (const Function& function : source.functions()) {
    const std::size_t call = call_in(source, function, names);
    if (call != Source::kNone) return source.line(call);
  }
  return 0;
}

}  // namespace warpmark::source_edits
