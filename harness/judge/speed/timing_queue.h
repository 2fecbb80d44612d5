// The versions of a grading on their way to the check `fast`. While slow builds are all that is left, the
// versions that have been checked are timed, the others afterwards; each is timed once.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace warpmark::judge {

// Thread-safe.
class TimingQueue {
 public:
  // Returns true if all libraries of a version are built.
  using IsBuilt = std::function<bool(const std::string& version)>;

  // `versions`: the names of all versions that the grading checks.
  explicit TimingQueue(std::vector<std::string> versions) : versions_(std::move(versions)) {}

  // Records that one more build has begun.
  void build_begins();
  // Records that all checks of a version which time nothing are done.
  void is_checked(const std::string& version);

  // Returns true if all `builds` have begun and every version whose libraries are built has been checked.
  [[nodiscard]] bool only_builds_are_left(std::size_t builds, const IsBuilt& is_built) const;
  // Returns the checked versions, to be timed while libraries of others are being built; none if all are
  // built.
  [[nodiscard]] std::set<std::string> ready_during_builds(const IsBuilt& is_built) const;
  // Returns true in the first call with a version: the caller times it.
  bool take(const std::string& version);

 private:
  const std::vector<std::string> versions_;
  mutable std::mutex mutex_;  // guards the members below
  std::size_t begun_ = 0;
  std::set<std::string> checked_;
  std::set<std::string> taken_;
};

}  // namespace warpmark::judge
