// Kernels of random accesses: to shared and to global memory, of all widths and patterns, between random
// barriers and fences. What they touch does not depend on what they read.
#pragma once

#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "harness/simulator/engine/machine/random.h"

namespace warpmark::simulator::test {

class RandomKernel {
 public:
  static constexpr std::uint32_t kBlockBytes = 512;  // of an array, that a block may have to itself
  static constexpr std::uint32_t kArrayBytes = 4 * kBlockBytes;

  struct Traits {
    bool own_parts = false;   // blocks share no memory
    bool long_begin = false;  // the first block takes long enough for a second host thread to start
  };

  RandomKernel(std::uint64_t seed, Traits traits) : random_(seed), traits_(traits) {
    threads = pick<std::uint32_t>({32, 64, 64, 80, 96});
    blocks = pick<std::uint32_t>({1, 2, 3, 4});
    if (traits.long_begin) blocks = 4;
    narrow_ = one_in(3);
    fences_ = one_in(4);
    parts_ = one_in(6);
    shared_ = !one_in(4);
    barriers_ = random_.below(60);
    calm_ = one_in(3);
    hot_ = !calm_ && one_in(3);
    if (traits.long_begin)
      body =
          "mov.u32 %r41, 0;\nLONG:\nadd.s32 %r41, %r41, 1;\nsetp.lt.s32 %p2, %r41, 2000;\n@%p2 bra LONG;\n";
    body += values();
    if (calm_) body += fill();
    const std::uint64_t operations = 3 + random_.below(10);
    const bool loops = one_in(4);
    const std::uint64_t loop_begin = loops ? random_.below(operations) : operations;
    for (std::uint64_t n = 0; n < operations; ++n) {
      if (n == loop_begin) body += "LOOP:\n";
      body += fmt::format(".loc 1 {} 1\n", line_++);
      if (calm_) {
        access();
        body += "bar.sync 0;\n";
      } else if (random_.below(100) < barriers_) {
        synchronise();
      } else {
        access();
      }
    }
    if (loops) body += "add.s32 %r40, %r40, 1;\nsetp.lt.s32 %p2, %r40, 3;\n@%p2 bra LOOP;\n";
  }

  std::uint32_t threads = 0, blocks = 0;
  std::string declarations = fmt::format(".shared .align 16 .b8 data[{}];\n", kBlockBytes);
  std::string body;

 private:
  [[nodiscard]] bool one_in(std::uint64_t n) { return random_.below(n) == 0; }
  template <class T>
  T pick(const std::vector<T>& of) {
    return of[random_.below(of.size())];
  }

  // What is stored: in all threads the same, or each one's number in the block or the grid. %r40 counts
  // rounds.
  static std::string values() {
    std::string text = "mov.u32 %r40, 0;\n";
    const char* sources[] = {"7", "%r1", "%r4"};
    for (unsigned n = 0; n < std::size(sources); ++n) {
      for (unsigned k = 0; k < 4; ++k) text += fmt::format("mov.u32 %r{}, {};\n", 20 + 4 * n + k, sources[n]);
      for (unsigned k = 0; k < 2; ++k)
        text += fmt::format("cvt.u64.u32 %rd{}, %r{};\n", 20 + 2 * n + k, 20 + 4 * n);
      text += fmt::format("cvt.u16.u32 %rs{}, %r{};\n", n, 20 + 4 * n);
    }
    return text;
  }
  // Sets all elements of shared memory.
  static std::string fill() {
    return fmt::format(
        "mov.u64 %rd11, data;\nmul.wide.u32 %rd10, %r1, 16;\nadd.s64 %rd10, %rd10, %rd11;\n"
        "setp.lt.u32 %p1, %r1, {};\n@%p1 st.shared.v4.u32 [%rd10], {{%r20, %r21, %r22, %r23}};\nbar.sync "
        "0;\n",
        kBlockBytes / 16);
  }
  static constexpr unsigned kLoaded = 3;  // whose registers loads overwrite
  static std::string registers(std::uint32_t width, unsigned vector, unsigned source) {
    const unsigned each = width / vector;
    std::string text;
    for (unsigned k = 0; k < vector; ++k) {
      if (k > 0) text += ", ";
      if (each < 4)
        text += fmt::format("%rs{}", source);
      else if (each == 4)
        text += fmt::format("%r{}", 20 + 4 * source + k);
      else
        text += fmt::format("%rd{}", 20 + 2 * source + k);
    }
    return vector == 1 ? text : "{" + text + "}";
  }

  void synchronise() {
    const std::string skip = fmt::format("SKIP{}", line_);
    switch (random_.below(8)) {
      case 0:
      case 1:
        body += "bar.warp.sync 0xffffffff;\n";
        return;
      case 2:  // half of each warp
        body += fmt::format(
            "and.b32 %r10, %r1, 16;\nsetp.ne.u32 %p1, %r10, 0;\n@%p1 bra {0};\n"
            "bar.warp.sync 0x0000ffff;\n{0}:\n",
            skip);
        return;
      case 3:  // the first warp
        if (!parts_) break;
        body += fmt::format("setp.ge.u32 %p1, %r1, 32;\n@%p1 bra {0};\nbar.sync 1, 32;\n{0}:\n", skip);
        return;
      case 4:
        if (!parts_ || threads < 64) break;
        body += fmt::format("setp.ge.u32 %p1, %r1, 64;\n@%p1 bra {0};\nbar.sync 2, 64;\n{0}:\n", skip);
        return;
      case 5:
      case 6:
        if (!fences_) break;
        body += pick<const char*>({"membar.gl;\n", "membar.cta;\n"});
        return;
      default:
        break;
    }
    body += "bar.sync 0;\n";
  }

  // The address of an element of `width` bytes, in %rd10.
  void address(const std::string& base, std::uint32_t width, bool shared) {
    const std::uint32_t elements = kBlockBytes / width;
    const auto offset = hot_ ? 0 : pick<std::uint64_t>({0, 0, 0, 32, 1, random_.below(elements)});
    switch (calm_ ? 8 : hot_ ? pick<std::uint64_t>({0, 8}) : random_.below(9)) {
      case 0:  // one for all
        body += fmt::format("mov.u32 %r10, {};\n", offset);
        break;
      case 1:
        body +=
            fmt::format("mul.lo.s32 %r10, %r1, {};\nadd.s32 %r10, %r10, {};\n", 2 + random_.below(3), offset);
        break;
      case 2:
        body += fmt::format("mul.lo.s32 %r10, %r1, {};\nxor.b32 %r10, %r10, {};\n", 5 + 2 * random_.below(9),
                            offset);
        break;
      case 3:  // neighbours share one
        body +=
            fmt::format("shr.u32 %r10, %r1, {};\nadd.s32 %r10, %r10, {};\n", 1 + random_.below(4), offset);
        break;
      case 4:
        body += fmt::format("sub.s32 %r10, {}, %r1;\n", threads - 1 + offset);
        break;
      case 5:  // warps share them
        body += fmt::format("and.b32 %r10, %r1, 31;\nadd.s32 %r10, %r10, {};\n", offset);
        break;
      default:
        body += fmt::format("add.s32 %r10, %r1, {};\n", offset);
    }
    if (one_in(3)) body += fmt::format("mad.lo.s32 %r10, %r40, {}, %r10;\n", pick<std::uint64_t>({1, 32}));
    body += fmt::format("and.b32 %r10, %r10, {};\n", elements - 1);
    if (!shared && (traits_.own_parts || calm_ || one_in(2)))
      body += fmt::format("mad.lo.s32 %r10, %r2, {}, %r10;\n", elements);
    body += fmt::format("mul.wide.u32 %rd10, %r10, {};\n", width);
    if (shared) body += "mov.u64 %rd11, data;\n";
    body += fmt::format("add.s64 %rd10, %rd10, {};\n", base);
  }

  // Which lanes take part.
  std::string guard() {
    switch (random_.below(hot_ ? 4 : 9)) {
      case 0:
        body += fmt::format("setp.lt.u32 %p1, %r1, {};\n", random_.below(threads));
        return "@%p1 ";
      case 1:
        body += fmt::format("and.b32 %r11, %r1, {};\nsetp.eq.u32 %p1, %r11, 0;\n", 1 + random_.below(31));
        return "@%p1 ";
      case 2:
        body += fmt::format("setp.eq.u32 %p1, %r1, {};\n",
                            pick<std::uint64_t>({0, 0, 31, random_.below(threads)}));
        return "@%p1 ";
      default:
        return "";
    }
  }

  void access() {
    const bool shared = shared_ && !one_in(3);
    const std::string space = shared ? "shared" : "global";
    const std::string base = shared ? "%rd11" : pick<const char*>({"%rd1", "%rd2"});
    if (one_in(hot_ ? 3 : 6)) return atomic(space, base, shared);
    struct Shape {
      std::uint32_t width;
      const char* type;
      unsigned vector;
    };
    const Shape shape = narrow_ && one_in(2) ? pick<Shape>({{1, "u8", 1}, {2, "u16", 1}, {2, "v2.u8", 2}})
                                             : pick<Shape>({{4, "u32", 1},
                                                            {4, "u32", 1},
                                                            {4, "u32", 1},
                                                            {8, "u64", 1},
                                                            {8, "v2.u32", 2},
                                                            {16, "v4.u32", 4},
                                                            {16, "v2.u64", 2}});
    address(base, shape.width, shared);
    const std::string lanes = guard();
    const char* strength = one_in(10) ? ".volatile" : "";
    const std::uint64_t what = random_.below(9);
    const std::string load = fmt::format("{}ld{}.{}.{} {}, [%rd10];\n", lanes, strength, space, shape.type,
                                         registers(shape.width, shape.vector, kLoaded));
    const std::string store =
        fmt::format("{}st{}.{}.{} [%rd10], {};\n", lanes, strength, space, shape.type,
                    registers(shape.width, shape.vector, static_cast<unsigned>(random_.below(kLoaded))));
    if (what < 5) body += load;
    if (what > 3) body += store;  // at 4 both: an update
  }

  void atomic(const std::string& space, const std::string& base, bool shared) {
    const bool wide = one_in(4);
    address(base, wide ? 8 : 4, shared);
    const std::string lanes = guard();
    const char* scope = pick<const char*>({"", "", ".cta"});
    const std::string type = wide ? "64" : "32";
    const std::uint32_t width = wide ? 8 : 4;
    const std::string value = registers(width, 1, static_cast<unsigned>(random_.below(kLoaded)));
    const std::string old = registers(width, 1, kLoaded);
    switch (random_.below(4)) {
      case 0:
        body += fmt::format("{}atom{}.{}.exch.b{} {}, [%rd10], {};\n", lanes, scope, space, type, old, value);
        return;
      case 1:  // the loop of compare-and-swap, once
        body += fmt::format("{0}ld.{1}.u{2} {3}, [%rd10];\n{0}atom{4}.{1}.cas.b{2} {3}, [%rd10], {3}, {5};\n",
                            lanes, space, type, old, scope, value);
        return;
      default:
        body += fmt::format("{}atom{}.{}.add.u{} {}, [%rd10], {};\n", lanes, scope, space, type, old, value);
    }
  }

  Random random_;
  Traits traits_;
  bool narrow_, fences_, parts_, shared_;
  bool calm_, hot_;  // with few conflicts; mostly at one word
  std::uint64_t barriers_;
  unsigned line_ = 10;
};

}  // namespace warpmark::simulator::test
