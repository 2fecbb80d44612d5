// File system of a sandboxed program: the system's programs and libraries, read-only, and the paths listed in
// Box.
//
// bubblewrap (bwrap) creates the sandbox from namespaces: mount, PID, network, IPC, UTS, cgroup, and a user
// namespace unless root runs it. The keeper, our supervising process (process.h), is the first process in
// them and installs the system call filter (filter.h). When the keeper ends, the kernel ends all processes of
// the sandbox.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace warpmark::sandbox {

struct Box {
  using Paths = std::vector<std::filesystem::path>;

  // Files and folders that a program in the sandbox can access, under the same paths as outside.
  Paths read_only;  // files and folders that the sandbox mounts read-only
  Paths copies;     // files to copy into the sandbox, because its user may not read the originals
  Paths writable;   // folders that the sandbox mounts writable
  // Pairs of a folder and the path at which the sandbox shows it.
  std::vector<std::pair<std::filesystem::path, std::filesystem::path>> elsewhere;
  Paths hidden;      // folders below /usr that are hidden in the sandbox
  bool gpu = false;  // true: the NVIDIA device files are accessible in the sandbox
  // If true and possible (Machine::other_user), the program runs as a separate, unprivileged user of the
  // machine. Otherwise it runs as the calling process's user, mapped to an unprivileged user ID in a user
  // namespace.
  bool other_user = false;
};

// User ID of the program inside a sandbox with a user namespace, and group ID inside any: nobody.
inline constexpr unsigned kBoxUser = 65534;

// True if the sandbox needs no GPU, or every user may open the GPU's device files.
bool open_to_others(const Box& box);

// Returns the command-line arguments of bwrap that create the sandbox. bwrap will read the contents of
// `copies` from consecutive descriptors, starting at first_copy_fd.
std::vector<std::string> bwrap_arguments(const Box& box, const std::filesystem::path& keeper, bool other_user,
                                         int first_copy_fd);

}  // namespace warpmark::sandbox
