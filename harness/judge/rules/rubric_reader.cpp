#include "harness/judge/rules/rubric_reader.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/assignments/cpp_name.h"
#include "harness/assignments/plain/fields.h"
#include "harness/judge/rules/feedback_reader.h"
#include "harness/judge/rules/points_reader.h"
#include "harness/judge/rules/program_rules.h"
#include "harness/judge/rules/secret_reader.h"
#include "harness/judge/rules/version_reader.h"

namespace warpmark::judge {
namespace {

// Number of orders of blocks and warps in which `clean` runs a program, unless the rubric says otherwise.
constexpr std::uint64_t kSchedulesOfProgram = 3;
constexpr std::uint64_t kMostSchedules = 1000;

// Reads a list of kinds of finding that the rubric promotes or demotes. Each must be a remark (a finding such
// as a race or a style problem, not a failure) with the default severity `severity`.
std::vector<CauseKind> read_remarks(TomlTable& table, const std::string& name, Severity severity) {
  std::vector<CauseKind> kinds;
  if (table.find(name) == nullptr) return kinds;
  for (const std::string& text : table.texts(name)) {
    const auto kind = cause_kind_from(text);
    if (!kind || !is_remark(*kind) || rule_of(*kind).severity != severity) {
      std::vector<std::string_view> names;
      for (const CauseRule& rule : kCauseRules) {
        if (is_remark(rule.kind) && rule.severity == severity) names.push_back(rule.name);
      }
      table.refuse(fmt::format("clean.{}: \"{}\" is not one of {}", name, text, fmt::join(names, ", ")));
    }
    kinds.push_back(*kind);
  }
  return kinds;
}

// Reads the tables of a rubric one after the other. A rubric's file may be an assignment.toml, which also
// holds what plain::read_spec() reads.
class RubricReader {
 public:
  RubricReader(TomlTable top, const std::string& assignment, const std::filesystem::path& own_file,
               WorkLimits limits)
      : top_(std::move(top)), own_file_(own_file) {
    rubric_.assignment = assignment;
    defaults_.work_limits = limits;
  }

  Rubric read() {
    read_top();
    const auto each = [&](const auto& read) { mistakes_.collect(read); };
    each([&] {
      if (auto table = top_.table("points")) defaults_.points = table->points(check_names());
      defaults_.points_are_known = true;
    });
    each([&] { read_correct(); });
    each([&] {
      defaults_.given.clean = top_.find("clean") != nullptr;
      if (auto table = top_.table("clean")) read_clean(*table);
    });
    each([&] { read_upload(); });
    each([&] {
      defaults_.given.work = top_.find("work") != nullptr;
      auto table = top_.table("work");
      if (!table) return;
      read_data(*table, "work", rubric_.work);
      if (table->find("reads_at_least") != nullptr)
        rubric_.work.reads_at_least = table->number("reads_at_least");
      if (table->find("span_at_most") != nullptr) rubric_.work.span_at_most = table->number("span_at_most");
      table->finish();
    });
    each([&] {
      auto table = top_.table("fast");
      const bool program = defaults_.given.program;
      defaults_.given.fast = table && (program || !rubric_.naive.empty());
      if (!table) return;
      if (program) return read_fast_of_program(*table, rubric_);
      read_data(*table, "fast", rubric_.fast);
      rubric_.fast.calibrate = table->flag_or("calibrate", true);
      table->finish();
    });
    each([&] { read_host(); });
    each([&] {
      if (auto table = top_.table("limits")) read_time_limits(*table);
    });
    each([&] {
      if (auto table = top_.table("late")) read_late(*table);
    });
    each([&] {
      auto table = top_.table("names");
      if (!table) return;
      rubric_.takes_near_names = table->flag_or("take_near", false);
      table->finish();
    });
    each([&] {
      if (auto table = top_.table("feedback")) rubric_.help = read_feedback(*table);
    });
    each([&] {
      auto table = top_.table("same_code");
      if (!table) return;
      rubric_.same_code_keeps_percent = table->number("keeps_percent");
      if (rubric_.same_code_keeps_percent > 100)
        table->refuse("same_code.keeps_percent must be from 0 to 100");
      table->finish();
    });
    read_versions();
    each([&] { check_inputs_of_fast(top_, rubric_); });
    each([&] { check_needs(top_, rubric_); });
    each([&] {
      if (auto table = top_.table("contest")) rubric_.contest = read_contest(*table, rubric_);
    });
    each([&] { rubric_.equivalent = read_equivalent(top_, rubric_); });
    each([&] { top_.finish(); });
    mistakes_.report();
    return std::move(rubric_);
  }

 private:
  void read_top() {
    rubric_.title = top_.text("title");
    if (read_program()) return;
    rubric_.contract = top_.text("contract");
    if (plain::is_plain(top_)) {
      rubric_.plain = std::make_shared<const plain::Spec>(plain::read_spec(top_, rubric_.assignment));
      parts_ = rubric_.plain->sizes.size();
      rubric_.types = rubric_.plain->types;
    } else {
      top_.leave("judge_sources");  // read where judge.cpp is built
      take_own_parts();
      if (rubric_.types.empty()) rubric_.types = top_.texts("types");
    }
    if (rubric_.types.empty()) top_.refuse("types must name at least one value type");
    rubric_.naive = top_.text_or("naive", "");
  }

  // Reads how an assignment's submitted programs are run: from the rubric file itself or, if it lists no test
  // cases, from the assignment's own file. Returns false if the submissions are functions.
  bool read_program() {
    const bool here = program::is_program(top_);
    const bool is_other = !own_file_.empty() && own_file_ != top_.file();
    if (here && (top_.find("case") != nullptr || !is_other)) {
      rubric_.program = std::make_shared<const program::Spec>(program::read_spec(top_));
    } else if (is_other && own_file_.filename() == kAssignmentFile) {
      auto own = read_toml<std::shared_ptr<const program::Spec>>(
          own_file_, [](TomlTable own_top) -> std::shared_ptr<const program::Spec> {
            if (!program::is_program(own_top)) return nullptr;
            return std::make_shared<const program::Spec>(program::read_spec(own_top));
          });
      if (!own) throw Broken{own.error().message};
      rubric_.program = std::move(*own);
    }
    if (!rubric_.program) return false;
    defaults_.given.program = true;
    rubric_.naive = top_.text_or("naive", "");
    defaults_.given.naive = !rubric_.naive.empty();
    rubric_.types = {""};
    rubric_.clean.schedules = kSchedulesOfProgram;
    return true;
  }

  // When another rubric is read for an assignment, takes the buffers, the parts of a size and the default
  // types from the assignment's own assignment.toml, because a rubric alone does not declare them.
  void take_own_parts() {
    if (own_file_.empty() || own_file_ == top_.file() || own_file_.filename() != kAssignmentFile) return;
    const auto read = read_toml<std::optional<plain::Spec>>(own_file_, [&](TomlTable own_top) {
      return plain::is_plain(own_top) ? std::optional(plain::read_spec(own_top, rubric_.assignment))
                                      : std::nullopt;
    });
    if (!read) throw Broken{read.error().message};
    if (!*read) return;  // a judge.cpp, not assignment.toml, defines the buffers
    plain::Spec own = **read;
    plain::read_rubric_keys(top_, own);
    parts_ = own.sizes.size();
    if (top_.find("types") == nullptr) rubric_.types = own.types;
    rubric_.plain = std::make_shared<const plain::Spec>(std::move(own));
  }

  std::optional<Size> size_or_none(TomlTable& table, const std::string& name) {
    const toml::node* node = table.find(name);
    if (node == nullptr) return std::nullopt;
    const Size size = plain::read_size(table, *node, table.full(name), parts_);
    return size == Size(0) ? std::nullopt : std::optional(size);
  }
  Size need_size(TomlTable& table, const std::string& name) {
    const Size size = plain::read_size(table, table.need(name), table.full(name), parts_);
    if (size == Size(0)) table.refuse(fmt::format("{} must be above 0", table.full(name)));
    return size;
  }

  void read_correct() {
    if (defaults_.given.program) return;
    auto table = top_.table("correct");
    if (!table) top_.refuse("the table [correct] is missing");
    rubric_.correct.sizes = plain::read_sizes(*table, "sizes", parts_);
    if (rubric_.correct.sizes.empty()) table->refuse("correct.sizes must name at least one size");
    if (table->find("gpu_sizes") != nullptr)
      rubric_.correct.gpu_sizes = plain::read_sizes(*table, "gpu_sizes", parts_);
    if (table->find("host_sizes") != nullptr)
      rubric_.correct.host_sizes = plain::read_sizes(*table, "host_sizes", parts_);
    rubric_.correct.shifted_size = size_or_none(*table, "shifted_size");
    rubric_.correct.secret =
        read_secret(*table, rubric_.plain ? rubric_.plain->sizes : std::vector<std::string>{"n"});
    rubric_.correct.groups = read_groups(*table, rubric_.correct.sizes, parts_, defaults_);
    table->finish();
  }

  void read_sizes_of_clean(TomlTable& table) {
    if (rubric_.plain) table.leave("data");  // read with the plain form
    rubric_.clean.sizes = plain::read_sizes(table, "sizes", parts_);
    if (rubric_.clean.sizes.empty()) table.refuse("clean.sizes must name at least one size");
    rubric_.clean.large_size = size_or_none(table, "large_size");
    rubric_.clean.schedules = table.count("schedules");
  }

  void read_clean(TomlTable& table) {
    if (defaults_.given.program) {
      read_clean_of_program(table, rubric_);
    } else {
      read_sizes_of_clean(table);
    }
    if (rubric_.clean.schedules == 0) table.refuse("clean.schedules must be above 0");
    if (rubric_.clean.schedules > kMostSchedules)
      table.refuse(
          fmt::format("clean.schedules must be at most {}: each is a run at every size", kMostSchedules));
    rubric_.clean.lower = read_remarks(table, "lower", Severity::error);
    rubric_.clean.raise = read_remarks(table, "raise", Severity::note);
    table.finish();
  }

  // Reads the rubric's table [upload] with function, size and allowance_bytes, or the older form: upload =
  // "..." with a table [upload_once].
  void read_upload() {
    const toml::node* node = top_.find("upload");
    const bool one_table = node != nullptr && node->is_table();
    auto table = top_.table(one_table ? "upload" : "upload_once");
    if (one_table) {
      rubric_.upload = table->text("function");
    } else {
      rubric_.upload = top_.text_or("upload", "");
    }
    if (table) {
      rubric_.upload_once.size = table->count("size");
      rubric_.upload_once.allowance_bytes = table->count("allowance_bytes");
      if (rubric_.upload_once.size == 0)
        table->refuse(fmt::format("{} must be above 0", table->full("size")));
      table->finish();
    }
    if (rubric_.upload.empty()) return;
    if (!is_cpp_name(rubric_.upload))
      top_.refuse(*node, fmt::format("upload must name a function: {}", kNameRule));
    if (rubric_.upload_once.size == 0) top_.refuse("upload is given, so the table [upload_once] is needed");
    if (parts_ != 1) top_.refuse("upload needs an assignment with one size: the number of uploaded values");
    if (!defaults_.points.contains("upload_once"))
      top_.refuse("upload is given, so points.upload_once is needed");
    rubric_.upload_once.points = defaults_.points["upload_once"];
  }

  // Reads the element type and input size with which a check measures. Without a type in the rubric, the
  // first of its types is used.
  void read_data(TomlTable& table, const std::string& name, auto& data) {
    data.type = table.text_or("type", rubric_.types.front());
    data.size = need_size(table, "size");
    if (std::find(rubric_.types.begin(), rubric_.types.end(), data.type) == rubric_.types.end())
      table.refuse(fmt::format("{}.type is \"{}\", which is not one of types", name, data.type));
  }

  void read_host() {
    rubric_.host.contract = rubric_.contract;
    auto table = top_.table("host");
    if (!table) return;
    rubric_.host.contract = table->text_or("contract", rubric_.contract);
    if (rubric_.plain) {  // read with the plain form
      table->leave("call");
      table->leave("function");
    }
    if (table->find("naive") != nullptr) {
      rubric_.host.naive = table->text("naive");
      read_data(*table, "host", rubric_.host);
      defaults_.given.host_fast = true;
      rubric_.host.most_cores = table->count_or("most_cores", 0);
    }
    table->finish();
  }

  void read_time_limits(TomlTable& table) {
    if (rubric_.plain) table.leave("bytes_to_host");  // read with the plain form
    if (defaults_.given.program) {
      table.leave("run_seconds");
      table.leave("output_bytes");
    }
    for (auto [name, limit] :
         {std::pair{"build_seconds", &rubric_.limits.build}, std::pair{"call_seconds", &rubric_.limits.call},
          std::pair{"submission_seconds", &rubric_.limits.submission}}) {
      const auto fallback = std::chrono::duration_cast<std::chrono::seconds>(*limit).count();
      const std::uint64_t seconds = table.count_or(name, static_cast<std::uint64_t>(fallback));
      if (seconds == 0 || seconds > 3600) table.refuse(fmt::format("limits.{} must be from 1 to 3600", name));
      *limit = std::chrono::seconds(seconds);
    }
    table.finish();
  }

  void read_late(TomlTable& table) {
    rubric_.late.percent_a_day = table.number("percent_a_day");
    if (table.find("grace_days") != nullptr) rubric_.late.grace_days = table.number("grace_days");
    if (table.find("at_most_percent") != nullptr)
      rubric_.late.at_most_percent = table.number("at_most_percent");
    if (rubric_.late.percent_a_day > 100 || rubric_.late.at_most_percent > 100)
      table.refuse("late.percent_a_day and late.at_most_percent must be from 0 to 100");
    table.finish();
  }

  void read_versions() {
    mistakes_.collect([&] {
      for (const toml::node& entry : top_.list("version")) mistakes_.collect([&] { read_version_at(entry); });
    });
    if (top_.find("version") != nullptr && top_.list("version").empty())
      mistakes_.collect([&] { top_.refuse("there must be at least one [[version]]"); });
    if (defaults_.given.naive) mistakes_.collect([&] { take_naive_program(top_, rubric_); });
    if (!rubric_.program) mistakes_.collect([&] { check_naive(); });
    mistakes_.collect([&] {
      const VersionRule* naive = rubric_.find(rubric_.host.naive);
      if (!rubric_.host.naive.empty() && (naive == nullptr || !naive->host))
        top_.refuse(fmt::format("host.naive is \"{}\", which is no version with engine = \"host\"",
                                rubric_.host.naive));
    });
  }

  // Refuses a naive version that is none. Another rubric may leave out the one of the assignment's own file.
  void check_naive() {
    const bool all_read = rubric_.versions.size() == top_.list("version").size();
    if (rubric_.naive.empty() || !all_read || rubric_.find(rubric_.naive) != nullptr) return;
    if (!own_file_.empty() && own_file_ != top_.file()) {
      const auto known = read_toml<bool>(own_file_, [&](TomlTable own_top) {
        return std::ranges::any_of(own_top.list("version"), [&](const toml::node& entry) {
          return entry.is_table() && (*entry.as_table())["name"].value_or(std::string()) == rubric_.naive;
        });
      });
      if (known && *known) return;
    }
    top_.refuse(
        top_.need("naive"),
        fmt::format("naive is \"{}\", which is no [[version]]; name one, or remove the line", rubric_.naive));
  }

  void read_version_at(const toml::node& entry) {
    if (!entry.is_table()) top_.refuse(entry, "each [[version]] must be a table");
    VersionRule version =
        read_version(TomlTable(*entry.as_table(), "version", top_.file()), defaults_, rubric_.correct.groups);
    if (rubric_.find(version.name) != nullptr)
      top_.refuse(entry, fmt::format("the version {} is listed twice", version.name));
    rubric_.versions.push_back(std::move(version));
  }

  TomlTable top_;
  std::filesystem::path own_file_;  // file of the assignment's own rules; empty if there is no such file
  Rubric rubric_;
  Mistakes mistakes_;
  std::size_t parts_ = 1;  // how many numbers describe an input's size
  Defaults defaults_;
};

}  // namespace

Rubric read_tables(TomlTable top, const std::string& assignment, const std::filesystem::path& own_file,
                   WorkLimits limits) {
  return RubricReader(std::move(top), assignment, own_file, limits).read();
}

}  // namespace warpmark::judge
