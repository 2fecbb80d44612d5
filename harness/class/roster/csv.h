// CSV as spreadsheets and learning platforms write it (RFC 4180, with `,`, `;` or tab between the cells). The
// text of every cell stays known byte for byte, so that one column can be filled and nothing else changes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.h"

namespace warpmark::classroom {

struct CsvCell {
  std::string value;  // without quotes
  std::string raw;    // as it stands in the file
};

struct CsvRow {
  std::vector<CsvCell> cells;
  std::string ending;  // "\n", "\r\n" or, at the end of a file, nothing
};

struct Csv {
  std::string mark;  // the byte order mark, or nothing
  char separator = ',';
  std::vector<CsvRow> rows;  // the first is the header; empty lines are rows of one empty cell

  // The column whose header is one of the names, where case does not count; npos when there is none.
  [[nodiscard]] std::size_t column(const std::vector<std::string_view>& names) const;
  // The value of a cell; empty where a row has no such column.
  [[nodiscard]] std::string_view at(const CsvRow& row, std::size_t column) const;

  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
};

// Fails with the line where a quoted cell never ends.
Result<Csv> parse_csv(std::string_view text);

// The same bytes that were parsed, but for cells whose raw text was changed.
std::string to_text(const Csv& csv);

// A cell's raw text for a value: quoted where it must be. What a spreadsheet would take for a formula (a text
// that begins with = + - @, tab or CR, after spaces, too) gets a leading apostrophe; numbers stay numbers.
std::string csv_cell(std::string_view value, char separator = ',');
std::string csv_number(double value);

}  // namespace warpmark::classroom
