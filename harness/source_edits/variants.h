// One source of many variants of a submitted file, each with one change, so that a compiler reads the headers
// once.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/source_edits/repairs.h"

namespace warpmark::source_edits {

// Returns the name of the exported function of a variant.
std::string variant_function(std::string_view function, std::size_t number);

// Returns a source in which variant `number` of the file is in a namespace of its own and exports
// variant_function() in place of `function`, which a header that the file includes must declare. The file's
// #include lines stand once, at the beginning. Compilers name a variant's lines as "variant<number>:<line>".
// `numbers`: the indices in `repairs` of the variants that are wanted.
std::string source_of_variants(std::string_view text, std::span<const Repair> repairs,
                               std::span<const std::size_t> numbers, std::string_view function);

// Returns the numbers of the variants that a compiler's messages name, in ascending order.
std::vector<std::size_t> variants_named_in(std::string_view messages);

}  // namespace warpmark::source_edits
