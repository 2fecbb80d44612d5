// Formats values for the templates of the class pages: truncated and with all characters visible.
#pragma once

#include <string>
#include <string_view>

namespace warpmark::class_page {

// Formats untrusted text for a class page, truncated if it is long: name() puts a name on one line, message()
// keeps a message's line breaks.
std::string name(std::string_view text);
std::string message(std::string_view text);

// Percent-encodes a link's path: every byte other than ASCII letters, digits and -_./ becomes %XX.
std::string link_path(std::string_view path);

}  // namespace warpmark::class_page
