// All reports of a grade (the result of checking one student's folder) and of benchmarks. Each function is
// pure and only formats the model.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/base/error.h"
#include "harness/model/grade.h"
#include "harness/model/ladder.h"

namespace warpmark {

// Level of detail of a grade's text. brief: one line per failure and the score; usual: each failure with its
// first cause; all: all causes.
enum class Detail { brief, usual, all };

struct ConsoleStyle {
  bool colour = false;
  int width = 100;  // width of the output, in columns
  Detail detail = Detail::usual;
};

std::string to_console(const Grade& grade, const ConsoleStyle& style);
// Formats a single check: its verdict and the reason.
std::string to_console(const CheckResult& check, const ConsoleStyle& style);
std::string to_junit(const Grade& grade);
// ladder: measured times of the same submission over the input sizes, to show on the page; null: not
// measured.
std::string to_html(const Grade& grade, const Ladder* ladder = nullptr);

std::string to_console(const Ladder& ladder, const ConsoleStyle& style);
std::string to_html(const Ladder& ladder);

// Render a student's evaluation, which compares one implementation per approach: one core, threads, MPI, one
// GPU, several GPUs.
std::string evaluation_console(const Ladder& ladder, const ConsoleStyle& style);
std::string evaluation_html(const Ladder& ladder);

// Input sizes shown in tables of measured times, in elements.
inline constexpr std::uint64_t kTableSizes[] = {1U << 20, 1U << 24, 1U << 26, 1U << 28};

// to_markdown() returns a README's table of measured times; with_ladder() replaces the text between `<!--
// ladder -->` and `<!-- /ladder -->`. Fails if a marker is missing.
std::string to_markdown(const Ladder& ladder);
Result<std::string> with_ladder(std::string_view text, const Ladder& ladder);
// Returns a README's text with a place for the table: if the markers of with_ladder() are missing, appends
// them under a heading.
std::string with_place_for_ladder(std::string text);

std::string to_console(const Comparison& comparison, const ConsoleStyle& style);
std::string to_html(const Comparison& comparison);

}  // namespace warpmark
