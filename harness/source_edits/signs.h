// Lines of a source file that are probably at fault, given the kind of wrong output that experiments have
// recognised. The experiments prove the kind; the source is only searched for a usual way to write it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpmark::source_edits {

// What is known of a wrong output.
struct WrongOutput {
  std::string_view mistake;                  // Cause::mistake: "ties"
  std::string_view name = {};                // of the output, or of its member: "greatest_at"
  std::vector<std::string> written_as = {};  // how the source may write the value at fault: "FLT_MIN"
};

struct Sign {
  int line = 0;
  std::string what;  // a clause for a message, without its full stop
  // True: no small change of the source is worth a try, because the sign explains the output fully.
  bool is_sure = false;
};

// Returns the sign for the kind of wrong output; nullopt if the source shows none.
std::optional<Sign> find_sign(std::string_view text, const WrongOutput& output);

// Returns the line of an atomic whose result is the place at which its thread stores something: the order of
// what is stored then differs from run to run. Without atomics that one thread of a block executes.
std::optional<Sign> place_by_atomic(std::string_view text);

}  // namespace warpmark::source_edits
