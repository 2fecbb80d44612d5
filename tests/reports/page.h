// The page of a grade, taken apart.
#pragma once

#include <string>
#include <string_view>

#include "harness/model/grade.h"
#include "tests/reports/well_formed.h"

namespace warpmark {

// Fails the test when the page is not well formed.
Document parsed(const Grade& grade);

// The first element with that attribute; null: none.
const Element* with_attribute(const Document& document, const std::string& name, const std::string& value);

// Of all elements of that name, each on a line.
std::string text_of(const Document& document, std::string_view name);

}  // namespace warpmark
