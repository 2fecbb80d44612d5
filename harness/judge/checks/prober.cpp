#include "harness/judge/checks/prober.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "harness/judge/checks/time_budget.h"

namespace warpmark::judge {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::byte kBefore{0x11};
// Time and calls that finding the source lines may take beyond the experiments.
constexpr std::chrono::milliseconds kForLines{1500};
constexpr std::size_t kCallsForLines = 12;
// Size of the largest scratch buffer that is read back.
constexpr std::size_t kMostScratch = 262144;
// What a call costs besides the processor time of the simulated device, such as to fill its buffers.
constexpr std::chrono::duration<double> kForACall{0.001};

bool is_input(const BufferSpec& spec) {
  return spec.role == Role::input || spec.role == Role::in_out;
}

Experiment::Contents generated(Problem& problem) {
  Experiment::Contents inputs;
  const auto specs = problem.buffers();
  for (std::size_t i = 0; i < specs.size(); ++i) {
    inputs.emplace_back(is_input(specs[i]) ? specs[i].bytes : 0);
    if (is_input(specs[i])) problem.fill(i, inputs[i]);
  }
  return inputs;
}

}  // namespace

std::string text_of(const Access& access) {
  return fmt::format("line {}{}", access.line, access.callers);
}

bool has_the_place_of(const Accesses& accesses, const Access& access) {
  return std::ranges::any_of(accesses,
                             [&](const Access& other) { return other.is_of_the_same_place(access); });
}

std::string text_of(const Accesses& accesses) {
  Accesses told;
  std::string text;
  for (const Access& access : accesses) {
    if (has_the_place_of(told, access)) continue;
    text += (told.empty() ? "" : " and ") + text_of(access);
    told.push_back(access);
  }
  return text;
}

std::vector<std::string> Prober::kernels_launched() const {
  std::vector<std::string> names;
  for (const wire::Launch& launch : seen_.launches) names.push_back(launch.kernel);
  return names;
}

void Prober::allow_more() {
  time_left_ = std::max<std::chrono::duration<double>>(time_left_, kForLines);
  calls_left_ = std::max(calls_left_, kCallsForLines);
}

std::optional<Experiment::Contents> Prober::call(const Case& /*which*/, const Problem& problem,
                                                 const Contents& inputs, std::byte before) {
  return asked(problem, inputs, before, {}, mode_);
}

bool Prober::call_regularly(const Case& which) {
  const auto problem = assignment_.make(which);
  return asked(*problem, generated(*problem), kBefore, {}, {}).has_value();
}

Accesses Prober::readings(const Case& which, const Explanation::Bytes& of) {
  const auto problem = assignment_.make(which);
  const Contents inputs = generated(*problem);
  const wire::RunMode checked{.checking = true, .check_accesses = true};
  // Make one checked call first: shadow memory tracks initialisation only from the simulator's first checked
  // launch on, so memory that an unchecked launch wrote would count as uninitialised.
  if (!std::exchange(checked_before_, true) && !asked(*problem, inputs, kBefore, {}, checked)) return {};
  if (!asked(*problem, inputs, kBefore, {of, false}, checked)) return {};
  return accesses(false);
}

Accesses Prober::writings(const Case& which, const Explanation::Bytes& of) {
  const auto problem = assignment_.make(which);
  const wire::RunMode checked{.checking = true, .check_accesses = true};
  if (!asked(*problem, generated(*problem), kBefore, {of, true}, checked)) return {};
  return accesses(true);
}

// Returns the source lines of the observed reads or writes in the last call.
Accesses Prober::accesses(bool writes) const {
  Accesses found;
  for (const wire::Finding& finding : seen_.findings) {
    const Access access{finding.file, finding.line, finding.callers, finding.warp_access};
    const bool known = std::ranges::any_of(found, [&](const Access& other) { return other.is_at(access); });
    const bool wrote = !finding.accesses.empty() && finding.accesses.front().writes;
    if (finding.kind == CauseKind::uninitialised_read && wrote == writes && finding.line > 0 && !known)
      found.push_back(access);
  }
  return found;
}

// Creates a buffer in the worker process with `contents`, or filled with the byte `otherwise` if `contents`
// is empty.
bool Prober::fill(const BufferSpec& spec, std::span<const std::byte> contents, std::byte otherwise,
                  const Observed& observed) {
  SharedMemory image(spec.offset + spec.bytes);
  const auto data = image.bytes().subspan(spec.offset);
  if (contents.empty()) {
    std::ranges::fill(data, otherwise);
  } else {
    std::memcpy(data.data(), contents.data(), contents.size());
  }
  wire::Fill request;
  request.buffer = spec.name;
  request.on_host = spec.on_host;
  if (observed.of.bytes != 0) {
    request.undefined_offset = spec.offset + observed.of.offset;
    request.undefined_bytes = observed.of.bytes;
    request.report_writes = observed.writes;
  }
  return version_.worker().ask(request, {image.fd()}, limits_.call).has_value();
}

std::vector<std::size_t> Prober::buffers_to_read(std::span<const BufferSpec> specs) const {
  std::vector<std::size_t> all = answer_buffers(specs);
  for (std::size_t i = 0; reads_scratch_ && i < specs.size(); ++i) {
    if (specs[i].role == Role::scratch && specs[i].bytes <= kMostScratch) all.push_back(i);
  }
  return all;
}

// Makes a call, if there are time and calls left for it. On the simulator a call costs the processor time of
// the device and kForACall, so that a busy machine makes as many calls; where the process ended, or on other
// engines, the time that passed.
std::optional<Experiment::Contents> Prober::asked(const Problem& problem, const Contents& inputs,
                                                  std::byte before, const Observed& observed,
                                                  const wire::RunMode& mode) {
  seen_ = {};
  checked_before_ = checked_before_ && mode.check_accesses;
  if (!usable_ || calls_left_ == 0 || time_left_.count() <= 0) return std::nullopt;
  --calls_left_;
  const bool counts_processors = looks_at_accesses();
  const double before_it = version_.worker().device_seconds();
  const auto begin = SteadyClock::now();
  auto contents = timed(problem, inputs, before, observed, mode);
  const double used = version_.worker().device_seconds() - before_it;
  time_left_ -= counts_processors && !fresh_ ? std::chrono::duration<double>(used) + kForACall
                                             : std::chrono::duration<double>(SteadyClock::now() - begin);
  return contents;
}

std::optional<Experiment::Contents> Prober::timed(const Problem& problem, const Contents& inputs,
                                                  std::byte before, const Observed& observed,
                                                  const wire::RunMode& mode) {
  const auto specs = problem.buffers();
  const Loaded& loaded = version_.loaded();
  wire::Call request;
  request.library = loaded.library;
  request.function = loaded.function;
  request.adapter = loaded.adapter;
  request.scalars = problem.scalars();
  request.mode = mode;
  request.mode.launch_seconds = launch_seconds(limits_.call);
  bool filled = true;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    request.buffers.push_back({specs[i].name, specs[i].offset, specs[i].bytes});
    filled = filled && fill(specs[i], inputs[i], before, observed.of.buffer == i ? observed : Observed{});
  }
  const auto to_read = buffers_to_read(specs);
  for (const std::size_t answer : to_read) {
    request.reads.push_back(request.buffers[answer]);
    bytes += specs[answer].bytes;
  }
  SharedMemory read_back(bytes);
  read_back.seal_size();
  std::optional<wire::CallReply> reply;
  if (filled) {
    const auto limit =
        std::exchange(fresh_, false) ? std::max(limits_.call, limits_.first_call) : limits_.call;
    if (auto answered = version_.worker().ask(request, {read_back.fd()}, limit)) reply = std::move(*answered);
  }
  if (reply) seen_ = std::move(reply->observed);
  const bool goes_on = reply && !reply->failure.threw && mode.forgives && looks_at_accesses();
  if (goes_on && reply->failure.cuda_error) return std::nullopt;
  // After a CUDA error the device context is unusable, so a fresh worker process is started.
  if (!reply || reply->failure.threw || reply->failure.cuda_error) {
    calls_left_ -= std::min(calls_left_, limits_.calls_for_a_process);
    usable_ = version_.renew();
    fresh_ = true;
    checked_before_ = false;
    return std::nullopt;
  }
  Contents contents(specs.size());
  auto rest = std::span<const std::byte>(read_back.bytes());
  for (const std::size_t answer : to_read) {
    contents[answer].assign(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(specs[answer].bytes));
    rest = rest.subspan(specs[answer].bytes);
  }
  return contents;
}

}  // namespace warpmark::judge
