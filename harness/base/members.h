// Lists the members of structs for conversion to and from JSON. Each type has one function
//
//   void describe(auto& archive, Of<Launch> auto& value)
//
// that passes the members of `value` to a writing or a reading archive. C++20 has no reflection, so macros
// derive a member's JSON key from its name:
//
//   WARPMARK_MEMBERS(kernel, count);          members that are always present
//   WARPMARK_OPTIONAL(file, line);            members that are omitted if 0, empty or unset
//   WARPMARK_DESCRIBE(Launch, kernel, count)  defines the function, for members that are always present
#pragma once

#include <concepts>
#include <type_traits>

namespace warpmark {

// Satisfied if T is the type Described, with or without const, so that one template serves readers and
// writers.
template <class T, class Described>
concept Of = std::same_as<std::remove_const_t<T>, Described>;

}  // namespace warpmark

// WARPMARK_FOR_EACH(DO, argument, a, b) expands to DO(argument, a) DO(argument, b). Each pass over the text
// expands one more name, and nested RESCANs make enough passes for 40 names.
#define WARPMARK_PARENTHESES ()
#define WARPMARK_RESCAN(...) WARPMARK_RESCAN_3(WARPMARK_RESCAN_3(WARPMARK_RESCAN_3(__VA_ARGS__)))
#define WARPMARK_RESCAN_3(...) WARPMARK_RESCAN_2(WARPMARK_RESCAN_2(WARPMARK_RESCAN_2(__VA_ARGS__)))
#define WARPMARK_RESCAN_2(...) WARPMARK_RESCAN_1(WARPMARK_RESCAN_1(WARPMARK_RESCAN_1(__VA_ARGS__)))
#define WARPMARK_RESCAN_1(...) __VA_ARGS__
#define WARPMARK_FOR_EACH(DO, argument, ...) WARPMARK_RESCAN(WARPMARK_NEXT(DO, argument, __VA_ARGS__))
#define WARPMARK_NEXT(DO, argument, name, ...) \
  DO(argument, name) __VA_OPT__(WARPMARK_NEXT_AGAIN WARPMARK_PARENTHESES(DO, argument, __VA_ARGS__))
#define WARPMARK_NEXT_AGAIN() WARPMARK_NEXT

#define WARPMARK_CALL(function, name) archive.function(#name, value.name);
#define WARPMARK_MEMBERS(...) WARPMARK_FOR_EACH(WARPMARK_CALL, member, __VA_ARGS__)
#define WARPMARK_OPTIONAL(...) WARPMARK_FOR_EACH(WARPMARK_CALL, optional, __VA_ARGS__)
#define WARPMARK_DESCRIBE(Type, ...)                   \
  void describe(auto& archive, Of<Type> auto& value) { \
    WARPMARK_MEMBERS(__VA_ARGS__)                      \
  }
