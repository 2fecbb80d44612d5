// Data sets in the Attribute-Relation File Format of Weka: rows of numbers with a class.
//
// Attributes are numeric, real, integer or nominal, {a, b, c}; the last one is the class, and nominal. Names
// and values may stand in quotes, ' or ", in which \ takes the next character as it is. Keywords are written
// in any case. A line that begins with %, and what follows an unquoted %, is a comment.
//
// https://waikato.github.io/weka-wiki/formats_and_processing/arff_stable/
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.h"

namespace warpmark::arff {

inline constexpr std::size_t kMostColumns = 1024;

enum class Kind : std::uint8_t { number, integer, nominal };

struct Attribute {
  std::string name;
  Kind kind = Kind::number;
  std::vector<std::string> values = {};  // of a nominal one, in the order of the file
  // How many numbers it becomes: a nominal one a number for each of its values, 1 for its own and 0 for the
  // others, so that any two of them are equally far from each other.
  [[nodiscard]] std::size_t columns() const { return kind == Kind::nominal ? values.size() : 1; }
  bool operator==(const Attribute&) const = default;
};

struct Table {
  std::vector<Attribute> attributes;  // without the class
  Attribute label;                    // the class
  std::size_t columns = 0;            // of a row, in numbers; 1 at least, kMostColumns at most
  std::vector<float> values;          // row after row
  std::vector<std::int32_t> labels;   // one a row: places in label.values
};

// One row at least. The error names file, line, rule and remedy. file: its name, for errors.
//
// Refused are sparse rows, weights, missing values (?), attributes of strings and dates, numbers that a float
// cannot hold, fractions in integer attributes, and more than kMostColumns numbers a row.
Result<Table> parse(std::string_view text, const std::string& file);

// Why rows of `other` cannot be compared with those of `table`; empty when both have the same attributes.
std::string difference(const Table& table, const Table& other);

}  // namespace warpmark::arff
