// The drawing of a warp's access: which thread touches which element, or bank of shared memory.
#include <algorithm>
#include <cstdint>
#include <set>

#include <fmt/format.h>

#include "reports/drawing/svg.h"
#include "reports/drawing/thread_pictures.h"
#include "reports/wording/text.h"

namespace warpmark {
namespace {

constexpr std::uint64_t kBanks = 32;
constexpr std::uint64_t kBankBytes = 4;
constexpr std::uint64_t kSectorBytes = 32;
constexpr double kThreadRow = 10;
constexpr double kLeastCell = 4;            // least width of a cell, in units of the drawing
constexpr std::uint64_t kMostSectors = 64;  // with more lines a drawing would be nothing but lines
constexpr std::uint64_t kEdge = 4;   // elements of the array that are shown beside accesses past its end
constexpr std::uint64_t kNear = 64;  // from further away neither the array's end nor own numbers are drawn
constexpr std::size_t kMostRunsNamed = 10;  // runs of threads that the text names
constexpr std::size_t kLongestIndex = 60;   // bytes of a thread's or block's name
// Bound on numbers that came from beside student code.
constexpr std::uint64_t kLargest = std::uint64_t{1} << 40;

bool is_sound(const WarpAccess& access) {
  const auto small = [](std::uint64_t value) { return value <= kLargest; };
  const auto short_name = [](const std::string& name) { return name.size() <= kLongestIndex; };
  return access.threads.size() == access.positions.size() && short_name(access.block) &&
         std::ranges::all_of(access.threads, short_name) && access.threads.size() > 1 && access.bytes > 0 &&
         access.bytes <= 16 && access.each > 0 && access.each <= 16 && small(access.before) &&
         small(access.first) && small(access.elements) && small(access.phase) &&
         std::ranges::all_of(access.positions, small) && small(access.number.value_or(0));
}

bool is_outside(const WarpAccess& access, std::uint64_t position) {
  return position < access.first || position + access.each > access.first + access.elements;
}

bool is_side_by_side(const WarpAccess& access) {
  for (std::size_t i = 1; i < access.positions.size(); ++i)
    if (access.positions[i] != access.positions[i - 1] + access.each) return false;
  return true;
}

// Returns the position of the element with the first thread's number, if the threads access their neighbours'
// elements instead.
std::optional<std::uint64_t> own_position(const WarpAccess& access) {
  if (!access.number || access.each != 1 || access.passes != 0 || !is_side_by_side(access))
    return std::nullopt;
  const std::uint64_t own = access.before + *access.number;
  const std::uint64_t at = access.positions.front();
  const std::uint64_t shift = std::max(own, at) - std::min(own, at);
  if (shift == 0 || shift > kNear) return std::nullopt;
  return own;
}

std::string element_text(const WarpAccess& access, std::uint64_t position) {
  const auto index = static_cast<std::int64_t>(position) - static_cast<std::int64_t>(access.before);
  const bool is_a_name = !access.array.empty() && access.array.find(' ') == std::string::npos;
  return is_a_name ? fmt::format("{}[{}]", cut_to(access.array, 40), index)
                   : fmt::format("element {}", index);
}

// Says which threads access which elements, threads with equal steps between their elements at once.
std::vector<std::string> runs_of(const WarpAccess& access) {
  const auto& at = access.positions;
  std::vector<std::string> runs;
  for (std::size_t i = 0; i < at.size();) {
    if (runs.size() == kMostRunsNamed) {
      runs.push_back(fmt::format("and {} more threads", at.size() - i));
      break;
    }
    std::size_t last = std::min(i + 1, at.size() - 1);
    const auto step = static_cast<std::int64_t>(at[last]) - static_cast<std::int64_t>(at[i]);
    while (last + 1 < at.size() &&
           static_cast<std::int64_t>(at[last + 1]) - static_cast<std::int64_t>(at[last]) == step)
      ++last;
    if (last == i || (last == i + 1 && last + 1 < at.size())) {
      runs.push_back(fmt::format("thread {}: {}", access.threads[i], element_text(access, at[i])));
      ++i;
      continue;
    }
    const std::string whom = fmt::format("threads {} to {}: ", access.threads[i], access.threads[last]);
    const std::string from = element_text(access, at[i]), to = element_text(access, at[last]);
    if (step == 0)
      runs.push_back(fmt::format("{}all {}", whom, from));
    else if (step == static_cast<std::int64_t>(access.each))
      runs.push_back(fmt::format("{}{} to {}, side by side", whom, from, to));
    else
      runs.push_back(fmt::format("{}{} to {}, each {} further than the one before", whom, from, to, step));
    i = last + 1;
  }
  return runs;
}

// The part of an array that a drawing shows.
struct Columns {
  std::uint64_t from = 0;
  std::uint64_t to = 0;  // one past the last
  [[nodiscard]] double x(std::uint64_t position) const {
    return static_cast<double>(position - from) * kWidth / static_cast<double>(to - from);
  }
  [[nodiscard]] double width(std::uint64_t elements) const {
    return std::max(kLeastCell,
                    static_cast<double>(elements) * 0.9 * kWidth / static_cast<double>(to - from));
  }
};

Columns columns_of(const WarpAccess& access) {
  const auto [low, high] = std::ranges::minmax(access.positions);
  Columns shown{low, high + access.each};
  const std::uint64_t end = access.first + access.elements;
  if (shown.from >= end && shown.from - end <= kNear)
    shown.from = std::max(access.first, end - std::min(end, kEdge));
  if (shown.to <= access.first && access.first - shown.to <= kNear)
    shown.to = std::min(end, access.first + kEdge);
  if (const auto own = own_position(access)) {
    shown.from = std::min(shown.from, *own);
    shown.to = std::max(shown.to, *own + access.positions.size());
  }
  return shown;
}

std::string elements_body(const WarpAccess& access, double height, AccessMarks& marks) {
  const Columns shown = columns_of(access);
  const std::uint64_t first = std::clamp(access.first, shown.from, shown.to);
  const std::uint64_t end = std::clamp(access.first + access.elements, shown.from, shown.to);
  std::string body = rect("element", shown.x(first), 0, shown.x(end) - shown.x(first), height);
  // Sectors begin at multiples of their size in memory; `phase` is what element 0 is beyond one.
  const std::uint64_t span = (shown.to - shown.from) * access.bytes;
  marks.sectors = access.passes != 0 && span / kSectorBytes <= kMostSectors;
  for (std::uint64_t at = shown.from + 1; marks.sectors && at < shown.to; ++at) {
    const std::uint64_t byte =
        access.phase + (at + kSectorBytes - access.before % kSectorBytes) * access.bytes;
    if (byte % kSectorBytes < access.bytes) body += line("touch-sector", shown.x(at), 0, shown.x(at), height);
  }
  const auto own = own_position(access);
  marks.own = own.has_value();
  for (std::size_t row = 0; row < access.positions.size(); ++row) {
    const double y = static_cast<double>(row) * kThreadRow;
    const std::uint64_t at = access.positions[row];
    const double width = shown.width(access.each);
    const double x = std::min(shown.x(at), kWidth - width);
    const bool outside = is_outside(access, at);
    marks.outside = marks.outside || outside;
    if (own)
      body += rect("touch-own", std::min(shown.x(*own + row), kWidth - width), y + 1, width, kThreadRow - 2);
    body += rect(outside ? "touch-outside" : "touch", x, y + 1, width, kThreadRow - 2);
    // An element outside is crossed out, so that the drawing does not depend on colour.
    if (outside) body += line("touch-line", x, y + kThreadRow - 1, x + width, y + 1);
  }
  return body;
}

std::string banks_body(const WarpAccess& access, double height, AccessMarks& marks) {
  const double bank = kWidth / static_cast<double>(kBanks);
  std::string body = rect("element", 0, 0, kWidth, height);
  for (std::uint64_t at = 1; at < kBanks; ++at)
    body += line("touch-sector", static_cast<double>(at) * bank, 0, static_cast<double>(at) * bank, height);
  // Words that threads of one pass need, by bank: threads with wider accesses come in groups, which take
  // passes of their own.
  const std::uint64_t bytes = access.each * access.bytes;
  const std::size_t group = kBanks * kBankBytes / std::max(kBankBytes, bytes);
  const auto word_of = [&](std::size_t row) {
    return (access.phase +
            (access.positions[row] - std::min(access.before, access.positions[row])) * access.bytes) /
           kBankBytes;
  };
  for (std::size_t row = 0; row < access.positions.size(); ++row) {
    const std::uint64_t word = word_of(row);
    bool clash = false;
    for (std::size_t other = row / group * group;
         other < std::min(access.positions.size(), (row / group + 1) * group); ++other)
      clash = clash || (word_of(other) != word && word_of(other) % kBanks == word % kBanks);
    marks.clash = marks.clash || clash;
    const double x = static_cast<double>(word % kBanks) * bank, y = static_cast<double>(row) * kThreadRow;
    const double words = static_cast<double>(std::max<std::uint64_t>(1, bytes / kBankBytes));
    const double width = std::min(words * bank, kWidth - x) * 0.9;
    body += rect(clash ? "touch-outside" : "touch", x, y + 1, width, kThreadRow - 2);
    if (clash) body += line("touch-line", x, y + kThreadRow - 1, x + width, y + 1);
  }
  return body;
}

std::string sentence_of(const WarpAccess& access, const AccessMarks& marks) {
  const std::size_t threads = access.threads.size();
  const auto outside = static_cast<std::size_t>(
      std::ranges::count_if(access.positions, [&](std::uint64_t at) { return is_outside(access, at); }));
  if (access.passes != 0 && access.shared) {
    return fmt::format(
        "The access takes {} passes: threads that need different words of one bank wait for each other.",
        access.passes);
  }
  if (access.passes != 0) {
    const std::uint64_t least = (threads * access.each * access.bytes + kSectorBytes - 1) / kSectorBytes;
    return fmt::format("The access moves {} sectors of {} bytes; elements side by side would fit into {}.",
                       access.passes, kSectorBytes, least);
  }
  if (outside != 0) {
    const std::string all = access.elements == 0
                                ? "no elements"
                                : fmt::format("{} to {}", element_text(access, access.first),
                                              element_text(access, access.first + access.elements - 1));
    return fmt::format("{} of these {} threads {}{} outside of the array, which has {}.", outside, threads,
                       access.writes ? "write" : "read", outside == 1 ? "s" : "", all);
  }
  if (marks.own) {
    const std::uint64_t own = access.before + *access.number;
    const std::uint64_t at = access.positions.front();
    return fmt::format("Each thread's element is {} {} its own number in the grid.",
                       std::max(own, at) - std::min(own, at), at > own ? "above" : "below");
  }
  return {};
}

}  // namespace

std::optional<AccessPicture> access_picture(const WarpAccess& access) {
  if (!is_sound(access)) return std::nullopt;
  const bool outside =
      std::ranges::any_of(access.positions, [&](std::uint64_t at) { return is_outside(access, at); });
  if (access.passes == 0 && !outside && is_side_by_side(access) && !own_position(access)) return std::nullopt;
  AccessPicture picture;
  const double height = static_cast<double>(access.threads.size()) * kThreadRow;
  const bool banks = access.shared && access.passes != 0;
  const std::string body =
      banks ? banks_body(access, height, picture.marks) : elements_body(access, height, picture.marks);
  const auto [low, high] = std::ranges::minmax(access.positions);
  const std::string place = access.line > 0 ? fmt::format(" at line {}", access.line) : std::string();
  picture.caption = fmt::format(
      "What threads {} to {} of {} {}{}, a row per thread from top to bottom. {}.", access.threads.front(),
      access.threads.back(), access.block, access.writes ? "write" : "read", place,
      banks ? fmt::format("A column is one of the {} banks of shared memory", kBanks)
            : fmt::format("Columns are elements, from {} to {}", element_text(access, low),
                          element_text(access, high + access.each - 1)));
  if (std::string sentence = sentence_of(access, picture.marks); !sentence.empty())
    picture.words.push_back(std::move(sentence));
  for (std::string& run : runs_of(access)) picture.words.push_back(std::move(run));
  std::string words;
  for (const std::string& each : picture.words) words += (words.empty() ? "" : "; ") + each;
  picture.svg = described("touches", height, escaped(visible_line(picture.caption)),
                          escaped(visible_line(words)), body);
  return picture;
}

}  // namespace warpmark
