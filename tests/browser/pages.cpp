// Writes the pages that the browser tests open: browser_pages FOLDER.
#include "reports/class/pages.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/model/class_result.h"
#include "harness/model/ladder.h"
#include "reports/reports.h"
#include "tests/reports/sample_grade.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;

Grade hostile_grade() {
  Grade grade = sample_grade();
  for_each_text(grade, [](std::string& text) {
    text +=
        "<img src=x onerror=window.hit=1><script>window.hit=1</script>\"' onload=window.hit=1 "
        "</style></title></pre>\u202E" +
        std::string(400, 'W');
  });
  return grade;
}

// A class in which points, causes and speeds differ from student to student in a fixed way.
ClassResult sample_class(std::size_t count, const std::string& added) {
  ClassResult result;
  result.assignment = "reduction";
  result.possible = 100;
  result.tool_version = "0.1.0";
  constexpr std::array kVersions{"v02_atomic_per_thread", "v05_tree_modulo", "v09_tree_unrolled_warp"};
  constexpr std::array kKinds{CauseKind::race, CauseKind::out_of_bounds, CauseKind::compile_error};
  for (std::size_t v = 0; v < kVersions.size(); ++v) {
    for (const char* check : {"builds", "correct", "clean", "fast"})
      result.checks.push_back({kVersions[v], check, count - 9 * v - 7, 9 * v + 4, 3, 0});
    result.causes.push_back({kVersions[v], kKinds[v], {}, {}});
  }
  result.checks.push_back({"", "upload_once", count - 2, 2, 0, 0});
  for (std::size_t i = 0; i < count; ++i) {
    StudentResult student;
    student.id = fmt::format("student-{:04}{}", i, added);
    student.person.name = fmt::format("Name {}{}", i * 7919 % count, added);
    student.state = i % 40 == 7   ? StudentState::missing
                    : i % 50 == 9 ? StudentState::unusable
                                  : StudentState::graded;
    student.points = student.state == StudentState::graded
                         ? std::round(50 + 45 * std::sin(static_cast<double>(i * i) * 0.1))
                         : 0;
    student.possible = 100;
    student.open = 18;
    student.final_points = student.points;
    if (i % 11 == 3) student.lateness = {true, 1.5, 10};
    if (i % 4 == 1) result.causes[i % 3].students.push_back(student.id);
    if (i % 5 == 2 && i < 200)
      result.fastest.push_back({student.id, fmt::format("amber-otter-{:03}", i), "v17_vector_loads",
                                26 - 0.1 * static_cast<double>(i), 4300});
    result.students.push_back(std::move(student));
  }
  for (std::size_t i = 0; i < 20; ++i)
    result.look_at.push_back(
        {result.students[i].id, "hands in a file whose name is almost a version's" + added});
  result.not_understood = {{"export.zip/notes" + added, "is beside the students' folders"}};
  result.alike = {{"v05_tree_modulo", "student-0001", "student-0002", 0.93}};
  return result;
}

int failed(const std::string& message) {
  fmt::print(stderr, "browser_pages: {}\n", message);
  return 1;
}

int write_pages(const fs::path& out) {
  const fs::path root = WARPMARK_ROOT;
  std::map<std::string, std::string> pages;
  pages["student"] = to_html(sample_grade());
  pages["without_gpu"] = to_html(sample_grade_without_gpu());
  pages["hostile"] = to_html(hostile_grade());
  Grade empty;
  empty.assignment = "reduction";
  empty.submission_name = "ada";
  pages["empty"] = to_html(empty);
  pages["class"] = to_html(sample_class(120, ""));
  pages["class_hostile"] = to_html(sample_class(60, "<img src=x onerror=window.hit=1>\"'</script>"));
  pages["class_3000"] = to_html(sample_class(3000, ""));
  pages["leaders"] = leaders_to_html(sample_class(120, ""));
  StudentResult ungraded;
  ungraded.id = "ada";
  ungraded.cause = StudentCause{"no_versions", "holds no file that is a version"};
  pages["ungraded"] = to_html(ungraded, "reduction");
  const std::string code = "int main() {\n  return 0;\n}\n";
  pages["alike"] = alike_to_html({{{"v05_tree_modulo", "ada", "bob", 0.9}, code, code}}, 3);
  for (const char* sample : {"half_done", "reference"}) {
    const auto text = read_file(root / "reports/samples" / sample / "grade.json");
    if (!text) return failed(text.error().message);
    const auto grade = grade_from_json(*text);
    if (!grade) return failed(grade.error().message);
    pages[sample] = to_html(*grade);
  }
  const auto ladder = read_file(root / "reports/ladder/nvidia-h200.json");
  const auto comparison = read_file(root / "reports/ladder/nvidia-h200-v21-v20.json");
  if (!ladder || !comparison) return failed("the results in reports/ladder cannot be read");
  const Ladder measured = *ladder_from_json(*ladder);
  pages["ladder"] = to_html(measured);
  pages["comparison"] = to_html(*comparison_from_json(*comparison));
  pages["student_sizes"] = to_html(sample_grade(), &measured);
  fs::create_directories(out);
  for (const auto& [page, text] : pages) {
    if (auto written = write_file(out / (page + ".html"), text); !written)
      return failed(written.error().message);
  }
  return 0;
}

}  // namespace
}  // namespace warpmark

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  return warpmark::write_pages(argv[1]);
}
