// Describes what a boxed program sees: the system's programs and libraries, read-only, and the paths listed
// here.
//
// bubblewrap creates the namespaces (mount, PID, network, IPC, UTS, cgroup, and a user namespace unless run
// by root). The keeper is the first process in them (process.h) and installs the system call filter
// (filter.h). When the keeper ends, the box ends with all its processes.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace warpmark::sandbox {

struct Box {
  using Paths = std::vector<std::filesystem::path>;

  // Absolute paths, mounted at the same place except for `elsewhere`.
  Paths read_only;  // files and folders
  Paths copies;     // files that are copied into the box, because other users may not read them
  Paths writable;   // folders
  std::vector<std::pair<std::filesystem::path, std::filesystem::path>> elsewhere;  // folder, path in box
  Paths hidden;      // folders that are hidden although they lie below /usr
  bool gpu = false;  // show the NVIDIA devices
  // Run as a user of the machine that owns nothing, if possible (Machine::other_user). Otherwise the program
  // runs as this process's user outside, mapped to an unprivileged user inside the user namespace.
  bool other_user = false;
};

// User ID inside a box: nobody.
inline constexpr unsigned kBoxUser = 65534;

// Returns true if the box needs no GPU or every user may open the GPU's devices.
bool open_to_others(const Box& box);

// Returns bwrap's arguments. It reads the contents of `copies` from consecutive descriptors from
// first_copy_fd on.
std::vector<std::string> bwrap_arguments(const Box& box, const std::filesystem::path& keeper, bool other_user,
                                         int first_copy_fd);

}  // namespace warpmark::sandbox
