#include "harness/remote/errand.h"

#include <algorithm>

#include <fmt/format.h>

#include "harness/base/text.h"

namespace warpmark::remote {
namespace {

using namespace std::chrono_literals;

constexpr auto kLookInterval = 1s;
// Time between two attempts to reach a place that does not answer: doubled from the first to the last.
constexpr auto kFirstPause = 1s;
constexpr auto kLongestPause = 30s;
constexpr auto kPatience = 10min;  // for a place that does not answer
constexpr int kMostStarts = 3;

std::string first_line(std::string_view text) {
  return std::string(take_line(text));
}

}  // namespace

Result<std::string> Errand::start() {
  ++starts_;
  there_ = true;
  auto seed = place_.start(parcel_);
  if (seed) {
    parcel_.seed = *seed;
  } else {
    remove();
  }
  return seed;
}

bool Errand::step(Clock::time_point now) {
  if (now < next_) return false;
  next_ = now + kLookInterval;
  const auto look = is_gone_ ? start_again() : place_.look();
  if (!look) {
    note_silence(look.error().message, now);
    return now - silent_since_ < kPatience
               ? false
               : fail_with(fmt::format("has not answered for {} minutes ({}); grade again when it does",
                                       kPatience.count(), look.error().message));
  }
  if (attempts_ > 0) say_once(fmt::format("{} answers again", place_.name()));
  attempts_ = 0;
  return take(*look);
}

bool Errand::take(const Look& look) {
  switch (look.state) {
    case Look::State::waiting:
    case Look::State::running:
      if (!look.text.empty()) say_once(fmt::format("{}: {}", place_.name(), look.text));
      return false;
    case Look::State::ended:
      return true;
    case Look::State::lost:
      if (starts_ >= kMostStarts) return fail_with(fmt::format("{}, {} times", look.text, kMostStarts));
      say_once(fmt::format("{}: {}; starting again", place_.name(), look.text));
      is_gone_ = true;
      return false;
    case Look::State::failed:
      break;
  }
  return fail_with(look.text);
}

void Errand::note_silence(const std::string& why, Clock::time_point now) {
  if (attempts_++ == 0) silent_since_ = now;
  const auto pause =
      std::min<std::chrono::seconds>(kFirstPause * (1 << std::min(attempts_ - 1, 5)), kLongestPause);
  next_ = now + pause;
  say_once(fmt::format("{}: the connection is lost ({}); trying again in {} s", place_.name(), why,
                       pause.count()));
}

Result<Look> Errand::start_again() {
  const auto seed = place_.start(parcel_);
  if (!seed) return tl::unexpected(seed.error());
  ++starts_;
  is_gone_ = false;
  return Look{Look::State::running, ""};
}

bool Errand::fail_with(std::string why) {
  failure_ = std::move(why);
  return true;
}

Result<Errand::Ended> Errand::result(const std::filesystem::path& file) {
  if (failure_.empty()) {
    auto found = place_.fetch(file);
    const auto machine = place_.fetch(kMachineFile);
    if (found) return Ended{std::move(*found), first_line(machine.value_or(""))};
    const auto status = place_.fetch(kStatusFile);
    const auto lines = lines_of(place_.fetch(kLogFile).value_or(""));
    failure_ = fmt::format("left no grade (exit status {}){}", first_line(status.value_or("unknown")),
                           lines.empty() ? "" : "; its last output: " + lines.back());
  }
  return fail(fmt::format("{} {}", place_.name(), failure_));
}

void Errand::remove() {
  if (!there_) return;
  there_ = false;
  if (const auto removed = place_.remove(); !removed)
    say_(fmt::format("{}: {}", place_.name(), removed.error().message));
}

void Errand::say_once(const std::string& line) {
  if (line == said_) return;
  said_ = line;
  say_(line);
}

}  // namespace warpmark::remote
