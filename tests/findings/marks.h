// What a program of the corpus says about itself: the findings that it has to get, as comments in its text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpmark::findings {

struct Mark {
  std::string kind;
  int line = 0;
  bool operator==(const Mark&) const = default;
};

struct Marks {
  std::vector<Mark> expected;  // EXPECT(kind): has to be found at this line
  std::vector<Mark> missing;   // MISSING(kind): is there and is not found, as yet
  std::vector<Mark> allowed;   // ALSO(kind): may be found here, too
  std::vector<Mark> others;    // OTHER(kind): may be the second line of a finding
};

// A mark stands at the end of its line; EXPECT-NEXT(kind) and so on in the line before. schedule_dependent is
// found without a line (0), wherever its mark stands.
Marks marks_of(std::string_view program);

// A finding as it is compared with them.
struct Found {
  std::string kind;
  int line = 0;
  int other_line = 0;  // 0: none
};

// What is wrong with the findings, a sentence each: expected and not there, there and not expected, found
// although marked as missing.
std::vector<std::string> complaints(const Marks& marks, const std::vector<Found>& findings);

}  // namespace warpmark::findings
