// What the commands have in common at their edge: the terminal, and where results go.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "harness/base/error.h"
#include "reports/reports.h"

namespace warpmark::cli {

// Of stdout, or of another descriptor. Plain text where that is no terminal, where NO_COLOR is set or TERM is
// "dumb". As wide as the terminal, or as COLUMNS says where there is none.
ConsoleStyle style_of_the_terminal(int descriptor = 1);

// One line at a time on stderr: on a terminal that can, each replaces the one before.
std::function<void(const std::string&)> progress_printer();
// Takes the last of these lines away.
void end_progress();

// Makes a folder that can be written to. The remedy names --out.
Result<void> make_folder(const std::filesystem::path& folder);

// Says on stderr why a command cannot be used, and returns its exit status.
int unusable(std::string_view command, std::string_view message);

}  // namespace warpmark::cli
