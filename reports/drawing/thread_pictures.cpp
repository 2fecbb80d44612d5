#include "reports/drawing/thread_pictures.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "reports/drawing/svg.h"
#include "reports/wording/text.h"

namespace warpmark {
namespace {

constexpr double kPlaceRow = 20;
constexpr std::uint64_t kMostThreads = 1024;  // of a block
constexpr std::size_t kLongestThread = 80;    // columns of a thread's or element's name
constexpr std::size_t kMostRanges = 8;        // ranges of threads that the text names per row

struct StateWords {
  std::string_view css;
  std::string_view label;  // short, behind the line
  std::string_view says;   // behind the number of threads and before the line
};
constexpr std::array<StateWords, 3> kStates{
    {{"thread-waits", "waits", "wait"},
     {"thread-past", "past it", "are past the others, and wait for them,"},
     {"thread-returned", "returned", "have returned from the kernel"}}};

std::string in_order(const std::vector<ThreadRun>& runs) {
  std::string text;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (i == kMostRanges) return text + ", ...";
    text += i == 0 ? "" : ", ";
    text += runs[i].first == runs[i].last ? fmt::format("{}", runs[i].first)
                                          : fmt::format("{} to {}", runs[i].first, runs[i].last);
  }
  return text;
}

std::string at_line(int line) {
  return line > 0 ? fmt::format(" at line {}", line) : std::string();
}

std::string desc_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& each : words) text += (text.empty() ? "" : "; ") + each;
  return escaped(visible_line(text));
}

}  // namespace

std::optional<BlockPicture> block_picture(const std::vector<ThreadRun>& threads) {
  std::map<std::pair<ThreadState, int>, std::vector<ThreadRun>> groups;
  std::uint64_t last = 0;
  for (const ThreadRun& run : threads) {
    if (run.first > run.last || run.last >= kMostThreads) return std::nullopt;
    groups[{run.state, run.line}].push_back(run);
    last = std::max(last, run.last);
  }
  if (groups.size() < 2) return std::nullopt;
  BlockPicture picture;
  const double width = kWidth / static_cast<double>(last + 1);
  std::string body;
  double y = 0;
  for (const auto& [key, runs] : groups) {
    const auto& [state, line_number] = key;
    const StateWords& words = kStates.at(static_cast<std::size_t>(state));
    std::uint64_t count = 0;
    body += rect("element", 0, y + 1, kWidth, kPlaceRow - 2);
    for (const ThreadRun& run : runs) {
      const auto length = static_cast<double>(run.last - run.first + 1);
      count += run.last - run.first + 1;
      body += rect(words.css, static_cast<double>(run.first) * width, y + 1, length * width, kPlaceRow - 2);
    }
    y += kPlaceRow;
    picture.rows.push_back(line_number > 0 ? fmt::format("line {}: {}", line_number, words.label)
                                           : std::string(words.label));
    picture.words.push_back(fmt::format("{} {}{}: {}",
                                        counted(static_cast<double>(count), "thread", "threads"), words.says,
                                        at_line(line_number), in_order(runs)));
  }
  picture.caption = fmt::format(
      "Where the threads of the block are, by their numbers in it: a column per thread, from 0 to {}, a row "
      "per "
      "place. A barrier opens when all of them are at it.",
      last);
  picture.svg = described("block-threads", y, escaped(picture.caption), desc_of(picture.words), body);
  return picture;
}

ThreadPicture race_picture(const RacingAccess& one, const RacingAccess& other) {
  constexpr double kUpper = 16, kLower = 48, kHeight = 64, kAccess = 160, kBarrier = 24;
  constexpr std::uint64_t kMostBarriers = 5;
  std::string body =
      line("race-lane", 0, kUpper, kWidth, kUpper) + line("race-lane", 0, kLower, kWidth, kLower);
  body += line("race-gap", kWidth / 2, 0, kWidth / 2, kHeight);
  for (std::uint64_t k = 0; k < std::min(one.barriers.value_or(0), kMostBarriers); ++k) {
    const double x = kBarrier * static_cast<double>(k + 1);
    body += line("race-barrier", x, 0, x, kHeight);
  }
  const auto access = [&](const RacingAccess& which, double x, double y) {
    body += rect(which.writes ? "race-write" : "race-read", x - kAccess / 2, y - 8, kAccess, 16);
  };
  access(one, kWidth / 4 + kAccess / 4, kUpper);
  access(other, 3 * kWidth / 4, kLower);
  ThreadPicture picture;
  if (one.barriers && one.barriers == other.barriers) {
    picture.words.push_back(
        *one.barriers == 0
            ? "Neither thread has passed a barrier before: both accesses lie before the block's first one. A "
              "barrier at the dashed line would order them."
            : fmt::format("Both threads have passed {} before, the last one{}, and none lies between the two "
                          "accesses: a barrier at the dashed line would order them.",
                          counted(static_cast<double>(*one.barriers), "barrier", "barriers"),
                          at_line(one.barrier_line)));
  }
  const auto says = [](const RacingAccess& which) {
    return fmt::format("{} {} {}{}", cut_to(which.thread, kLongestThread), which.writes ? "writes" : "reads",
                       cut_to(which.element, kLongestThread), at_line(which.line));
  };
  std::vector<std::string> all{says(one), says(other)};
  all.insert(all.end(), picture.words.begin(), picture.words.end());
  picture.svg = described("race-lines", kHeight, "Two accesses that nothing orders", desc_of(all), body);
  return picture;
}

std::optional<ThreadPicture> ranks_picture(const std::vector<RankCalls>& ranks) {
  constexpr int kColumn = 190, kCall = 40, kHead = 24, kGap = 6;
  constexpr std::size_t kMostColumns = 16;
  constexpr std::size_t kLongestCall = 26;
  const bool beyond = std::ranges::any_of(ranks, [](const RankCalls& rank) {
    return std::ranges::any_of(rank.calls, [](const RankCall& call) { return !call.waits; });
  });
  if (ranks.size() < 2 || ranks.size() > kMostColumns || !beyond) return std::nullopt;
  ThreadPicture picture;
  std::string body;
  int bottom = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const RankCalls& rank = ranks[i];
    const int x = static_cast<int>(i) * kColumn;
    int y = kHead;
    const auto text = [&](std::string_view css, int at, const std::string& words) {
      body += fmt::format(R"(<text class="{}" x="{}" y="{}">{}</text>)", css, x + 8, at, escaped(words));
    };
    text("rank-name", 15,
         fmt::format("rank {}{}", rank.rank,
                     rank.earlier > 0 ? fmt::format(", {} calls before", rank.earlier) : ""));
    std::string words = fmt::format("rank {}:", rank.rank);
    if (rank.earlier > 0) words += fmt::format(" {} earlier calls,", rank.earlier);
    const auto box = [&](std::string_view css, const std::string& first, const std::string& second) {
      body += fmt::format(R"(<rect class="{}" x="{}" y="{}" width="{}" height="{}" rx="4"/>)", css, x + 1, y,
                          kColumn - 10, kCall - kGap);
      text("rank-text", y + 14, first);
      text("rank-text", y + 28, second);
      y += kCall;
    };
    for (const RankCall& call : rank.calls) {
      const std::string what = cut_to(visible_line(call.what), kLongestCall);
      const std::string place = call.line > 0 ? fmt::format("line {}", call.line) : std::string();
      box(call.waits ? "rank-waits" : "rank-call", what,
          call.waits ? place + (place.empty() ? "waits here" : ", waits here") : place);
      words += fmt::format("{} {}{}{}", &call == rank.calls.data() ? "" : ",", call.waits ? "waits in " : "",
                           what, at_line(call.line));
    }
    if (rank.returned) {
      box("rank-returned", "returned", "from the version");
      words += rank.calls.empty() ? " has returned from the version" : ", has returned from the version";
    }
    picture.words.push_back(std::move(words));
    bottom = std::max(bottom, y);
  }
  picture.caption =
      "The calls of MPI that can wait for another rank, a column per rank, in order from top to bottom.";
  picture.svg = fmt::format(
      R"(<svg class="ranks" viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img"><title>{2}</title><desc>{3}</desc>{4}</svg>)",
      static_cast<int>(ranks.size()) * kColumn, bottom, picture.caption, desc_of(picture.words), body);
  return picture;
}

}  // namespace warpmark
