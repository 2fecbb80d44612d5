// The manual: what --help shows and the man pages hold, made from the command line itself, so that neither
// says what the program does not do. Prose and examples, which a command line does not know, are in
// manual_texts.cpp.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/cli/commands.h"

namespace warpmark::cli {

// Prose of one command.
struct ManualText {
  std::string_view command;  // empty: of the program
  std::vector<std::string_view> description;
  std::vector<std::pair<std::string_view, std::string_view>> examples;  // a command line, what it does
};
// Null for a command without one.
const ManualText* manual_text_of(std::string_view command);

struct ManualEntry {
  std::string name;  // "--engine auto|gpu|simulator", or a command's name
  std::string text;
};

struct ManualPage {
  std::string name;  // "warpmark grade"
  std::string summary;
  std::string synopsis;
  std::vector<std::string> description;  // paragraphs
  std::vector<ManualEntry> commands;
  std::vector<ManualEntry> arguments;
  std::vector<ManualEntry> options;
  std::vector<std::string> notes;  // the footer of the command, a paragraph each
  std::vector<ManualEntry> examples;
};
ManualPage manual_page_of(const CLI::App& app);

// For a terminal of so many columns.
std::string to_help(const ManualPage& page, std::size_t width);
// In the macros of man(7). version: of Warpmark.
std::string to_roff(const ManualPage& page, std::string_view version);

// Makes --help of a command line, and of its commands, show the manual.
void use_manual(CLI::App& app);

// A command that is not listed: `manual DIR` writes the man pages there.
Action add_manual_command(CLI::App& app, const std::string& version);

}  // namespace warpmark::cli
