#include "harness/class/run/files.h"

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

void write(const fs::path& file, const std::string& text) {
  if (auto written = write_file(file, text); !written) throw std::runtime_error(written.error().message);
}

bool holds(const fs::path& file, const std::string& text) {
  std::error_code error;
  if (fs::file_size(file, error) != text.size() || error) return false;
  const auto there = read_file(file);
  return there && *there == text;
}

}  // namespace

void write_student(const fs::path& out, const StudentResult& student, const std::string& assignment,
                   const std::string& stored) {
  const fs::path folder = out / "students" / student.id;
  fs::create_directories(folder);
  if (stored.empty()) {
    std::error_code error;
    fs::remove(folder / "grade.json", error);
    const std::string page = to_html(student, assignment);
    if (!holds(folder / "index.html", page)) write(folder / "index.html", page);
    return;
  }
  const auto adjustments = adjustments_of(student);
  std::string text = stored;
  if (adjustments.empty() && holds(folder / "grade.json", text) && fs::exists(folder / "index.html")) return;
  auto grade = grade_from_json(text);
  if (!grade) throw std::runtime_error(student.id + ": " + grade.error().message);
  if (!adjustments.empty()) {
    grade->remarks.insert(grade->remarks.end(), adjustments.begin(), adjustments.end());
    text = to_json(*grade);
    if (holds(folder / "grade.json", text) && fs::exists(folder / "index.html")) return;
  }
  // Writes a student's HTML page before grade.json, so that grade.json never exists without a page.
  write(folder / "index.html", to_html(*grade));
  write(folder / "grade.json", text);
}

ClassResult write_class(const fs::path& out, const ClassResult& result, const InstructorsCommand& command) {
  std::set<std::string> ids;
  for (const StudentResult& student : result.students) ids.insert(student.id);
  fs::create_directories(out / "students");
  for (const auto& entry : fs::directory_iterator(out / "students")) {
    if (!ids.contains(entry.path().filename().string())) fs::remove_all(entry.path());
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
