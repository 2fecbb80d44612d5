// A library whose constructor tries what a submission must not do. It ends the process with a status of its
// own when one of its attempts worked.

#include <cstdlib>
#include <string>
#include <thread>

#include <dirent.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

bool opens(const char* path, int flags) {
  return open(path, flags, 0600) >= 0;
}

int processes() {
  int count = 0;
  DIR* folder = opendir("/proc");
  while (const dirent* entry = readdir(folder)) count += std::atoi(entry->d_name) != 0 ? 1 : 0;
  closedir(folder);
  return count;
}

bool forks() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  return child > 0;
}

struct Trespasser {
  Trespasser() {
    if (opens(WARPMARK_ROOT "/README.md", O_RDONLY)) _exit(41);
    if (opens(WARPMARK_CACHE "/CMakeCache.txt", O_RDONLY)) _exit(42);
    if (opens("/libraries/planted.so", O_WRONLY | O_CREAT)) _exit(43);
    if (opens("/libraries/1.so", O_WRONLY)) _exit(44);
    if (processes() != 2) _exit(45);  // the keeper and this one
    if (forks()) _exit(46);
    if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0) _exit(47);
    if (getuid() == 0) _exit(48);
    bool ran = false;
    std::thread([&] { ran = true; }).join();
    if (!ran) _exit(49);  // this one it may
  }
} const kTrespasser;

}  // namespace
