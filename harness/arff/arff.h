// Parser for data sets in Weka's Attribute-Relation File Format (ARFF): rows of attribute values with a class
// label.
//
// Supported attributes are numeric, real, integer and nominal ({a, b, c}); the last attribute is the class
// and must be nominal. Names and values may be quoted with ' or ", inside which \ escapes the next character.
// Keywords are case-insensitive. An unquoted % starts a comment.
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
  std::vector<std::string> values = {};  // nominal attributes only: the permitted values, in file order
  // Returns the number of floats that encode one value: 1, or for a nominal attribute one per permitted value
  // (one-hot encoding), so that any two nominal values are equally far apart.
  [[nodiscard]] std::size_t columns() const { return kind == Kind::nominal ? values.size() : 1; }
  bool operator==(const Attribute&) const = default;
};

struct Table {
  std::vector<Attribute> attributes;  // all attributes but the class
  Attribute label;                    // class attribute, the one to predict
  std::size_t columns = 0;            // floats per row, from 1 to kMostColumns
  std::vector<float> values;          // all attribute values, row after row
  std::vector<std::int32_t> labels;   // class of each row, as an index into label.values
};

// Parses an ARFF file with at least one row. The error names `file`, the line, the rule and the remedy.
//
// Rejects sparse rows, weights, missing values (?), string and date attributes, numbers outside the range of
// float, fractions in integer attributes, and rows of more than kMostColumns floats.
Result<Table> parse(std::string_view text, const std::string& file);

// Returns the reason why rows of `other` cannot be compared with rows of `table`; empty if the kinds and
// values of all attributes match.
std::string difference(const Table& table, const Table& other);

}  // namespace warpmark::arff
