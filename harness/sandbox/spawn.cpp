#include "harness/sandbox/spawn.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <iterator>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include "harness/base/file.h"
#include "harness/sandbox/keeper_protocol.h"

namespace warpmark::sandbox {

namespace {

namespace fs = std::filesystem;

// Owns the attributes and file actions of a posix_spawn call.
class SpawnPlan {
 public:
  SpawnPlan() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    sigset_t all;
    sigset_t none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    // A new session keeps Ctrl-C in the terminal from reaching the child. The child ends on its own when this
    // process does.
    posix_spawnattr_setflags(&attributes_,
                             POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }

  void null(int fd) { posix_spawn_file_actions_addopen(&actions_, fd, "/dev/null", O_RDWR, 0); }
  void place(int from, int to) { posix_spawn_file_actions_adddup2(&actions_, from, to); }

  Result<pid_t> spawn(const fs::path& program, const std::vector<std::string>& arguments,
                      const std::vector<std::string>& environment) const {
    const auto pointers = [](const std::vector<std::string>& texts) {
      std::vector<char*> list;
      list.reserve(texts.size() + 1);
      for (const std::string& text : texts) list.push_back(const_cast<char*>(text.c_str()));
      list.push_back(nullptr);
      return list;
    };
    pid_t pid = -1;
    const int error = posix_spawn(&pid, program.c_str(), &actions_, &attributes_, pointers(arguments).data(),
                                  pointers(environment).data());
    if (error != 0) return system_failure("cannot start " + program.string(), error);
    return pid;
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

std::vector<std::string> keeper_arguments(const Command& command, bool other_user, std::size_t groups) {
  int replaced = 0;
  for (std::size_t fd = 0; fd < command.standard_fds.size(); ++fd) {
    if (command.standard_fds[fd] >= 0) replaced |= 1 << fd;
  }
  const Confinement confinement = command.level == Level::none      ? Confinement::none
                                  : command.level == Level::process ? Confinement::limits
                                  : other_user                      ? Confinement::box_of_other_user
                                                                    : Confinement::box;
  std::vector<std::string> arguments{kKeeperName,
                                     std::to_string(command.pass_fds.size()),
                                     std::to_string(replaced),
                                     std::to_string(static_cast<int>(confinement)),
                                     std::to_string(command.file_size_cap),
                                     std::to_string(command.memory_cap),
                                     std::to_string(command.process_cap),
                                     std::to_string(command.cpu_cap.count()),
                                     command.folder.string(),
                                     std::to_string(groups),
                                     command.fixed_addresses ? "1" : "0"};
  arguments.insert(arguments.end(), command.argv.begin(), command.argv.end());
  return arguments;
}

Result<std::vector<UniqueFd>> open_copies(const Command& command) {
  std::vector<UniqueFd> files;
  if (command.level != Level::box) return files;
  for (const fs::path& path : command.box.copies) {
    files.emplace_back(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (!files.back()) return system_failure("cannot open " + path.string(), errno);
  }
  return files;
}

}  // namespace

tl::unexpected<Error> system_failure(std::string_view what, int error) {
  return fail(fmt::format("{}: {}", what, std::generic_category().message(error)));
}

Result<fs::path> find_keeper() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error) return system_failure("cannot tell where this program lies", error.value());
  const fs::path folder = self.parent_path();
  for (const fs::path& path : {folder / kKeeperName, folder.parent_path() / "bin" / kKeeperName}) {
    if (access(path.c_str(), X_OK) == 0) return path;
  }
  return fail(fmt::format("cannot find the program {} in {}: build or install it again", kKeeperName,
                          folder.string()));
}

Result<pid_t> start_keeper(const Command& command, const Machine& machine, int control, int status,
                           int output, const ControlGroup* group) {
  const Result<fs::path> keeper = find_keeper();
  if (!keeper) return tl::unexpected<Error>(keeper.error());
  const Result<std::vector<UniqueFd>> files = open_copies(command);
  if (!files) return tl::unexpected<Error>(files.error());

  std::vector<int> given{control, status, output};
  std::ranges::copy_if(command.standard_fds, std::back_inserter(given), [](int fd) { return fd >= 0; });
  given.insert(given.end(), command.pass_fds.begin(), command.pass_fds.end());
  if (group != nullptr) {
    for (const UniqueFd& entrance : group->entrances()) given.push_back(entrance.get());
  }
  const int first_copy_fd = kControlFd + static_cast<int>(given.size());
  for (const UniqueFd& file : *files) given.push_back(file.get());
  // Descriptors are first duplicated above all target numbers, so that no dup2 overwrites one that is still
  // needed.
  const int above = kControlFd + static_cast<int>(given.size());
  std::vector<UniqueFd> copies;
  SpawnPlan plan;
  for (const int fd : {0, 1, 2}) plan.null(fd);
  for (std::size_t i = 0; i < given.size(); ++i) {
    copies.emplace_back(fcntl(given[i], F_DUPFD_CLOEXEC, above));
    if (!copies.back()) return system_failure(fmt::format("cannot pass descriptor {}", given[i]), errno);
    plan.place(copies.back().get(), kControlFd + static_cast<int>(i));
  }
  std::vector<std::string> environment;
  for (const auto& [name, value] : command.environment)
    environment.push_back(fmt::format("{}={}", name, value));

  const bool boxed = command.level == Level::box;
  const bool other_user =
      boxed && command.box.other_user && machine.other_user && open_to_others(command.box);
  std::vector<std::string> arguments =
      keeper_arguments(command, other_user, group == nullptr ? 0 : group->entrances().size());
  if (!boxed) return plan.spawn(*keeper, arguments, environment);
  plan.place(kOutputFd, 2);  // bwrap writes error messages to descriptor 2
  arguments.front() = keeper->string();
  std::vector<std::string> all = bwrap_arguments(command.box, *keeper, other_user, first_copy_fd);
  all.insert(all.end(), arguments.begin(), arguments.end());
  return plan.spawn(machine.bwrap, all, environment);
}

}  // namespace warpmark::sandbox
