#include "harness/arff/arff.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "harness/arff/line_reader.h"

namespace warpmark::arff {
namespace {

// An error message that lists a nominal attribute's permitted values names at most this many.
constexpr std::size_t kMostNamed = 6;
// Error messages quote at most this many characters of an input file's text.
constexpr std::size_t kMostShown = 40;
constexpr std::size_t kMostRows = (std::size_t{1} << 31) - 1;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// Returns text from an input file for quoting in an error message: truncated, with control characters
// replaced by '?'.
std::string shown(std::string_view text) {
  std::string all;
  for (const char c : text.substr(0, kMostShown)) all += static_cast<unsigned char>(c) < ' ' ? '?' : c;
  return '"' + all + (text.size() > kMostShown ? "...\"" : "\"");
}

std::string listed(const std::vector<std::string>& values) {
  std::string text;
  for (std::size_t i = 0; i < std::min(values.size(), kMostNamed); ++i)
    text += (i == 0 ? "" : ", ") + shown(values[i]);
  return values.size() > kMostNamed ? text + fmt::format(" and {} more", values.size() - kMostNamed) : text;
}

class Parser {
 public:
  explicit Parser(const std::string& file) : file_(file) {}

  Result<Table> parse(std::string_view text) {
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
      return fail(
          fmt::format("{}: the file is empty; an ARFF file holds @relation, its attributes, @data and at "
                      "least one row, in this order",
                      file_));
    while (!text.empty()) {
      ++number_;
      const std::size_t end = std::min(text.find('\n'), text.size());
      if (auto read = line(text.substr(0, end)); !read) return tl::unexpected(read.error());
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (!in_data_) return fail(fmt::format("{}: the line @data is missing; write it before the rows", file_));
    if (table_.labels.empty())
      return fail(fmt::format("{}: there is no row after @data; at least one is needed", file_));
    return std::move(table_);
  }

 private:
  using Read = Result<void>;

  tl::unexpected<Error> refuse(const std::string& message) const {
    return fail(fmt::format("{}:{}: {}", file_, number_, message));
  }
  tl::unexpected<Error> open_quote() const {
    return refuse("a quoted text has no closing quote on this line; add the quote");
  }

  Read line(std::string_view text) {
    if (text.find('\0') != std::string_view::npos)
      return refuse("the line holds a zero byte; an ARFF file is text, in ASCII or UTF-8");
    LineReader reader(text);
    if (reader.at_end()) return {};
    if (in_data_) return row(reader);
    const auto keyword = reader.piece();
    if (!keyword) return open_quote();
    if (same_word(keyword->text, "@relation")) return {};
    if (same_word(keyword->text, "@attribute")) return attribute(reader);
    if (same_word(keyword->text, "@data")) return begin_data();
    return refuse(fmt::format("{} where @relation, @attribute or @data is expected; rows come after @data",
                              shown(keyword->text)));
  }

  Read attribute(LineReader& reader) {
    const auto name = reader.piece();
    if (!name) return open_quote();
    if (name->text.empty() && !name->quoted)
      return refuse("@attribute without a name; write @attribute NAME TYPE");
    if (!names_.insert(name->text).second)
      return refuse(
          fmt::format("a second attribute {}; the names of attributes must be unique", shown(name->text)));
    Attribute attribute{name->text};
    if (reader.next() == '{') {
      attribute.kind = Kind::nominal;
      if (auto read = nominal_values(reader, attribute); !read) return read;
    } else if (auto read = type(reader, attribute); !read) {
      return read;
    }
    if (!reader.at_end())
      return refuse(fmt::format("text after the type of attribute {}; put a name of several words in quotes",
                                shown(attribute.name)));
    table_.attributes.push_back(std::move(attribute));
    return {};
  }

  Read type(LineReader& reader, Attribute& attribute) {
    const auto word = reader.piece();
    if (!word) return open_quote();
    if (same_word(word->text, "integer")) {
      attribute.kind = Kind::integer;
      return {};
    }
    if (same_word(word->text, "numeric") || same_word(word->text, "real")) return {};
    if (word->text.empty())
      return refuse(fmt::format("attribute {} has no type; it is numeric, real, integer or {{a, b, c}}",
                                shown(attribute.name)));
    return refuse(
        fmt::format("attribute {} is of type {}; the supported types are numeric, real, integer and {{a, b, "
                    "c}}; leave out strings and dates, which have no distance",
                    shown(attribute.name), shown(word->text)));
  }

  Read nominal_values(LineReader& reader, Attribute& attribute) {
    std::set<std::string> known;
    reader.take('{');
    do {
      const auto value = reader.piece();
      if (!value) return open_quote();
      if (value->text.empty() && !value->quoted)
        return refuse(
            fmt::format("attribute {}: a value is missing between {{ and }}; write {{a, b, c}}, and "
                        "close it on the same line",
                        shown(attribute.name)));
      if (!known.insert(value->text).second)
        return refuse(fmt::format("attribute {}: the value {} is listed twice", shown(attribute.name),
                                  shown(value->text)));
      attribute.values.push_back(value->text);
    } while (reader.take(','));
    if (!reader.take('}'))
      return refuse(fmt::format(
          "attribute {}: a comma or }} is expected after {}; put values of several words in quotes",
          shown(attribute.name), shown(attribute.values.back())));
    return {};
  }

  Read begin_data() {
    if (table_.attributes.empty())
      return refuse("@data without any @attribute before it; name the attributes first, the class last");
    table_.label = std::move(table_.attributes.back());
    table_.attributes.pop_back();
    if (table_.label.kind != Kind::nominal)
      return refuse(
          fmt::format("the class is missing: the last attribute, {}, is a number; the class comes last "
                      "and names its values: @attribute class {{a, b, c}}",
                      shown(table_.label.name)));
    if (table_.attributes.empty())
      return refuse("there is no attribute but the class; at least one more is needed");
    for (const Attribute& each : table_.attributes) {
      table_.columns += each.columns();
      places_.push_back(places_in(each));
    }
    if (table_.columns > kMostColumns)
      return refuse(
          fmt::format("the attributes give {} numbers per row; at most {} are allowed. A nominal attribute "
                      "gives one number per value",
                      table_.columns, kMostColumns));
    label_places_ = places_in(table_.label);
    in_data_ = true;
    return {};
  }

  using Places = std::unordered_map<std::string, std::size_t>;
  static Places places_in(const Attribute& attribute) {
    Places places;
    for (std::size_t i = 0; i < attribute.values.size(); ++i) places[attribute.values[i]] = i;
    return places;
  }

  Read row(LineReader& reader) {
    if (reader.next() == '{')
      return refuse(
          "a sparse row, {index value, ...}; write all values of the row, with commas between them");
    std::size_t count = 0;
    do {
      const auto value = reader.piece();
      if (!value) return open_quote();
      if (count > table_.attributes.size()) return ragged(count + 1 + values_left(reader));
      const bool is_class = count == table_.attributes.size();
      const Attribute& attribute = is_class ? table_.label : table_.attributes[count];
      if (auto read = cell(*value, attribute, is_class ? label_places_ : places_[count], is_class); !read) {
        if (is_class != reader.at_end()) return ragged(count + 1 + values_left(reader));
        return read;
      }
      ++count;
    } while (reader.take(','));
    if (reader.next() == '{')
      return refuse("a weight after the row, {number}; weights are not supported: remove them");
    if (!reader.at_end())
      return refuse(fmt::format(
          "value {}: a comma is expected after it; put values of several words in quotes", count));
    if (count <= table_.attributes.size()) return ragged(count);
    if (table_.labels.size() > kMostRows) return refuse("more than 2^31 - 1 rows");
    return {};
  }

  static std::size_t values_left(LineReader& reader) {
    std::size_t count = 0;
    while (reader.take(',') && reader.piece()) ++count;
    return count;
  }

  Read ragged(std::size_t count) const {
    const std::size_t due = table_.attributes.size() + 1;
    return refuse(
        fmt::format("{} value{} where {} attributes are declared{}", count, count == 1 ? "" : "s", due,
                    count + 1 == due ? "; is the class missing? It comes last"
                                     : "; each row has a value for every attribute, the class last"));
  }

  Read cell(const Piece& value, const Attribute& attribute, const Places& places, bool is_class) {
    if (value.text == "?" && !value.quoted)
      return refuse(fmt::format("a missing value (?) of attribute {}; fill in a value, or remove the row",
                                shown(attribute.name)));
    if (attribute.kind != Kind::nominal) return number(value, attribute);
    const auto place = places.find(value.text);
    if (place == places.end())
      return refuse(fmt::format("{} is no value of {} {}; declared are {}", shown(value.text),
                                is_class ? "the class" : "attribute", shown(attribute.name),
                                listed(attribute.values)));
    if (is_class) {
      table_.labels.push_back(static_cast<std::int32_t>(place->second));
    } else {
      for (std::size_t i = 0; i < attribute.values.size(); ++i)
        table_.values.push_back(i == place->second ? 1.0F : 0.0F);
    }
    return {};
  }

  Read number(const Piece& value, const Attribute& attribute) {
    std::string_view text = value.text;
    if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool all = error == std::errc() && end == text.data() + text.size();
    if (error != std::errc::result_out_of_range && (!all || !std::isfinite(number)))
      return refuse(fmt::format("{} where attribute {} is a number; write it as 5, -0.25 or 1e3",
                                shown(value.text), shown(attribute.name)));
    const auto narrow = static_cast<float>(number);
    if (error == std::errc::result_out_of_range || !std::isfinite(narrow))
      return refuse(fmt::format("{} of attribute {} exceeds the range of float, 3.4e38", shown(value.text),
                                shown(attribute.name)));
    if (attribute.kind == Kind::integer && number != std::floor(number))
      return refuse(fmt::format("{} where attribute {} is an integer; declare it as numeric",
                                shown(value.text), shown(attribute.name)));
    table_.values.push_back(narrow);
    return {};
  }

  const std::string& file_;
  std::size_t number_ = 0;  // line number that the parser has reached in the input file, from 1
  bool in_data_ = false;
  std::set<std::string> names_;
  std::vector<Places> places_;  // per attribute of the ARFF data set: map from a nominal value to its index
  Places label_places_;
  Table table_;
};

std::string kind_of(const Attribute& attribute) {
  return attribute.kind == Kind::nominal ? fmt::format("{{{}}}", listed(attribute.values)) : "a number";
}

}  // namespace

Result<Table> parse(std::string_view text, const std::string& file) {
  return Parser(file).parse(text);
}

std::string difference(const Table& table, const Table& other) {
  if (table.attributes.size() != other.attributes.size())
    return fmt::format("{} attributes beside the class, and {}", table.attributes.size(),
                       other.attributes.size());
  const auto differ = [](const Attribute& a, const Attribute& b) {
    return (a.kind == Kind::nominal) != (b.kind == Kind::nominal) || a.values != b.values;
  };
  for (std::size_t i = 0; i < table.attributes.size(); ++i) {
    const Attribute& a = table.attributes[i];
    const Attribute& b = other.attributes[i];
    if (differ(a, b)) return fmt::format("attribute {} is {}, and {}", shown(a.name), kind_of(a), kind_of(b));
  }
  if (differ(table.label, other.label))
    return fmt::format("the class is {}, and {}", kind_of(table.label), kind_of(other.label));
  return {};
}

}  // namespace warpmark::arff
