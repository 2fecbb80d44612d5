// A case with its buffers as a worker gets them, for tests of any assignment's half of the judge.
#pragma once

#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/assignments/assignment.h"
#include "harness/assignments/bytes.h"
#include "tests/assignment_called.h"

namespace warpmark {

// Output buffers hold 0xff bytes: NaN as floats, -1 as ints. Scratch is left out.
class FilledCase {
 public:
  FilledCase(const std::string& assignment, const Case& which)
      : problem(assignment_called(assignment)->make(which)), specs(problem->buffers()) {
    for (std::size_t i = 0; i < specs.size(); ++i) {
      contents.emplace_back(specs[i].role == Role::scratch ? 0 : specs[i].bytes, std::byte{0xff});
      if (specs[i].role == Role::input || specs[i].role == Role::in_out) problem->fill(i, contents[i]);
    }
  }

  // A case of several sizes.
  FilledCase(const std::string& assignment, const std::string& type, const std::string& data,
             const Size& size, std::uint64_t seed)
      : FilledCase(assignment, assignment_called(assignment)->case_of(type, data, size, seed)) {}

  template <class T>
  [[nodiscard]] std::vector<T> values(std::size_t buffer) const {
    std::vector<T> found(contents[buffer].size() / sizeof(T));
    if (!found.empty()) std::memcpy(found.data(), contents[buffer].data(), contents[buffer].size());
    return found;
  }
  template <class T>
  [[nodiscard]] std::optional<Mismatch> check(std::size_t buffer, const std::vector<T>& actual) const {
    return problem->check(buffer, std::as_bytes(std::span(actual)));
  }
  template <class T>
  [[nodiscard]] bool accepts(std::size_t buffer, const std::vector<T>& actual) const {
    return !check(buffer, actual);
  }
  // Patches the judge's contents, and a copy of them as the device does; false where the two differ.
  [[nodiscard]] bool patch(std::uint64_t seed, std::size_t count) {
    auto& patched = contents[patched_buffer(specs).value()];
    std::vector<std::byte> device = patched;
    for (const Patch& patch : problem->patch(seed, count, patched)) {
      if (patch.offset + patch.bytes > device.size()) return false;
      std::memcpy(device.data() + patch.offset, &patch.value, patch.bytes);
    }
    return device == patched;
  }

  std::unique_ptr<Problem> problem;
  std::vector<BufferSpec> specs;
  std::vector<std::vector<std::byte>> contents;
};

}  // namespace warpmark
