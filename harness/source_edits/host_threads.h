// Mistakes in host code with threads that the source itself shows: variables that threads share without
// meaning to, and threads that nobody waits for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpmark::source_edits {

struct ThreadMistake {
  int line = 0;
  std::string_view mistake;  // Cause::mistake: "captured_by_reference"
  std::string what;          // a sentence without its full stop: the mistake and its remedy
};

// What is known of the failure that a mistake with threads may explain.
struct ThreadEvidence {
  std::vector<int> racing;  // lines between which a race was found
  bool runs_on = false;     // a thread may have run on when the call was over: a race, a crash
};

// Returns the mistake that explains a failure of a version with threads, the surest first: a thread's lambda
// that captures a variable of the loop around it by reference; work that is given to a thread and done by its
// starter, too; a detached thread; variables that are declared
// in front of a parallel region of OpenMP with racing lines and are set anew in it.
std::optional<ThreadMistake> find_thread_mistake(std::string_view text, const ThreadEvidence& evidence);

// Returns true if a source starts threads, by the standard library or OpenMP.
bool has_threads(std::string_view text);

}  // namespace warpmark::source_edits
