#include "harness/judge/workers/causes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/build/excerpt.h"
#include "harness/build/source_hints.h"
#include "harness/build/source_places.h"
#include "harness/build/source_text.h"
#include "harness/build/symbolize.h"
#include "harness/judge/workers/device_code.h"
#include "harness/judge/workers/given_headers.h"
#include "harness/judge/workers/library_causes.h"
#include "harness/judge/workers/shared_causes.h"
#include "harness/judge/workers/source_remedies.h"
#include "harness/source_edits/launches.h"
#include "harness/wire/finding_key.h"

namespace warpmark::judge {
namespace {

// Words of a sanitizer's message about a race that the name of the variable replaces.
constexpr std::string_view kSameMemory = "of the same memory";
constexpr std::size_t kMostFindings = 100;  // maximum number of findings reported per call

// Adds the second source line of a finding about host code (such as the other access of a race): as the
// report's other line if in the same file, else in the message.
void add_other_place(Cause& cause, const wire::Finding& finding, const Blame& blame) {
  Cause other;
  point_to_host_code(other, finding.other_frames, finding.other_in_launch, blame);
  if (other.line == 0) return;
  if (cause.line == 0) {
    cause.file = other.file;
    cause.line = other.line;
    cause.excerpt = std::move(other.excerpt);
    return;
  }
  if (other.file == cause.file) {
    cause.other_line = other.line;
  } else {
    cause.message += fmt::format(" (the other place: {}:{})", other.file, other.line);
  }
  const std::array lines{cause.line, cause.other_line};
  for (std::size_t i = 0; i < std::min(lines.size(), cause.accesses.size()); ++i)
    cause.accesses[i].line = lines[i];
}

std::string line_in(const std::string& text, int line) {
  std::istringstream lines(text);
  std::string read;
  for (int number = 0; number < line && std::getline(lines, read);) ++number;
  return read;
}

// Returns true if the line declares a kernel: host code there is the kernel's host stub.
bool is_kernel(const std::string& text, int line) {
  return line_in(text, line).find("__global__") != std::string::npos;
}

// Adds what the source says and the engine does not know: the test before an access out of bounds, and the
// variable of a race in host code with the line of its other access.
void add_hints(Cause& cause, const Blame& blame) {
  const bool host_race =
      cause.kind == CauseKind::race && cause.message.find(kSameMemory) != std::string::npos;
  if (blame.submission == nullptr || cause.line <= 0) return;
  if (!host_race && cause.kind != CauseKind::out_of_bounds && cause.kind != CauseKind::endless_loop &&
      cause.kind != CauseKind::cuda_error)
    return;
  const auto text = submitted_text(*blame.submission, cause.file);
  if (!text) return;
  if (cause.kind == CauseKind::endless_loop) {
    const std::string why = build::about_endless_loop(*text, cause.line);
    if (!why.empty()) cause.message = fmt::format("{}: {}", cause.message, why);
    return;
  }
  if (cause.kind == CauseKind::cuda_error) {
    const int set = cause.message.find("a block has at most") == std::string::npos
                        ? 0
                        : source_edits::line_of_thread_count(*text, cause.line);
    if (set == 0) return;
    cause.message += fmt::format("; line {} sets the number of threads: `{}`", set, line_in(*text, set));
    cause.other_line = set;
    return;
  }
  if (!host_race) {
    cause.message = build::with_bounds_test(std::move(cause.message), *text, cause.line);
    return;
  }
  std::string variable;
  for (const RacingAccess& access : cause.accesses) {
    if (access.writes && access.line > 0 && variable.empty())
      variable = build::changed_variable(line_in(*text, access.line));
  }
  std::string named(kSameMemory);
  if (!variable.empty()) named = fmt::format("of the same variable, `{}`", variable);
  if (cause.other_line > 0)
    named +=
        cause.other_line == cause.line ? ", at the same line" : fmt::format(", at line {}", cause.other_line);
  cause.message.replace(cause.message.find(kSameMemory), kSameMemory.size(), named);
}

// Adds to an uninitialised read of an array the line that sets its elements, and to a race between blocks
// that no index of the kernel tells them apart.
void add_lines(Cause& cause, const Blame& blame) {
  if (blame.submission == nullptr || cause.line <= 0) return;
  const auto text = submitted_text(*blame.submission, cause.file);
  if (!text) return;
  constexpr std::string_view kReads = " reads ";
  const std::size_t reads = cause.message.find(kReads);
  const std::size_t bracket = cause.message.find('[', reads == std::string::npos ? 0 : reads);
  if (cause.kind == CauseKind::uninitialised_read && cause.other_line == 0 && bracket != std::string::npos &&
      reads != std::string::npos) {
    const std::size_t begin = reads + kReads.size();
    const int line = build::line_that_sets(
        *text, std::string_view(cause.message).substr(begin, bracket - begin), cause.line);
    if (line == 0) return;
    cause.other_line = line;
    cause.message += fmt::format("; line {} sets its elements: does it set this one, too?", line);
  }
  const bool of_blocks =
      cause.kind == CauseKind::race && cause.accesses.size() == 2 &&
      cause.message.find("of block (", cause.message.find("of block (") + 1) != std::string::npos;
  if (of_blocks && !build::function_uses(*text, cause.line, "blockIdx"))
    cause.message +=
        ". The kernel does not use blockIdx: all blocks work on the same elements, as one block would";
}

// Adds the other lines of the source to which a finding leads: the call that sets too few bytes, the return
// of threads that miss a barrier; and the type of a vector access, of which the compiler made smaller ones.
void add_places(Cause& cause, const Blame& blame) {
  if (blame.submission == nullptr || cause.line <= 0) return;
  const auto text = submitted_text(*blame.submission, cause.file);
  if (!text) return;
  const auto add = [&](const build::Place& place, std::string_view why) {
    if (place.line == 0 || place.line == cause.line) return;
    cause.message += fmt::format("; line {} {}: `{}`", place.line, why, place.code);
  };
  if (cause.kind == CauseKind::uninitialised_read && cause.message.find(" were set; ") != std::string::npos)
    add(build::memory_call(*text, build::name_behind(cause.message, "reads ")), "sets memory");
  if (cause.message.find("returned before this barrier") != std::string::npos)
    add(build::return_above(*text, cause.line), "returns");
  if (cause.kind == CauseKind::misaligned) {
    const auto type = build::vector_type(*text, cause.line);
    if (type.bytes != 0)
      cause.message += fmt::format(
          "; a {} needs an address that {} divides, also where the compiler reads it in "
          "parts",
          type.name, type.bytes);
    const build::Place tests = build::alignment_test(*text);
    add(tests, "tests an address: does it hold for this one, in each row?");
    // The last letter of a vector type is the number of its elements.
    if (tests.line != 0 && type.bytes != 0)
      cause.message += fmt::format(
          ". Behind an aligned first row, further rows are aligned only if the distance of rows is a "
          "multiple "
          "of {} elements: test that, too",
          type.name.back());
  }
}

// Adds that a kernel numbers its threads by x alone, although its block has further dimensions: then threads
// with the same x do the same.
void add_dimensions(Cause& cause, const Blame& blame) {
  if (blame.submission == nullptr || cause.line <= 0 || !cause.launch || cause.launch->block.size() < 2)
    return;
  const auto text = submitted_text(*blame.submission, cause.file);
  const auto& block = cause.launch->block;
  if (!text || block[1] <= 1 || !build::function_uses(*text, cause.line, "threadIdx.x") ||
      text->find("threadIdx.y") != std::string::npos)
    return;
  cause.message += fmt::format(
      ". The block has {} x {} threads, but the kernel uses threadIdx.x alone: the {} threads with the same "
      "x do the "
      "same work",
      block[0], block[1], block[1]);
}

// Names the launch before which memory of the device should have been set.
void add_launch(Cause& cause, const wire::Finding& finding, const Blame& blame) {
  constexpr std::string_view kOfDevice = "fill it by cudaMemset";
  if (cause.kind != CauseKind::uninitialised_read || blame.file == nullptr ||
      cause.message.find(kOfDevice) == std::string::npos)
    return;
  if (const int line = build::line_of_launch(blame.file->text, finding.kernel); line > 0)
    cause.message += fmt::format("; `{}` is launched at {}:{}", finding.kernel, blame.file->name, line);
}

// Converts an engine's finding to a report. The finding's file is relative to the submission, because the
// builder maps the paths in debug information.
Cause cause_of_finding(const wire::Finding& finding, const Blame& blame) {
  Cause cause = make_cause(finding.kind, finding.message, finding.file);
  cause.line = finding.line;
  cause.other_line = finding.other_line;
  cause.excerpt = excerpt_in(blame, cause.file, cause.line);
  cause.accesses = finding.accesses;
  if (finding.kind == CauseKind::out_of_bounds) cause.warp_access = finding.warp_access;
  cause.block_threads = finding.block_threads;
  if (cause.line == 0) point_to_host_code(cause, finding.frames, !finding.kernel.empty(), blame);
  if (!finding.other_frames.empty()) add_other_place(cause, finding, blame);
  add_hints(cause, blame);
  if (!put_remedy_of_source(cause, blame)) add_lines(cause, blame);
  add_launch(cause, finding, blame);
  add_places(cause, blame);
  point_out_of_library(cause, blame);
  leave_given_header(cause, blame);
  return cause;
}

// Returns true if a library calls the function by which the simulator's cuBLAS and similar libraries run. The
// build permits that only to kernel files that may use these libraries (build/integrity.h).
bool calls_libraries(const std::filesystem::path& library) {
  const auto bytes = read_file(library);
  return bytes && bytes->find("warpmark_device_library_call") != std::string::npos;
}

// Returns the report for a construct that the simulator does not support. Such a report does not lose points,
// so the worker process's claim is not trusted: the judge process inspects the device code itself and writes
// its own message.
Cause cause_of_unsupported(const wire::Finding& finding, const Blame& blame) {
  Cause cause = cause_of_finding(finding, blame);
  if (blame.submission == nullptr || blame.library.empty()) return cause;
  if (finding.message.starts_with(wire::kNotInBuild) && calls_libraries(blame.library)) return cause;
  if (blame.installation == nullptr) return cause;
  if (DeviceCode code = device_code_of(*blame.installation, blame.library);
      code.kind != DeviceCode::Kind::simulated) {
    if (code.kind == DeviceCode::Kind::costly) cause.kind = CauseKind::cuda_error;
    cause.message = std::move(code.why);
    return cause;
  }
  cause.kind = CauseKind::cuda_error;
  cause.message =
      "the simulated device could not load the code, although it supports all of it: there may be no memory "
      "left for a __device__ variable";
  return cause;
}

wire::FindingKey key_of(const Cause& cause) {
  return wire::key_of(cause.kind, cause.file, cause.line, cause.other_line, "");
}

}  // namespace

tl::expected<std::vector<double>, Cause> times_of(const wire::CallReply& reply, std::size_t calls) {
  const bool positive = std::ranges::all_of(reply.event_ms, [](double time) { return time > 0; });
  if (positive && reply.event_ms.size() == calls) return reply.event_ms;
  return tl::unexpected(make_cause(CauseKind::tampering, "the time of a call is not a positive number"));
}

std::optional<std::string> submitted_text(const Submission& submission, const std::string& name) {
  std::error_code error;
  const auto path = std::filesystem::canonical(submission.folder / name, error);
  if (error || *path.lexically_relative(submission.folder).begin() == "..") return std::nullopt;
  auto text = read_own_file(submission.folder / name);
  return text ? std::optional(std::move(*text)) : std::nullopt;
}

void name_kept_variable(Cause& cause, const Blame& blame) {
  if (blame.submission == nullptr || blame.file == nullptr) return;
  const auto text = submitted_text(*blame.submission, blame.file->name);
  const build::Place kept = text ? build::kept_variable(*text) : build::Place{};
  if (kept.line == 0) return;
  const build::Place used = build::use_of(*text, kept);
  cause.message += used.line == 0
                       ? fmt::format("; line {} keeps a value from call to call: `{}`", kept.line, kept.code)
                       : fmt::format(
                             "; line {} finds there what an earlier call left: line {} keeps "
                             "a value from call to call, `{}`",
                             used.line, kept.line, kept.code);
  cause.file = blame.file->name;
  cause.line = used.line == 0 ? kept.line : used.line;
  cause.other_line = used.line == 0 ? 0 : kept.line;
  cause.excerpt = excerpt_in(blame, cause.file, cause.line);
}

std::vector<SourceLine> excerpt_in(const Blame& blame, const std::string& file, int line) {
  if (blame.submission == nullptr || file.empty() || line <= 0) return {};
  const auto text = submitted_text(*blame.submission, file);
  return text ? build::excerpt_of(*text, line) : std::vector<SourceLine>{};
}

namespace {

// Points a cause to the first source line of the submission among the places of some addresses. Returns false
// if there is none.
bool point_to_first(Cause& cause, const std::vector<std::uint64_t>& addresses, bool of_launch,
                    const Blame& blame) {
  const auto places = build::symbolize(blame.library, addresses);
  for (const std::uint64_t address : addresses) {
    const auto known = places.find(address);
    if (known == places.end()) continue;
    for (const build::SourcePlace& place : known->second) {
      const auto text = submitted_text(*blame.submission, place.file);
      if (!text) continue;
      if (std::exchange(of_launch, false) || is_kernel(*text, place.line)) continue;
      cause.file = place.file;
      cause.line = place.line;
      cause.excerpt = excerpt_in(blame, cause.file, cause.line);
      return true;
    }
  }
  return false;
}

}  // namespace

void point_to_host_code(Cause& cause, const std::vector<std::uint64_t>& frames, bool of_launch,
                        const Blame& blame) {
  if (frames.empty() || blame.submission == nullptr || blame.library.empty()) return;
  if (point_to_first(cause, frames, of_launch, blame)) return;
  // Optimised code has instructions without a line: that of the instructions around it is taken.
  constexpr std::uint64_t kAround = 32;  // bytes
  std::vector<std::uint64_t> around;
  for (std::uint64_t by = 1; by <= kAround && by < frames.front(); ++by) {
    around.push_back(frames.front() - by);
    around.push_back(frames.front() + by);
  }
  point_to_first(cause, around, of_launch, blame);
}

std::vector<Cause> causes_of(const wire::Observation& observed, const wire::Failure& failure,
                             const Blame& blame) {
  std::vector<Cause> causes;
  for (const wire::Finding& finding : observed.findings) {
    if (causes.size() == kMostFindings) break;
    causes.push_back(finding.kind == CauseKind::unsupported ? cause_of_unsupported(finding, blame)
                                                            : cause_of_finding(finding, blame));
    // A finding with a source line belongs to its kernel's last launch. One without a line may be about a
    // launch that failed.
    const auto launch = std::ranges::find(observed.launches.rbegin(), observed.launches.rend(),
                                          finding.kernel, &wire::Launch::kernel);
    if (finding.line > 0 && !finding.kernel.empty() && launch != observed.launches.rend())
      causes.back().launch = shape_of(*launch);
    add_dimensions(causes.back(), blame);
    explain_shared_array(causes.back(), blame);
  }
  if (causes.empty() && failure.threw) {
    causes.push_back(make_cause(
        CauseKind::crashed, "the function ended with an exception instead of returning: " + *failure.threw));
  }
  if (causes.empty() && failure.cuda_error) {
    const wire::CudaError& error = *failure.cuda_error;
    causes.push_back(make_cause(CauseKind::cuda_error, fmt::format("CUDA reported {} during {}: {}",
                                                                   error.error, error.when, error.message)));
  }
  return causes;
}

LaunchShape shape_of(const wire::Launch& launch) {
  return {launch.kernel,
          {launch.grid.begin(), launch.grid.end()},
          {launch.block.begin(), launch.block.end()},
          launch.shared_bytes};
}

void name_launch(std::vector<Cause>& causes, const std::vector<wire::Launch>& launches) {
  if (launches.empty()) return;
  for (Cause& cause : causes) {
    if (!cause.launch && rule_of(cause.kind).source == Source::judge)
      cause.launch = shape_of(launches.front());
  }
}

void add_once(std::vector<Cause>& causes, std::vector<Cause> more) {
  for (Cause& cause : more) {
    const bool known =
        std::ranges::any_of(causes, [&](const Cause& earlier) { return key_of(earlier) == key_of(cause); });
    if (!known) causes.push_back(std::move(cause));
  }
}

}  // namespace warpmark::judge
