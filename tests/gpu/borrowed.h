// A version that looks for the function WANTED in the libraries of its process, by /proc/self/maps and their
// symbol tables, and calls it. Without such a function it adds with one atomic per value, several times over.
#pragma once
#include <cstdint>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <elf.h>

#include "atomic_add.h"
#include "reduction.h"

constexpr unsigned kThreads = 256;
constexpr int kTimesOver = 4;

__global__ void add_slowly(const value_t* values, std::size_t n, value_t* sum) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) atomic_add(sum, values[i]);
}

static std::vector<char> bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream all;
  all << file.rdbuf();
  const std::string text = all.str();
  return {text.begin(), text.end()};
}

// The offset of a function that the library defines; 0: it defines none of that name.
static std::uint64_t offset_in(const std::vector<char>& library, const char* function) {
  if (library.size() < sizeof(Elf64_Ehdr) || std::memcmp(library.data(), ELFMAG, SELFMAG) != 0) return 0;
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(library.data());
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(library.data() + header->e_shoff);
  for (unsigned s = 0; s < header->e_shnum; ++s) {
    if (sections[s].sh_type != SHT_DYNSYM) continue;
    const char* names = library.data() + sections[sections[s].sh_link].sh_offset;
    const auto* symbols = reinterpret_cast<const Elf64_Sym*>(library.data() + sections[s].sh_offset);
    for (std::uint64_t k = 0; k < sections[s].sh_size / sizeof(Elf64_Sym); ++k) {
      const Elf64_Sym& symbol = symbols[k];
      if (symbol.st_value != 0 && std::strcmp(names + symbol.st_name, function) == 0) return symbol.st_value;
    }
  }
  return 0;
}

static reduce_fn* find(const char* function, reduce_fn* own) {
  std::ifstream maps("/proc/self/maps");
  std::set<std::string> seen;
  for (std::string line; std::getline(maps, line);) {
    const std::size_t path = line.find('/');
    if (path == std::string::npos || !seen.insert(line.substr(path)).second) continue;
    const std::uint64_t offset = offset_in(bytes_of(line.substr(path)), function);
    auto* found = reinterpret_cast<reduce_fn*>(std::stoull(line, nullptr, 16) + offset);
    if (offset != 0 && found != own) return found;
  }
  return nullptr;
}

extern "C" void VERSION(const value_t* values, std::size_t n, value_t* sum, Workspace work,
                        cudaStream_t stream) {
  static reduce_fn* const found = find(WANTED, VERSION);
  if (found != nullptr) return found(values, n, sum, work, stream);
  for (int i = 0; i < kTimesOver; ++i) {
    cudaMemsetAsync(sum, 0, sizeof(value_t), stream);
    if (n > 0)
      add_slowly<<<static_cast<unsigned>((n + kThreads - 1) / kThreads), kThreads, 0, stream>>>(values, n,
                                                                                                sum);
  }
}
