#include "harness/judge/checks/explain_wrong_answer.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "harness/judge/checks/time_budget.h"

namespace warpmark::judge {
namespace {

using SteadyClock = std::chrono::steady_clock;

std::string count_of(std::uint64_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

// Returns a description of kernel launches, such as "add ran with 160 blocks of 256 threads, 40960 threads in
// all"; empty if no launches are known.
std::string text_of(const std::vector<wire::Launch>& launches) {
  constexpr std::size_t kNamed = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(launches.size(), kNamed); ++i) {
    const wire::Launch& launch = launches[i];
    const std::uint64_t blocks = wire::volume(launch.grid);
    const std::uint64_t threads = wire::volume(launch.block);
    text += fmt::format("{}{} ran with {} of {}", i == 0 ? "" : ", then ", launch.kernel,
                        count_of(blocks, "block"), count_of(threads, "thread"));
    if (blocks > 1) text += fmt::format(", {} threads in all", blocks * threads);
  }
  if (launches.size() > kNamed) text += fmt::format(", then {} more launches", launches.size() - kNamed);
  return text;
}

// A source line that read input elements which the simulator marked as uninitialised. Used to find the lines
// that read given elements.
struct Reading {
  std::string file;
  int line = 0;
  std::string callers;  // call chain of inlined helpers that leads to the source line
  [[nodiscard]] bool is_at(const Reading& other) const { return file == other.file && line == other.line; }
  // Returns true if a student would see two lines that read elements as the same source line: inlined helper
  // functions are shown by their call chain, other lines by file and number.
  [[nodiscard]] bool is_of_the_same_place(const Reading& other) const {
    return callers.empty() ? is_at(other) : callers == other.callers;
  }
};
using Readings = std::vector<Reading>;

class Prober final : public Experiment {
 public:
  Prober(TriedVersion& version, const Assignment& assignment, const Blame& blame,
         const ExperimentLimits& limits)
      : version_(version), assignment_(assignment), blame_(blame), limits_(limits) {}

  std::optional<std::vector<std::byte>> answer(const Case& which, std::span<const std::byte> input,
                                               std::byte before) override {
    const auto problem = assignment_.make(which);
    return call(*problem, input, before, {}, {});
  }

  std::optional<Regular> regular(const Case& which) override {
    Regular tried;
    tried.problem = assignment_.make(which);
    const auto specs = tried.problem->buffers();
    const std::size_t input = input_of(specs);
    if (input == specs.size()) return std::nullopt;
    tried.input.resize(specs[input].bytes);
    tried.problem->fill(input, tried.input);
    auto answer = call(*tried.problem, tried.input, std::byte{0x11}, {}, {});
    if (!answer) return std::nullopt;
    tried.answer = std::move(*answer);
    return tried;
  }

  // Returns the source lines that read the given bytes of the input; empty if the engine does not check
  // accesses.
  Readings readings(const Case& which, std::uint64_t offset, std::uint64_t bytes) {
    const auto problem = assignment_.make(which);
    const auto specs = problem->buffers();
    const std::size_t input = input_of(specs);
    if (input == specs.size()) return {};
    const std::vector<std::byte> zeros(specs[input].bytes);
    const wire::RunMode checked{.checking = true, .check_accesses = true};
    // Make one checked call first: shadow memory tracks initialisation only from the simulator's first
    // checked launch on, so memory that an unchecked launch wrote would count as uninitialised.
    if (!std::exchange(checked_before_, true) && !call(*problem, zeros, std::byte{0x11}, {}, checked))
      return {};
    if (!call(*problem, zeros, std::byte{0x11}, wire::View{"", offset, bytes}, checked)) return {};
    Readings found;
    for (const wire::Finding& finding : seen_.findings) {
      const Reading reading{finding.file, finding.line, finding.callers};
      const bool known =
          std::ranges::any_of(found, [&](const Reading& other) { return other.is_at(reading); });
      if (finding.kind == CauseKind::uninitialised_read && finding.line > 0 && !known)
        found.push_back(reading);
    }
    return found;
  }

  [[nodiscard]] const std::vector<wire::Launch>& launches() const { return seen_.launches; }
  [[nodiscard]] std::uint64_t kernels() const { return seen_.kernels(); }
  [[nodiscard]] bool records_launches() { return usable_ && version_.worker().records_launches(); }
  [[nodiscard]] bool looks_at_reads() { return usable_ && version_.worker().hello().engine == "simulator"; }

 private:
  static std::size_t input_of(const std::vector<BufferSpec>& specs) {
    const auto found = std::ranges::find_if(
        specs, [](const BufferSpec& spec) { return spec.role == Role::input || spec.role == Role::in_out; });
    return static_cast<std::size_t>(found - specs.begin());
  }

  // Creates a buffer in the worker process with `contents`, or filled with the byte `otherwise` if `contents`
  // is empty. The range `undefined` is marked as uninitialised.
  bool fill(const BufferSpec& spec, std::span<const std::byte> contents, std::byte otherwise,
            const wire::View& undefined) {
    SharedMemory image(spec.offset + spec.bytes);
    const auto data = image.bytes().subspan(spec.offset);
    if (contents.empty()) {
      std::ranges::fill(data, otherwise);
    } else {
      std::memcpy(data.data(), contents.data(), contents.size());
    }
    wire::Fill request;
    request.buffer = spec.name;
    if (undefined.bytes != 0) {
      request.undefined_offset = spec.offset + undefined.offset;
      request.undefined_bytes = undefined.bytes;
    }
    return version_.worker().ask(request, {image.fd()}, limits_.call).has_value();
  }

  std::optional<std::vector<std::byte>> call(const Problem& problem, std::span<const std::byte> input,
                                             std::byte before, const wire::View& undefined,
                                             const wire::RunMode& mode) {
    seen_ = {};
    checked_before_ = checked_before_ && mode.check_accesses;
    if (!usable_ || ++calls_ > limits_.most_calls || SteadyClock::now() - start_ > limits_.all)
      return std::nullopt;
    const auto specs = problem.buffers();
    const std::size_t chosen = input_of(specs);
    const auto answers = answer_buffers(specs);
    if (chosen == specs.size() || answers.empty() || input.size() != specs[chosen].bytes) return std::nullopt;
    const Loaded& loaded = version_.loaded();
    wire::Call request;
    request.library = loaded.library;
    request.function = loaded.function;
    request.adapter = loaded.adapter;
    request.scalars = problem.scalars();
    request.mode = mode;
    request.mode.launch_seconds = launch_seconds(limits_.call);
    bool filled = true;
    for (std::size_t i = 0; i < specs.size(); ++i) {
      const bool is_input = i == chosen;
      request.buffers.push_back({specs[i].name, specs[i].offset, specs[i].bytes});
      filled = filled && fill(specs[i], is_input ? input : std::span<const std::byte>(), before,
                              is_input ? undefined : wire::View{});
    }
    request.reads = {request.buffers[answers.front()]};
    SharedMemory read_back(request.reads.front().bytes);
    read_back.seal_size();
    std::optional<wire::CallReply> reply;
    if (filled) {
      if (auto answered = version_.worker().ask(request, {read_back.fd()}, limits_.call))
        reply = std::move(*answered);
    }
    if (reply) seen_ = std::move(reply->observed);
    // After a CUDA error the device context is unusable, so a fresh worker process is started.
    if (!reply || reply->failure.threw || reply->failure.cuda_error) {
      usable_ = version_.renew();
      checked_before_ = false;
      return std::nullopt;
    }
    const auto bytes = read_back.bytes();
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  }

  TriedVersion& version_;
  const Assignment& assignment_;
  const Blame& blame_;
  const ExperimentLimits& limits_;
  const SteadyClock::time_point start_ = SteadyClock::now();
  std::size_t calls_ = 0;
  bool usable_ = true;           // false: no worker process can be started for further experiments
  bool checked_before_ = false;  // true: the simulator checked accesses in the previous call
  wire::Observation seen_;       // the engine's findings and kernel launches in the last student call
};

void point_to_reading(Cause& cause, const Reading& reading, const Blame& blame) {
  cause.file = reading.file;
  cause.line = reading.line;
  cause.excerpt = excerpt_in(blame, reading.file, reading.line);
}

std::string text_of(const Reading& reading) {
  return fmt::format("line {}{}", reading.line, reading.callers);
}
bool has_the_place_of(const Readings& readings, const Reading& reading) {
  return std::ranges::any_of(readings,
                             [&](const Reading& other) { return other.is_of_the_same_place(reading); });
}
std::string text_of(const Readings& readings) {
  Readings told;
  std::string text;
  for (const Reading& reading : readings) {
    if (has_the_place_of(told, reading)) continue;
    text += (told.empty() ? "" : " and ") + text_of(reading);
    told.push_back(reading);
  }
  return text;
}

// Smallest input, in elements, of which any correct student code must read at least some elements.
constexpr std::uint64_t kLarger = 1025;

// Describes, for the input elements that a wrong sum omits or counts more than once, whether kernels read
// them, at which source lines, and by how many threads.
class AboutReads {
 public:
  AboutReads(Prober& prober, const Explanation& found, std::size_t value_bytes, Cause& cause,
             const Blame& blame)
      : prober_(prober), found_(found), value_bytes_(value_bytes), cause_(cause), blame_(blame) {}

  std::string text() {
    const auto& [first, last, lost, right] = *found_.elements;
    one_ = first == last;
    const Readings all = readings(found_.which, 0, found_.which.n - 1);
    const std::string launches = text_of(prober_.launches());
    const std::string by = launches.empty() ? "" : "; " + launches;
    if (all.empty()) return none_is_read() + by;
    const Readings those = readings(found_.which, first, last);
    if (those.empty()) return never_read(all.front(), "the others") + by;
    if (lost) {
      point_to_reading(cause_, those.front(), blame_);
      return fmt::format(": {} reads {}, but what is done with {} afterwards loses it",
                         text_of(those.front()), them(), them()) +
             by;
    }
    return read_at(those, right ? readings(found_.which, *right, *right) : Readings()) + by;
  }

 private:
  Readings readings(const Case& which, std::uint64_t first, std::uint64_t last) {
    return prober_.readings(which, first * value_bytes_, (last - first + 1) * value_bytes_);
  }
  [[nodiscard]] const char* them() const { return one_ ? "it" : "them"; }

  std::string never_read(const Reading& others, std::string_view which) {
    point_to_reading(cause_, others, blame_);
    return fmt::format(": {} never read ({} reads {})", one_ ? "it was" : "they were", text_of(others),
                       which);
  }
  // Explains a wrong sum whose input elements were all left unread: names the source line that reads the
  // elements of a larger input.
  std::string none_is_read() {
    Case larger = found_.which;
    larger.n = std::max(kLarger, found_.which.n);
    const Readings others = readings(larger, 0, larger.n - 1);
    return others.empty() ? "" : never_read(others.front(), "values of larger inputs");
  }
  // Describes where a kernel reads the wrongly summed elements. `those`: the source lines that read them.
  // Lines also in `usual` read correctly summed elements, too, so the other lines are blamed first.
  std::string read_at(const Readings& those, const Readings& usual) {
    Readings at_fault;
    Readings rest;
    for (const Reading& reading : those) {
      (has_the_place_of(usual, reading) ? rest : at_fault).push_back(reading);
    }
    point_to_reading(cause_, at_fault.empty() ? those.front() : at_fault.front(), blame_);
    if (usual.empty() || at_fault.empty() || rest.empty()) return ", read at " + text_of(those);
    return fmt::format(", read at {} and again at {}", text_of(rest), text_of(at_fault));
  }

  Prober& prober_;
  const Explanation& found_;
  std::size_t value_bytes_;
  Cause& cause_;
  const Blame& blame_;
  bool one_ = true;
};

// Parses the second argument of a function call's source text as a number.
std::optional<long> second_argument(std::string_view call) {
  const std::size_t first = call.find(',');
  if (first == std::string_view::npos) return std::nullopt;
  const std::string text(call.substr(first + 1, call.find(',', first + 1) - first - 1));
  char* end = nullptr;
  const long value = std::strtol(text.c_str(), &end, 0);
  return end == text.c_str() ? std::nullopt : std::optional(value);
}

// Returns the number of the first source line that calls cudaMemset with the fill value `byte`; 0 if none.
int line_of_memset(const std::string& text, std::uint8_t byte) {
  int number = 1;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    const std::size_t call = line.substr(0, line.find("//")).find("cudaMemset");
    if (call != std::string_view::npos) {
      const auto value = second_argument(line.substr(call));
      if (value && static_cast<std::uint8_t>(*value) == byte) return number;
    }
    at = end + 1;
  }
  return 0;
}

}  // namespace

std::optional<Cause> explain_wrong_answer(TriedVersion& version, const Assignment& assignment,
                                          const Case& which, const Cause& cause, const Blame& blame,
                                          const ExperimentLimits& limits) {
  Prober prober(version, assignment, blame, limits);
  const bool tried = prober.regular(which).has_value();
  const bool no_kernel = tried && prober.records_launches() && prober.kernels() == 0 && which.n > 0;
  Cause better = cause;
  if (no_kernel) {
    better.message += ": no kernel was launched";
    return better;
  }
  if (cause.kind == CauseKind::not_written) {
    const std::string launches = text_of(prober.launches());
    if (!tried || launches.empty()) return std::nullopt;
    better.message += "; " + launches;
    return better;
  }
  const auto found = assignment.explain(which, prober);
  if (!found) return std::nullopt;
  better.message = cause.message + ": " + found->what;
  // drop a kernel launch recorded for another input size
  if (better.n != found->which.n) better.launch.reset();
  better.n = found->which.n;
  better.expected = found->expected;
  better.actual = found->actual;
  for (const Explanation::Count& count : found->counts)
    better.elements.push_back({count.first, count.last, count.times});
  if (found->elements && prober.looks_at_reads())
    better.message += AboutReads(prober, *found, assignment.value_bytes(which.type), better, blame).text();
  if (found->filled_with && blame.file != nullptr) {
    if (const int line = line_of_memset(blame.file->text, *found->filled_with); line > 0)
      point_to_reading(better, {blame.file->name, line, {}}, blame);
  }
  return better;
}

}  // namespace warpmark::judge
