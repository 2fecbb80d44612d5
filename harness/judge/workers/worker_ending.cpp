#include "harness/judge/workers/worker_ending.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>

#include <fmt/format.h>
#include <unistd.h>

#include "harness/judge/workers/rank_causes.h"

namespace warpmark::judge {
namespace {

using wire::ChannelFailure;

constexpr std::size_t kMostPrinted = 4096;  // limit in bytes on a student call's printed output in a grade

// The last line that the C++ or C library printed before it aborted the program, and what it means.
struct LastLine {
  std::string_view part;
  std::string_view meaning;
};
constexpr std::array kLastLines{
    LastLine{"Resource temporarily unavailable",
             "a thread could not be started: there are too many at the same time. Start about as many as "
             "std::thread::hardware_concurrency() says, and join them"},
    LastLine{
        "terminate called without an active exception",
        "a std::thread was destroyed, or another one assigned to it, before it was joined: call join() on "
        "every thread, on every way out of the block; an exception, as when there are too many threads, is "
        "one"},
    LastLine{"terminate called after throwing",
             "no try block catches the exception: one that leaves a thread's function ends the program, so "
             "catch it in the thread"},
    LastLine{"double free", "memory is freed twice"},
    LastLine{"free(): invalid", "a pointer is freed that new or malloc did not return"},
    LastLine{"corrupted", "code wrote past the end of a heap block, or before it"},
    LastLine{"invalid next size", "code wrote past the end of a heap block, or before it"},
    LastLine{"stack smashing detected", "code wrote past the end of a local array"},
    LastLine{"Assertion", "an assertion does not hold"},
};

std::string advice_on_signal(int signal, bool on_host, const std::string& printed) {
  if (signal == SIGXFSZ) return "; it wrote a larger file than it may: a version must only compute";
  if (signal == SIGFPE) return "; look for a whole number that is divided by 0, also by %";
  if (!on_host) return "; this is host code: look for a null or dangling pointer in the launcher";
  const auto last = std::ranges::find_if(
      kLastLines, [&](const LastLine& line) { return printed.find(line.part) != std::string::npos; });
  if (signal == SIGABRT && last != kLastLines.end()) return fmt::format("; {}", last->meaning);
  if (signal == SIGABRT)
    return "; look for an exception that no thread catches, a std::thread that is not joined, memory that "
           "is freed twice, or an assertion";
  return "; look for an index past an array's end, or a null or dangling pointer";
}

}  // namespace

LastWords last_words(int fd) {
  std::array<char, 4096> buffer{};
  LastWords words;
  const ssize_t got = ::pread(fd, buffer.data(), buffer.size(), 0);
  if (got <= 0) return words;
  std::string_view said(buffer.data(), static_cast<std::size_t>(got));
  while (!said.empty()) {
    const std::size_t end = std::min(said.find('\n'), said.size());
    const auto line = wire::decode_journal_line(said.substr(0, end));
    said.remove_prefix(std::min(end + 1, said.size()));
    if (!line) break;
    const auto* finding = std::get_if<wire::Finding>(&*line);
    const bool told = finding != nullptr &&
                      (finding->kind == CauseKind::device_pointer || finding->kind == CauseKind::crashed);
    if (finding != nullptr) words.findings.push_back(*finding);
    if (told && !words.cause) words.cause = make_cause(finding->kind, finding->message);
    if (const auto* where = std::get_if<wire::Frames>(&*line)) {
      if (words.where.frames.empty()) {
        words.where = *where;
      } else {
        words.others_where.push_back(*where);
      }
    }
    if (const auto* ranks = std::get_if<wire::RanksFailure>(&*line)) words.ranks = *ranks;
  }
  return words;
}

Cause cause_of_end(const WorkerEnd& end, const LastWords& words) {
  using Kind = sandbox::Ending::Kind;
  if (words.ranks) return cause_of(*words.ranks);
  if (words.cause) return *words.cause;
  if (const std::string why = sandbox::why_not_started(end.ended); !why.empty()) {
    return make_cause(CauseKind::internal, "the worker could not be run: " + why);
  }
  if (end.device_trouble) return *end.device_trouble;
  if (end.ended.exceeded == sandbox::Cap::memory) {
    return make_cause(CauseKind::crashed,
                      fmt::format("the program was ended because it took more than {:.1f} GiB of memory, "
                                  "the limit; look for an allocation that grows or is never freed",
                                  static_cast<double>(end.memory_cap) / (1 << 30)));
  }
  if (end.failure.kind == ChannelFailure::Kind::timed_out) {
    return make_cause(
        CauseKind::timed_out,
        fmt::format("the call did not come back within {} s; look for a loop that never ends, or a wait "
                    "for something that never happens",
                    std::chrono::duration<double>(end.limit).count()));
  }
  if (end.failure.kind == ChannelFailure::Kind::malformed) {
    return make_cause(CauseKind::tampering,
                      "something other than the harness wrote to its channel: " + end.failure.message);
  }
  if (end.by_itself && end.ended.kind == Kind::signalled) {
    return make_cause(
        CauseKind::crashed,
        fmt::format("the program crashed with signal {} ({}){}", end.ended.code, ::strsignal(end.ended.code),
                    advice_on_signal(end.ended.code, end.on_host, end.ended.output)));
  }
  if (end.by_itself && end.ended.kind == Kind::exited) {
    return make_cause(CauseKind::exited,
                      fmt::format("the program ended itself with exit status {} instead of returning "
                                  "from the function; do not call exit or abort in a version",
                                  end.ended.code));
  }
  return make_cause(CauseKind::tampering,
                    "the program closed the harness's channel; a version must only compute");
}

std::string shortened(std::string printed, bool cut) {
  if (printed.size() > kMostPrinted) {
    printed.resize(kMostPrinted);
    cut = true;
  }
  return cut ? printed + "\n... (the rest of the output was dropped)" : printed;
}

Cause cause_of_failed_request(const std::string& what, bool holds_a_submission, bool on_host) {
  if (!holds_a_submission) return make_cause(CauseKind::internal, what);
  if (on_host)
    return make_cause(CauseKind::crashed,
                      what +
                          "; after the submission's code has run, memory, limits and descriptors must be "
                          "as they were: it must not free what it was given, nor use up memory");
  return make_cause(CauseKind::cuda_error,
                    what +
                        "; after the submission's code has run, memory and device must be as they were: "
                        "it must not free what it was given, reset the device, or use up its memory");
}

}  // namespace warpmark::judge
