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
  // Permitted values of a nominal ARFF attribute, in file order; empty for a numeric one.
  std::vector<std::string> values = {};
  // Returns the number of floats that encode one value: 1, or for a nominal attribute one per permitted value
  // (one-hot encoding), so that any two nominal values are equally far apart.
  [[nodiscard]] std::size_t columns() const { return kind == Kind::nominal ? values.size() : 1; }
  bool operator==(const Attribute&) const = default;
};

struct Table {
  std::vector<Attribute> attributes;  // the data set's attributes (columns) without the class
  Attribute label;                    // the data set's class attribute, which a classifier predicts
  std::size_t columns = 0;  // floats per row of the data set, after one-hot encoding; from 1 to kMostColumns
  std::vector<float> values;  // the data set's matrix of attribute values, row-major
  // Class of each row of the data set, as an index into the class attribute's values.
  std::vector<std::int32_t> labels;
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
