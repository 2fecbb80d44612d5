#include "tests/hostile/graded.h"

#include <map>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "harness/base/file.h"
#include "tests/home.h"

namespace warpmark::hostile {
namespace {

namespace fs = std::filesystem;

// The course's rubric with fewer sizes and shorter limits: what never ends shall not cost 20 s each time.
std::string short_rubric(const Trick& trick) {
  const std::string assignment = trick.edits.assignment();
  const std::string& type = trick.type;
  const auto path = home_of(assignment).rules();
  toml::table rubric = toml::parse_file(path.string());
  std::ostringstream text;
  if (assignment != "reduction") {
    // Every form sorts, or classifies, all of it.
    for (const char* size : {"host_sizes", "gpu_sizes"}) rubric["correct"].as_table()->erase(size);
    for (const char* check : {"correct", "clean"}) {
      toml::array& sizes = *rubric[check]["sizes"].as_array();
      for (std::size_t at = sizes.size(); at-- > 0;) {
        if (at % 3 != 0 && at + 1 != sizes.size())
          sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(at));
      }
    }
    text << rubric;
    return text.str();
  }
  // Right but slow forms, such as a message of every thread, take minutes at these sizes.
  if (trick.honest()) rubric["correct"].as_table()->erase("gpu_sizes");
  rubric["correct"].as_table()->insert_or_assign("sizes", toml::array{0, 1, 33, 257, 1025, 4099, 65537});
  rubric["correct"].as_table()->insert_or_assign("secret_max", 20'000);
  rubric["clean"].as_table()->insert_or_assign("sizes", toml::array{0, 33, 257, 4099});
  rubric.insert_or_assign("types", toml::array{type});
  for (const char* check : {"work", "fast"}) rubric[check].as_table()->insert_or_assign("type", type);
  rubric.insert_or_assign("limits", toml::table{{"call_seconds", 12}, {"build_seconds", 60}});
  if (!trick.submission_seconds.empty())
    rubric["limits"].as_table()->insert("submission_seconds", std::stoi(trick.submission_seconds));
  text << rubric;
  return text.str();
}

std::string with_places(std::string text, const std::map<std::string, std::string>& places) {
  for (const auto& [name, value] : places) {
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + value.size()))
      text.replace(at, name.size(), value);
  }
  return text;
}

// Texts that stand for the places of a submission's table in this repository and folder.
Result<std::map<std::string, std::string>> places(const fs::path& secret) {
  std::map<std::string, std::string> all{{"@SECRET@", secret.string()},
                                         {"@ROOT@", WARPMARK_ROOT},
                                         {"@LONG@", "int " + std::string(1'000'000, 'y')}};
  for (const auto& [name, file] : {std::pair{"@MAILBOX@", "mailbox.h"}, {"@EXPORTS@", "exports.h"}}) {
    auto text = read_file(fs::path(WARPMARK_TRICKS) / file);
    if (!text) return tl::unexpected(text.error());
    all[name] = std::move(*text);
  }
  return all;
}

Result<void> write_submission(const Trick& trick, const fs::path& scratch) {
  const fs::path secret = scratch / "other" / "v12_shared_one_pass.cu";
  fs::create_directories(secret.parent_path());
  if (auto written =
          write_file(secret, fmt::format("// {}\nstatic const char* kept = \"{}\";\n", kSecret, kSecret));
      !written)
    return written;
  const auto names = places(secret);
  if (!names) return tl::unexpected(names.error());
  const auto submission = edits::submission_of(trick.edits, trick.check == "upload_once");
  if (!submission) return tl::unexpected(submission.error());
  edits::Submission placed;
  for (const auto& [name, text] : submission->files)
    placed.files[with_places(name, *names)] = with_places(text, *names);
  for (const auto& [name, target] : submission->links) placed.links[name] = with_places(target, *names);
  for (const auto& [name, target] : submission->hard_links)
    placed.hard_links[name] = with_places(target, *names);
  return edits::write_submission(placed, scratch / "submission");
}

}  // namespace

Result<judge::GradeOptions> prepared(const Trick& trick, const fs::path& scratch) {
  if (auto written = write_submission(trick, scratch); !written) return tl::unexpected(written.error());
  judge::GradeOptions options;
  options.submission = scratch / "submission";
  options.assignment = trick.edits.assignment();
  options.only = edits::check_id(trick.edits, trick.check);
  options.focus.type = trick.type;
  options.rubric = scratch / "rubric.toml";
  if (auto written = write_file(options.rubric, short_rubric(trick)); !written)
    return tl::unexpected(written.error());
  return options;
}

}  // namespace warpmark::hostile
