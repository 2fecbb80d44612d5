// Formats values for the templates of the class pages: truncated and with all characters visible.
#pragma once

#include <string>
#include <string_view>

namespace warpmark::class_page {

// name() puts the text on one line; message() keeps line breaks. Both truncate long texts.
std::string name(std::string_view text);
std::string message(std::string_view text);

// Percent-encodes a link's path: every byte other than ASCII letters, digits and -_./ becomes %XX.
std::string link_path(std::string_view path);

}  // namespace warpmark::class_page
