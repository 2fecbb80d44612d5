// Libraries that programs use and are not linked to.
#pragma once

#include <string_view>

namespace warpmark::build {

// What a function belongs to, by its name; empty where that is not known.
std::string_view foreign_library(std::string_view symbol);

}  // namespace warpmark::build
