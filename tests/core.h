// Which entries of a corpus run by default.
#pragma once

#include <set>
#include <string>

namespace warpmark {

// Takes the first entry of each kind, and every sixth of those without a kind. A corpus registers the others
// in a suite whose name ends in "Long".
class Core {
 public:
  bool takes(const std::string& kind) {
    if (kind.empty()) return without_kind_++ % 6 == 0;
    return kinds_.insert(kind).second;
  }

 private:
  std::set<std::string> kinds_;
  unsigned without_kind_ = 0;
};

}  // namespace warpmark
