// Every report. Each is a projection: a function of the model alone, which lays out what the model says.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/base/error.h"
#include "harness/model/grade.h"
#include "harness/model/ladder.h"

namespace warpmark {

// How much of a grade: a line a failure and the score; every failure with the cause to begin with; every
// cause.
enum class Detail { brief, usual, all };

struct ConsoleStyle {
  bool colour = false;
  int width = 100;  // columns
  Detail detail = Detail::usual;
};

std::string to_console(const Grade& grade, const ConsoleStyle& style);
// One check alone: how it ended, and why.
std::string to_console(const CheckResult& check, const ConsoleStyle& style);
std::string to_junit(const Grade& grade);
// ladder: of the same submission, for time and bandwidth over the size; null: it was not measured.
std::string to_html(const Grade& grade, const Ladder* ladder = nullptr);

std::string to_console(const Ladder& ladder, const ConsoleStyle& style);
std::string to_html(const Ladder& ladder);

// One version of each way beside the others: one core, threads, MPI, a GPU, several.
std::string evaluation_console(const Ladder& ladder, const ConsoleStyle& style);
std::string evaluation_html(const Ladder& ladder);

// The sizes that tables of a ladder show.
inline constexpr std::uint64_t kTableSizes[] = {1U << 20, 1U << 24, 1U << 26, 1U << 28};

// README's table, and a text with it between `<!-- ladder -->` and `<!-- /ladder -->`. Fails when the text
// lacks one of the markers.
std::string to_markdown(const Ladder& ladder);
Result<std::string> with_ladder(std::string_view text, const Ladder& ladder);
// The text, with the markers under a heading at its end where it has none.
std::string with_place_for_ladder(std::string text);

std::string to_console(const Comparison& comparison, const ConsoleStyle& style);
std::string to_html(const Comparison& comparison);

}  // namespace warpmark
