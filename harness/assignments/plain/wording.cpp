#include "harness/assignments/plain/wording.h"

#include <fmt/format.h>

namespace warpmark::plain {
namespace {

std::string sizes_text(const WrongPlace& place) {
  std::string text;
  for (std::size_t i = 0; i < place.size.parts.size(); ++i)
    text += fmt::format("{}{} = {}", i == 0 ? "" : ", ", place.spec.sizes[i], place.size.parts[i]);
  return text;
}

}  // namespace

std::string name_of(const WrongPlace& place, const Difference& difference) {
  const std::size_t components = place.element.components;
  const std::size_t element = difference.number / components;
  const bool alone = place.count == 1 && place.rule.count.names().empty();
  std::string name = fmt::format("{}[{}]", place.rule.name, element);
  if (alone) name = (difference.member == nullptr ? "the " : "") + place.rule.name;
  if (const std::size_t row = place.row.numbers / components; row > 0 && !alone)
    name = fmt::format("{}({}, {})", place.rule.name, element / row, element % row);
  if (components > 1) name += fmt::format(".{}", "xyzw"[difference.number % components]);
  if (difference.member != nullptr) name += "." + difference.member->name;
  return name;
}

std::string wording_of(const WrongPlace& place, const Difference& difference,
                       const Note::ElementText& element_text) {
  std::string text = name_of(place, difference) + " is wrong" + difference.before;
  if (place.row.is_padding(difference.number))
    text = fmt::format("the padding behind row {} was written to", difference.number / place.row.numbers);
  if (place.spec.sizes.size() > 1) text += fmt::format(" ({})", sizes_text(place));
  if (difference.member != nullptr && !difference.member->note.empty())
    text += fmt::format(": {}", difference.member->note);
  if (!place.rule.note || !difference.before.empty()) return text;
  Values values = place.spec.values_of(place.size);
  values[kIndex] = static_cast<std::int64_t>(difference.number / place.element.components);
  return text + ": " + place.rule.note->text(values, element_text);
}

}  // namespace warpmark::plain
