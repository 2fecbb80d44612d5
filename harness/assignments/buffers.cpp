#include <algorithm>

#include "harness/assignments/assignment.h"

namespace warpmark {
namespace {

std::optional<std::size_t> marked(std::span<const BufferSpec> buffers, bool BufferSpec::*mark) {
  const auto found = std::ranges::find(buffers, true, mark);
  if (found == buffers.end()) return std::nullopt;
  return static_cast<std::size_t>(found - buffers.begin());
}

}  // namespace

std::optional<std::size_t> uploaded_buffer(std::span<const BufferSpec> buffers) {
  return marked(buffers, &BufferSpec::uploaded);
}

std::optional<std::size_t> patched_buffer(std::span<const BufferSpec> buffers) {
  return marked(buffers, &BufferSpec::patched);
}

std::vector<std::size_t> answer_buffers(std::span<const BufferSpec> buffers) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i].role == Role::output || buffers[i].role == Role::in_out) found.push_back(i);
  }
  return found;
}

}  // namespace warpmark
