#include "reports/drawing/time_line_svg.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "reports/wording/text.h"

namespace warpmark {
namespace {

// All lengths of the time line's drawing are in SVG user units, which are pixels at the drawing's natural
// size.
constexpr int kStep = 26;    // horizontal distance between two events of the time line
constexpr int kRowTop = 34;  // top edge of the time line's row of events
constexpr int kRow = 28;     // height of the time line's row of events
constexpr int kHeight = 70;
constexpr int kMargin = 14;  // margin of the time line: half the width of the byte count above an event

constexpr std::size_t kLongestName = 80;

struct Mark {
  std::uint64_t order = 0;
  std::string_view during;
  std::string shape;  // SVG path of a time-line event's symbol, centred at x = 0
  std::string title;
  std::string above;  // text above a time-line event's symbol: the number of bytes of a copy to the GPU
};

std::string shown(std::string_view text) {
  return escaped(cut_to(visible_line(text), kLongestName));
}

std::string time_text(const std::optional<Period>& when) {
  return when ? fmt::format(", {:.3f} to {:.3f} ms", when->start_us / 1e3, when->end_us / 1e3)
              : std::string();
}

std::string short_bytes(std::uint64_t bytes) {
  if (bytes >= 1'000'000) return fmt::format("{:.3g} MB", static_cast<double>(bytes) / 1e6);
  if (bytes >= 1'000) return fmt::format("{:.3g} kB", static_cast<double>(bytes) / 1e3);
  return fmt::format("{} B", bytes);
}

Mark mark_of(const AuditedTransfer& transfer) {
  const bool to_device = transfer.direction == "host_to_device";
  const bool to_host = transfer.direction == "device_to_host";
  const int middle = kRowTop + kRow / 2;
  Mark mark{transfer.order, transfer.during, {}, {}, {}};
  // On the time line, the arrow of a copy to the GPU points down, that of a copy to the host up.
  const std::string_view arrow = to_device ? "M-8 -7H8L0 7Z" : to_host ? "M-8 7H8L0 -7Z" : "M-8 -2H8V2H-8Z";
  mark.shape = transfer.canary
                   ? fmt::format(R"(<circle class="line-own" cy="{}" r="5"/>)", middle)
                   : fmt::format(R"svg(<path class="line-{}" transform="translate(0 {})" d="{}"/>)svg",
                                 to_device ? "in" : "back", middle, arrow);
  std::string direction = shown(transfer.direction);
  std::replace(direction.begin(), direction.end(), '_', ' ');
  mark.title = fmt::format("{}: {} bytes {} in {} ({}){}{}", shown(transfer.during), transfer.bytes,
                           direction, transfer.count, shown(transfer.kind), time_text(transfer.when),
                           transfer.canary ? ", the grader's own" : "");
  if (to_device && !transfer.canary) mark.above = short_bytes(transfer.bytes);
  return mark;
}

Mark mark_of(const AuditedLaunch& launch) {
  return {launch.order,
          launch.during,
          fmt::format(R"(<rect class="line-kernel" x="-9" y="{}" width="18" height="{}" rx="2"/>)",
                      kRowTop + 4, kRow - 8),
          fmt::format("{}: kernel {}, {} times{}", shown(launch.during), shown(launch.kernel), launch.count,
                      time_text(launch.when)),
          {}};
}

std::vector<Mark> marks_of(const Grade& grade) {
  std::vector<Mark> marks;
  for (const AuditedTransfer& transfer : grade.transfers) marks.push_back(mark_of(transfer));
  for (const AuditedLaunch& launch : grade.launches) marks.push_back(mark_of(launch));
  std::stable_sort(marks.begin(), marks.end(),
                   [](const Mark& a, const Mark& b) { return a.order < b.order; });
  return marks;
}

std::string group_svg(std::span<const Mark> marks) {
  std::string body;
  int x = kMargin + kStep / 2;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const Mark& mark = marks[i];
    body +=
        fmt::format(R"svg(<g transform="translate({} 0)"><title>{}</title>{})svg", x, mark.title, mark.shape);
    if (!mark.above.empty()) {
      body += fmt::format(R"(<text y="{}" class="line-bytes">{}</text>)", kRowTop - (i % 2 == 0 ? 6 : 19),
                          mark.above);
    }
    body += "</g>";
    x += kStep;
  }
  const int width = x - kStep / 2 + kMargin;
  return fmt::format(
      R"(<svg class="line" viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img" aria-label="{2} events in order; the table below says the same">)"
      R"(<path class="line-axis" d="M0 {3}H{0}"/>{4}</svg>)",
      width, kHeight, marks.size(), kRowTop + kRow + 4, body);
}

}  // namespace

std::vector<TimeLineGroup> time_line(const Grade& grade) {
  const std::vector<Mark> marks = marks_of(grade);
  std::vector<TimeLineGroup> groups;
  const std::size_t shown = std::min(marks.size(), kMostTimeLineEvents);
  for (std::size_t first = 0; first < shown;) {
    std::size_t end = first;
    while (end < shown && marks[end].during == marks[first].during) ++end;
    groups.push_back(
        {std::string(marks[first].during), group_svg(std::span(marks).subspan(first, end - first))});
    first = end;
  }
  return groups;
}

}  // namespace warpmark
