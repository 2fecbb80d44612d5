#include "harness/class/run/files.h"

#include <algorithm>
#include <ctime>
#include <set>
#include <stdexcept>

#include "harness/base/file.h"
#include "harness/class/exports/table.h"
#include "harness/class/run/results.h"
#include "harness/class/run/tally.h"
#include "reports/class/pages.h"
#include "reports/reports.h"

namespace warpmark::classroom {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStudents = "students";
constexpr const char* kInstructor = "instructor";
constexpr const char* kGradeFile = "grade.json";
constexpr const char* kPage = "index.html";

void write(const fs::path& file, const std::string& text) {
  if (auto written = write_file(file, text); !written) throw std::runtime_error(written.error().message);
}

bool holds(const fs::path& file, const std::string& text) {
  std::error_code error;
  if (fs::file_size(file, error) != text.size() || error) return false;
  const auto there = read_file(file);
  return there && *there == text;
}

bool is_up_to_date(const fs::path& folder, const std::string& grade) {
  return holds(folder / kGradeFile, grade) && fs::exists(folder / kPage);
}

// Writes a grade's HTML page before grade.json, so that grade.json never exists without a page.
void write_grade(const fs::path& folder, const Grade& grade, const std::string& text) {
  if (is_up_to_date(folder, text)) return;
  fs::create_directories(folder);
  write(folder / kPage, to_html(grade));
  write(folder / kGradeFile, text);
}

}  // namespace

Sight sight_of(const Journal& journal, const Taken& student) {
  return {static_cast<std::int64_t>(std::time(nullptr)),
          std::max({journal.attempts(student.id), student.attempts, std::uint64_t{1}})};
}

void write_student(const fs::path& out, const StudentResult& student, const std::string& assignment,
                   const std::string& stored, const HelpRules& help, const Sight& sight) {
  const fs::path folder = out / kStudents / student.id;
  const fs::path whole = out / kInstructor / student.id;
  fs::create_directories(folder);
  std::error_code error;
  if (stored.empty() || !help.given) fs::remove_all(whole, error);
  if (stored.empty()) {
    fs::remove(folder / kGradeFile, error);
    const std::string page = to_html(student, assignment);
    if (!holds(folder / kPage, page)) write(folder / kPage, page);
    if (!help.given) return;
    fs::create_directories(whole);
    return write(whole / kPage, page);
  }
  const auto adjustments = adjustments_of(student);
  if (!help.given && adjustments.empty() && is_up_to_date(folder, stored)) return;
  auto grade = grade_from_json(stored);
  if (!grade) throw std::runtime_error(student.id + ": " + grade.error().message);
  grade->remarks.insert(grade->remarks.end(), adjustments.begin(), adjustments.end());
  write_grade(help.given ? whole : folder, *grade, adjustments.empty() ? stored : to_json(*grade));
  if (!help.given) return;
  const Grade copy = copy_for_student(std::move(*grade), help, sight);
  write_grade(folder, copy, to_json(copy));
}

ClassResult write_class(const fs::path& out, const ClassResult& result, const InstructorsCommand& command) {
  std::set<std::string> ids;
  for (const StudentResult& student : result.students) ids.insert(student.id);
  for (const char* pages : {kStudents, kInstructor}) {
    if (pages == kInstructor && !result.staged) {
      fs::remove_all(out / pages);
      continue;
    }
    fs::create_directories(out / pages);
    for (const auto& entry : fs::directory_iterator(out / pages)) {
      if (!ids.contains(entry.path().filename().string())) fs::remove_all(entry.path());
    }
  }
  write(out / "grades.csv", to_csv(result));
  ClassResult whole = result;
  add_tallies(whole, out, command);
  write(out / "index.html", to_html(whole));
  write(out / "class.json", to_json(whole));
  if (!whole.fastest.empty()) write(out / "leaders.html", leaders_to_html(whole));
  return whole;
}

}  // namespace warpmark::classroom
