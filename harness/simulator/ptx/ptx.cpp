#include "harness/simulator/ptx/ptx.h"

#include <algorithm>
#include <array>

namespace warpmark::simulator::ptx {
namespace {

struct NamedType {
  std::string_view name;
  Type type;
  std::size_t bytes;
};
constexpr std::array<NamedType, 16> kTypes{{{"pred", Type::pred, 0},
                                            {"b8", Type::b8, 1},
                                            {"b16", Type::b16, 2},
                                            {"b32", Type::b32, 4},
                                            {"b64", Type::b64, 8},
                                            {"u8", Type::u8, 1},
                                            {"u16", Type::u16, 2},
                                            {"u32", Type::u32, 4},
                                            {"u64", Type::u64, 8},
                                            {"s8", Type::s8, 1},
                                            {"s16", Type::s16, 2},
                                            {"s32", Type::s32, 4},
                                            {"s64", Type::s64, 8},
                                            {"f16", Type::f16, 2},
                                            {"f32", Type::f32, 4},
                                            {"f64", Type::f64, 8}}};

}  // namespace

Type type_named(std::string_view name) {
  const auto* found =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& entry) { return entry.name == name; });
  return found == kTypes.end() || name.empty() ? Type::none : found->type;
}

std::size_t size_of(Type type) {
  const auto* found =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& entry) { return entry.type == type; });
  return found == kTypes.end() ? 0 : found->bytes;
}

}  // namespace warpmark::simulator::ptx
