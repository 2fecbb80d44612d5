#include "harness/sandbox/box.h"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <system_error>

#include <sys/stat.h>

#include "harness/base/file.h"

namespace warpmark::sandbox {

namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

constexpr const char* kTemporaryBytes = "268435456";  // size of the sandbox's /tmp in bytes
constexpr const char* kSharedBytes = "67108864";      // size of the sandbox's /dev/shm in bytes

// True for paths below /usr, /bin, /lib and the like, which every sandbox contains.
bool is_system(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  if (error || !is_below(real, "/usr")) return false;
  const std::string top = path.has_root_path() ? (++path.begin())->string() : "";
  return top == "usr" || top == "bin" || top == "sbin" || top.starts_with("lib");
}

void add(Arguments& arguments, std::initializer_list<std::string> more) {
  arguments.insert(arguments.end(), more);
}

// Mounts a path read-only in the sandbox if it exists. Creates the parent folders explicitly, because bwrap
// would make them accessible only to the user who runs it.
void show_if_there(Arguments& arguments, const fs::path& path) {
  fs::path above;
  for (const fs::path& part : path.parent_path()) {
    above /= part;
    if (above.has_relative_path()) add(arguments, {"--dir", above.string()});
  }
  add(arguments, {"--ro-bind-try", path.string(), path.string()});
}

void add_system(Arguments& arguments) {
  add(arguments, {"--ro-bind", "/usr", "/usr"});
  for (const char* folder : {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}) {
    std::error_code error;
    if (const fs::path target = fs::read_symlink(folder, error); !error) {
      add(arguments, {"--symlink", target.string(), folder});
    } else {
      add(arguments, {"--ro-bind-try", folder, folder});
    }
  }
  // Mounts the dynamic linker's cache, the symbolic links through which compilers and CUDA toolkits are
  // found, and the files that report the number of processors.
  for (const char* file :
       {"/etc/ld.so.cache", "/etc/alternatives", "/sys/devices/system/cpu", "/sys/devices/system/node"}) {
    show_if_there(arguments, file);
  }
}

std::vector<fs::path> gpu_devices() {
  std::vector<fs::path> devices;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator("/dev", error)) {
    const std::string name = entry.path().filename();
    const bool numbered = name.starts_with("nvidia") && name.size() > 6 &&
                          name.find_first_not_of("0123456789", 6) == std::string::npos;
    if (numbered || name == "nvidiactl" || name == "nvidia-uvm" || name == "nvidia-uvm-tools" ||
        name == "nvidia-caps") {
      devices.push_back(entry.path());
    }
  }
  return devices;
}

void add_gpu(Arguments& arguments) {
  for (const fs::path& device : gpu_devices()) {
    add(arguments, {"--dev-bind-try", device.string(), device.string()});
  }
  // Mounts the folders that describe the GPU's place on the PCI bus, and the driver libraries of some
  // distributions.
  for (const char* folder : {"/sys/bus/pci", "/sys/devices", "/sys/module/nvidia", "/sys/module/nvidia_uvm",
                             "/run/opengl-driver"}) {
    show_if_there(arguments, folder);
  }
}

bool is_hidden(const Box& box, const fs::path& path) {
  return std::any_of(box.hidden.begin(), box.hidden.end(),
                     [&](const fs::path& folder) { return is_below(path, folder); });
}

// Creates the parent folders of all paths that a sandbox mounts. bwrap would create them itself, but
// accessible only to the user who runs it.
void add_folders_above(Arguments& arguments, const Box& box, const fs::path& keeper) {
  std::set<fs::path> folders;  // a sorted set, so that each folder is created before its subfolders
  const auto add_above = [&](const fs::path& path) {
    for (fs::path folder = path.parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
      folders.insert(folder);
    }
  };
  add_above(keeper);
  for (const Box::Paths* paths : {&box.read_only, &box.copies, &box.writable}) {
    for (const fs::path& path : *paths) {
      if (!is_system(path) || is_hidden(box, path)) add_above(path);
    }
  }
  for (const fs::path& folder : folders) add(arguments, {"--dir", folder.string()});
}

}  // namespace

bool open_to_others(const Box& box) {
  if (!box.gpu) return true;
  constexpr mode_t kOthers = S_IROTH | S_IWOTH;
  const std::vector<fs::path> devices = gpu_devices();
  return std::all_of(devices.begin(), devices.end(), [](const fs::path& device) {
    struct stat status {};
    return ::stat(device.c_str(), &status) == 0 &&
           (S_ISDIR(status.st_mode) || (status.st_mode & kOthers) == kOthers);
  });
}

Arguments bwrap_arguments(const Box& box, const fs::path& keeper, bool other_user, int first_copy_fd) {
  Arguments arguments{"bwrap",      "--unshare-pid", "--unshare-net",        "--unshare-ipc", "--unshare-uts",
                      "--hostname", "box",           "--unshare-cgroup-try", "--as-pid-1",    "--chdir",
                      "/"};
  if (!other_user) {
    const std::string user = std::to_string(kBoxUser);
    add(arguments, {"--unshare-user", "--uid", user, "--gid", user});
  }
  add_system(arguments);
  add(arguments, {"--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--size", kSharedBytes, "--tmpfs",
                  "/dev/shm", "--perms", "1777", "--size", kTemporaryBytes, "--tmpfs", "/tmp"});
  if (box.gpu) add_gpu(arguments);
  for (const fs::path& folder : box.hidden) {
    if (is_system(folder)) add(arguments, {"--tmpfs", folder.string()});
  }
  add_folders_above(arguments, box, keeper);
  const auto show = [&](const fs::path& path) {
    add(arguments, {"--ro-bind", path.string(), path.string()});
  };
  show(keeper);
  for (const fs::path& path : box.read_only) {
    if (!is_system(path) || is_hidden(box, path)) show(path);
  }
  for (const auto& [folder, seen] : box.elsewhere) {
    add(arguments, {"--ro-bind", folder.string(), seen.string()});
  }
  for (std::size_t i = 0; i < box.copies.size(); ++i) {
    add(arguments, {"--perms", "0444", "--ro-bind-data", std::to_string(first_copy_fd + static_cast<int>(i)),
                    box.copies[i].string()});
  }
  for (const fs::path& folder : box.writable) add(arguments, {"--bind", folder.string(), folder.string()});
  add(arguments, {"--remount-ro", "/dev", "--remount-ro", "/"});
  return arguments;
}

}  // namespace warpmark::sandbox
