#include "tests/submissions/fixture.h"

#include <utility>

#include "harness/base/file.h"
#include "tests/home.h"

namespace warpmark::submissions {
namespace {

namespace fs = std::filesystem;

Result<Expectation> read_expectation(edits::Members& members, const edits::Edits& edits) {
  Expectation expected;
  const std::string check = members.text("check");
  expected.id = edits::check_id(edits, check);
  expected.engine = members.text("engine");
  expected.cause = members.text("cause");
  expected.verdict = members.text("verdict", expected.cause.empty() ? "passed" : "failed");
  expected.file = members.text("file");
  expected.line = members.text("line");
  expected.also = members.text("also");
  if (check.empty()) return fail(members.where() + ": an expectation names its check");
  return expected;
}

Result<Fixture> read_fixture(const edits::Entry& entry) {
  edits::Members members(entry.table, entry.name);
  Fixture read;
  read.name = members.text("name");
  if (entry.right) return fail(read.name + ": what is right is a [[case]] without a cause");
  auto edits = edits::read_edits(members);
  if (!edits) return tl::unexpected(edits.error());
  read.edits = std::move(*edits);
  read.only = members.text("only", "*");
  const auto add = [&](edits::Members& from) -> Result<void> {
    auto expected = read_expectation(from, read.edits);
    if (!expected) return tl::unexpected(expected.error());
    read.expectations.push_back(std::move(*expected));
    return from.finish();
  };
  const auto several = members.list("expect");
  for (const toml::table* each : several) {
    edits::Members own(*each, read.name + ".expect");
    if (auto added = add(own); !added) return tl::unexpected(added.error());
  }
  if (auto done = several.empty() ? add(members) : members.finish(); !done)
    return tl::unexpected(done.error());
  return read;
}

}  // namespace

Result<std::vector<Fixture>> read_fixtures(const fs::path& folder) {
  const auto entries = edits::read_tables(folder);
  if (!entries) return tl::unexpected(entries.error());
  std::vector<Fixture> all;
  for (const edits::Entry& entry : *entries) {
    auto read = read_fixture(entry);
    if (!read) return tl::unexpected(read.error());
    all.push_back(std::move(*read));
  }
  std::ranges::sort(all, {}, &Fixture::name);
  return all;
}

Result<judge::GradeOptions> prepared(const Fixture& fixture, const fs::path& scratch) {
  const std::string assignment = fixture.edits.assignment();
  const auto rules = read_file(home_of(assignment).rules());
  if (!rules) return tl::unexpected(rules.error());
  const auto submission = edits::submission_of(fixture.edits, fixture.asks_for_upload());
  if (!submission) return tl::unexpected(submission.error());
  judge::GradeOptions options;
  options.submission = scratch / "submission";
  options.assignment = assignment;
  options.only = fixture.only;
  options.rubric = scratch / "rubric.toml";
  for (const auto& written : {write_file(options.rubric, with_limits(*rules, "call_seconds = 12\n")),
                              edits::write_submission(*submission, options.submission)}) {
    if (!written) return tl::unexpected(written.error());
  }
  return options;
}

}  // namespace warpmark::submissions
