#include "harness/judge/rules/rubric.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/assignments/toml_table.h"
#include "harness/base/engine.h"
#include "harness/build/not_simulated.h"
#include "harness/ranks/board.h"

namespace warpmark::judge {
namespace {

std::vector<Check> read_checks(TomlTable& table, const std::string& version) {
  std::vector<Check> checks;
  for (const std::string& name : table.texts("checks")) {
    const auto check = version_check_from(name);
    if (!check) {
      table.refuse(
          fmt::format("{}: no check is called \"{}\"; known: {}", version, name, known_version_checks()));
    }
    if (std::find(checks.begin(), checks.end(), *check) != checks.end()) {
      table.refuse(fmt::format("{}: the check \"{}\" is listed twice", version, name));
    }
    checks.push_back(*check);
  }
  if (checks.empty() || checks.front() != Check::builds) {
    table.refuse(
        fmt::format("{}: checks must begin with \"builds\": every other check depends on it", version));
  }
  return checks;
}

WorkLimit read_limit(TomlTable table) {
  WorkLimit limit;
  const std::string name = table.text("counter");
  const auto counter = work_counter_from(name);
  if (!counter) {
    std::vector<std::string_view> names;
    names.reserve(kWorkCounters.size());
    for (const WorkCounterRule& rule : kWorkCounters) names.push_back(rule.name);
    table.refuse(fmt::format("no counter is called \"{}\"; known: {}", name, fmt::join(names, ", ")));
  }
  limit.counter = *counter;
  limit.at_least = table.find("at_least") != nullptr;
  if (limit.at_least == (table.find("at_most") != nullptr)) {
    table.refuse(fmt::format("{}: give one of at_most and at_least", name));
  }
  limit.limit = table.number(limit.at_least ? "at_least" : "at_most");
  limit.lesson = table.text("lesson");
  table.finish();
  return limit;
}

std::vector<WorkLimit> read_limits(TomlTable& table) {
  std::vector<WorkLimit> limits;
  if (table.find("work") == nullptr) return limits;
  for (const toml::node& entry : table.list("work")) {
    if (!entry.is_table()) table.refuse(entry, "each [[version.work]] must be a table");
    limits.push_back(read_limit(TomlTable(*entry.as_table(), "version.work", table.file())));
  }
  return limits;
}

// Optional tables of the rubric that are present; some checks require one of them.
struct Given {
  bool clean = false;
  bool work = false;
  bool fast = false;
  bool host_fast = false;
};

void read_work(TomlTable& table, VersionRule& version, bool given) {
  version.work = read_limits(table);
  if (!version.has(Check::work)) {
    if (!version.work.empty()) {
      table.refuse(fmt::format("{}: limits of work, but no check \"work\"", version.name));
    }
    return;
  }
  if (!given) table.refuse(fmt::format("{}: the check \"work\" needs a [work] table", version.name));
  if (version.work.empty()) {
    table.refuse(fmt::format("{}: the check \"work\" needs a [[version.work]]", version.name));
  }
  if (version.gpu_only) {
    table.refuse(
        fmt::format("{}: the check \"work\" runs on the simulator; remove it, or gpu_only", version.name));
  }
}

void read_engine(TomlTable& table, VersionRule& version) {
  const std::string engine = table.text_or("engine", "gpu");
  if (engine != "gpu" && engine != "host")
    table.refuse(fmt::format("{}: engine is \"{}\", and must be \"gpu\" or \"host\"", version.name, engine));
  version.host = engine == "host";
}

// Reads the MPI rank counts and the number of GPUs: `ranks = [1, 2, 3, 4]`, `gpus = 2`.
void read_places(TomlTable& table, VersionRule& version) {
  if (table.find("ranks") != nullptr) {
    for (const std::uint64_t count : table.counts("ranks")) {
      if (count < 1 || count > ranks::kMostRanks)
        table.refuse(fmt::format("{}: ranks must be from 1 to {}", version.name, ranks::kMostRanks));
      version.ranks.push_back(static_cast<int>(count));
    }
    if (version.ranks.empty())
      table.refuse(fmt::format("{}: ranks must name at least one number", version.name));
  }
  const std::uint64_t gpus = table.count_or("gpus", 1);
  if (gpus < 1 || gpus > kMostDevices)
    table.refuse(fmt::format("{}: gpus must be from 1 to {}", version.name, kMostDevices));
  if (version.host && gpus != 1)
    table.refuse(
        fmt::format("{}: gpus is for versions of CUDA; remove it, or engine = \"host\"", version.name));
  version.gpus = static_cast<int>(gpus);
}

// Rejects rubric entries that make sense for CUDA code only (gpu_only, uses, libraries, `work`) if the
// version, one of the files that students write, is plain C++.
void refuse_what_host_has_not(TomlTable& table, const VersionRule& version) {
  if (!version.host) return;
  if (version.gpu_only || !version.uses.empty() || !version.libraries.empty()) {
    table.refuse(
        fmt::format("{}: gpu_only, uses and libraries are for versions of CUDA; remove them, or "
                    "engine = \"host\"",
                    version.name));
  }
  if (version.has(Check::work)) {
    table.refuse(fmt::format("{}: the check \"work\" counts what kernels do; remove it, or engine = \"host\"",
                             version.name));
  }
}

void read_speed(TomlTable& table, VersionRule& version, const Given& given) {
  if (!version.has(Check::fast)) return;
  if (version.host) {
    if (!given.host_fast)
      table.refuse(
          fmt::format("{}: the check \"fast\" of a host version needs a [host] table with naive, type "
                      "and size",
                      version.name));
    version.efficiency = table.number("efficiency");
    if (version.efficiency <= 0 || version.efficiency > 1)
      table.refuse(
          fmt::format("{}: efficiency must be above 0 and at most 1: a speedup for each core", version.name));
    return;
  }
  if (!given.fast)
    table.refuse(
        fmt::format("{}: the check \"fast\" needs a [fast] table and a naive version", version.name));
  version.speedup = table.number("speedup");
  if (version.speedup <= 0) table.refuse(fmt::format("{}: speedup must be above 0", version.name));
}

VersionRule read_version(TomlTable table, const std::map<std::string, double>& default_points,
                         const Given& given) {
  VersionRule version;
  version.name = table.text("name");
  read_engine(table, version);
  version.given = table.flag_or("given", false);
  version.reference_only = table.flag_or("reference_only", false);
  version.gpu_only = table.flag_or("gpu_only", false);
  if (table.find("libraries") != nullptr) version.libraries = table.texts("libraries");
  if (table.find("uses") != nullptr) version.uses = table.texts("uses");
  for (const std::string& library : version.uses) {
    if (library != "thrust" && library != "cub")
      table.refuse(
          fmt::format("{}: uses names \"{}\", which is neither thrust nor cub", version.name, library));
  }
  for (const std::string& library : version.libraries) {
    const bool simulated =
        std::ranges::find(build::kSimulatedLibraries, library) != build::kSimulatedLibraries.end();
    if (!simulated && !version.gpu_only)
      table.refuse(fmt::format("{}: {} is not simulated; add gpu_only = true", version.name, library));
  }
  read_places(table, version);
  version.checks = read_checks(table, version.name);
  refuse_what_host_has_not(table, version);
  const std::map<std::string, double> none;
  auto own_table = table.table("points");
  const auto own = own_table ? own_table->points(check_names()) : none;
  for (const Check check : version.checks) {
    const std::string name(name_of(check));
    if (own.contains(name)) {
      version.points[check] = own.at(name);
    } else if (default_points.contains(name)) {
      // Students do not write this file, so its checks are worth no points by default.
      version.points[check] = version.reference_only ? 0 : default_points.at(name);
    } else {
      table.refuse(fmt::format("{}: no points for the check \"{}\"", version.name, name));
    }
  }
  if (version.has(Check::clean) && !given.clean) {
    table.refuse(fmt::format("{}: the check \"clean\" needs a [clean] table", version.name));
  }
  if (version.has(Check::clean) && version.gpu_only) {
    table.refuse(
        fmt::format("{}: the check \"clean\" runs on the simulator; remove it, or gpu_only", version.name));
  }
  read_work(table, version, given.work);
  read_speed(table, version, given);
  if (table.find("naive_may_earn") != nullptr) {
    version.naive_may_earn = table.number("naive_may_earn");
    if (*version.naive_may_earn > 1)
      table.refuse(fmt::format("{}: naive_may_earn must be from 0 to 1: a share of the version's points",
                               version.name));
  }
  table.finish();
  return version;
}

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
class Reader {
 public:
  Reader(TomlTable top, const std::string& assignment, const std::filesystem::path& own_file)
      : top_(std::move(top)), own_file_(own_file) {
    rubric_.assignment = assignment;
  }

  Rubric read() {
    read_top();
    const auto each = [&](const auto& read) { mistakes_.collect(read); };
    each([&] {
      if (auto table = top_.table("points")) points_ = table->points(check_names());
    });
    each([&] { read_correct(); });
    each([&] {
      given_.clean = top_.find("clean") != nullptr;
      if (auto table = top_.table("clean")) read_clean(*table);
    });
    each([&] { read_upload(); });
    each([&] {
      given_.work = top_.find("work") != nullptr;
      auto table = top_.table("work");
      if (!table) return;
      read_data(*table, "work", rubric_.work);
      table->finish();
    });
    each([&] {
      given_.fast = top_.find("fast") != nullptr && !rubric_.naive.empty();
      auto table = top_.table("fast");
      if (!table) return;
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
    read_versions();
    each([&] { read_equivalent(); });
    each([&] { top_.finish(); });
    mistakes_.report();
    return std::move(rubric_);
  }

 private:
  void read_top() {
    rubric_.title = top_.text("title");
    rubric_.contract = top_.text("contract");
    if (plain::is_plain(top_)) {
      rubric_.plain = std::make_shared<const plain::Spec>(plain::read_spec(top_, rubric_.assignment));
      parts_ = rubric_.plain->sizes.size();
      rubric_.types = rubric_.plain->types;
    } else {
      take_own_parts();
      if (rubric_.types.empty()) rubric_.types = top_.texts("types");
    }
    if (rubric_.types.empty()) top_.refuse("types must name at least one value type");
    rubric_.naive = top_.text_or("naive", "");
  }

  // Another rubric for an assignment in the plain form: buffers and sizes are those of the assignment.
  void take_own_parts() {
    if (own_file_.empty() || own_file_ == top_.file() || own_file_.filename() != kAssignmentFile) return;
    const auto own = read_toml<plain::Spec>(
        own_file_, [&](TomlTable own_top) { return plain::read_spec(own_top, rubric_.assignment); });
    if (!own) throw Broken{own.error().message};
    parts_ = own->sizes.size();
    rubric_.plain = std::make_shared<const plain::Spec>(*own);
    if (top_.find("types") == nullptr) rubric_.types = own->types;
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
    auto table = top_.table("correct");
    if (!table) top_.refuse("the table [correct] is missing");
    rubric_.correct.sizes = plain::read_sizes(*table, "sizes", parts_);
    if (rubric_.correct.sizes.empty()) table->refuse("correct.sizes must name at least one size");
    if (table->find("gpu_sizes") != nullptr)
      rubric_.correct.gpu_sizes = plain::read_sizes(*table, "gpu_sizes", parts_);
    if (table->find("host_sizes") != nullptr)
      rubric_.correct.host_sizes = plain::read_sizes(*table, "host_sizes", parts_);
    rubric_.correct.shifted_size = size_or_none(*table, "shifted_size");
    read_secret(*table);
    table->finish();
  }

  // Reads secret = {count = 4, n = [1, 100000], m = [1, "n"], where = "..."}, or the short form for one part:
  // secret_sizes and secret_max.
  void read_secret(TomlTable& table) {
    SecretSizes& secret = rubric_.correct.secret;
    if (table.find("secret_sizes") != nullptr || table.find("secret_max") != nullptr) {
      if (parts_ != 1)
        table.refuse(
            fmt::format("correct.secret_sizes is for one size; write secret = {{count = 4, ...}} with bounds "
                        "for each of the {}",
                        parts_));
      secret.count = table.count_or("secret_sizes", 0);
      const std::uint64_t most = table.count_or("secret_max", 100'000);
      if (most == 0) table.refuse("correct.secret_max must be above 0");
      secret.ranges = {
          {plain::Expression::number(1), plain::Expression::number(static_cast<std::int64_t>(most))}};
      return;
    }
    auto inner = table.table("secret");
    if (!inner) return;
    secret.count = inner->count("count");
    const std::vector<std::string> names =
        rubric_.plain ? rubric_.plain->sizes : std::vector<std::string>{"n"};
    std::set<std::string> before;
    for (const std::string& name : names) {
      const toml::array& bounds = inner->list(name);
      if (bounds.size() != 2)
        inner->refuse(bounds, fmt::format("{} must be a list of two: the least and the largest size",
                                          inner->full(name)));
      secret.ranges.emplace_back(expression_of(*inner, *bounds.get(0), name, before),
                                 expression_of(*inner, *bounds.get(1), name, before));
      before.insert(name);
    }
    if (inner->find("where") != nullptr)
      secret.where = expression_of(*inner, inner->need("where"), "where", before);
    inner->finish();
  }

  // Reads an expression of the given names: text, or a whole number.
  static plain::Expression expression_of(const TomlTable& table, const toml::node& node,
                                         const std::string& name, const std::set<std::string>& known) {
    if (node.is_integer()) return plain::Expression::number(**node.as_integer());
    if (!node.is_string())
      table.refuse(node, fmt::format("{} must be a whole number or an expression of the sizes before it",
                                     table.full(name)));
    auto parsed = plain::Expression::parse(**node.as_string());
    if (!parsed) table.refuse(node, fmt::format("{}: {}", table.full(name), parsed.error().message));
    for (const std::string& used : parsed->names()) {
      if (!known.contains(used))
        table.refuse(node,
                     fmt::format("{} uses {}; it may use the sizes before it{}{}", table.full(name), used,
                                 known.empty() ? ", and this is the first" : ": ", fmt::join(known, ", ")));
    }
    return std::move(*parsed);
  }

  void read_clean(TomlTable& table) {
    table.leave("data");  // read with the plain form
    rubric_.clean.sizes = plain::read_sizes(table, "sizes", parts_);
    if (rubric_.clean.sizes.empty()) table.refuse("clean.sizes must name at least one size");
    rubric_.clean.large_size = size_or_none(table, "large_size");
    rubric_.clean.schedules = table.count("schedules");
    if (rubric_.clean.schedules == 0) table.refuse("clean.schedules must be above 0");
    rubric_.clean.lower = read_remarks(table, "lower", Severity::error);
    rubric_.clean.raise = read_remarks(table, "raise", Severity::note);
    table.finish();
  }

  // Reads [upload] with function, size and allowance_bytes, or the older upload = "..." with [upload_once].
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
    if (rubric_.upload_once.size == 0) top_.refuse("upload is given, so the table [upload_once] is needed");
    if (parts_ != 1) top_.refuse("upload needs an assignment with one size: the number of uploaded values");
    if (!points_.contains("upload_once")) top_.refuse("upload is given, so points.upload_once is needed");
    rubric_.upload_once.points = points_["upload_once"];
  }

  // Reads the type and size of a measurement. The type may be left out: the first.
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
    table->leave("call");  // read with the plain form
    table->leave("function");
    if (table->find("naive") != nullptr) {
      rubric_.host.naive = table->text("naive");
      read_data(*table, "host", rubric_.host);
      given_.host_fast = true;
      rubric_.host.most_cores = table->count_or("most_cores", 0);
    }
    table->finish();
  }

  void read_time_limits(TomlTable& table) {
    table.leave("bytes_to_host");  // read with the plain form
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
    mistakes_.collect([&] {
      const VersionRule* naive = rubric_.find(rubric_.host.naive);
      if (!rubric_.host.naive.empty() && (naive == nullptr || !naive->host))
        top_.refuse(fmt::format("host.naive is \"{}\", which is no version with engine = \"host\"",
                                rubric_.host.naive));
    });
  }

  void read_version_at(const toml::node& entry) {
    if (!entry.is_table()) top_.refuse(entry, "each [[version]] must be a table");
    VersionRule version = read_version(TomlTable(*entry.as_table(), "version", top_.file()), points_, given_);
    if (rubric_.find(version.name) != nullptr)
      top_.refuse(entry, fmt::format("the version {} is listed twice", version.name));
    rubric_.versions.push_back(std::move(version));
  }

  // Reads equivalent = [{line = "if (i <= n)", edit = "<= to <", nth = 2, version = "v02"}].
  void read_equivalent() {
    if (top_.find("equivalent") == nullptr) return;
    for (const toml::node& entry : top_.list("equivalent")) {
      if (!entry.is_table())
        top_.refuse(entry, "each entry of equivalent must be a table: {line = \"...\", edit = \"...\"}");
      TomlTable table(*entry.as_table(), "equivalent", top_.file());
      Equivalent same{table.text("line"), table.text("edit"), table.count_or("nth", 1),
                      table.text_or("version", ""), table.line()};
      if (same.nth == 0) table.refuse("equivalent.nth counts from 1");
      if (!same.version.empty() && rubric_.find(same.version) == nullptr)
        table.refuse(fmt::format("equivalent.version is \"{}\", which is no [[version]]", same.version));
      table.finish();
      rubric_.equivalent.push_back(std::move(same));
    }
  }

  TomlTable top_;
  std::filesystem::path own_file_;  // the assignment's own rules; empty if they are not in a file
  Rubric rubric_;
  Mistakes mistakes_;
  std::size_t parts_ = 1;  // numbers in a size
  std::map<std::string, double> points_;
  Given given_;
};

Rubric read_tables(TomlTable top, const std::string& assignment, const std::filesystem::path& own_file) {
  return Reader(std::move(top), assignment, own_file).read();
}

}  // namespace

bool VersionRule::has(Check check) const {
  return std::find(checks.begin(), checks.end(), check) != checks.end();
}

std::string VersionRule::file() const {
  return name + (host ? ".cpp" : ".cu");
}

bool Rubric::Clean::fails(CauseKind remark) const {
  const auto names = [&](const std::vector<CauseKind>& kinds) {
    return std::find(kinds.begin(), kinds.end(), remark) != kinds.end();
  };
  if (names(lower) || names(raise)) return names(raise);
  return rule_of(remark).severity == Severity::error;
}

const VersionRule* Rubric::find(const std::string& version) const {
  const auto found =
      std::find_if(versions.begin(), versions.end(), [&](const VersionRule& v) { return v.name == version; });
  return found == versions.end() ? nullptr : &*found;
}

std::string Rubric::file_of(const std::string& function) const {
  const VersionRule* version = find(function);
  return version != nullptr ? version->file() : function + ".cu";
}

bool Rubric::has_host_versions() const {
  return std::ranges::any_of(versions, &VersionRule::host);
}

bool Rubric::has_ranks() const {
  return std::ranges::any_of(versions, [](const VersionRule& version) { return !version.ranks.empty(); });
}

bool Rubric::has_device_versions() const {
  return !std::ranges::all_of(versions, &VersionRule::host);
}

Rubric with_types(Rubric rubric, std::vector<std::string> types) {
  rubric.types = std::move(types);
  if (std::ranges::find(rubric.types, rubric.fast.type) == rubric.types.end())
    rubric.fast.type = rubric.types.front();
  return rubric;
}

Result<Rubric> parse_rubric(std::string_view text, const std::string& file, const std::string& assignment) {
  return parse_toml<Rubric>(text, file,
                            [&](TomlTable top) { return read_tables(std::move(top), assignment, {}); });
}

Result<Rubric> read_rubric(const AssignmentHome& home, const std::filesystem::path& other) {
  const std::filesystem::path& file = other.empty() ? home.rules() : other;
  auto rubric = read_toml<Rubric>(
      file, [&](TomlTable top) { return read_tables(std::move(top), home.name, home.rules()); });
  if (rubric) rubric->home = home;
  return rubric;
}

}  // namespace warpmark::judge
