#include "harness/simulate/counts.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "reports/text.h"

namespace warpmark::simulate {
namespace {

using nlohmann::json;

constexpr char kInstructions[] = "smsp__inst_executed.sum";
constexpr char kLanes[] = "smsp__thread_inst_executed_per_inst_executed.ratio";

std::uint64_t volume(const json& launch, const char* name) {
  std::uint64_t product = 1;
  for (const json& side : launch.value(name, json::array())) product *= side.get<std::uint64_t>();
  return product;
}

double at(const std::map<std::string, double>& counters, const std::string& name) {
  const auto found = counters.find(name);
  return found == counters.end() ? 0 : found->second;
}

void add(const json& launch, KernelCounts& counts) {
  const std::string shape = fmt::format("{} x {}", grouped(volume(launch, "grid")), volume(launch, "block"));
  if (counts.launches == 0) counts.shape = shape;
  counts.same_shape = counts.same_shape && shape == counts.shape;
  ++counts.launches;
  const json counters = launch.value("counters", json::object());
  for (const auto& [name, value] : counters.items()) {
    if (!value.is_number()) continue;
    // A ratio becomes a sum over instructions, so that large launches count for more.
    const double weight = name == kLanes ? counters.value(kInstructions, 0.0) : 1;
    counts.counters[name] += value.get<double>() * weight;
  }
}

}  // namespace

double KernelCounts::sectors_per_request(const std::string& operation) const {
  const double requests =
      at(counters, fmt::format("l1tex__t_requests_pipe_lsu_mem_global_op_{}.sum", operation));
  const double sectors =
      at(counters, fmt::format("l1tex__t_sectors_pipe_lsu_mem_global_op_{}.sum", operation));
  return requests == 0 ? 0 : sectors / requests;
}

double KernelCounts::bank_conflicts() const {
  return at(counters, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum") +
         at(counters, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum");
}

double KernelCounts::active_lanes() const {
  const double instructions = at(counters, kInstructions);
  return instructions == 0 ? 0 : at(counters, kLanes) / instructions;
}

std::vector<KernelCounts> counts_by_kernel(const std::vector<json>& launches) {
  std::vector<KernelCounts> all;
  for (const json& launch : launches) {
    const std::string kernel = launch.value("kernel", "");
    auto known = std::ranges::find(all, kernel, &KernelCounts::kernel);
    if (known == all.end())
      known = all.insert(all.end(), KernelCounts{.kernel = kernel, .shape = {}, .counters = {}});
    add(launch, *known);
  }
  return all;
}

}  // namespace warpmark::simulate
