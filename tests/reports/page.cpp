#include "tests/reports/page.h"

#include <gtest/gtest.h>

#include "reports/reports.h"

namespace warpmark {

Document parsed(const Grade& grade) {
  Document document = parse_document(to_html(grade));
  EXPECT_EQ(document.error, "");
  return document;
}

const Element* with_attribute(const Document& document, const std::string& name, const std::string& value) {
  for (const Element& element : document.elements) {
    const auto found = element.attributes.find(name);
    if (found != element.attributes.end() && found->second == value) return &element;
  }
  return nullptr;
}

std::string text_of(const Document& document, std::string_view name) {
  std::string text;
  for (const Element* element : document.named(name)) text += element->text + "\n";
  return text;
}

}  // namespace warpmark
