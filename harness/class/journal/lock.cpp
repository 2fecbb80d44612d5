#include "harness/class/journal/lock.h"

#include <array>
#include <cerrno>
#include <ctime>
#include <system_error>

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/file.h>
#include <unistd.h>

namespace warpmark::classroom {

std::string user_name() {
  passwd entry{};
  passwd* found = nullptr;
  std::array<char, 4096> room{};
  getpwuid_r(getuid(), &entry, room.data(), room.size(), &found);
  return found != nullptr ? found->pw_name : fmt::format("user {}", getuid());
}

std::string now_text() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

Result<Lock> Lock::take(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "lock";
  const auto failed = [&] {
    return fail(fmt::format("{}: {}", file.string(), std::generic_category().message(errno)));
  };
  UniqueFd fd(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!fd) return failed();
  if (flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return failed();
    const auto holder = read_file(file);
    return fail(
        fmt::format("{} is in use by {}; wait until that run has ended, or choose another folder with --out",
                    folder.string(), holder && !holder->empty() ? *holder : "somebody"));
  }
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  const std::string text =
      fmt::format("{} on {}, process {}, since {}", user_name(), host.data(), getpid(), now_text());
  if (ftruncate(fd.get(), 0) != 0 || pwrite(fd.get(), text.data(), text.size(), 0) < 0) return failed();
  return Lock(std::move(fd));
}

}  // namespace warpmark::classroom
