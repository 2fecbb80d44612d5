#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

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

std::optional<Mismatch> Problem::check_part(std::size_t buffer, std::size_t /*offset*/,
                                            std::span<const std::byte> /*part*/) const {
  throw std::logic_error(fmt::format("buffer {} is not checked in parts", buffer));
}

std::vector<std::string> Assignment::clean_classes(std::string_view type) const {
  auto classes = data_classes(type);
  classes.resize(std::min<std::size_t>(classes.size(), 1));
  return classes;
}

Work Problem::work() const {
  Work work;
  for (const BufferSpec& spec : buffers()) {
    if (spec.role != Role::scratch) work.bytes += static_cast<double>(spec.bytes);
    if (spec.role == Role::in_out) work.bytes += static_cast<double>(spec.bytes);  // read and written
  }
  return work;
}

}  // namespace warpmark
