// Helpers for the terminal and for output folders, shared by the subcommands.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "harness/base/error.h"
#include "reports/reports.h"

namespace warpmark::cli {

// Returns the output style (colour and width) for a file descriptor, stdout by default. No colour if it is
// not a terminal, NO_COLOR is set or TERM is "dumb". The width is that of the terminal, or COLUMNS if there
// is none.
ConsoleStyle style_of_the_terminal(int descriptor = 1);

// Returns a function that prints progress lines to stderr; on a capable terminal each line replaces the
// previous one.
std::function<void(const std::string&)> progress_printer();
// Erases the last progress line from the terminal.
void end_progress();

// Creates a folder and checks that it is writable. The error message suggests --out.
Result<void> make_folder(const std::filesystem::path& folder);

// Prints to stderr why a command cannot be used, and returns its exit status.
int unusable(std::string_view command, std::string_view message);

}  // namespace warpmark::cli
