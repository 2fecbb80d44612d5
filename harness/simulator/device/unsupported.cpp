#include "harness/simulator/device/unsupported.h"

#include <fmt/format.h>

#include "harness/simulator/both/fat_binary.h"
#include "harness/simulator/decode/array_index.h"
#include "harness/simulator/decode/decoder.h"
#include "harness/simulator/ptx/parser.h"

namespace warpmark::simulator {
namespace {

std::optional<std::string> unsupported_in_ptx(std::string_view text) {
  auto parsed = ptx::parse(text);
  if (!parsed) return fmt::format("the device code cannot be read: {}", parsed.error());
  settle_index_tests(*parsed);
  VariableAddresses places;  // dummy addresses of the __device__ variables: the code is decoded, never run
  for (const ptx::Variable& variable : parsed->variables) places[variable.name] = 1;
  const Program program = decode(*parsed, places);
  if (program.unsupported.empty()) return std::nullopt;
  return program.unsupported.front();
}

}  // namespace

std::optional<std::string> unsupported_in(std::string_view library) {
  for (std::size_t at = library.find(kFatBinaryMagic); at != std::string_view::npos;
       at = library.find(kFatBinaryMagic, at + 1)) {
    for (const std::string_view image : images_in(library.substr(at))) {
      if (auto lacking = unsupported_in_ptx(image)) return lacking;
    }
  }
  return std::nullopt;
}

}  // namespace warpmark::simulator
