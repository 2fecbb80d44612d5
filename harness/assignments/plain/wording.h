// Wording of messages about a wrong element of an output buffer.
#pragma once

#include <cstdint>
#include <string>

#include "harness/assignments/plain/comparison.h"
#include "harness/assignments/plain/note.h"
#include "harness/assignments/plain/rows.h"
#include "harness/assignments/plain/spec.h"

namespace warpmark::plain {

struct WrongPlace {
  const Spec& spec;
  const BufferRule& rule;
  const Element& element;
  std::uint64_t count = 0;  // number of elements in the output
  Row row;
  Size size;
};

// Returns the name of a number in messages: "the sum", "bins[7]", "c(2, 1)", "p[3].y" or "extremes.least".
std::string name_of(const WrongPlace& place, const Difference& difference);

// Returns "the sum is wrong", "bins[7] is wrong", "c(2, 1) is wrong", "p[3].y is wrong" or "extremes.least is
// wrong", with the sizes if there are several, and the course's note.
std::string wording_of(const WrongPlace& place, const Difference& difference,
                       const Note::ElementText& element_text);

}  // namespace warpmark::plain
