// Converts enumerators to and from their names, as files and messages use them. An enumeration whose values
// count from 0 has a function beside it that lists the names:
//
//   constexpr std::array<std::string_view, 2> names_of(Phase /*type*/) { return {"load", "call"}; }
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>

namespace warpmark {

template <class T>
concept Named = std::is_enum_v<T> && requires(T value) {
  names_of(value).size();
};

constexpr std::string_view name_of(Named auto value) {
  return names_of(value)[static_cast<std::size_t>(value)];
}

// Returns the enumerator with this name among the first `count`; nullopt if there is none.
template <Named T>
constexpr std::optional<T> value_named(std::string_view name, std::size_t count = names_of(T{}).size()) {
  for (std::size_t i = 0; i < count; ++i) {
    if (names_of(T{})[i] == name) return static_cast<T>(i);
  }
  return std::nullopt;
}

}  // namespace warpmark
