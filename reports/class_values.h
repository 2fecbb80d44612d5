// Values as the templates of a class's pages take them: bounded and made visible.
#pragma once

#include <string>
#include <string_view>

namespace warpmark::class_page {

// On one line.
std::string name(std::string_view text);
std::string message(std::string_view text);

// As the path of a link: every byte that is no plain letter as %XX.
std::string link_path(std::string_view path);

}  // namespace warpmark::class_page
