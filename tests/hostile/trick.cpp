#include "tests/hostile/trick.h"

#include <utility>

#include <fmt/format.h>

namespace warpmark::hostile {
namespace {

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
  trick.off = members.text("off");
  trick.then = members.text("then");
  trick.words = members.texts("words");
  trick.never = members.texts("never");
  trick.in = members.texts("in");
  trick.needs_box = members.flag("needs_box");
  trick.known_gap = members.flag("known_gap");
  if (auto done = members.finish(); !done) return tl::unexpected(done.error());
  if (entry.right || trick.does.empty() || (trick.defence.empty() && !trick.honest()))
    return fail(trick.full_name() + ": a [[case]] says what the trick does, and what holds it");
  return trick;
}

std::string verdict_text(const Trick& trick) {
  return trick.cause.empty() ? trick.verdict : fmt::format("{}: `{}`", trick.verdict, trick.cause);
}

}  // namespace

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
