#include "harness/judge/checks/explain_wrong_answer.h"

#include <algorithm>
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

std::uint64_t product(const wire::Size& size) {
  return std::uint64_t{size[0]} * size[1] * size[2];
}

// "the kernel add ran with 160 blocks of 256 threads (40960 threads)"; empty where launches are not known.
std::string text_of(const std::vector<wire::Launch>& launches) {
  constexpr std::size_t kNamed = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(launches.size(), kNamed); ++i) {
    const wire::Launch& launch = launches[i];
    const std::uint64_t blocks = product(launch.grid);
    const std::uint64_t threads = product(launch.block);
    text += fmt::format("{}{} ran with {} of {}", i == 0 ? "" : ", then ", launch.kernel,
                        count_of(blocks, "block"), count_of(threads, "thread"));
    if (blocks > 1) text += fmt::format(", {} threads in all", blocks * threads);
  }
  if (launches.size() > kNamed) text += fmt::format(", then {} more launches", launches.size() - kNamed);
  return text;
}

// Where a call read elements that were marked as never written.
struct Reading {
  std::string file;
  int line = 0;
};

class Prober final : public Experiment {
 public:
  Prober(WorkerClient& worker, const Loaded& version, const Assignment& assignment, const Blame& blame,
         const ExperimentLimits& limits)
      : worker_(worker), version_(version), assignment_(assignment), blame_(blame), limits_(limits) {}

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

  // The line that reads these bytes of the input. Nothing where the engine does not look, or none does.
  std::optional<Reading> reading(const Case& which, std::uint64_t offset, std::uint64_t bytes) {
    const auto problem = assignment_.make(which);
    const auto specs = problem->buffers();
    const std::size_t input = input_of(specs);
    if (input == specs.size()) return std::nullopt;
    const std::vector<std::byte> zeros(specs[input].bytes);
    const wire::RunMode checked{.checking = true, .check_accesses = true};
    // What was written by launches that were not checked counts as written from the first checked one on.
    if (!std::exchange(checked_before_, true) && !call(*problem, zeros, std::byte{0x11}, {}, checked))
      return std::nullopt;
    const auto answer = call(*problem, zeros, std::byte{0x11}, wire::View{"", offset, bytes}, checked);
    if (!answer) return std::nullopt;
    for (const Cause& cause : causes_of(seen_, {}, blame_)) {
      if (cause.kind == CauseKind::uninitialised_read && cause.line > 0)
        return Reading{cause.file, cause.line};
    }
    return std::nullopt;
  }

  [[nodiscard]] const std::vector<wire::Launch>& launches() const { return seen_.launches; }
  [[nodiscard]] std::uint64_t kernels() const { return seen_.kernels(); }
  [[nodiscard]] bool looks_at_reads() const { return worker_.hello().engine == "simulator"; }

 private:
  static std::size_t input_of(const std::vector<BufferSpec>& specs) {
    const auto found = std::ranges::find_if(
        specs, [](const BufferSpec& spec) { return spec.role == Role::input || spec.role == Role::in_out; });
    return static_cast<std::size_t>(found - specs.begin());
  }

  // One buffer, made anew with these contents behind its offset.
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
    return worker_.ask(request, {image.fd()}, limits_.call).has_value();
  }

  std::optional<std::vector<std::byte>> call(const Problem& problem, std::span<const std::byte> input,
                                             std::byte before, const wire::View& undefined,
                                             const wire::RunMode& mode) {
    seen_ = {};
    checked_before_ = checked_before_ && mode.check_accesses;
    if (++calls_ > limits_.most_calls || SteadyClock::now() - start_ > limits_.all) return std::nullopt;
    const auto specs = problem.buffers();
    const std::size_t chosen = input_of(specs);
    const auto answers = answer_buffers(specs);
    if (chosen == specs.size() || answers.empty() || input.size() != specs[chosen].bytes) return std::nullopt;
    wire::Call request;
    request.library = version_.library;
    request.function = version_.function;
    request.adapter = version_.adapter;
    request.scalars = problem.scalars();
    request.mode = mode;
    request.mode.host_readable = version_.host_readable;
    request.mode.launch_seconds = launch_seconds(limits_.call);
    for (std::size_t i = 0; i < specs.size(); ++i) {
      const bool is_input = i == chosen;
      if (!fill(specs[i], is_input ? input : std::span<const std::byte>(), before,
                is_input ? undefined : wire::View{}))
        return std::nullopt;
      request.buffers.push_back({specs[i].name, specs[i].offset, specs[i].bytes});
    }
    request.reads = {request.buffers[answers.front()]};
    SharedMemory read_back(request.reads.front().bytes);
    read_back.seal_size();
    auto reply = worker_.ask(request, {read_back.fd()}, limits_.call);
    if (!reply) return std::nullopt;
    seen_ = std::move(reply->observed);
    if (reply->failure.threw || reply->failure.cuda_error) return std::nullopt;
    const auto bytes = read_back.bytes();
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  }

  WorkerClient& worker_;
  const Loaded& version_;
  const Assignment& assignment_;
  const Blame& blame_;
  const ExperimentLimits& limits_;
  const SteadyClock::time_point start_ = SteadyClock::now();
  std::size_t calls_ = 0;
  bool checked_before_ = false;  // a checked call was the last
  wire::Observation seen_;       // of the last call
};

void point_to(Cause& cause, const Reading& reading, const Blame& blame) {
  cause.file = reading.file;
  cause.line = reading.line;
  cause.excerpt = excerpt_in(blame, reading.file, reading.line);
}

constexpr std::uint64_t kLarger = 1025;  // values, of which every version reads some

// Whether the elements are read, where, and by how many threads.
std::string about_reads(Prober& prober, const Explanation& found, std::size_t value_bytes, Cause& cause,
                        const Blame& blame) {
  const auto& elements = *found.elements;
  const bool one = elements.first == elements.last;
  const auto whole = prober.reading(found.which, 0, found.which.n * value_bytes);
  const std::string launches = text_of(prober.launches());
  const std::string by = launches.empty() ? "" : "; " + launches;
  if (!whole) {
    // Nothing is read at all: a larger input shows where reading is done.
    Case larger = found.which;
    larger.n = std::max(kLarger, found.which.n);
    if (const auto others = prober.reading(larger, 0, larger.n * value_bytes)) {
      point_to(cause, *others, blame);
      return fmt::format(": {} never read (line {} reads values of larger inputs){}",
                         one ? "it was" : "they were", others->line, by);
    }
    return by;
  }
  const auto those = prober.reading(found.which, elements.first * value_bytes,
                                    (elements.last - elements.first + 1) * value_bytes);
  if (those) {
    point_to(cause, *those, blame);
    return elements.lost ? fmt::format(": line {} reads {}, but what is done with {} afterwards loses it{}",
                                       those->line, one ? "it" : "them", one ? "it" : "them", by)
                         : fmt::format(", read at line {}{}", those->line, by);
  }
  point_to(cause, *whole, blame);
  return fmt::format(": {} never read (line {} reads the others){}", one ? "it was" : "they were",
                     whole->line, by);
}

}  // namespace

std::optional<Cause> explain_wrong_answer(WorkerClient& worker, const Loaded& version,
                                          const Assignment& assignment, const Case& which, const Cause& cause,
                                          const Blame& blame, const ExperimentLimits& limits) {
  Prober prober(worker, version, assignment, blame, limits);
  const bool tried = prober.regular(which).has_value();
  const bool no_kernel =
      tried && worker.records_launches() && prober.kernels() == 0 && which.n > 0 && !version.host_readable;
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
  better.n = found->which.n;
  better.expected = found->expected;
  better.actual = found->actual;
  if (found->elements && prober.looks_at_reads())
    better.message += about_reads(prober, *found, assignment.value_bytes(which.type), better, blame);
  return better;
}

}  // namespace warpmark::judge
