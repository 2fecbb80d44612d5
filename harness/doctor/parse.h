// From what the system prints to facts: functions of text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/doctor/facts.h"

namespace warpmark::doctor {

std::string first_line(const std::string& text);

// The fields that nvidia-smi is asked for, in the order in which parse_gpus takes them.
std::string gpu_query();

// A line a GPU, of `nvidia-smi --query-gpu=<gpu_query()> --format=csv,noheader,nounits`.
std::vector<GpuFacts> parse_gpus(std::string_view output);

// "0x0000000000000004", as nvidia-smi writes throttle reasons; nothing for any other text.
std::optional<std::uint64_t> parse_mask(std::string_view output);

// A line a process, of `--query-compute-apps=pid,process_name,used_memory` in the same format.
std::vector<std::string> parse_processes(std::string_view output);

// Bytes of MemAvailable in /proc/meminfo.
std::uint64_t parse_free_memory(std::string_view meminfo);

}  // namespace warpmark::doctor
