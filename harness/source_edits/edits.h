// Building blocks of the mutation operators.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/source_edits/mutants.h"

namespace warpmark::source_edits {

// Return an edit of a source text that replaces, drops or inserts tokens; `first` and `last` are inclusive.
// is_drop: the replacement is an empty statement, so that the edit's name is "drop ...".
Edit replace(const Source& source, std::size_t first, std::size_t last, const std::string& by,
             bool is_drop = false);
Edit drop(const Source& source, std::size_t first, std::size_t last);
Edit insert_before(const Source& source, std::size_t token, const std::string& what, const std::string& name);

// Returns the text after an edit. It has as many lines as before, so that later lines keep their numbers, and
// texts with equal code compile to equal binaries.
std::string changed_by(std::string_view text, const Edit& edit);

// An argument of a call, as its first and last token.
struct Argument {
  std::size_t begin = 0;
  std::size_t end = 0;
};
// Returns the arguments between a call's brackets; none if an argument is empty. open: token index of the
// opening bracket, which must have a closing one.
std::vector<Argument> arguments_of(const Source& source, std::size_t open);

// Returns true if the token is a member's name, behind a dot or an arrow.
bool is_member(const Source& source, std::size_t token);
// Returns the first token of `p.rows` or `at[i].rows`, whose last token is `token`.
std::size_t begin_of_member(const Source& source, std::size_t token);

// Returns true for threadIdx, blockIdx, blockDim and gridDim.
bool is_built_in(std::string_view name);

// Returns the parts of a function between its semicolons and braces; the condition of an `if` or a loop is a
// part of its own.
std::vector<Statement> parts_of(const Source& source, const Function& function);

// A constant or variable of a file, outside of functions: the tokens of its name and of the semicolon behind
// its value.
struct Constant {
  std::size_t name = 0;
  std::size_t end = 0;
};
std::vector<Constant> file_constants(const Source& source);

// Returns the token where the block or the loop ends in which a name is declared at `token`.
std::size_t end_of_scope(const Source& source, const Function& function, std::size_t token);

using Pairs = std::span<const std::pair<std::string_view, std::string_view>>;
// Appends edits that replace each token which is the first of a pair by the second. binary: only where the
// token is an operator with two operands.
void swap_tokens(const Source& source, const Function& function, std::vector<Edit>& edits, Pairs pairs,
                 bool binary);

// Mutation operators that change constants, indices, arithmetic and types. Each appends the edits that it
// finds in one function of the mutated source. Defined in operators_of_values.cpp.
void change_constants(const Source& source, const Function& function, std::vector<Edit>& edits);
void change_indices(const Source& source, const Function& function, std::vector<Edit>& edits);
void change_strides(const Source& source, const Function& function, std::vector<Edit>& edits);
void change_arithmetic(const Source& source, const Function& function, std::vector<Edit>& edits);
void scatter_threads(const Source& source, const Function& function, std::vector<Edit>& edits);
void change_shifts(const Source& source, const Function& function, std::vector<Edit>& edits);
void lose_precision(const Source& source, const Function& function, std::vector<Edit>& edits);
void narrow_types(const Source& source, const Function& function, std::vector<Edit>& edits);

}  // namespace warpmark::source_edits
