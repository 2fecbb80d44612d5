// Archives that students hand in: what is in them, by names and by contents, and whose it is.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

#include "harness/class/intake/delivery.h"
#include "harness/class/intake/names.h"
#include "harness/class/intake/tree.h"

namespace {

namespace fs = std::filesystem;
using namespace warpmark::classroom;

// Small ones, so that a bomb is one soon.
constexpr Caps kCaps{1 << 16, 1 << 18, 100};

void require(bool holds) {
  if (!holds) std::abort();
}

// A file without a name in memory, written anew for each input.
class Input {
 public:
  Input() : fd_(::memfd_create("input", MFD_CLOEXEC)), path_("/proc/self/fd/" + std::to_string(fd_)) {
    require(fd_ >= 0);
  }
  const fs::path& hold(const std::uint8_t* data, std::size_t size) const {
    require(::ftruncate(fd_, 0) == 0);
    require(::pwrite(fd_, data, size, 0) == static_cast<ssize_t>(size));
    return path_;
  }

 private:
  int fd_;
  fs::path path_;
};

void look_at(const Tree& tree) {
  require(tree.bytes <= kCaps.bytes && tree.entries <= kCaps.entries);
  for (const TreeFile& file : tree.files) {
    const fs::path path(file.path);
    require(!file.path.empty() && path.is_relative() && path == path.lexically_normal());
    require(*path.begin() != "..");
    require(safe_path(file.path).has_value());
  }
  split(tree, "input");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Input input;
  static const fs::path staging = "/dev/shm/warpmark-fuzz-" + std::to_string(::getpid());
  const fs::path& path = input.hold(data, size);
  if (const auto listed = list_archive(path, kCaps)) look_at(*listed);
  // To unpack costs files: one in eight.
  if (size == 0 || data[size / 2] % 8 != 0) return 0;
  if (const auto unpacked = read_archive(path, staging, kCaps, "input.zip")) {
    look_at(*unpacked);
    for (const TreeFile& file : unpacked->files) require(file.file.parent_path() == staging);
  }
  std::error_code ignored;
  fs::remove_all(staging, ignored);
  return 0;
}
