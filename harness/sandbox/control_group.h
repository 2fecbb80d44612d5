// Control group (cgroup) for one program and all its descendants. The kernel enforces limits on their total
// memory and number of tasks immediately, whereas polling by the supervising process would see an excess only
// after up to 100 ms.
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

// Version of the cgroup hierarchy in which this user can create groups on this machine. With `none`, limits
// are enforced per process (setrlimit) and by polling.
enum class ControlGroups { none, v1, v2 };
constexpr std::array<std::string_view, 3> names_of(ControlGroups /*type*/) {
  return {"none", "v1", "v2"};
}

class ControlGroup {
 public:
  struct Limits {
    std::size_t memory = 0;  // limit in bytes on the memory of all processes in the cgroup; 0: none
    int tasks = 0;           // limit on the number of processes and threads in the cgroup; 0: none
  };

  // Creates a cgroup with the given limits on memory and tasks; nullopt on failure.
  static std::optional<ControlGroup> make(ControlGroups groups, const Limits& limits);
  ControlGroup(ControlGroup&& other) noexcept = default;
  ControlGroup& operator=(ControlGroup&& other) noexcept;
  ControlGroup(const ControlGroup&) = delete;
  ControlGroup& operator=(const ControlGroup&) = delete;
  // Removes the cgroup. All of its processes must have ended.
  ~ControlGroup();

  // Returns open descriptors of the group's membership files. A process joins the group by writing "0" to
  // each, even if it cannot see the cgroup file system.
  [[nodiscard]] const std::vector<UniqueFd>& entrances() const { return entrances_; }
  // True if the kernel's OOM killer has killed a process of the group.
  [[nodiscard]] bool ran_out_of_memory() const;

 private:
  ControlGroup() = default;
  void remove();

  // Folders of the cgroup: with v1 one per controller, with v2 only one.
  std::vector<std::filesystem::path> folders_;
  std::vector<UniqueFd> entrances_;
};

// Returns the usable cgroup version, found by creating a group on the first call in this process. That call
// also removes groups which killed processes of this user left behind.
ControlGroups control_groups();

}  // namespace warpmark::sandbox
