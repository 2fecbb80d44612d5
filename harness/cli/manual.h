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

// Additional text for one command.
struct ManualText {
  std::string_view command;  // name of the command; empty: the program itself
  std::vector<std::string_view> description;
  // Example command lines, each with an explanation.
  std::vector<std::pair<std::string_view, std::string_view>> examples;
};
// Returns null for a command without additional text.
const ManualText* manual_text_of(std::string_view command);

struct ManualEntry {
  std::string name;  // option or command: "--engine auto|gpu|simulator"
  std::string text;
};

struct ManualPage {
  std::string name;  // name of the page: "warpmark grade"
  std::string summary;
  std::string synopsis;
  std::vector<std::string> description;  // one string per paragraph
  std::vector<ManualEntry> commands;
  std::vector<ManualEntry> arguments;
  std::vector<ManualEntry> options;
  std::vector<std::string> notes;  // closing paragraphs of the page
  std::vector<ManualEntry> examples;
};
ManualPage manual_page_of(const CLI::App& app);

// Formats the page for a terminal of `width` columns.
std::string to_help(const ManualPage& page, std::size_t width);
// Formats the page in the macros of man(7). version: Warpmark's version.
std::string to_roff(const ManualPage& page, std::string_view version);

// Makes --help of the program and its commands show the manual.
void use_manual(CLI::App& app);

// Adds a hidden command: `manual DIR` writes the man pages to DIR.
Action add_manual_command(CLI::App& app, const std::string& version);

}  // namespace warpmark::cli
