// Reads and writes CSV as spreadsheets and learning platforms produce it (RFC 4180, with `,`, `;` or tab as
// separator). Every cell keeps its original bytes, so that one column can be filled in without changing
// anything else.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.h"

namespace warpmark::classroom {

struct CsvCell {
  std::string value;  // the cell's text without quotes
  std::string raw;    // the cell's bytes as in the file
};

struct CsvRow {
  std::vector<CsvCell> cells;
  std::string ending;  // line ending: "\n", "\r\n", or empty at the end of the file
};

struct Csv {
  std::string mark;  // byte order mark of the CSV file, or empty
  char separator = ',';
  std::vector<CsvRow> rows;  // the first row is the header; an empty line is a row with one empty cell

  // Returns the index of the column whose header is one of the names (case-insensitive), or kNoColumn.
  [[nodiscard]] std::size_t column(const std::vector<std::string_view>& names) const;
  // Returns the value of a cell; empty if the row is too short.
  [[nodiscard]] std::string_view at(const CsvRow& row, std::size_t column) const;

  static constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);
};

// Parses CSV text. Fails, with the line number, if a quoted cell is not terminated.
Result<Csv> parse_csv(std::string_view text);

// Returns the table as CSV text, byte-identical to the text it was parsed from except for cells whose `raw`
// was changed.
std::string to_text(const Csv& csv);

// Returns the text of a CSV cell, quoted if necessary. A text that a spreadsheet would interpret as a formula
// (it starts with = + - @, tab or CR, possibly after spaces) gets a leading apostrophe; numbers are left as
// they are.
std::string csv_cell(std::string_view value, char separator = ',');
std::string csv_number(double value);

}  // namespace warpmark::classroom
