// Small changes of a submitted source, of the kinds that undo a typical mistake. A change after which the
// outputs are right shows the line of the mistake and its kind.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/source_edits/mutants.h"

namespace warpmark::source_edits {

struct Repair {
  Edit edit;
  int line = 0;              // number of the changed line
  std::string_view mistake;  // Cause::mistake: "wrong_operator"
  std::string what;          // for a message: "another comparison", "without the `return`"
  // The changed line before and after, "`if (i <= n)` -> `if (i < n)`"; empty where `what` says it all.
  std::string shown = {};
  // True: the statement tests an address. Another result there may only keep threads from the accesses that
  // fail. False for a further test of the distance of rows, which makes such a test complete.
  bool tests_address = false;
  // The submitted file of the line, once known: of a flattened text (flat.h), `line` is then a line of that
  // file.
  std::string file = {};
};

// A row of the table of repairs: a kind of mistake, and the changes that may undo one.
struct RepairKind {
  std::string_view mistake;
  // What a message says of the change, behind "with": "another comparison". "without the `{}`": in place of
  // "with", and {} is the code that was dropped.
  std::string_view with;
  void (*apply)(const Source& source, const Function& function, std::vector<Edit>& edits);
  // How many of its changes come before one more of a kind with share 1: kinds that make many changes which
  // seldom cure anything have small shares.
  int share = 1;
  // True: the source itself shows that something is odd, so that far lines do not wait.
  bool is_odd = false;
};
std::span<const RepairKind> repair_kinds();

// Returns the changes of a source file, each changed text once. Those of a kind come in the order in which
// their lines can have influenced the lines `seen`, where a mistake shows (dependences.h); the kinds take
// turns by their shares, and far lines wait longer. Only function bodies are changed, and no lines for which
// `stays` returns true. `contract`: text of the header that the file includes.
std::vector<Repair> repairs_of(std::string_view text, const std::vector<int>& seen = {},
                               std::string_view contract = {},
                               const std::function<bool(int line)>& stays = {});

// Changes that the mutation operators do not make, because they undo what those do. Defined in
// repair_beginnings.cpp, repair_choices.cpp, repair_divisions.cpp, repair_names.cpp, repair_operators.cpp,
// repair_reaches.cpp and repair_shapes.cpp.
void negate_tests(const Source& source, const Function& function, std::vector<Edit>& edits);
void drop_conditions(const Source& source, const Function& function, std::vector<Edit>& edits);
void add_conditions(const Source& source, const Function& function, std::vector<Edit>& edits);
void add_barriers(const Source& source, const Function& function, std::vector<Edit>& edits);
void guard_launches(const Source& source, const Function& function, std::vector<Edit>& edits);
void undo_arithmetic(const Source& source, const Function& function, std::vector<Edit>& edits);
void change_operands(const Source& source, const Function& function, std::vector<Edit>& edits);
void undo_strides(const Source& source, const Function& function, std::vector<Edit>& edits);
void drop_jumps(const Source& source, const Function& function, std::vector<Edit>& edits);
void exchange_names(const Source& source, const Function& function, std::vector<Edit>& edits);
void exchange_like_names(const Source& source, const Function& function, std::vector<Edit>& edits);
void exchange_constants(const Source& source, const Function& function, std::vector<Edit>& edits);
void exchange_arguments(const Source& source, const Function& function, std::vector<Edit>& edits);
void match_members(const Source& source, const Function& function, std::vector<Edit>& edits);
void round_up(const Source& source, const Function& function, std::vector<Edit>& edits);
void round_shares_up(const Source& source, const Function& function, std::vector<Edit>& edits);
void round_down(const Source& source, const Function& function, std::vector<Edit>& edits);
void keep_fractions(const Source& source, const Function& function, std::vector<Edit>& edits);
void exchange_subscripts(const Source& source, const Function& function, std::vector<Edit>& edits);
void exchange_axes(const Source& source, const Function& function, std::vector<Edit>& edits);
void repeat_tests(const Source& source, const Function& function, std::vector<Edit>& edits);
void take_all(const Source& source, const Function& function, std::vector<Edit>& edits);
void loosen_bounds(const Source& source, const Function& function, std::vector<Edit>& edits);
void number_threads(const Source& source, const Function& function, std::vector<Edit>& edits);
void begin_anew(const Source& source, const Function& function, std::vector<Edit>& edits);
void add_summands(const Source& source, const Function& function, std::vector<Edit>& edits);
void exchange_components(const Source& source, const Function& function, std::vector<Edit>& edits);
void change_beginnings(const Source& source, const Function& function, std::vector<Edit>& edits);
void begin_with_names(const Source& source, const Function& function, std::vector<Edit>& edits);
void begin_with_a_call(const Source& source, const Function& function, std::vector<Edit>& edits);
void fill_with_other_bytes(const Source& source, const Function& function, std::vector<Edit>& edits);
void begin_with_a_fraction(const Source& source, const Function& function, std::vector<Edit>& edits);
void count_bytes(const Source& source, const Function& function, std::vector<Edit>& edits);
void size_of_target(const Source& source, const Function& function, std::vector<Edit>& edits);
void widen_small_types(const Source& source, const Function& function, std::vector<Edit>& edits);
void widen_types(const Source& source, const Function& function, std::vector<Edit>& edits);
void exchange_dimensions(const Source& source, const Function& function, std::vector<Edit>& edits);
void limit_blocks(const Source& source, const Function& function, std::vector<Edit>& edits);
void flatten_dimensions(const Source& source, const Function& function, std::vector<Edit>& edits);
void tighten_bounds(const Source& source, const Function& function, std::vector<Edit>& edits);
void exchange_launch(const Source& source, const Function& function, std::vector<Edit>& edits);
void use_pitch(const Source& source, const Function& function, std::vector<Edit>& edits);
void align_rows(const Source& source, const Function& function, std::vector<Edit>& edits);
void swap_names(const Source& source, const Function& function, std::vector<Edit>& edits);
void exchange_in_statement(const Source& source, const Function& function, std::vector<Edit>& edits);
void loop_over_rest(const Source& source, const Function& function, std::vector<Edit>& edits);
void take_one_branch(const Source& source, const Function& function, std::vector<Edit>& edits);
void swap_statements(const Source& source, const Function& function, std::vector<Edit>& edits);
void exchange_block_axes(const Source& source, const Function& function, std::vector<Edit>& edits);
void let_one_thread(const Source& source, const Function& function, std::vector<Edit>& edits);
void go_to_the_end(const Source& source, const Function& function, std::vector<Edit>& edits);
void scale_constants(const Source& source, const Function& function, std::vector<Edit>& edits);
void change_growth(const Source& source, const Function& function, std::vector<Edit>& edits);
void change_functions(const Source& source, const Function& function, std::vector<Edit>& edits);
void limit_shuffles(const Source& source, const Function& function, std::vector<Edit>& edits);

}  // namespace warpmark::source_edits
