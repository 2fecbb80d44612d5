// Interposes C library functions that free memory or pass it to a system call, and reports their accesses to
// watched memory (host memory that pending device work uses). They would go unnoticed: on protected pages a
// system call fails with EFAULT where a direct access would fault, and free() may touch no page at all.
#include <cstdio>

#include <malloc.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/simulator/program/watched_memory.h"

using warpmark::simulator::HostAccess;
using warpmark::simulator::WatchedMemory;

// glibc's own implementations of free, fread and fwrite, which the interposed functions call.
extern "C" {
void __libc_free(void* block);
size_t _IO_fread(void* to, size_t size, size_t count, FILE* file);
size_t _IO_fwrite(const void* from, size_t size, size_t count, FILE* file);
}

namespace {

// Returns the object that detects premature accesses to host memory, for an interposed C library function to
// report its access to; null if no memory is watched, or the CUDA runtime library itself makes the access.
WatchedMemory* interested() {
  WatchedMemory* memory = WatchedMemory::current();
  return memory != nullptr && memory->is_watching() && !WatchedMemory::in_library() ? memory : nullptr;
}

}  // namespace

extern "C" {

void free(void* block) noexcept {
  if (WatchedMemory* memory = interested(); memory != nullptr && block != nullptr)
    memory->called("free", HostAccess::free, block, malloc_usable_size(block));
  __libc_free(block);
}

size_t fread(void* to, size_t size, size_t count, FILE* file) {
  if (WatchedMemory* memory = interested()) memory->called("fread", HostAccess::write, to, size * count);
  return _IO_fread(to, size, count, file);
}

size_t fwrite(const void* from, size_t size, size_t count, FILE* file) {
  if (WatchedMemory* memory = interested()) memory->called("fwrite", HostAccess::read, from, size * count);
  return _IO_fwrite(from, size, count, file);
}

ssize_t read(int file, void* to, size_t count) {
  if (WatchedMemory* memory = interested()) memory->called("read", HostAccess::write, to, count);
  return syscall(SYS_read, file, to, count);
}

ssize_t write(int file, const void* from, size_t count) {
  if (WatchedMemory* memory = interested()) memory->called("write", HostAccess::read, from, count);
  return syscall(SYS_write, file, from, count);
}

}  // extern "C"
