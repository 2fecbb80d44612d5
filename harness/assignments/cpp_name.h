// Names that a course gives to what becomes C++ and files: versions, sizes, buffers, members.
#pragma once

#include <string_view>

namespace warpmark {

// Returns true for an identifier of C++ in ASCII, of at most 60 characters, that is no keyword.
bool is_cpp_name(std::string_view name);

// What a name that is refused should be, for messages.
inline constexpr std::string_view kNameRule =
    "letters, digits and _, no digit first, at most 60, and no word of C++";

}  // namespace warpmark
