// Tokenises C++ source, ignoring comments and layout.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpmark {

struct PlacedToken {
  std::string text;
  std::size_t begin = 0;  // byte offsets of the token's begin and end in the source
  std::size_t end = 0;
};

// Returns the preprocessing tokens of a C++ or CUDA source, following the standard's translation phases 2 and
// 3: comments, white space and line continuations are removed, literals are kept verbatim. The end of a
// preprocessor directive is the token "\n", because it is significant. Never fails: an unterminated literal
// or comment ends with its line or the file, as in a compiler.
std::vector<std::string> tokens_of(std::string_view source);
// Tokenises C++ or CUDA source as tokens_of() does and adds each token's byte offsets.
std::vector<PlacedToken> placed_tokens_of(std::string_view source);

// True if the sources differ only in comments and layout. Tells an untouched stub from an attempt.
bool same_tokens(std::string_view a, std::string_view b);

}  // namespace warpmark
