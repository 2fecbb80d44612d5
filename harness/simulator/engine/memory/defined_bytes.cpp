#include "harness/simulator/engine/memory/defined_bytes.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <system_error>
#include <vector>

#include <sys/mman.h>

#include "harness/simulator/engine/memory/mappings.h"

namespace warpmark::simulator {
namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};

}  // namespace

DefinedBytes::DefinedBytes(std::size_t bytes) : words_((bytes + 63) / 64) {
  void* bits = mmap(nullptr, words_ * sizeof(std::uint64_t), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (bits == MAP_FAILED)
    throw std::system_error(errno, std::generic_category(), "reserve the map of defined bytes");
  bits_ = static_cast<std::uint64_t*>(bits);
}

DefinedBytes::~DefinedBytes() {
  munmap(bits_, words_ * sizeof(std::uint64_t));
}

template <class Visit>
void DefinedBytes::visit(std::size_t offset, std::size_t bytes, Visit fn) const {
  const std::size_t end = offset + bytes;
  while (offset < end) {
    const std::size_t count = std::min(64 - offset % 64, end - offset);
    const std::uint64_t ones = count == 64 ? kAll : (std::uint64_t{1} << count) - 1;
    fn(bits_[offset / 64], ones << offset % 64);
    offset += count;
  }
}

void DefinedBytes::define_all(std::size_t offset, std::size_t bytes) {
  visit(offset, bytes,
        [](std::uint64_t& word, std::uint64_t mask) { __atomic_fetch_or(&word, mask, __ATOMIC_RELAXED); });
}

void DefinedBytes::undefine_all(std::size_t offset, std::size_t bytes) {
  const std::size_t first = (offset + 63) / 64;
  const std::size_t last = (offset + bytes) / 64;
  const auto clear = [](std::uint64_t& word, std::uint64_t mask) { word &= ~mask; };
  if (first >= last) return visit(offset, bytes, clear);
  visit(offset, first * 64 - offset, clear);
  zero(bits_ + first, (last - first) * sizeof(std::uint64_t));
  visit(last * 64, offset + bytes - last * 64, clear);
}

void DefinedBytes::copy(std::size_t to, std::size_t from, std::size_t bytes) {
  const Undefined holes = undefined_in(from, bytes);
  if (holes.bytes == 0) return define_all(to, bytes);
  std::vector<bool> set(bytes);
  for (std::size_t i = 0; i < bytes; ++i) set[i] = at(from + i);
  for (std::size_t i = 0; i < bytes;) {
    std::size_t end = i + 1;
    while (end < bytes && set[end] == set[i]) ++end;
    if (set[i])
      define_all(to + i, end - i);
    else
      undefine_all(to + i, end - i);
    i = end;
  }
}

void DefinedBytes::each_hole(std::size_t offset, std::size_t bytes,
                             const std::function<bool(std::size_t, std::size_t)>& fn) const {
  std::size_t done = 0;
  std::size_t begin = 0;
  bool inside = false;
  bool go_on = true;
  visit(offset, bytes, [&](const std::uint64_t& word, std::uint64_t mask) {
    const std::uint64_t rest = (~load(word) & mask) >> std::countr_zero(mask);
    const auto count = static_cast<std::size_t>(std::popcount(mask));
    for (std::size_t at = 0; go_on && at < count;) {
      const bool hole = (rest >> at & 1) != 0;
      const std::uint64_t same = hole ? rest >> at : ~(rest >> at);
      if (hole && !inside) begin = done + at;
      if (!hole && inside) go_on = fn(begin, done + at);
      inside = hole;
      at += std::min<std::size_t>(count - at, static_cast<std::size_t>(std::countr_one(same)));
    }
    done += count;
  });
  if (inside && go_on) fn(begin, bytes);
}

DefinedBytes::Undefined DefinedBytes::undefined_in(std::size_t offset, std::size_t bytes) const {
  Undefined found;
  each_hole(offset, bytes, [&](std::size_t first, std::size_t end) {
    if (found.bytes == 0) found.first = first;
    found.bytes += end - first;
    return true;
  });
  return found;
}

}  // namespace warpmark::simulator
