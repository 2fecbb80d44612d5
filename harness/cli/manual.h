// Generates --help and the man pages from the command-line definition, so that they cannot contradict the
// program. The additional prose and examples are in manual_texts.cpp.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/cli/commands.h"

namespace warpmark::cli {

// Hand-written description and examples of one `warpmark` subcommand, which the manual shows in addition to
// its options.
struct ManualText {
  std::string_view command;  // subcommand that the text describes; empty: the program `warpmark` itself
  std::vector<std::string_view> description;
  // Pairs of an example command line and its explanation.
  std::vector<std::pair<std::string_view, std::string_view>> examples;
};
// Returns the hand-written manual text of a subcommand; null if it has none.
const ManualText* manual_text_of(std::string_view command);

struct ManualEntry {
  std::string name;  // option or command: "--engine auto|gpu|simulator"
  std::string text;
};

struct ManualPage {
  std::string name;  // name of the page: "warpmark grade"
  std::string summary;
  std::string synopsis;
  std::vector<std::string> description;  // paragraphs of the manual page's description
  std::vector<ManualEntry> commands;
  std::vector<ManualEntry> arguments;
  std::vector<ManualEntry> options;
  std::vector<std::string> notes;  // paragraphs at the end of the manual page
  std::vector<ManualEntry> examples;
};
ManualPage manual_page_of(const CLI::App& app);

// Formats a manual page as --help text for a terminal of `width` columns.
std::string to_help(const ManualPage& page, std::size_t width);
// Formats a manual page as roff source with the macros of man(7). version: Warpmark's version, for the page's
// footer.
std::string to_roff(const ManualPage& page, std::string_view version);

// Makes --help of `warpmark` and of all its subcommands print the generated manual pages.
void use_manual(CLI::App& app);

// Adds a hidden command: `manual DIR` writes the man pages to DIR.
Action add_manual_command(CLI::App& app, const std::string& version);

}  // namespace warpmark::cli
