// Enough of an XML parser to hold the reports to the grammar: our page is written so that it is XML, too.
// Strict: what it does not know is an error.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warpmark {

struct Element {
  std::string name;
  std::map<std::string, std::string> attributes;  // references replaced
  std::string text;  // its own and that of everything inside, references replaced
};

struct Document {
  std::string error;              // empty when well formed
  std::vector<Element> elements;  // in order of their start tags

  [[nodiscard]] std::vector<const Element*> named(std::string_view name) const;
};

Document parse_document(std::string_view text);

}  // namespace warpmark
