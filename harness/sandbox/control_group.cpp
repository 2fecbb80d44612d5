#include "harness/sandbox/control_group.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/text.h"

namespace warpmark::sandbox {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMount = "/sys/fs/cgroup";
constexpr int kTries = 100;
// Prefix of a cgroup's name, followed by "<creating process ID>-<counter>".
constexpr std::string_view kName = "warpmark-";

// Returns the path of this process's cgroup, such as "/a/b", in the hierarchy of a v1 controller, or in the
// single v2 hierarchy if controller is "".
std::string own_group(std::string_view controller) {
  const auto groups = read_file("/proc/self/cgroup");
  if (!groups) return "/";
  std::string_view rest = *groups;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    if (line.substr(first + 1, second - first - 1) == controller) return std::string(line.substr(second + 1));
  }
  return "/";
}

bool write_value(const fs::path& file, std::string_view value) {
  const UniqueFd fd(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
  return fd && write_all(fd.get(), value) == 0;
}

// Returns the folders in which cgroups can be created, one per controller. In v2, returns the
// group of this process if it delegates the controllers to subgroups, else the root group. A group that
// contains processes cannot delegate, except for the root group.
std::vector<fs::path> parents(ControlGroups groups) {
  const fs::path mount(kMount);
  std::vector<fs::path> found;
  if (groups == ControlGroups::v2) {
    for (const fs::path& folder : {mount / own_group("").substr(1), mount}) {
      const std::string handed_on = read_file(folder / "cgroup.subtree_control").value_or("");
      if (handed_on.find("memory") != std::string::npos && handed_on.find("pids") != std::string::npos)
        return {folder};
    }
    return {};
  }
  for (const char* controller : {"memory", "pids"}) {
    const fs::path own = mount / controller / own_group(controller).substr(1);
    std::error_code error;
    found.push_back(fs::is_directory(own, error) ? own : mount / controller);
  }
  return found;
}

std::array<std::pair<const char*, std::string>, 2> settings(ControlGroups groups,
                                                            const ControlGroup::Limits& limits) {
  return {
      {{groups == ControlGroups::v2 ? "memory.max" : "memory.limit_in_bytes", std::to_string(limits.memory)},
       {"pids.max", std::to_string(limits.tasks)}}};
}

// Removes cgroups named "warpmark-<process ID>-<counter>" whose creating process no longer exists.
void remove_abandoned(const fs::path& parent) {
  std::error_code error;
  for (fs::directory_iterator entry(parent, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(kName)) continue;
    const auto owner = number_in<int>(name.substr(kName.size(), name.find('-', kName.size()) - kName.size()));
    if (owner && ::kill(*owner, 0) != 0 && errno == ESRCH) ::rmdir(entry->path().c_str());
  }
}

}  // namespace

std::optional<ControlGroup> ControlGroup::make(ControlGroups groups, const Limits& limits) {
  static std::atomic<unsigned> made{0};
  if (groups == ControlGroups::none) return std::nullopt;
  const std::string name = fmt::format("{}{}-{}", kName, ::getpid(), ++made);
  ControlGroup group;
  for (const fs::path& parent : parents(groups)) {
    const fs::path folder = parent / name;
    if (::mkdir(folder.c_str(), 0755) != 0) return std::nullopt;
    group.folders_.push_back(folder);
    group.entrances_.emplace_back(::open((folder / "cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC));
    if (!group.entrances_.back()) return std::nullopt;
  }
  if (group.folders_.empty()) return std::nullopt;
  // Of the cgroup's folders, one per controller in cgroup v1, the first belongs to the memory controller and
  // the last to the pids controller. In cgroup v2 both are the same folder.
  const auto [memory, tasks] = settings(groups, limits);
  if (limits.memory != 0 && !write_value(group.folders_.front() / memory.first, memory.second))
    return std::nullopt;
  if (limits.tasks != 0 && !write_value(group.folders_.back() / tasks.first, tasks.second))
    return std::nullopt;
  return group;
}

ControlGroup& ControlGroup::operator=(ControlGroup&& other) noexcept {
  if (this != &other) {
    remove();
    folders_ = std::exchange(other.folders_, {});
    entrances_ = std::exchange(other.entrances_, {});
  }
  return *this;
}

ControlGroup::~ControlGroup() {
  remove();
}

void ControlGroup::remove() {
  entrances_.clear();
  for (const fs::path& folder : folders_) {
    // rmdir fails with EBUSY while the kernel still removes the last, already reaped process from the group.
    for (int tries = 0; ::rmdir(folder.c_str()) != 0 && errno == EBUSY && tries < kTries; ++tries)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  folders_.clear();
}

bool ControlGroup::ran_out_of_memory() const {
  if (folders_.empty()) return false;
  for (const char* file : {"memory.events", "memory.oom_control"}) {
    const std::string events = read_file(folders_.front() / file).value_or("");
    constexpr std::string_view kKilled = "oom_kill ";
    const std::size_t at = events.find(kKilled);
    if (at != std::string::npos) return events.substr(at + kKilled.size()).find_first_of("123456789") == 0;
  }
  return false;
}

namespace {

ControlGroups look_for_control_groups() {
  constexpr ControlGroup::Limits kAny{std::size_t{64} << 20, 64};
  for (const ControlGroups groups : {ControlGroups::v2, ControlGroups::v1}) {
    if (!ControlGroup::make(groups, kAny)) continue;
    for (const fs::path& parent : parents(groups)) remove_abandoned(parent);
    return groups;
  }
  return ControlGroups::none;
}

}  // namespace

ControlGroups control_groups() {
  static const ControlGroups found = look_for_control_groups();
  return found;
}

}  // namespace warpmark::sandbox
