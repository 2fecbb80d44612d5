// Building blocks of the mutation operators.
#pragma once

#include <string>
#include <vector>

#include "harness/assignment_check/mutants.h"

namespace warpmark::assignment_check {

// Return the edit that replaces or drops the tokens from `first` to `last`. is_drop: a replacement that
// leaves an empty statement, and is called a drop.
Edit replace(const Source& source, std::size_t first, std::size_t last, const std::string& by,
             bool is_drop = false);
Edit drop(const Source& source, std::size_t first, std::size_t last);
Edit insert_before(const Source& source, std::size_t token, const std::string& what, const std::string& name);

// An argument of a call, as its first and last token.
struct Argument {
  std::size_t begin = 0;
  std::size_t end = 0;
};
// Returns the arguments between brackets; none if one is empty. open: token of the opening bracket, which has
// a partner.
std::vector<Argument> arguments_of(const Source& source, std::size_t open);

// Operators of operators_of_values.cpp.
void change_constants(const Source& source, const Function& function, std::vector<Edit>& edits);
void change_indices(const Source& source, const Function& function, std::vector<Edit>& edits);
void change_strides(const Source& source, const Function& function, std::vector<Edit>& edits);
void change_arithmetic(const Source& source, const Function& function, std::vector<Edit>& edits);
void change_shifts(const Source& source, const Function& function, std::vector<Edit>& edits);
void lose_precision(const Source& source, const Function& function, std::vector<Edit>& edits);
void narrow_types(const Source& source, const Function& function, std::vector<Edit>& edits);

}  // namespace warpmark::assignment_check
