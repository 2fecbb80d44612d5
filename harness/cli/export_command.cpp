#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/class/exports/platforms.h"
#include "harness/class/exports/table.h"
#include "harness/class/run/results.h"
#include "harness/cli/commands.h"
#include "harness/cli/terminal.h"
#include "reports/formats/autograders.h"
#include "reports/reports.h"
#include "reports/wording/text.h"

namespace warpmark::cli {
namespace {

namespace fs = std::filesystem;

struct ExportArguments {
  std::string source;
  std::string format;
  std::string into;
  std::string column;
};

int written(const fs::path& file, std::string_view text) {
  std::error_code error;
  fs::create_directories(fs::absolute(file).parent_path(), error);
  if (auto done = write_file(file, text); !done) return unusable("export", done.error().message);
  fmt::print("wrote {}\n", file.string());
  return 0;
}

std::string classroom_output(const Grade& grade, const Adjusted* in_class) {
  return "result=" + base64(classroom_result(grade, in_class)) + "\n";
}

// Formats in which each grade is a file of its own. `text`: the file's contents; `in_class`: what the class
// adds to the grade, null for a grade by itself.
struct GradeFormat {
  const char* name;
  const char* file;
  std::string (*text)(const Grade& grade, const Adjusted* in_class);
};
constexpr std::array kGradeFormats{
    GradeFormat{"gradescope", "results.json", gradescope_results},
    GradeFormat{"github", "result.txt", classroom_output},
    GradeFormat{"classroom", "result.txt", classroom_output},
    GradeFormat{"junit", "junit.xml", [](const Grade& grade, const Adjusted*) { return to_junit(grade); }},
    GradeFormat{"csv", "checks.csv",
                [](const Grade& grade, const Adjusted*) { return classroom::checks_csv(grade); }},
};

const GradeFormat& format_called(std::string_view name) {
  return *std::ranges::find(kGradeFormats, name, &GradeFormat::name);
}

std::string text_of(const GradeFormat& format, const Grade& grade, const StudentResult* student) {
  std::optional<Adjusted> adjusted;
  if (student != nullptr) adjusted = {student->final_points, classroom::adjustments_of(*student)};
  return format.text(grade, adjusted ? &*adjusted : nullptr);
}

int fill(const ExportArguments& arguments, const ClassResult& result) {
  if (arguments.into.empty()) {
    return unusable(
        "export",
        fmt::format("--format {} needs --into FILE: the file that {} exports, in which one column is filled",
                    arguments.format, arguments.format == "canvas" ? "Canvas" : "Moodle"));
  }
  const auto text = read_file(arguments.into);
  if (!text) return unusable("export", text.error().message);
  auto csv = classroom::parse_csv(*text);
  if (!csv) return unusable("export", fmt::format("{}: {}", arguments.into, csv.error().message));
  if (csv->rows.empty()) return unusable("export", arguments.into + " is empty");
  auto filled = arguments.format == "canvas"
                    ? classroom::fill_canvas(std::move(*csv), result, arguments.column)
                    : classroom::fill_moodle(std::move(*csv), result, arguments.column);
  if (!filled) return unusable("export", fmt::format("{}: {}", arguments.into, filled.error().message));
  if (auto done = write_file(arguments.into, classroom::to_text(filled->csv)); !done)
    return unusable("export", done.error().message);
  for (const std::string& line : filled->left_alone) fmt::print("not changed: {}\n", visible_line(line));
  fmt::print("filled {} cells of \"{}\" in {}\n", filled->filled, visible_line(filled->column),
             arguments.into);
  return 0;
}

Result<Grade> read_grade(const fs::path& file) {
  const auto text = read_file(file);
  if (!text) return tl::unexpected(text.error());
  auto grade = grade_from_json(*text);
  if (!grade) return fail(fmt::format("{}: {}", file.string(), grade.error().message));
  return grade;
}

int export_class(const ExportArguments& arguments, const fs::path& folder) {
  const auto text = read_file(folder / "class.json");
  if (!text) return unusable("export", text.error().message);
  const auto result = class_from_json(*text);
  if (!result)
    return unusable("export",
                    fmt::format("{}: {}", (folder / "class.json").string(), result.error().message));
  if (arguments.format == "canvas" || arguments.format == "moodle") return fill(arguments, *result);
  const fs::path exports =
      arguments.into.empty() ? folder / "exports" / arguments.format : fs::path(arguments.into);
  if (arguments.format == "csv") {
    return written(arguments.into.empty() ? exports / "grades.csv" : exports, classroom::to_csv(*result));
  }
  const GradeFormat& format = format_called(arguments.format);
  std::size_t count = 0;
  for (const StudentResult& student : result->students) {
    if (student.grade.empty()) continue;
    const auto grade = read_grade(folder / student.grade);
    if (!grade) return unusable("export", grade.error().message);
    std::error_code error;
    const fs::path place = exports / student.id;
    fs::create_directories(place, error);
    if (auto done = write_file(place / format.file, text_of(format, *grade, &student)); !done)
      return unusable("export", done.error().message);
    ++count;
  }
  fmt::print("wrote {} files below {}; {} students have no grade\n", count, exports.string(),
             result->students.size() - count);
  return 0;
}

int run_export(const ExportArguments& arguments) {
  const fs::path source = arguments.source;
  std::error_code error;
  constexpr std::string_view kRemedy = "name what `warpmark class` or `warpmark grade` wrote";
  if (auto usable = check_path(source, PathKind::either, kRemedy); !usable)
    return unusable("export", usable.error().message);
  const bool folder = fs::is_directory(source, error);
  if (folder && fs::exists(source / "class.json", error)) return export_class(arguments, source);
  if (!folder && source.filename() == "class.json")
    return export_class(arguments, fs::absolute(source).parent_path());
  if (arguments.format == "canvas" || arguments.format == "moodle")
    return unusable("export",
                    fmt::format("--format {} fills a column for a class; {} is not the folder of a class",
                                arguments.format, arguments.source));
  if (folder && !fs::exists(source / "grade.json", error))
    return unusable("export",
                    fmt::format("{} holds no class.json and no grade.json; {}", arguments.source, kRemedy));
  const auto grade = read_grade(folder ? source / "grade.json" : source);
  if (!grade) return unusable("export", grade.error().message);
  const fs::path beside = folder ? source : fs::absolute(source).parent_path();
  const GradeFormat& format = format_called(arguments.format);
  return written(arguments.into.empty() ? beside / format.file : fs::path(arguments.into),
                 text_of(format, *grade, nullptr));
}

}  // namespace

Action add_export_command(CLI::App& app, const Context& /*context*/) {
  auto arguments = std::make_shared<ExportArguments>();
  CLI::App* command =
      app.add_subcommand("export", "Write files that learning platforms import, for a class or a grade");
  command
      ->add_option("CLASS_OR_GRADE", arguments->source, "The output of `class` or `grade`, or its grade.json")
      ->required();
  std::vector<std::string> formats{"canvas", "moodle"};
  for (const GradeFormat& format : kGradeFormats) formats.emplace_back(format.name);
  command->add_option("--format", arguments->format, "Which platform")
      ->required()
      ->check(CLI::IsMember(formats));
  command->add_option(
      "--into", arguments->into,
      "canvas, moodle: the file exported by the platform, in which one column is filled; otherwise where the "
      "export goes (default: exports/ in the class's folder, or beside the grade)");
  command->add_option("--column", arguments->column,
                      "The column to fill (canvas: default the only assignment; moodle: Grade)");
  command->footer("Exit status: 0 written, whatever the grades; 2 nothing was written.");
  return [arguments] { return run_export(*arguments); };
}

}  // namespace warpmark::cli
