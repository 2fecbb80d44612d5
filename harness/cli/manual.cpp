#include "harness/cli/manual.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/cli/commands.h"
#include "harness/cli/terminal.h"
#include "reports/wording/text.h"

namespace warpmark::cli {
namespace {

constexpr std::size_t kIndent = 6;
constexpr std::size_t kWidest = 100;
constexpr std::size_t kNarrowest = 60;

// Returns the placeholder for an option's value: the list of its choices, or a word such as DIR.
std::string value_of(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return {};
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}');
  if (open != std::string::npos && close != std::string::npos) {
    std::string choices = type.substr(open + 1, close - open - 1);
    std::ranges::replace(choices, ',', '|');
    return choices;
  }
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 19> kWords{
      {{"--assignment", "NAME"},
       {"--cache", "DIR"},
       {"--case", "NAME"},
       {"--column", "TITLE"},
       {"--comment", "TEXT"},
       {"--correct", "ID=POINTS"},
       {"--due", "TIME"},
       {"--into", "FILE"},
       {"--json", "FILE"},
       {"--only", "GLOB"},
       {"--out", "DIR"},
       {"--roster", "FILE"},
       {"--rubric", "FILE"},
       {"--seed", "SEED"},
       {"--type", "TYPE"},
       {"--withdraw", "ID"},
       {"--check", "ID"},
       {"-I", "DIR"},
       {"-D", "NAME[=VALUE]"}}};
  const std::string name = option.get_name();
  for (const auto& [known, word] : kWords) {
    if (name == known || name.starts_with(std::string(known) + ",")) return std::string(word);
  }
  if (type.starts_with("UINT") || type.starts_with("INT") || type.starts_with("FLOAT")) return "N";
  return "VALUE";
}

std::string sentence(std::string text) {
  if (!text.empty() && std::string_view(".:").find(text.back()) == std::string_view::npos) text += '.';
  return text;
}

ManualEntry entry_of(const CLI::Option& option) {
  std::string names = option.get_name();
  for (std::size_t at = names.find(','); at != std::string::npos; at = names.find(',', at + 2))
    names.replace(at, 1, ", ");
  const std::string value = value_of(option);
  std::string text = sentence(option.get_description());
  if (const std::string standard = option.get_default_str();
      !standard.empty() && option.get_items_expected_max() > 0)
    text += fmt::format(" Default: {}.", standard);
  return {names + (value.empty() ? "" : " " + value), text};
}

std::vector<std::string> paragraphs_of(const std::string& text) {
  std::vector<std::string> paragraphs(1);
  for (const std::string& line : lines_of(text)) {
    if (trimmed(line).empty()) {
      paragraphs.emplace_back();
    } else {
      paragraphs.back() += (paragraphs.back().empty() ? "" : " ") + std::string(trimmed(line));
    }
  }
  std::erase(paragraphs, "");
  return paragraphs;
}

class Help {
 public:
  explicit Help(std::size_t width) : width_(std::clamp(width, kNarrowest, kWidest)) {}

  void head(std::string_view title) { text_ += fmt::format("{}{}\n", text_.empty() ? "" : "\n", title); }
  void paragraph(std::string_view words, std::size_t indent) {
    for (const std::string& line : wrapped(words, width_ - indent))
      text_ += std::string(indent, ' ') + line + "\n";
  }
  void entries(std::string_view title, const std::vector<ManualEntry>& list) {
    if (list.empty()) return;
    head(title);
    for (const ManualEntry& entry : list) {
      text_ += fmt::format("  {}\n", entry.name);
      if (!entry.text.empty()) paragraph(entry.text, kIndent);
    }
  }
  void paragraphs(std::string_view title, const std::vector<std::string>& list) {
    if (list.empty()) return;
    head(title);
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i > 0) text_ += '\n';
      paragraph(list[i], 2);
    }
  }
  std::string text() { return std::move(text_); }

 private:
  std::size_t width_;
  std::string text_;
};

// Escapes text for roff, so that none of it is a request, a macro argument or an escape.
std::string roff(std::string_view text) {
  const std::string safe =
      replaced(text, {{'\\', "\\e"}, {'-', "\\-"}, {'\'', "\\(aq"}, {'`', "\\(ga"}, {'"', "\\(dq"}});
  return safe.starts_with('.') ? "\\&" + safe : safe;
}

void add_entries(std::string& page, std::string_view title, const std::vector<ManualEntry>& list) {
  if (list.empty()) return;
  page += fmt::format(".SH {}\n", title);
  for (const ManualEntry& entry : list)
    page += fmt::format(".TP\n.B {}\n{}\n", roff(entry.name), roff(entry.text));
}

void add_paragraphs(std::string& page, std::string_view title, const std::vector<std::string>& list) {
  if (list.empty()) return;
  page += fmt::format(".SH {}\n", title);
  for (std::size_t i = 0; i < list.size(); ++i) page += (i > 0 ? ".PP\n" : "") + roff(list[i]) + "\n";
}

// Returns a subcommand's full name, including the program and all parent commands, such as "warpmark
// assignment check".
std::string full_name(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return parent == nullptr ? app.get_name() : full_name(*parent) + " " + app.get_name();
}

// Returns the key by which manual_text_of() finds the manual's text of a command: its full name without the
// program's, such as "assignment check"; "" for the program itself.
std::string text_name(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  if (parent == nullptr) return {};
  const std::string before = text_name(*parent);
  return before + (before.empty() ? "" : " ") + app.get_name();
}

std::string file_name_of(const ManualPage& page) {
  std::string name = page.name;
  std::ranges::replace(name, ' ', '-');
  return name + ".1";
}

class ManualFormatter : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string /*name*/,
                        CLI::AppFormatMode /*mode*/) const override {
    return to_help(manual_page_of(*app), static_cast<std::size_t>(style_of_the_terminal().width));
  }
};

Result<void> write_manual(const CLI::App& app, const std::string& version,
                          const std::filesystem::path& folder) {
  if (auto ready = make_folder(folder); !ready) return ready;
  std::vector<const CLI::App*> all{&app};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto listed = [](const CLI::App* each) { return !each->get_group().empty(); };
    for (const CLI::App* command : all[i]->get_subcommands(listed)) all.push_back(command);
  }
  for (const CLI::App* each : all) {
    const ManualPage page = manual_page_of(*each);
    if (auto written = write_file(folder / file_name_of(page), to_roff(page, version)); !written)
      return written;
  }
  return {};
}

}  // namespace

ManualPage manual_page_of(const CLI::App& app) {
  ManualPage page;
  page.name = full_name(app);
  page.summary = app.get_description();
  std::string positionals;
  bool more = false;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    if (!option->get_positional()) {
      page.options.push_back(entry_of(*option));
      more = more || option->get_name() != "-h,--help";
      continue;
    }
    const std::string name = option->get_name(true);
    const bool many = option->get_items_expected_max() > 1;
    page.arguments.push_back({name, sentence(option->get_description())});
    const std::string shown = name + (many ? "..." : "");
    positionals += option->get_required() ? " " + shown : " [" + shown + "]";
  }
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty())
      page.commands.push_back({command->get_name(), sentence(command->get_description())});
  }
  page.synopsis =
      page.name + (more ? " [OPTIONS]" : "") + positionals + (page.commands.empty() ? "" : " COMMAND ...");
  if (const ManualText* text = manual_text_of(text_name(app))) {
    page.description.assign(text->description.begin(), text->description.end());
    for (const auto& [command, what] : text->examples)
      page.examples.push_back({std::string(command), std::string(what)});
  }
  page.notes = paragraphs_of(app.get_footer());
  return page;
}

std::string to_help(const ManualPage& page, std::size_t width) {
  Help help(width);
  help.paragraph(fmt::format("{}: {}", page.name, sentence(page.summary)), 0);
  help.head("Usage:");
  help.paragraph(page.synopsis, 2);
  help.paragraphs("Description:", page.description);
  help.entries("Commands:", page.commands);
  help.entries("Arguments:", page.arguments);
  help.entries("Options:", page.options);
  help.entries("Examples:", page.examples);
  help.paragraphs("Notes:", page.notes);
  return help.text();
}

std::string to_roff(const ManualPage& page, std::string_view version) {
  std::string dashed = file_name_of(page);
  dashed.resize(dashed.size() - 2);
  std::string title = dashed;
  std::ranges::transform(title, title.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  std::string text = fmt::format(".TH {} 1 \"\" \"Warpmark {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n",
                                 roff(title), roff(version), roff(dashed), roff(page.summary));
  add_paragraphs(text, "SYNOPSIS", {page.synopsis});
  add_paragraphs(text, "DESCRIPTION", page.description);
  add_entries(text, "COMMANDS", page.commands);
  add_entries(text, "ARGUMENTS", page.arguments);
  add_entries(text, "OPTIONS", page.options);
  add_entries(text, "EXAMPLES", page.examples);
  add_paragraphs(text, "NOTES", page.notes);
  std::string others;
  for (const ManualEntry& command : page.commands)
    others += fmt::format(", {}\\-{}(1)", roff(dashed), roff(command.name));
  text += ".SH SEE ALSO\n" + (others.empty() ? std::string("warpmark(1)") : others.substr(2)) + "\n";
  return text;
}

void use_manual(CLI::App& app) {
  const auto formatter = std::make_shared<ManualFormatter>();
  app.formatter(formatter);
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    command->formatter(formatter);
    for (CLI::App* below : command->get_subcommands([](CLI::App*) { return true; }))
      below->formatter(formatter);
  }
}

Action add_manual_command(CLI::App& app, const std::string& version) {
  auto folder = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("manual", "Write the man pages into a folder")->group("");
  command->add_option("DIR", *folder, "The folder")->required();
  return [folder, version, &app] {
    const auto written = write_manual(app, version, *folder);
    return written ? 0 : unusable("manual", written.error().message);
  };
}

}  // namespace warpmark::cli
