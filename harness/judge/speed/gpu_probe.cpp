#include "harness/judge/speed/gpu_probe.h"

#include <algorithm>
#include <ctime>
#include <fstream>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/assignments/toml_table.h"
#include "harness/base/probe_work.h"
#include "harness/judge/rules/thresholds.h"
#include "harness/judge/speed/conditions.h"
#include "harness/measure/samples.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kRequestLimit{10};
constexpr std::size_t kCalls = 9;       // timed calls whose median counts
constexpr std::size_t kMostPasses = 6;  // 0.2 s each on an H200; two are enough once the clocks have risen
// The buffer that is read: several times L2, and large enough that a launch takes little of the time.
constexpr std::uint64_t kLeastRead = std::uint64_t{256} << 20;
constexpr std::uint64_t kReadPerL2 = 8;
constexpr const char* kRemedy = "; grade again when nothing else uses the GPU (`nvidia-smi` shows what does)";

// Reasons for reduced clocks, in the words of harness/worker/nvml.cpp, with which no rate is trusted.
constexpr std::string_view kThrottles[] = {"hardware slowdown", "temperature", "power supply"};

Cause noise(const std::string& why) {
  return make_cause(CauseKind::noise,
                    "this model of GPU was not calibrated, and its probe cannot be trusted: " + why);
}

// Runs one function of the probe's library several times; returns the median time of a call in seconds.
tl::expected<double, Cause> seconds_of(WorkerClient& worker, const char* function, std::uint64_t bytes,
                                       std::uint64_t blocks) {
  wire::Call call;
  call.library = call.adapter = "probe";
  call.function = function;
  call.buffers = {{"probe", 0, bytes}};
  call.scalars = {blocks};
  call.turns = call.calls = kCalls;
  const auto reply = worker.ask(call, {}, kRequestLimit);
  if (!reply) return tl::unexpected(reply.error());
  if (reply->failure.cuda_error || reply->event_ms.size() != kCalls)
    return tl::unexpected(noise(fmt::format("{} did not run on the GPU", function)));
  return measure::median(reply->event_ms) / 1e3;
}

tl::expected<measure::GpuRates, Cause> one_pass(WorkerClient& worker, std::uint64_t bytes) {
  const std::uint64_t blocks = worker.hello().multiprocessors * probe::kBlocksEach;
  const auto warps = static_cast<double>(blocks * probe::kWarps);
  measure::GpuRates rates;
  const auto instructions =
      warps * probe::kTurns * static_cast<double>(probe::kInstructions + probe::kLoopInstructions);
  struct Step {
    const char* function;
    double amount;
    double measure::GpuRates::*rate;
  };
  const Step steps[] = {
      {"probe_read", static_cast<double>(bytes), &measure::GpuRates::read_gb_per_s},
      {"probe_instructions", instructions, &measure::GpuRates::ginstructions},
      {"probe_atomics", warps * probe::kAtomics, &measure::GpuRates::gatomics},
  };
  for (const Step& step : steps) {
    const auto seconds = seconds_of(worker, step.function, bytes, blocks);
    if (!seconds) return tl::unexpected(seconds.error());
    rates.*step.rate = step.amount / *seconds / 1e9;
  }
  const auto launches = seconds_of(worker, "probe_launches", bytes, blocks);
  if (!launches) return tl::unexpected(launches.error());
  rates.launch_us = *launches / probe::kLaunches * 1e6;
  return rates;
}

// Measures the rates of the first GPU with the library of harness/worker/probe.cu.
tl::expected<measure::GpuRates, Cause> measure_rates(const Installation& installation,
                                                     const fs::path& library) {
  auto worker = WorkerClient::start(installation, Engine::gpu, false, kEngineLimit);
  if (!worker) return tl::unexpected(worker.error());
  const auto& hello = worker->hello();
  if (hello.multiprocessors == 0 || hello.free_bytes < 2 * kLeastRead)
    return tl::unexpected(noise(fmt::format("{} MiB of its memory are free, and it needs {}{}",
                                            hello.free_bytes >> 20, 2 * kLeastRead >> 20, kRemedy)));
  const std::uint64_t bytes = std::clamp(kReadPerL2 * hello.l2_bytes, kLeastRead, hello.free_bytes / 2);
  if (const std::string why = disturbance(conditions_of(*worker)); !why.empty())
    return tl::unexpected(noise(why));
  if (const auto loaded = worker->ask(wire::Load{"probe", library.string()}, {}, kRequestLimit); !loaded)
    return tl::unexpected(loaded.error());
  if (const auto zeros = worker->ask(wire::Zeros{"probe", bytes}, {}, kRequestLimit); !zeros)
    return tl::unexpected(zeros.error());
  auto rates = settled([&] { return one_pass(*worker, bytes); });
  if (const std::string why = disturbance(conditions_of(*worker)); rates && !why.empty())
    return tl::unexpected(noise(why));
  return rates;
}

tl::expected<fs::path, Cause> build_probe(const ProbeRequest& request) {
  build::Settings settings;
  settings.cache = request.cache;
  settings.sandbox = request.installation.sandbox;
  const fs::path folder = request.installation.root / "harness/worker";
  build::Request source{
      folder / "probe.cu",
      "probe.cu",
      {request.installation.root, folder},
      "",
      {"probe_read", "probe_instructions", "probe_atomics", "probe_launches", "warpmark_call"}};
  source.trusted = true;
  const build::Builder builder(request.engines.toolchains.at(Engine::gpu), std::move(settings));
  const auto built = builder.build(source);
  if (!built) return tl::unexpected(make_cause(CauseKind::internal, built.error().message));
  if (!built->causes.empty()) return tl::unexpected(built->causes.front());
  return built->library;
}

NaiveTime read_naive(TomlTable table) {
  NaiveTime naive;
  naive.kernel = table.text("kernel");
  naive.size = Size(table.counts("size"));
  naive.ms = table.number("ms");
  table.finish();
  return naive;
}

GpuProbe read_top(TomlTable top) {
  GpuProbe probe;
  probe.gpu = top.text("gpu");
  probe.date = top.text("date");
  probe.rates = {top.number("read_gb_per_s"), top.number("ginstructions"), top.number("gatomics"),
                 top.number("launch_us")};
  const auto& rates = probe.rates;
  if (std::min({rates.read_gb_per_s, rates.ginstructions, rates.gatomics, rates.launch_us}) <= 0)
    top.refuse("the rates must be above 0");
  if (top.find("naive") != nullptr) {
    for (const toml::node& entry : top.list("naive")) {
      if (!entry.is_table()) top.refuse(entry, "each [[naive]] must be a table");
      probe.naive.push_back(read_naive(TomlTable(*entry.as_table(), "naive", top.file())));
    }
  }
  top.finish();
  return probe;
}

}  // namespace

std::string loaded_driver() {
  std::string version;
  std::getline(std::ifstream("/sys/module/nvidia/version") >> std::ws, version);
  return version;
}

std::string identity_of(const Device& device, const std::string& driver) {
  return fmt::format("{}, {}, driver {}, CUDA {}, {:.0f} MHz, {:.0f} GB/s", device.name, device.uuid, driver,
                     device.cuda, device.clock_hz / 1e6, device.peak_gb_per_s);
}

fs::path probe_file(const fs::path& cache, const Device& device) {
  return cache / "probes" / fmt::format("{}-{}.toml", slug_of(device.name), slug_of(device.uuid));
}

std::string to_toml(const GpuProbe& probe) {
  std::string text = fmt::format(
      "# What Warpmark measured on this GPU, which is not calibrated; delete the file to have it measured "
      "anew.\n"
      "gpu = \"{}\"\ndate = \"{}\"\nread_gb_per_s = {:.6g}\nginstructions = {:.6g}\ngatomics = {:.6g}\n"
      "launch_us = {:.6g}\n",
      probe.gpu, probe.date, probe.rates.read_gb_per_s, probe.rates.ginstructions, probe.rates.gatomics,
      probe.rates.launch_us);
  for (const NaiveTime& naive : probe.naive) {
    text += fmt::format("\n[[naive]]\nkernel = \"{}\"\nsize = [{}]\nms = {:.6g}\n", naive.kernel,
                        fmt::join(naive.size.parts, ", "), naive.ms);
  }
  return text;
}

std::optional<GpuProbe> kept_probe(const fs::path& file, const std::string& identity) {
  std::error_code error;
  if (!fs::exists(file, error)) return std::nullopt;
  auto probe = read_toml<GpuProbe>(file, read_top);
  if (!probe || probe->gpu != identity) return std::nullopt;
  return std::move(*probe);
}

std::string disturbance(const Conditions& conditions) {
  if (conditions.other_processes.value_or(0) > 0)
    return fmt::format("{} on the GPU{}",
                       *conditions.other_processes == 1
                           ? "another process computes"
                           : fmt::format("{} other processes compute", *conditions.other_processes),
                       kRemedy);
  std::vector<std::string_view> reasons;
  for (const std::string_view throttle : kThrottles) {
    if (std::ranges::find(conditions.throttled_by, throttle) != conditions.throttled_by.end())
      reasons.push_back(throttle);
  }
  if (reasons.empty()) return {};
  return fmt::format(
      "its clocks are reduced ({}); let it cool, see `nvidia-smi -q -d PERFORMANCE`, and grade again",
      fmt::join(reasons, ", "));
}

tl::expected<measure::GpuRates, Cause> settled(
    const std::function<tl::expected<measure::GpuRates, Cause>()>& pass) {
  std::optional<measure::GpuRates> last;
  std::string apart;
  for (std::size_t i = 0; i < kMostPasses; ++i) {
    const auto rates = pass();
    if (!rates) return rates;
    if (last) {
      apart = measure::disagreement(*last, *rates);
      if (apart.empty()) return rates;
    }
    last = *rates;
  }
  return tl::unexpected(noise(apart + kRemedy));
}

tl::expected<GpuProbe, Cause> probe_gpu(const ProbeRequest& request, bool anew) {
  const Device& device = request.engines.devices.at(Engine::gpu);
  GpuProbe probe;
  probe.gpu = identity_of(device, loaded_driver());
  const fs::path file = probe_file(request.cache, device);
  if (!anew) {
    if (auto kept = kept_probe(file, probe.gpu)) return std::move(*kept);
  }
  if (request.progress) request.progress("measuring the rates of this GPU, which is not calibrated");
  const auto library = build_probe(request);
  if (!library) return tl::unexpected(library.error());
  const auto rates = measure_rates(request.installation, *library);
  if (!rates) return tl::unexpected(rates.error());
  probe.date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
  probe.rates = *rates;
  keep(probe, file);
  return probe;
}

void keep(const GpuProbe& probe, const fs::path& file) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  static_cast<void>(write_file(file, to_toml(probe)));
}

}  // namespace warpmark::judge
