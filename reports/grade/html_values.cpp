#include "reports/grade/html_values.h"

#include <algorithm>

#include <fmt/format.h>

#include "reports/wording/text.h"

namespace warpmark {
namespace {

constexpr std::size_t kLongestCode = 200;  // maximum length of a code fragment quoted in a message, in bytes

}  // namespace

std::string name(std::string_view text) {
  return cut_to(visible_line(text), kLongestName);
}

std::string moment_text(const std::string& graded_at) {
  const bool known = graded_at.size() == 20 && graded_at[10] == 'T';
  return known ? fmt::format("{} {} UTC", name(graded_at.substr(0, 10)), name(graded_at.substr(11, 5))) : "";
}

mstch::array name_parts(std::string_view text) {
  const std::string shown = name(text);
  mstch::array parts;
  for (std::size_t at = 0; at < shown.size();) {
    const std::size_t end = std::min(shown.find('_', at), shown.size() - 1) + 1;
    parts.push_back(mstch::map{{"part", shown.substr(at, end - at)}});
    at = end;
  }
  return parts;
}

mstch::array message_parts(std::string_view message) {
  const std::string shown = shortened(visible(message), kLongestMessage);
  std::string_view rest = shown;
  mstch::array parts;
  std::string plain;
  const auto add = [&parts](const std::string& code, const std::string& text) {
    parts.push_back(mstch::map{{"code", code}, {"plain", text}});
  };
  while (!rest.empty()) {
    const std::size_t open = std::min(rest.find('`'), rest.size());
    plain += rest.substr(0, open);
    rest.remove_prefix(open);
    if (rest.empty()) break;
    const std::size_t close = rest.substr(0, kLongestCode).find_first_of("`\n", 1);
    if (close == std::string_view::npos || rest[close] == '\n' || close == 1) {
      plain += '`';
      rest.remove_prefix(1);
      continue;
    }
    add("", plain);
    plain.clear();
    add(std::string(rest.substr(1, close - 1)), "");
    rest.remove_prefix(close + 1);
  }
  add("", plain);
  return parts;
}

std::string css_class(Tone tone) {
  return std::string(look_of(tone).css_class);
}

std::string mark_of(Tone tone) {
  return std::string(look_of(tone).mark);
}

}  // namespace warpmark
