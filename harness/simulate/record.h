// What the simulator wrote about one run of a program: lines of JSON, see
// harness/simulator/runtime/startup.cpp.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpmark::simulate {

// A finding as the runtime wrote it.
struct RawFinding {
  std::string kind;
  std::string kernel;  // empty: about host code alone
  std::string file;
  int line = 0;  // 0: not known
  int other_line = 0;
  std::string message;
  std::vector<std::uint64_t> frames;  // addresses in the program, innermost first: findings about host code
};

struct Record {
  std::vector<nlohmann::json> launches;   // {"kernel", "grid", "block", "counters"?, "lines"?}
  std::vector<nlohmann::json> transfers;  // {"direction", "bytes", "kind"}
  std::vector<RawFinding> findings;
  std::vector<std::string> notes;         // sentences: no fault, but good to know; each once
  std::optional<nlohmann::json> running;  // the launch that had not come back when the program ended
};

// Lines that are none of ours, or cut off by the program's end, are left out.
Record parse_record(std::string_view text);

}  // namespace warpmark::simulate
