// Fills one column of the instructor's own Canvas or Moodle gradebook.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/base/text.h"
#include "harness/class/exports/platforms.h"
#include "harness/class/intake/names.h"
#include "harness/class/roster/roster.h"

namespace warpmark::classroom {
namespace {

constexpr double kSamePoints = 1e-9;

std::string trimmed(std::string_view text) {
  const auto is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return std::string(text);
}

// Returns true for a Canvas assignment title such as "Reduction (1234)".
bool is_assignment_title(const std::string& title) {
  const std::size_t open = title.rfind('(');
  return title.ends_with(')') && open != std::string::npos && open + 2 < title.size() &&
         std::all_of(title.begin() + static_cast<std::ptrdiff_t>(open) + 1, title.end() - 1,
                     [](unsigned char c) { return std::isdigit(c) != 0; });
}

std::vector<std::string> titles_of(const Csv& csv) {
  std::vector<std::string> titles;
  if (csv.rows.empty()) return titles;
  for (const CsvCell& cell : csv.rows.front().cells) titles.push_back(trimmed(cell.value));
  return titles;
}

Result<std::size_t> column_named(const Csv& csv, const std::string& name) {
  const auto titles = titles_of(csv);
  const auto found = std::ranges::find(titles, trimmed(name));
  if (found == titles.end())
    return fail(fmt::format("the file has no column \"{}\"; it has: {}", name, fmt::join(titles, ", ")));
  return static_cast<std::size_t>(found - titles.begin());
}

bool has_final_points(const StudentResult& student) {
  return student.state == StudentState::graded || student.correction.has_value();
}

// Parses the number in a cell; nullopt if there is none. The last `.` or `,` is taken as the decimal
// separator, as Canvas does (decimal_comma_to_period in its gradebook_importer.rb), so "100,00" is accepted.
std::optional<double> number_in(std::string_view text) {
  std::string value = trimmed(text);
  const std::size_t decimals = value.find_last_of(".,");
  std::string number;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (i == decimals) number += '.';
    if (value[i] != '.' && value[i] != ',') number += value[i];
  }
  return warpmark::number_in<double>(number);
}

Result<void> agrees(std::optional<double> possible, const ClassResult& result, const char* platform) {
  if (!possible || std::abs(*possible - result.possible) < kSamePoints) return {};
  return fail(
      fmt::format("the column has a maximum of {} points in {}, and the class one of {}; set the "
                  "assignment's maximum to {} points there and export the file again",
                  csv_number(*possible), platform, csv_number(result.possible), csv_number(result.possible)));
}

class Filling {
 public:
  Filling(Csv csv, const ClassResult& result, std::size_t column) : result_(result), column_(column) {
    filled_.csv = std::move(csv);
    filled_.column = trimmed(filled_.csv.rows.front().cells[column].value);
    for (const StudentResult& student : result.students) roster_.push_back({student.person, std::nullopt});
    used_.resize(roster_.size());
  }

  [[nodiscard]] const Csv& csv() const { return filled_.csv; }
  // Sets the maximum points that the platform's gradebook admits; a student with more points is not filled
  // in but listed with the reason.
  void set_most(double most) { most_ = most; }

  void fill(std::size_t row, const Person& person) {
    const std::string who = person.name.empty() ? fmt::format("row {}", row + 1) : person.name;
    const auto found = matches(roster_, person);
    if (found.size() != 1) {
      leave(found.empty() ? fmt::format("{}: matches no student of the class", who)
                          : fmt::format("{}: matches {} students of the class", who, found.size()));
      return;
    }
    const StudentResult& student = result_.students[found.front()];
    if (used_[found.front()]) {
      leave(fmt::format("{}: {} has a row already", who, student.id));
      return;
    }
    used_[found.front()] = true;
    if (!has_final_points(student)) {
      leave(fmt::format("{}: {}", who, student.cause ? student.cause->message : "has no grade"));
      return;
    }
    auto& cells = filled_.csv.rows[row].cells;
    if (cells.size() <= column_) cells.resize(column_ + 1);
    CsvCell& cell = cells[column_];
    if (folded(trimmed(cell.value)) == "ex") {
      leave(fmt::format("{}: is excused (EX) in the file, and has {} points here", who,
                        csv_number(student.final_points)));
      return;
    }
    if (most_ && student.final_points > *most_ + kSamePoints) {
      leave(fmt::format("{}: has {} points, and the platform skips what is above {}; raise the maximum there",
                        who, csv_number(student.final_points), csv_number(*most_)));
      return;
    }
    // Writes "." as decimal separator: Canvas and Moodle (unformat_float) accept it in every locale, a comma
    // only in some.
    const bool quoted = cell.raw.starts_with('"');
    cell.value = csv_number(student.final_points);
    cell.raw = quoted ? '"' + cell.value + '"' : cell.value;
    ++filled_.filled;
  }

  Filled finish() {
    for (std::size_t i = 0; i < used_.size(); ++i) {
      if (!used_[i] && has_final_points(result_.students[i]))
        leave(fmt::format("{}: is graded and has no row in the file", result_.students[i].id));
    }
    return std::move(filled_);
  }

 private:
  void leave(std::string why) { filled_.left_alone.push_back(std::move(why)); }

  const ClassResult& result_;
  std::size_t column_;
  std::optional<double> most_;
  Filled filled_;
  std::vector<RosterEntry> roster_;
  std::vector<bool> used_;
};

// Returns the trailing digits: "1234" for "Participant 1234", in any language.
std::string trailing_digits(std::string_view text) {
  const std::string value = trimmed(text);
  const auto begin =
      std::find_if(value.rbegin(), value.rend(), [](unsigned char c) { return std::isdigit(c) == 0; }).base();
  return {begin, value.end()};
}

}  // namespace

Result<Filled> fill_canvas(Csv gradebook, const ClassResult& result, const std::string& name) {
  const std::size_t last = gradebook.column({"lastname"});
  const std::size_t first = gradebook.column({"firstname"});
  const std::size_t student = last != Csv::kNoColumn ? last : gradebook.column({"student"});
  if (student == Csv::kNoColumn)
    return fail(
        "this is not a Canvas gradebook: it has no column \"Student\" (or \"LastName\", \"FirstName\")");
  std::string title = name;
  if (title.empty()) {
    std::vector<std::string> titles = titles_of(gradebook);
    std::erase_if(titles, [](const std::string& each) { return !is_assignment_title(each); });
    if (titles.size() != 1) {
      return fail(
          fmt::format("which column is to be filled? --column TITLE, one of: {}", fmt::join(titles, ", ")));
    }
    title = titles.front();
  }
  const auto column = column_named(gradebook, title);
  if (!column) return tl::unexpected(column.error());
  const std::size_t id = gradebook.column({"id"});
  const std::size_t sid = gradebook.column({"sis user id"});
  const std::size_t login = gradebook.column({"sis login id"});
  Filling filling(std::move(gradebook), result, *column);
  const Csv& csv = filling.csv();
  for (std::size_t i = 1; i < csv.rows.size(); ++i) {
    const CsvRow& row = csv.rows[i];
    const auto cell = [&](std::size_t which) { return trimmed(csv.at(row, which)); };
    if (folded(cell(student)) == "points possible") {
      if (folded(csv.at(row, *column)).find("read only") != std::string::npos)
        return fail(fmt::format(
            "Canvas does not import the column \"{}\", which is read only; choose an assignment's", title));
      if (auto same = agrees(number_in(csv.at(row, *column)), result, "Canvas"); !same)
        return tl::unexpected(same.error());
      continue;
    }
    // Skips the row without a student, by which Canvas marks the assignments whose grades are posted
    // manually.
    if (cell(student).empty() && cell(id).empty()) continue;
    const std::string name_there =
        last == Csv::kNoColumn ? cell(student) : trimmed(cell(first) + " " + cell(last));
    filling.fill(i, {name_there, cell(id), "", cell(login), cell(sid)});
  }
  return filling.finish();
}

Result<Filled> fill_moodle(Csv worksheet, const ClassResult& result, const std::string& name) {
  const auto column = column_named(worksheet, name.empty() ? "Grade" : name);
  if (!column) {
    return fail(
        fmt::format("{}. Name the column of the grades, as your Moodle's language has it, with --column",
                    column.error().message));
  }
  const std::size_t full_name = worksheet.column({"full name", "name", "vollständiger name", "nom complet"});
  const std::size_t first = worksheet.column({"first name", "vorname", "prénom", "nombre"});
  const std::size_t last = worksheet.column({"last name", "surname", "nachname", "nom", "apellido(s)"});
  const std::size_t email =
      worksheet.column({"email address", "email", "e-mail-adresse", "adresse de courriel"});
  const std::size_t login = worksheet.column({"username", "anmeldename"});
  const std::size_t sid = worksheet.column({"id number", "idnumber", "id-nummer"});
  const std::size_t most = worksheet.column({"maximum grade", "höchste bewertung"});
  // The first column of Moodle's grading worksheet holds the participant number after a word ("Participant
  // 12"); an exported gradebook starts with names.
  const std::array named{full_name, first, last, email, login, sid, *column};
  const bool has_numbers = std::ranges::find(named, std::size_t{0}) == named.end();
  Filling filling(std::move(worksheet), result, *column);
  filling.set_most(result.possible);
  const Csv& csv = filling.csv();
  for (std::size_t i = 1; i < csv.rows.size(); ++i) {
    const CsvRow& row = csv.rows[i];
    if (row.cells.size() == 1 && row.cells.front().raw.empty()) continue;
    const auto cell = [&](std::size_t which) { return trimmed(csv.at(row, which)); };
    if (cell(*column).ends_with('%')) {
      return fail(fmt::format("the column \"{}\" holds percentages; export the grades as points (\"Real\")",
                              filling.csv().rows.front().cells[*column].value));
    }
    if (auto same = agrees(number_in(csv.at(row, most)), result, "Moodle"); !same)
      return tl::unexpected(same.error());
    const std::string whole_name =
        full_name != Csv::kNoColumn ? cell(full_name) : trimmed(cell(first) + " " + cell(last));
    filling.fill(i, {whole_name, has_numbers ? trailing_digits(csv.at(row, 0)) : "", cell(email), cell(login),
                     cell(sid)});
  }
  return filling.finish();
}

std::string checks_csv(const Grade& grade) {
  std::string text = "check,version,verdict,points,possible,open,cause,message,file,line,bonus\r\n";
  for (const CheckResult& check : grade.checks) {
    const Cause none;
    const Cause& cause = check.causes.empty() ? none : check.causes.front();
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\r\n", csv_cell(check.id), csv_cell(check.version),
                        name_of(check.verdict), csv_number(check.points), csv_number(check.possible),
                        csv_number(check.open), check.causes.empty() ? "" : name_of(cause.kind),
                        csv_cell(cause.message), csv_cell(cause.file),
                        cause.line > 0 ? fmt::format("{}", cause.line) : "", csv_number(check.bonus));
  }
  return text;
}

}  // namespace warpmark::classroom
