// What a boxed program sees: nothing of the machine but the system's programs and libraries, read-only, and
// what is named here.
//
// bubblewrap makes the namespaces (mount, process, network, IPC, host name, cgroup, and user for all but
// root), the keeper is the first process in them (process.h) and puts the system call filter on
// (filter.h). A box ends, with all that runs in it, when its keeper does.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace warpmark::sandbox {

struct Box {
  using Paths = std::vector<std::filesystem::path>;

  // All absolute; seen at their own places, but for `elsewhere`.
  Paths read_only;  // files and folders
  Paths copies;     // files of which it gets copies: those that other users may not read
  Paths writable;   // folders
  std::vector<std::pair<std::filesystem::path, std::filesystem::path>> elsewhere;  // folders, and as what
  Paths hidden;      // folders that it does not see even where they lie below /usr
  bool gpu = false;  // the NVIDIA devices
  // As a user of the machine that owns nothing, where that can be done (Machine::other_user). Otherwise the
  // program is the same user seen from outside, and another one, without rights, seen from inside.
  bool other_user = false;
};

// The user of a box: nobody.
inline constexpr unsigned kBoxUser = 65534;

// Whether the GPU's devices, if it wants them, are open to every user.
bool open_to_others(const Box& box);

// bwrap's own arguments. The contents of copies are read from the descriptors from first_copy_fd on.
std::vector<std::string> bwrap_arguments(const Box& box, const std::filesystem::path& keeper, bool other_user,
                                         int first_copy_fd);

}  // namespace warpmark::sandbox
