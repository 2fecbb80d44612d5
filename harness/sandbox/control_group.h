// A control group of the kernel around one program and all that it starts: its memory and the number of its
// processes and threads are limited at once and together, where a watchdog looks ten times a second.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/base/file.h"

namespace warpmark::sandbox {

// What this machine has that this user can write to. none: limits of single processes and a watchdog hold
// instead.
enum class ControlGroups { none, v1, v2 };

std::string_view name_of(ControlGroups groups);

class ControlGroup {
 public:
  struct Limits {
    std::size_t memory = 0;  // bytes
    int tasks = 0;           // processes and threads
  };

  // Nothing where it cannot be made.
  static std::optional<ControlGroup> make(ControlGroups groups, const Limits& limits);
  ControlGroup(ControlGroup&& other) noexcept = default;
  ControlGroup& operator=(ControlGroup&& other) noexcept;
  ControlGroup(const ControlGroup&) = delete;
  ControlGroup& operator=(const ControlGroup&) = delete;
  // Its processes must have ended.
  ~ControlGroup();

  // A process joins by writing "0" to each of these, whatever it can see of the machine by then.
  [[nodiscard]] const std::vector<UniqueFd>& entrances() const { return entrances_; }
  // Whether a process of it was ended because there was no more memory for it.
  [[nodiscard]] bool ran_out_of_memory() const;

 private:
  ControlGroup() = default;
  void remove();

  std::vector<std::filesystem::path> folders_;  // one a controller where each has its own tree
  std::vector<UniqueFd> entrances_;
};

// Found out by making one, the first time that it is called in this process. Removes those that killed
// processes of this user left.
ControlGroups control_groups();

}  // namespace warpmark::sandbox
