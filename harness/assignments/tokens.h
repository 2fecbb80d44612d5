// C++ source as a compiler sees it: the words without comments and layout.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpmark {

// The preprocessing tokens of a C++ or CUDA source, in order, by the rules of the standard's translation
// phases 2 and 3: comments, white space and line continuations are gone, literals keep every character. The
// end of a preprocessor directive is the token "\n", because there the line's end has a meaning. Never fails:
// an unterminated literal or comment ends with its line or the file, as it would in a compiler's error
// message.
std::vector<std::string> tokens_of(std::string_view source);

// Whether two sources differ in nothing but comments and layout. Tells an untouched stub from an attempt.
bool same_tokens(std::string_view a, std::string_view b);

}  // namespace warpmark
