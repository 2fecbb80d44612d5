// The way to the simulated device, taken past the CUDA runtime: a file that submissions of device.toml bring
// along, so that it includes nothing of the harness. tests/device/messages_test.cpp holds it against the
// harness's own declarations.
#pragma once

#include <cstdio>
#include <cstring>

#include <unistd.h>

namespace past_the_runtime {

// Numbers of messages.
constexpr unsigned kMark = 1010;
constexpr unsigned kBeginCall = 1011;
constexpr unsigned kSave = 1018;

struct Mailbox {
  unsigned turn, asleep;
  int owner;
  unsigned kind, posted, bytes, site, attached, thread, own_default_stream, watches;
  alignas(64) unsigned char room[1 << 20];
};

inline volatile Mailbox* mailbox() {
  std::FILE* maps = std::fopen("/proc/self/maps", "r");
  char line[512];
  unsigned long begin = 0;
  while (maps != nullptr && begin == 0 && std::fgets(line, sizeof line, maps) != nullptr)
    if (std::strstr(line, "warpmark mailbox") != nullptr) std::sscanf(line, "%lx", &begin);
  if (maps != nullptr) std::fclose(maps);
  return reinterpret_cast<volatile Mailbox*>(begin);
}

// The error that the device answers with; -1 without a device.
inline int send(const void* message, unsigned bytes) {
  static volatile Mailbox* const box = mailbox();
  if (box == nullptr) return -1;
  std::memcpy(const_cast<unsigned char*>(box->room), message, bytes);
  box->kind = 0;
  box->posted = 0;
  box->site = 0;
  box->attached = 0;
  box->bytes = bytes;
  __atomic_store_n(&box->turn, 1u, __ATOMIC_SEQ_CST);
  for (int i = 0; i < 20000 && __atomic_load_n(&box->turn, __ATOMIC_SEQ_CST) != 0; ++i) usleep(100);
  int error = -1;
  std::memcpy(&error, const_cast<unsigned char*>(box->room), sizeof error);
  return error;
}

}  // namespace past_the_runtime
