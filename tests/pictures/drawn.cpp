#include "tests/pictures/drawn.h"

#include <utility>

namespace warpmark::pictures {

Result<std::vector<Drawn>> read_cases(const std::filesystem::path& table) {
  const auto entries = edits::read_table(table);
  if (!entries) return tl::unexpected(entries.error());
  std::vector<Drawn> cases;
  for (const edits::Entry& entry : *entries) {
    edits::Members members(entry.table, entry.name);
    Drawn each{members.text("name"), {}, {}, {}, {}, {}};
    auto edits = edits::read_edits(members);
    if (!edits) return tl::unexpected(edits.error());
    each.edits = std::move(*edits);
    each.check = members.text("check", "correct");
    each.type = members.text("type", "int");
    each.draws = members.texts("draws");
    each.not_drawn = members.texts("not_drawn");
    if (auto done = members.finish(); !done) return tl::unexpected(done.error());
    cases.push_back(std::move(each));
  }
  return cases;
}

Result<judge::GradeOptions> prepared(const Drawn& drawn, const std::filesystem::path& scratch) {
  const auto submission = edits::submission_of(drawn.edits, false);
  if (!submission) return tl::unexpected(submission.error());
  judge::GradeOptions options;
  options.submission = scratch / "submission";
  options.assignment = drawn.edits.assignment();
  options.only = edits::check_id(drawn.edits, drawn.check);
  options.focus.type = drawn.type;
  options.focus.seed = 20261122;
  if (auto written = edits::write_submission(*submission, options.submission); !written)
    return tl::unexpected(written.error());
  return options;
}

}  // namespace warpmark::pictures
