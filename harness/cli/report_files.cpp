#include "harness/cli/report_files.h"

#include <cctype>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/cli/places.h"
#include "harness/cli/terminal.h"
#include "reports/reports.h"

namespace warpmark::cli {

namespace fs = std::filesystem;

// Replaces characters of the submission's name that are special in paths or shells.
fs::path default_out(const judge::Installation& installation, const std::string& submission) {
  std::string name;
  for (const char c : submission) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-';
    name += plain ? c : '_';
  }
  if (name.find_first_not_of('.') == std::string::npos) name = "submission";
  return default_outputs(installation) / name;
}

void print_grade(const Grade& grade, Detail detail) {
  ConsoleStyle style = style_of_the_terminal();
  style.detail = detail;
  fmt::print("{}{}", to_console(grade, style), detail == Detail::brief ? "" : "\n");
}

Result<void> write_page(const Grade& grade, const fs::path& out, const Ladder* ladder) {
  return write_file(out / kPageFile, to_html(grade, ladder));
}

Result<void> write_junit(const Grade& grade, const fs::path& out) {
  return write_file(out / kJunitFile, to_junit(grade));
}

}  // namespace warpmark::cli
