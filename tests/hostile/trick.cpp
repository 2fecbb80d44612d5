#include "tests/hostile/trick.h"

#include <utility>

#include <fmt/format.h>

namespace warpmark::hostile {
namespace {

// Declares a function for each form, and `all`, which calls them one after the other.
std::string forms_header(const Trick& trick) {
  std::string text = fmt::format("#pragma once\n{}\nnamespace forms {{\n", trick.prologue);
  std::string calls;
  for (const Form& form : trick.forms) {
    text +=
        fmt::format("namespace {0} {{\n{1}\n[[maybe_unused]] static void run({2}) {{\n{3}\n}}\n}}  // {0}\n",
                    form.name, form.before, trick.takes, form.body);
    calls +=
        fmt::format("{}\n{}::run({});\n{}\n", trick.before_each, form.name, trick.gives, trick.after_each);
  }
  return text + fmt::format("[[maybe_unused]] static void all({}) {{\n{}{}\n}}\n}}  // forms\n", trick.takes,
                            calls, trick.after_all);
}

Result<std::vector<Form>> read_forms(edits::Members& members) {
  std::vector<Form> forms;
  for (const toml::table* each : members.list("form")) {
    edits::Members one(*each, members.where() + ".form");
    forms.push_back({one.text("name"), one.text("does"), one.text("before"), one.text("body")});
    if (auto done = one.finish(); !done) return tl::unexpected(done.error());
    if (forms.back().name.empty() || forms.back().does.empty())
      return fail(members.where() + ": a form has a name, and says what it does");
  }
  return forms;
}

Result<Trick> read_trick(const edits::Entry& entry) {
  Trick trick;
  trick.group = entry.group;
  trick.name = entry.name;
  edits::Members members(entry.table, trick.full_name());
  members.text("name");
  auto edits = edits::read_edits(members);
  if (!edits) return tl::unexpected(edits.error());
  trick.edits = std::move(*edits);
  trick.does = members.text("does");
  trick.defence = members.text("defence");
  trick.check = members.text("check", trick.honest() ? "[bc]*" : "correct");
  trick.cause = members.text("cause");
  trick.verdict = members.text("verdict", trick.cause.empty() ? "passed" : "failed");
  trick.file = members.text("file");
  trick.type = members.text("type", "int");
  trick.engine = members.text("engine");
  trick.on_gpu = members.text("on_gpu");
  trick.off = members.text("off");
  trick.then = members.text("then");
  trick.words = members.texts("words");
  trick.never = members.texts("never");
  trick.in = members.texts("in");
  trick.needs_box = members.flag("needs_box");
  trick.submission_seconds = members.text("submission_seconds");
  trick.known_gap = members.flag("known_gap");
  auto forms = read_forms(members);
  if (!forms) return tl::unexpected(forms.error());
  trick.forms = std::move(*forms);
  for (auto& [name, text] : {std::pair{"prologue", &trick.prologue},
                             {"takes", &trick.takes},
                             {"gives", &trick.gives},
                             {"before_each", &trick.before_each},
                             {"after_each", &trick.after_each},
                             {"after_all", &trick.after_all}})
    *text = members.text(name);
  if (!trick.forms.empty()) trick.edits.files["forms.h"] = forms_header(trick);
  if (auto done = members.finish(); !done) return tl::unexpected(done.error());
  if (entry.right || trick.does.empty() || (trick.defence.empty() && !trick.honest()))
    return fail(trick.full_name() + ": a [[case]] says what the trick does, and what holds it");
  return trick;
}

std::string verdict_text(const Trick& trick) {
  return trick.cause.empty() ? trick.verdict : fmt::format("{}: `{}`", trick.verdict, trick.cause);
}

}  // namespace

Trick with_form(const Trick& trick, const Form& form) {
  Trick alone = trick;
  alone.forms = {form};
  alone.edits.files["forms.h"] = forms_header(alone);
  return alone;
}

Result<std::vector<Trick>> read_tricks(const std::filesystem::path& folder) {
  const auto entries = edits::read_tables(folder);
  if (!entries) return tl::unexpected(entries.error());
  std::vector<Trick> tricks;
  for (const edits::Entry& entry : *entries) {
    auto trick = read_trick(entry);
    if (!trick) return tl::unexpected(trick.error());
    tricks.push_back(std::move(*trick));
  }
  return tricks;
}

std::string table_of(const std::vector<Trick>& tricks) {
  std::string text;
  std::string group;
  for (const Trick& trick : tricks) {
    if (trick.group != group) {
      group = trick.group;
      text += trick.honest()
                  ? fmt::format("\n### {}\n\n| form | what is unusual |\n|---|---|\n", group)
                  : fmt::format("\n### {}\n\n| trick | does | defence | {} | {} |\n|---|---|---|---|---|\n",
                                group, "check and verdict", "without the defence");
    }
    if (trick.honest()) {
      text += fmt::format("| `{}` | {} |\n", trick.name, trick.does);
      for (const Form& form : trick.forms) text += fmt::format("| `{}` | {} |\n", form.name, form.does);
      continue;
    }
    text += fmt::format("| `{}` | {} | {} | `{}` {}{}{} | {} |\n", trick.name, trick.does, trick.defence,
                        trick.check, verdict_text(trick), trick.engine == "gpu" ? " (GPU)" : "",
                        trick.known_gap ? "; goes through as yet" : "",
                        trick.then.empty() ? "not tried" : fmt::format("{} (`{}`)", trick.then, trick.off));
  }
  return text;
}

}  // namespace warpmark::hostile
