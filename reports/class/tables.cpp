#include "reports/class/tables.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "reports/class/values.h"
#include "reports/drawing/pictures.h"
#include "reports/wording/text.h"

namespace warpmark::class_page {
namespace {

constexpr std::size_t kBins = 10;
constexpr std::size_t kMostOutliers = 5;
constexpr std::size_t kMostHardest = 5;
constexpr std::size_t kMostCauses = 30;
// Maximum number of students that the class page names for one cause of failure.
constexpr std::size_t kMostNamed = 200;
constexpr std::size_t kMostFastest = 20;
// Maximum length of a shell command on the class page, in bytes.
constexpr std::size_t kLongestCommand = 1000;
// Tolerance for rounding a floating-point product down, because the product may fall just short of a whole
// number: 0.29 * 100 is 28.999...
constexpr double kRoundingError = 1e-9;

std::vector<const StudentResult*> by_points(const ClassResult& result) {
  std::vector<const StudentResult*> graded;
  for (const StudentResult& student : result.students) {
    if (student.state == StudentState::graded) graded.push_back(&student);
  }
  std::ranges::stable_sort(graded, {}, &StudentResult::points);
  return graded;
}

// Returns the titles of the first causes of a student's failures, over all of the student's kernel files.
std::string why_of(const ClassResult& result, const std::string& id) {
  std::vector<std::string> causes;
  std::size_t more = 0;
  for (const CauseTally& cause : result.causes) {
    if (!std::ranges::binary_search(cause.students, id)) continue;
    if (causes.size() == 2) {
      ++more;
      continue;
    }
    causes.push_back(fmt::format("{}: {}", name(cause.version), rule_of(cause.kind).title));
  }
  std::string text = fmt::format("{}", fmt::join(causes, "; "));
  return more == 0 ? text : fmt::format("{}; {} more", text, more);
}

void add_outliers(const ClassResult& result, const std::vector<const StudentResult*>& graded,
                  mstch::map& view) {
  mstch::array outliers;
  for (std::size_t i = 0; i < std::min(kMostOutliers, graded.size() / 2); ++i) {
    const StudentResult& student = *graded[i];
    outliers.push_back(mstch::map{{"outlier_link", link_path(student.id)},
                                  {"outlier_id", name(student.id)},
                                  {"outlier_points", fmt::format("{} of {}", plain_number(student.points),
                                                                 plain_number(student.possible))},
                                  {"outlier_why", why_of(result, student.id)}});
  }
  view["has_outliers"] = !outliers.empty();
  view["outliers"] = outliers;
}

void add_figures(const std::vector<const StudentResult*>& graded, mstch::map& view) {
  mstch::array figures;
  const auto add = [&](const char* what, double points) {
    figures.push_back(mstch::map{{"figure_name", std::string(what)}, {"figure", plain_number(points)}});
  };
  if (!graded.empty()) {
    const auto at = [&](double share) {
      return graded[static_cast<std::size_t>(std::floor(share * static_cast<double>(graded.size() - 1)))]
          ->points;
    };
    add("Median", at(0.5));
    add("Lower quarter", at(0.25));
    add("Upper quarter", at(0.75));
    add("Most", graded.back()->points);
  }
  view["figures"] = figures;
}

double rate_of(const CheckTally& tally) {
  const auto begun = static_cast<double>(tally.passed + tally.failed);
  return begun > 0 ? static_cast<double>(tally.passed) / begun : -1;
}

// Returns a note on students who passed a check of the whole submission without earning points for it.
std::string unearned_note(const CheckTally* tally) {
  if (tally == nullptr || !tally->version.empty() || tally->unearned == 0) return {};
  return fmt::format(" {} of {} that passed earn no points: they have no correct version", tally->unearned,
                     tally->passed);
}

std::string percent(double share) {
  return share < 0 ? "" : fmt::format("{:.0f}\u2009%", std::floor(share * 100));
}

bool is_whole(double value) {
  return std::abs(value - std::round(value)) < kRoundingError;
}

// Returns the label of a histogram bin. A bin includes its lower edge; only the last bin includes its upper
// edge. whole: edges and points are whole numbers.
std::string bin_label(std::size_t bin, double possible, bool whole) {
  const auto edge = [&](std::size_t i) { return possible * static_cast<double>(i) / kBins; };
  const std::string from = plain_number(edge(bin));
  if (bin + 1 == kBins) return fmt::format("{} to {}", from, plain_number(possible));
  if (!whole) return fmt::format("{} to below {}", from, plain_number(edge(bin + 1)));
  const std::string last = plain_number(edge(bin + 1) - 1);
  return last == from ? from : fmt::format("{} to {}", from, last);
}

}  // namespace

void add_distribution(const ClassResult& result, mstch::map& view) {
  const auto graded = by_points(result);
  std::array<std::size_t, kBins> counts{};
  bool whole = is_whole(result.possible / kBins);
  for (const StudentResult* student : graded) {
    if (student->possible <= 0) continue;
    const double share = std::clamp(student->points / student->possible, 0.0, 1.0);
    ++counts[std::min<std::size_t>(kBins - 1, static_cast<std::size_t>(share * kBins + kRoundingError))];
    whole = whole && is_whole(student->points);
  }
  const auto most = static_cast<double>(*std::ranges::max_element(counts));
  mstch::array bins;
  for (std::size_t i = 0; i < kBins; ++i) {
    bins.push_back(mstch::map{{"bin_label", bin_label(i, result.possible, whole)},
                              {"bin_svg", bar_svg(Bar{.value = static_cast<double>(counts[i])}, most)},
                              {"count", fmt::format("{}", counts[i])}});
  }
  view["has_bins"] = !graded.empty();
  view["bins"] = bins;
  add_figures(graded, view);
  add_outliers(result, graded, view);
}

void add_checks(const ClassResult& result, mstch::map& view) {
  std::vector<std::string> columns;
  std::vector<std::string> versions;
  const auto note = [](std::vector<std::string>& known, const std::string& value) {
    if (std::ranges::find(known, value) == known.end()) known.push_back(value);
  };
  for (const CheckTally& tally : result.checks) {
    if (!tally.version.empty()) note(columns, tally.check);
    note(versions, tally.version.empty() ? tally.check : tally.version);
  }
  mstch::array rows;
  for (const std::string& version : versions) {
    mstch::array rates;
    std::uint64_t not_started = 0;
    const CheckTally* whole = nullptr;
    const auto cell = [&rates](const CheckTally* tally, std::size_t span) {
      const double rate = tally == nullptr ? -1 : rate_of(*tally);
      rates.push_back(mstch::map{{"rate_span", span > 1 ? fmt::format("{}", span) : std::string()},
                                 {"rate_text", percent(rate)},
                                 {"rate_note", unearned_note(tally)},
                                 {"rate_bar", rate < 0 ? std::string() : share_svg(rate)}});
    };
    for (const CheckTally& tally : result.checks) {
      if (tally.version.empty() && tally.check == version) whole = &tally;
      if (tally.version == version) not_started = std::max(not_started, tally.not_started);
    }
    if (whole != nullptr) cell(whole, std::max<std::size_t>(columns.size(), 1));
    for (const std::string& column : columns) {
      if (whole != nullptr) break;
      const auto found = std::ranges::find_if(result.checks, [&](const CheckTally& tally) {
        return tally.version == version && tally.check == column;
      });
      cell(found == result.checks.end() ? nullptr : &*found, 1);
    }
    rows.push_back(mstch::map{{"check_version", name(version)},
                              {"rates", rates},
                              {"check_not_started", not_started > 0 ? grouped(not_started) : std::string()}});
  }
  mstch::array headers;
  for (const std::string& column : columns) headers.push_back(mstch::map{{"check_column", name(column)}});
  std::vector<const CheckTally*> hardest;
  for (const CheckTally& tally : result.checks) {
    if (rate_of(tally) >= 0 && rate_of(tally) < 1) hardest.push_back(&tally);
  }
  std::ranges::stable_sort(hardest, {}, [](const CheckTally* tally) { return rate_of(*tally); });
  mstch::array hard;
  for (std::size_t i = 0; i < std::min(kMostHardest, hardest.size()); ++i) {
    const CheckTally& tally = *hardest[i];
    hard.push_back(mstch::map{
        {"hard_name", name(tally.version.empty() ? tally.check : tally.version + "." + tally.check)},
        {"hard_rate", percent(rate_of(tally))}});
  }
  view["has_checks"] = !rows.empty();
  view["check_columns"] = headers;
  view["check_rows"] = rows;
  view["hardest"] = hard;
}

void add_causes(const ClassResult& result, mstch::map& view) {
  mstch::array causes;
  for (std::size_t i = 0; i < std::min(kMostCauses, result.causes.size()); ++i) {
    const CauseTally& cause = result.causes[i];
    mstch::array students;
    for (std::size_t k = 0; k < std::min(kMostNamed, cause.students.size()); ++k) {
      students.push_back(mstch::map{{"cause_student", name(cause.students[k])},
                                    {"cause_link", link_path(cause.students[k])}});
    }
    const std::size_t more = cause.students.size() - students.size();
    causes.push_back(mstch::map{
        {"cause_count", grouped(cause.students.size())},
        {"cause_version", name(cause.version)},
        {"cause_title", std::string(rule_of(cause.kind).title)},
        {"cause_students", students},
        {"cause_again", shortened(visible_line(cause.again), kLongestCommand)},
        {"cause_more", more == 0 ? std::string() : fmt::format("and {} more in class.json", grouped(more))}});
  }
  view["has_causes"] = !causes.empty();
  view["causes"] = causes;
}

void add_contests(const ClassResult& result, mstch::map& view) {
  mstch::array contests;
  for (const ContestResult& contest : result.contests) {
    mstch::array entries;
    for (std::size_t i = 0; i < contest.entries.size(); ++i) {
      const ContestEntry& entry = contest.entries[i];
      entries.push_back(
          mstch::map{{"entry_place", fmt::format("{}", i + 1)},
                     {"entry_id", name(entry.id)},
                     {"entry_link", link_path(entry.id)},
                     {"entry_speedup", fmt::format("{:.2f}\u00D7", entry.speedup)},
                     {"entry_span", fmt::format("{:.2f} to {:.2f}", entry.span.low, entry.span.high)},
                     {"entry_points", plain_number(entry.points)}});
    }
    contests.push_back(mstch::map{
        {"contest_version", name(contest.version)}, {"has_entries", !entries.empty()}, {"entries", entries}});
  }
  view["has_contests"] = !contests.empty();
  view["contests"] = contests;
}

void add_fastest(const ClassResult& result, mstch::map& view) {
  mstch::array fastest;
  const double most = result.fastest.empty() ? 1 : result.fastest.front().speedup;
  for (std::size_t i = 0; i < std::min(kMostFastest, result.fastest.size()); ++i) {
    const Fastest& each = result.fastest[i];
    fastest.push_back(mstch::map{{"place", fmt::format("{}", i + 1)},
                                 {"fast_id", name(each.id)},
                                 {"fast_link", link_path(each.id)},
                                 {"pseudonym", name(each.pseudonym)},
                                 {"fast_version", name(each.version)},
                                 {"fast_short", name(each.version.substr(0, each.version.find('_')))},
                                 {"fast_svg", bar_svg(Bar{.value = each.speedup, .one = 1}, most)},
                                 {"fast_speedup", fmt::format("{:.2f}\u00D7", each.speedup)},
                                 {"fast_rate", fmt::format("{:.0f}", each.gb_per_s)}});
  }
  view["has_fastest"] = !fastest.empty();
  view["fastest"] = fastest;
}

}  // namespace warpmark::class_page
