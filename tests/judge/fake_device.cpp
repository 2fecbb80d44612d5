#include "tests/judge/fake_device.h"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <filesystem>

#include <sys/stat.h>
#include <unistd.h>

namespace warpmark::fake {
namespace {

using nlohmann::json;

std::vector<std::byte> contents_of(int fd) {
  struct stat status {};
  ::fstat(fd, &status);
  std::vector<std::byte> bytes(static_cast<std::size_t>(status.st_size));
  if (::pread(fd, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) bytes.clear();
  return bytes;
}

template <class T>
T load(const std::byte* from, std::size_t index) {
  T value;
  std::memcpy(&value, from + index * sizeof value, sizeof value);
  return value;
}

template <class T>
T sum_of(const std::byte* values, std::uint64_t n, std::int64_t extra) {
  if constexpr (std::is_same_v<T, float>) {
    double sum = 0;
    for (std::uint64_t i = 0; i < n; ++i) sum += static_cast<double>(load<float>(values, i));
    return static_cast<float>(sum + static_cast<double>(extra));
  } else {
    std::uint32_t sum = static_cast<std::uint32_t>(extra);
    for (std::uint64_t i = 0; i < n; ++i) sum += load<std::uint32_t>(values, i);
    return static_cast<T>(sum);
  }
}

// Of the fake clock, for what surrounds a call and for what its events leave out of it.
constexpr double kTurnMs = 0.1;
constexpr double kLaunchMs = 0.015;

// "time:2.5" -> "2.5"
std::string argument_of(const std::string& behaviour) {
  const std::size_t colon = behaviour.find(':');
  return colon == std::string::npos ? "" : behaviour.substr(colon + 1);
}

}  // namespace

json Device::answer(const json& request, const std::vector<UniqueFd>& descriptors) {
  const json before = observed();
  json reply = answer_alone(request, descriptors);
  reply["before"] = before;
  if (!reply.contains("observed")) reply["observed"] = observed();
  if (std::exchange(late_, false)) sent(5000);
  return reply;
}

json Device::answer_alone(const json& request, const std::vector<UniqueFd>& descriptors) {
  const std::string what = request.at("do");
  const int fd = descriptors.empty() ? -1 : descriptors.front().get();
  if (what == "load") {
    const std::string name = std::filesystem::path(request.at("path").get<std::string>()).filename();
    if (name == "not_loadable") return {{"not_loaded", "undefined symbol: helper"}};
    libraries_[request.at("library")] = name;
    if (name == "at_load") sent(5000);
    return json::object();
  }
  if (what == "zeros") {
    buffers_[request.at("buffer")] = std::vector<std::byte>(request.at("bytes").get<std::size_t>());
    return json::object();
  }
  if (what == "fill") {
    buffers_[request.at("buffer")] = contents_of(fd);
    return json::object();
  }
  if (what == "copy") {
    buffers_[request.at("to")] = buffers_.at(request.at("from"));
    return json::object();
  }
  if (what == "conditions") return {{"processes", 3}, {"sm_mhz", 1980}, {"throttled_by", {"power limit"}}};
  if (what == "call") return call(request, fd);
  if (what == "upload") return upload(request, fd);
  if (what == "canary") {
    sent(request.at("bytes"));
    return {{"observed", observed()}};
  }
  if (what == "read") {
    write_reads(request, fd);
    return json::object();
  }
  return {{"failed", "no request is called " + what}};
}

std::byte* Device::at(const json& view, std::size_t index) {
  return buffers_.at(view.at(0)).data() + view.at(1).get<std::size_t>() + index;
}

void Device::sent(std::size_t bytes, const char* kind, std::size_t count) {
  if (!recording_) return;
  events_.push_back({{"event", "transfer"},
                     {"direction", "host_to_device"},
                     {"kind", kind},
                     {"bytes", bytes},
                     {"count", count}});
}

json Device::observed() {
  return {{"findings", std::exchange(findings_, json::array())},
          {"events", std::exchange(events_, json::array())}};
}

json Device::call(const json& request, int reads) {
  const std::string behaviour = libraries_.at(request.at("library"));
  const auto turns = request.value("turns", std::size_t{1});
  const auto calls = request.value("calls", turns);
  json times = json::array();
  for (std::size_t turn = 0; turn < turns; ++turn) {
    for (const json& patch : request.at("patches")) {
      const auto value = patch.at(3).get<std::uint64_t>();
      std::memcpy(at({patch.at(0), patch.at(1)}), &value, patch.at(2).get<std::size_t>());
    }
    if (turn + calls >= turns) {
      if (behaviour == "crashes") ::raise(SIGSEGV);
      if (behaviour == "cuda_error") {
        return {{"observed", observed()},
                {"cuda_error",
                 {{"error", "cudaErrorInvalidConfiguration"}, {"message", "too many"}, {"when", "launch"}}}};
      }
      if (behaviour == "throws") return {{"observed", observed()}, {"threw", "std::bad_alloc"}};
      if (behaviour != "on_the_cpu")
        events_.push_back({{"event", "launch"}, {"kernel", behaviour}, {"count", 1U}});
      compute(request, behaviour);
      const Duration took = duration_of(behaviour);
      if (clock_ms_ != nullptr) *clock_ms_ += took.clock_ms + kLaunchMs;
      times.push_back(took.event_ms);
    }
    if (clock_ms_ != nullptr) *clock_ms_ += kTurnMs;
    write_reads(request, reads, turn);
  }
  return {{"event_ms", times}, {"observed", observed()}};
}

Device::Duration Device::duration_of(const std::string& behaviour) {
  if (behaviour.starts_with("time:")) {
    const json time = json::parse(argument_of(behaviour));
    return {time, time.is_number() ? time.get<double>() : 1.0};
  }
  const std::size_t second = behaviour.rfind(':');
  const std::size_t first = behaviour.find(':');
  if (first == std::string::npos || first == second) return {1.0, 1.0};
  const std::string name = behaviour.substr(0, first);
  const double one = std::stod(behaviour.substr(first + 1));
  const double other = std::stod(behaviour.substr(second + 1));
  const int count = timed_[behaviour]++;
  const bool accompanied = libraries_.contains("student");
  if (name == "hidden" || (name == "hidden_beside" && accompanied)) return {one, other};
  double time = one;
  if (name == "swings") time = count / 3 % 2 == 0 ? one * other : one / other;
  if (name == "swings_beside" && accompanied) time = count % 2 == 0 ? one * other : one / other;
  if (name == "beside" && accompanied) time = other;
  if (name == "once" && accompanied && count < 50) time = other;
  return {time, time};
}

void Device::compute(const json& request, const std::string& behaviour) {
  const json& views = request.at("buffers");
  const auto scalars = request.at("scalars").get<std::vector<std::uint64_t>>();
  const bool floats = libraries_.at(request.at("adapter")) == "float";
  std::byte* values = at(views.at(0));
  const std::uint64_t n = scalars.at(0);

  if (behaviour == "never_writes") return;
  if (behaviour.starts_with("finding:")) {
    findings_.push_back(
        {{"kind", argument_of(behaviour)}, {"file", "v.cu"}, {"line", 2}, {"message", "found"}});
  }
  if (behaviour == "copies") sent(n * 4);
  if (behaviour == "pieces") sent(n * 4, "copy", 40);
  if (behaviour == "mapped" || behaviour == "pages") sent(n * 4, behaviour == "pages" ? "managed" : "mapped");
  late_ = behaviour == "late";
  std::int64_t extra = 0;
  if (behaviour == "by_schedule" && request.at("schedule") != 0) extra = 1;
  if (behaviour == "by_optimiser" && !request.at("checking").get<bool>()) extra = 1;
  if (behaviour == "by_sweep" && request.at("sweep").get<bool>()) extra = 1;
  const std::uint64_t counted = behaviour == "half" ? n / 2 : n;
  std::uint32_t bits = 0;
  if (floats) {
    const auto sum = sum_of<float>(values, counted, extra);
    std::memcpy(&bits, &sum, sizeof bits);
  } else {
    bits = sum_of<std::uint32_t>(values, counted, extra);
  }
  if (behaviour == "zero") bits = 0;
  if (behaviour == "replays") {
    bits = static_cast<std::uint32_t>(first_sums_.try_emplace("sum", bits).first->second);
  }
  std::memcpy(at(views.at(1)), &bits, sizeof bits);

  if (behaviour == "turns_input" &&
      n > 2) {  // each call exchanges other neighbours, so that nothing is undone
    std::byte* pair = values + turned_++ % (n - 1) * sizeof bits;
    std::swap_ranges(pair, pair + sizeof bits, pair + sizeof bits);
  }
  if (behaviour == "changes_input" && n > 0) *values ^= std::byte{1};
  if (behaviour == "before") at(views.at(1))[-1] ^= std::byte{1};
  if (behaviour == "past") at(views.at(1))[4] ^= std::byte{1};
  if (behaviour == "past_workspace") at(views.at(2), views.at(2).at(2))[0] ^= std::byte{1};
}

json Device::upload(const json& request, int values) {
  const std::string behaviour = libraries_.at(request.at("library"));
  if (behaviour == "throws") return {{"observed", observed()}, {"threw", "std::bad_alloc"}};
  auto data = contents_of(values);
  recording_ = behaviour != "unseen";
  if (behaviour != "short" && behaviour != "null" && behaviour != "unregistered" && behaviour != "host") {
    sent(data.size());
  }
  if (behaviour == "twice") sent(data.size());
  if (behaviour == "short") {
    sent(data.size() / 2);
    std::fill(data.begin() + static_cast<std::ptrdiff_t>(data.size() / 2), data.end(), std::byte{0});
  }
  if (behaviour == "other") data.back() ^= std::byte{1};
  json reply{{"memory", "device"}};
  if (behaviour == "null" || behaviour == "unregistered" || behaviour == "host" || behaviour == "managed") {
    reply["memory"] = behaviour;
  }
  if (behaviour == "odd") reply = {{"memory", {1, 2}}};
  buffers_[request.at("as")] = std::move(data);
  reply["observed"] = observed();
  if (behaviour == "odd")
    reply["observed"]["events"] = {7, {{"event", "transfer"}, {"direction", 7}, {"bytes", "many"}}};
  return reply;
}

void Device::write_reads(const json& request, int fd, std::size_t turn) const {
  off_t position = 0;
  for (const json& view : request.at("reads"))
    position += static_cast<off_t>(turn * view.at(2).get<std::size_t>());
  for (const json& view : request.at("reads")) {
    const auto& buffer = buffers_.at(view.at(0));
    const auto bytes = view.at(2).get<std::size_t>();
    if (::pwrite(fd, buffer.data() + view.at(1).get<std::size_t>(), bytes, position) !=
        static_cast<ssize_t>(bytes))
      return;
    position += static_cast<off_t>(bytes);
  }
}

}  // namespace warpmark::fake
