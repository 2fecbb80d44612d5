#include "reports/grade/html_pictures.h"

#include <algorithm>

#include <fmt/format.h>

#include "reports/drawing/pictures.h"
#include "reports/drawing/thread_pictures.h"
#include "reports/grade/html_values.h"
#include "reports/wording/text.h"

namespace warpmark {
namespace {

constexpr std::size_t kMostRuns = 200;  // maximum number of runs of adjacent input elements in a picture

void add_elements(const Cause& cause, mstch::map& view) {
  view["has_elements"] = false;
  if (!cause.n || *cause.n == 0) return;
  std::vector<ElementCount> runs = cause.elements;
  if (runs.size() > kMostRuns) runs.resize(kMostRuns);
  std::uint64_t block = cause.launch ? 1 : 0;
  if (cause.launch) {
    for (const std::uint64_t threads : cause.launch->block) block *= threads;
  }
  const std::string svg = elements_svg(runs, *cause.n, block);
  if (svg.empty()) return;
  view["has_elements"] = true;
  view["elements_svg"] = svg;
  view["block_size"] = draws_blocks(*cause.n, block) ? grouped(block) : std::string();
  view["last_element"] = grouped(*cause.n - 1);
  const auto any = [&](bool lost) {
    return std::ranges::any_of(runs, [&](const ElementCount& run) { return (run.times == 0) == lost; });
  };
  view["some_lost"] = any(true);
  view["some_twice"] = any(false);
}

void add_uses(const Cause& cause, mstch::map& view) {
  const std::string svg = uses_svg(cause.uses);
  view["has_uses"] = !svg.empty() && !cause.inputs.empty();
  if (svg.empty() || cause.inputs.empty()) return;
  mstch::array outputs;
  for (std::size_t k = 0; k < std::min(cause.uses.size(), kMostUses); ++k)
    outputs.push_back(mstch::map{{"used_by", name(cause.uses[k].output)}});
  view["uses_svg"] = svg;
  view["uses_outputs"] = outputs;
  view["first_input"] = name(cause.inputs.front());
  view["last_input"] = name(cause.inputs.back());
  for (const auto& [letter, key] :
       {std::pair{'=', "uses_right"}, {'-', "uses_not"}, {'+', "uses_wrongly"}, {'~', "uses_otherwise"}})
    view[key] = std::ranges::any_of(cause.uses, [letter = letter](const OutputUses& each) {
      return each.of_inputs.find(letter) != std::string::npos;
    });
}

void add_accesses(const Cause& cause, mstch::map& view) {
  const bool two = cause.accesses.size() == 2;
  view["has_race"] = two;
  if (!two) return;
  mstch::array sides;
  for (const RacingAccess& access : cause.accesses) {
    sides.push_back(mstch::map{{"race_thread", name(access.thread)},
                               {"race_verb", std::string(access.writes ? "writes" : "reads")},
                               {"race_writes", access.writes},
                               {"race_line", access.line > 0 ? fmt::format("line {}", access.line) : ""}});
  }
  view["race_one"] = mstch::array{sides[0]};
  view["race_other"] = mstch::array{sides[1]};
  const ThreadPicture picture = race_picture(cause.accesses[0], cause.accesses[1]);
  view["race_svg"] = picture.svg;
  view["race_barriers"] = picture.words.empty() ? std::string() : picture.words.front();
  view["race_passed"] = cause.accesses[0].barriers.value_or(0) > 0;
  view["race_element"] = name(cause.accesses.front().element);
}

// Adds one picture of threads or ranks under a name of its own: `touches`, `threads` or `calls`.
void add_picture(const std::string& key, const ThreadPicture& picture, mstch::map& view) {
  mstch::array words;
  for (const std::string& each : picture.words)
    words.push_back(mstch::map{{key + "_word", cut_to(visible_line(each), kLongestLine)}});
  view[key + "_svg"] = picture.svg;
  view[key + "_caption"] = visible_line(picture.caption);
  view[key + "_words"] = words;
}

void add_touches(const Cause& cause, mstch::map& view) {
  const auto picture = cause.warp_access ? access_picture(*cause.warp_access) : std::nullopt;
  view["has_touches"] = picture.has_value();
  if (!picture) return;
  add_picture("touches", *picture, view);
  view["touches_outside"] = picture->marks.outside;
  view["touches_own"] = picture->marks.own;
  view["touches_clash"] = picture->marks.clash;
  view["touches_sectors"] = picture->marks.sectors;
}

void add_threads(const Cause& cause, mstch::map& view) {
  const auto picture = block_picture(cause.block_threads);
  view["has_threads"] = picture.has_value();
  if (!picture) return;
  add_picture("threads", *picture, view);
  mstch::array rows;
  for (const std::string& row : picture->rows) rows.push_back(mstch::map{{"threads_row", row}});
  view["threads_rows"] = rows;
}

void add_calls(const Cause& cause, mstch::map& view) {
  const auto picture = ranks_picture(cause.rank_calls);
  view["has_calls"] = picture.has_value();
  if (picture) add_picture("calls", *picture, view);
}

}  // namespace

void add_pictures(const Cause& cause, mstch::map& view) {
  for (const auto add : {add_elements, add_uses, add_accesses, add_touches, add_threads, add_calls})
    add(cause, view);
}

}  // namespace warpmark
