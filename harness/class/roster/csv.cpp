#include "harness/class/roster/csv.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "harness/base/text.h"
#include "harness/class/intake/names.h"

namespace warpmark::classroom {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Returns the separator character that occurs most often in the header row, outside of quoted cells.
char separator_of(std::string_view text) {
  std::string header;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;  // a quote that stands twice for one ends and begins
    if (quoted) continue;
    if (c == '\n') break;
    header += c;
  }
  char best = ',';
  for (const char each : {';', '\t'}) {
    if (std::ranges::count(header, each) > std::ranges::count(header, best)) best = each;
  }
  return best;
}

bool is_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && std::isfinite(value);
}

std::string trimmed_cell(std::string_view text) {
  const auto space = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && space(text.front())) text.remove_prefix(1);
  while (!text.empty() && space(text.back())) text.remove_suffix(1);
  return std::string(text);
}

}  // namespace

std::size_t Csv::column(const std::vector<std::string_view>& names) const {
  if (rows.empty()) return kNoColumn;
  const auto& header = rows.front().cells;
  for (const std::string_view name : names) {
    for (std::size_t i = 0; i < header.size(); ++i) {
      if (folded(trimmed_cell(header[i].value)) == folded(name)) return i;
    }
  }
  return kNoColumn;
}

std::string_view Csv::at(const CsvRow& row, std::size_t column) const {
  return column < row.cells.size() ? std::string_view(row.cells[column].value) : std::string_view();
}

Result<Csv> parse_csv(std::string_view text) {
  Csv csv;
  if (text.starts_with(kByteOrderMark)) {
    csv.mark = kByteOrderMark;
    text.remove_prefix(kByteOrderMark.size());
  }
  csv.separator = separator_of(text);
  std::size_t line = 1;
  std::size_t at = 0;
  while (at < text.size()) {
    CsvRow row;
    while (true) {
      CsvCell cell;
      const std::size_t begin = at;
      if (at < text.size() && text[at] == '"') {
        const std::size_t opened = line;
        for (++at;; ++at) {
          if (at >= text.size()) return fail(fmt::format("line {}: a quoted cell never ends", opened));
          if (text[at] == '"' && text.substr(at, 2) != "\"\"") break;
          if (text[at] == '"') ++at;
          if (text[at] == '\n') ++line;
          cell.value += text[at];
        }
        ++at;
      }
      while (at < text.size() && text[at] != csv.separator && text[at] != '\n' && text[at] != '\r')
        cell.value += text[at++];
      cell.raw = std::string(text.substr(begin, at - begin));
      row.cells.push_back(std::move(cell));
      if (at >= text.size() || text[at] != csv.separator) break;
      ++at;
    }
    const std::size_t ending = at;
    if (at < text.size() && text[at] == '\r') ++at;
    if (at < text.size() && text[at] == '\n') ++at;
    row.ending = std::string(text.substr(ending, at - ending));
    ++line;
    csv.rows.push_back(std::move(row));
  }
  return csv;
}

std::string to_text(const Csv& csv) {
  std::string text = csv.mark;
  for (const CsvRow& row : csv.rows) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      if (i > 0) text += csv.separator;
      text += row.cells[i].raw;
    }
    text += row.ending;
  }
  return text;
}

std::string csv_cell(std::string_view value, char separator) {
  std::string text(value);
  const std::size_t first = text.find_first_not_of(' ');
  // Spreadsheets take the full-width forms of = + - @ for the others.
  static constexpr std::array<std::string_view, 4> kWide{"\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"};
  const bool formula = first != std::string::npos &&
                       (std::string_view("=+-@\t\r").find(text[first]) != std::string_view::npos ||
                        std::ranges::any_of(kWide, [&](std::string_view sign) {
                          return text.substr(first).starts_with(sign);
                        }));
  if (formula && !is_number(value)) text.insert(text.begin(), '\'');
  const bool quoted = text.find_first_of("\"\r\n") != std::string::npos ||
                      text.find(separator) != std::string::npos || text.starts_with(' ') ||
                      text.ends_with(' ');
  if (!quoted) return text;
  return fmt::format("\"{}\"", replaced(text, {{'"', "\"\""}}));
}

std::string csv_number(double value) {
  std::string text = fmt::format("{:.4f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

}  // namespace warpmark::classroom
