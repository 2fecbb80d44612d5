// The distinct causes of one check, from all that its calls find.
#pragma once

#include <vector>

#include "harness/model/grade.h"

namespace warpmark::judge {

class FoundCauses {
 public:
  // Keeps what is not there yet: the first, and so the smallest, size with each. True when something was new.
  bool add(std::vector<Cause> causes);
  [[nodiscard]] const std::vector<Cause>& all() const { return causes_; }
  [[nodiscard]] bool has(CauseKind kind) const;
  // Whether add() would keep some of them.
  [[nodiscard]] bool lacks_some_of(const std::vector<Cause>& causes) const;
  // Ten are as many as anybody reads.
  [[nodiscard]] bool full() const;
  // The worst first, ten at most; before what ended a call the uninitialised values that it read until then.
  [[nodiscard]] std::vector<Cause> worst_first() &&;

 private:
  std::vector<Cause> causes_;
};

}  // namespace warpmark::judge
