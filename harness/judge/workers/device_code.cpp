#include "harness/judge/workers/device_code.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <functional>
#include <string_view>

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/file.h"
#include "harness/simulator/decode/array_index.h"
#include "harness/simulator/decode/decoder.h"
#include "harness/simulator/ptx/parser.h"

namespace warpmark::judge {
namespace {

constexpr std::string_view kMagic =
    "warpmark-fat-binary/1\n";  // see harness/simulator/front_end/fat_binary.h

constexpr int kNothing = 0;
constexpr int kFound = 3;
constexpr int kPatienceMs = 20'000;
constexpr std::size_t kMostSaid = 4096;

// Removes "<name> <bytes>\n<that many bytes>" from the front; nullopt if malformed, because a submission's
// own data may begin like it.
std::optional<std::string_view> take_image(std::string_view name, std::string_view& text) {
  if (!text.starts_with(name)) return std::nullopt;
  const char* begin = text.data() + name.size();
  const char* last = text.data() + text.size();
  std::size_t bytes = 0;
  const auto [end, error] = std::from_chars(begin, last, bytes);
  if (error != std::errc{} || end == last || *end != '\n') return std::nullopt;
  const auto left = static_cast<std::size_t>(last - end) - 1;
  if (bytes > left) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1 + bytes);
  return std::string_view(end + 1, bytes);
}

// Runs `work` in a child process, so that input that crashes the decoder does not crash the judge.
std::optional<std::string> apart(const std::function<std::optional<std::string>()>& work) {
  auto pipe = make_pipe();
  const pid_t child = pipe ? ::fork() : -1;
  if (child < 0) return "the device code could not be looked at: the machine has no process left";
  if (child == 0) {
    const std::optional<std::string> found = work();
    ::_exit(found && write_all(pipe->write.get(), *found) == 0 ? kFound : kNothing);
  }
  pipe->write.reset();
  std::string said;
  std::array<char, 4096> buffer{};
  pollfd ready{pipe->read.get(), POLLIN, 0};
  while (::poll(&ready, 1, kPatienceMs) == 1) {
    const ssize_t got = ::read(pipe->read.get(), buffer.data(), buffer.size());
    if (got <= 0 || said.size() > kMostSaid) break;
    said.append(buffer.data(), static_cast<std::size_t>(got));
  }
  ::kill(child, SIGKILL);  // it may have exceeded the time limit
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNothing) return std::nullopt;
  return said.empty() ? "the device code cannot be decoded" : said;
}

std::optional<std::string> not_simulated_in_ptx(std::string_view text) {
  namespace ptx = simulator::ptx;
  auto parsed = ptx::parse(text);
  if (!parsed) return fmt::format("the device code cannot be read: {}", parsed.error());
  simulator::settle_index_tests(*parsed);
  simulator::VariableAddresses places;  // dummy addresses, since nothing runs
  for (const ptx::Variable& variable : parsed->variables) places[variable.name] = 1;
  const simulator::Program program = simulator::decode(*parsed, places);
  if (program.unsupported.empty()) return std::nullopt;
  return program.unsupported.front();
}

}  // namespace

std::optional<std::string> not_simulated_in(const std::filesystem::path& library) {
  const auto contents = read_file(library);
  if (!contents) return std::nullopt;
  const std::string_view all = *contents;
  for (std::size_t at = all.find(kMagic); at != std::string_view::npos; at = all.find(kMagic, at + 1)) {
    std::string_view rest = all.substr(at + kMagic.size());
    for (const char* name : {"O0 ", "O2 "}) {
      const auto image = take_image(name, rest);
      if (!image) break;
      if (auto lacking = apart([&] { return not_simulated_in_ptx(*image); })) return lacking;
    }
  }
  return std::nullopt;
}

}  // namespace warpmark::judge
