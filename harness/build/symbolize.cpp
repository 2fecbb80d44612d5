#include "harness/build/symbolize.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "harness/base/text.h"
#include "harness/sandbox/process.h"

namespace warpmark::build {

namespace {

constexpr std::chrono::seconds kLimit{20};
constexpr std::size_t kMostAddresses = 2000;

// Parses a location printed by addr2line: "./a.cu:12", "a.cu:12 (discriminator 3)", "??:?".
SourcePlace place_from(std::string_view text) {
  const std::size_t colon = text.rfind(':', text.find(" (discriminator"));
  if (colon == std::string_view::npos) return {};
  SourcePlace place{std::string(text.substr(0, colon)), 0};
  std::from_chars(text.data() + colon + 1, text.data() + text.size(), place.line);
  while (place.file.starts_with("./")) place.file.erase(0, 2);
  return place;
}

}  // namespace

PlacesOfAddresses places_from(std::string_view output) {
  PlacesOfAddresses all;
  std::vector<SourcePlace>* current = nullptr;
  while (!output.empty()) {
    const std::string_view line = take_line(output);
    if (line.starts_with("0x")) {
      std::uint64_t address = 0;
      std::from_chars(line.data() + 2, line.data() + line.size(), address, 16);
      current = &all[address];
      continue;
    }
    if (current == nullptr) continue;
    SourcePlace place = place_from(line);
    if (place.line > 0) current->push_back(std::move(place));
  }
  return all;
}

PlacesOfAddresses symbolize(const std::filesystem::path& program,
                            const std::vector<std::uint64_t>& addresses) {
  const auto tool = sandbox::find_program("addr2line");
  if (!tool || addresses.empty()) return {};
  sandbox::Command command;
  command.argv = {tool->string(), "-a", "-i", "-e", program.string()};
  for (std::size_t i = 0; i < std::min(addresses.size(), kMostAddresses); ++i)
    command.argv.push_back(fmt::format("{:#x}", addresses[i]));
  command.output_cap = std::size_t{4} << 20;
  const Result<sandbox::Finished> finished = sandbox::run(command, kLimit);
  return finished ? places_from(finished->ending.output) : PlacesOfAddresses{};
}

}  // namespace warpmark::build
