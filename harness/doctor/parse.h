// Parses the output of system tools into facts. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/doctor/facts.h"

namespace warpmark::doctor {

std::string first_line(const std::string& text);

// Returns the nvidia-smi query fields, in the order in which parse_gpus() expects them.
std::string gpu_query();

// Parses `nvidia-smi --query-gpu=<gpu_query()> --format=csv,noheader,nounits`, one line per GPU.
std::vector<GpuFacts> parse_gpus(std::string_view output);

// Parses `nvidia-smi -L`: returns the names of the MIG devices ("1g.18gb") of each GPU, in the order of the
// GPUs.
std::vector<std::vector<std::string>> parse_slices(std::string_view output);

// Parses all of nvidia-smi's outputs into the facts about GPUs and their processes.
void take(const SmiOutputs& outputs, Facts& facts);

// Parses nvidia-smi's throttle reasons, such as "0x0000000000000004"; nullopt for any other text.
std::optional<std::uint64_t> parse_mask(std::string_view output);

// Parses `nvidia-smi --query-compute-apps=pid,process_name,used_memory` in CSV format, one line per process.
std::vector<std::string> parse_processes(std::string_view output);

// Returns MemAvailable of /proc/meminfo in bytes.
std::uint64_t parse_free_memory(std::string_view meminfo);

}  // namespace warpmark::doctor
