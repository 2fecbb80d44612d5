#include "harness/base/moments.h"

#include <algorithm>
#include <chrono>
#include <regex>

namespace warpmark {

std::optional<std::int64_t> moment_of(const std::string& text) {
  static const std::regex pattern(
      R"((\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)? ?(?:(Z|UTC)|([+-])(\d\d):?(\d\d)))");
  std::smatch found;
  if (text.size() > 60 || !std::regex_match(text, found, pattern)) return std::nullopt;
  const auto number = [&](std::size_t group) { return found[group].matched ? std::stoi(found[group]) : 0; };
  using namespace std::chrono;
  const year_month_day date{year(number(1)), month(static_cast<unsigned>(number(2))),
                            day(static_cast<unsigned>(number(3)))};
  if (!date.ok() || number(4) > 23 || number(5) > 59 || number(6) > 60) return std::nullopt;
  const std::int64_t local = std::int64_t{86400} * sys_days(date).time_since_epoch().count() +
                             3600 * number(4) + 60 * number(5) + number(6);
  const std::int64_t ahead = 3600 * number(9) + 60 * number(10);
  return found[8].matched && found[8] == "-" ? local + ahead : local - ahead;
}

double days_late(std::int64_t due, std::int64_t moment) {
  return std::max(0.0, static_cast<double>(moment - due) / 86400);
}

}  // namespace warpmark
