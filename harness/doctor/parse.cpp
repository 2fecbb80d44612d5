#include "harness/doctor/parse.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <sstream>

#include <fmt/format.h>

#include "harness/base/text.h"

namespace warpmark::doctor {
namespace {

std::vector<std::vector<std::string>> parse_table(std::string_view output) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string_view line : lines_of(output)) {
    if (trimmed(line).empty()) continue;
    std::vector<std::string> row;
    std::istringstream cells{std::string(line)};
    for (std::string cell; std::getline(cells, cell, ',');) row.emplace_back(trimmed(cell));
    rows.push_back(std::move(row));
  }
  return rows;
}

// Name of one nvidia-smi query field, and the function that parses its value into GpuFacts.
struct Field {
  const char* name;
  void (*take)(GpuFacts& gpu, const std::string& text);
};

constexpr Field kFields[] = {
    {"name", [](GpuFacts& gpu, const std::string& text) { gpu.name = text; }},
    {"driver_version", [](GpuFacts& gpu, const std::string& text) { gpu.driver = text; }},
    {"compute_mode", [](GpuFacts& gpu, const std::string& text) { gpu.compute_mode = text; }},
    {"mig.mode.current", [](GpuFacts& gpu, const std::string& text) { gpu.mig = text; }},
    {"ecc.mode.current", [](GpuFacts& gpu, const std::string& text) { gpu.ecc = text; }},
    {"ecc.mode.pending", [](GpuFacts& gpu, const std::string& text) { gpu.ecc_pending = text; }},
    {"retired_pages.pending", [](GpuFacts& gpu, const std::string& text) { gpu.pages_pending = text; }},
    {"persistence_mode", [](GpuFacts& gpu, const std::string& text) { gpu.persistence = text; }},
    {"clocks.current.sm",
     [](GpuFacts& gpu, const std::string& text) { gpu.sm_mhz = number_in<double>(text); }},
    {"clocks.max.sm",
     [](GpuFacts& gpu, const std::string& text) { gpu.max_sm_mhz = number_in<double>(text); }},
    {"power.limit",
     [](GpuFacts& gpu, const std::string& text) { gpu.power_limit = number_in<double>(text); }},
    {"power.default_limit",
     [](GpuFacts& gpu, const std::string& text) { gpu.default_power_limit = number_in<double>(text); }},
    {"temperature.gpu",
     [](GpuFacts& gpu, const std::string& text) { gpu.celsius = number_in<double>(text); }},
    {"memory.used", [](GpuFacts& gpu, const std::string& text) { gpu.used_mib = number_in<double>(text); }},
    {"memory.total", [](GpuFacts& gpu, const std::string& text) { gpu.total_mib = number_in<double>(text); }},
    {"utilization.gpu",
     [](GpuFacts& gpu, const std::string& text) { gpu.busy_percent = number_in<double>(text); }},
};

}  // namespace

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

std::string gpu_query() {
  std::string query;
  for (const Field& field : kFields) query += fmt::format("{}{}", query.empty() ? "" : ",", field.name);
  return query;
}

std::vector<GpuFacts> parse_gpus(std::string_view output) {
  std::vector<GpuFacts> gpus;
  for (const std::vector<std::string>& row : parse_table(output)) {
    // A line of nvidia-smi's CSV output with another number of columns is an error message, and is skipped.
    if (row.size() != std::size(kFields)) continue;
    GpuFacts gpu;
    for (std::size_t i = 0; i < row.size(); ++i) kFields[i].take(gpu, row[i]);
    gpus.push_back(std::move(gpu));
  }
  return gpus;
}

std::vector<std::vector<std::string>> parse_slices(std::string_view output) {
  std::vector<std::vector<std::string>> slices;
  for (const std::string_view line : lines_of(output)) {
    if (line.starts_with("GPU ")) slices.emplace_back();
    std::istringstream words{std::string(line)};
    std::string mig;
    std::string name;
    if (!slices.empty() && words >> mig >> name && mig == "MIG") slices.back().push_back(name);
  }
  return slices;
}

void take(const SmiOutputs& outputs, Facts& facts) {
  facts.gpus = parse_gpus(outputs.gpus);
  facts.gpu_processes = parse_processes(outputs.processes);
  const auto slices = parse_slices(outputs.list);
  for (std::size_t i = 0; i < std::min(slices.size(), facts.gpus.size()); ++i)
    facts.gpus[i].slices = slices[i];
  if (!facts.gpus.empty()) facts.gpus.front().throttle_reasons = parse_mask(outputs.reasons);
}

std::optional<std::uint64_t> parse_mask(std::string_view output) {
  const std::string_view text = trimmed(output.substr(0, output.find('\n')));
  if (!text.starts_with("0x")) return std::nullopt;
  std::uint64_t mask = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data() + 2, last, mask, 16);
  return error != std::errc{} || end != last ? std::nullopt : std::optional(mask);
}

std::vector<std::string> parse_processes(std::string_view output) {
  std::vector<std::string> processes;
  for (const std::vector<std::string>& row : parse_table(output)) {
    if (row.size() < 3 || !number_in<double>(row.front())) continue;
    processes.push_back(fmt::format("{} {} ({} MiB)", row.front(), row[1], row.back()));
  }
  return processes;
}

std::uint64_t parse_free_memory(std::string_view meminfo) {
  constexpr std::string_view kLabel = "MemAvailable:";
  const std::size_t at = meminfo.find(kLabel);
  if (at == std::string_view::npos) return 0;
  const std::string rest(meminfo.substr(at + kLabel.size(), 40));
  return std::strtoull(rest.c_str(), nullptr, 10) * 1024;
}

}  // namespace warpmark::doctor
