// A control group (cgroup) for one program and all its descendants. The kernel enforces the limits on their
// total memory and number of tasks at once; a watchdog only checks ten times per second.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/base/file.h"
#include "harness/base/names.h"

namespace warpmark::sandbox {

// The cgroup version that this user can write to on this machine. With `none`, per-process limits and a
// watchdog are used instead.
enum class ControlGroups { none, v1, v2 };
constexpr std::array<std::string_view, 3> names_of(ControlGroups /*type*/) {
  return {"none", "v1", "v2"};
}

class ControlGroup {
 public:
  struct Limits {
    std::size_t memory = 0;  // bytes
    int tasks = 0;           // processes and threads
  };

  // Returns nullopt if the group cannot be created.
  static std::optional<ControlGroup> make(ControlGroups groups, const Limits& limits);
  ControlGroup(ControlGroup&& other) noexcept = default;
  ControlGroup& operator=(ControlGroup&& other) noexcept;
  ControlGroup(const ControlGroup&) = delete;
  ControlGroup& operator=(const ControlGroup&) = delete;
  // All processes of the group must have ended.
  ~ControlGroup();

  // A process joins the group by writing "0" to each of these descriptors, even if it no longer sees the
  // cgroup file system.
  [[nodiscard]] const std::vector<UniqueFd>& entrances() const { return entrances_; }
  // Returns true if the kernel's OOM killer ended a process of the group.
  [[nodiscard]] bool ran_out_of_memory() const;

 private:
  ControlGroup() = default;
  void remove();

  std::vector<std::filesystem::path> folders_;  // one per controller with v1, one with v2
  std::vector<UniqueFd> entrances_;
};

// Detects the usable cgroup version by creating a group, once per process. Also removes groups left behind by
// killed processes of this user.
ControlGroups control_groups();

}  // namespace warpmark::sandbox
