// The types that a buffer's elements and a scalar may have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace warpmark::plain {

enum class Number : std::uint8_t { i8, i16, i32, i64, u8, u16, u32, u64, f32, f64 };

// A data member of a struct that an assignment's buffer holds as elements.
struct Member {
  std::string name;
  Number number = Number::i32;
  std::size_t offset = 0;  // byte offset of the member in its struct
  std::string note = {};   // the course's explanation that a message adds if this struct member is wrong
  std::string type = {};   // as assignment.toml spells it: "value_t"
};

struct Element {
  std::string name;                  // as C++ spells it: "unsigned char", "float4"
  Number number = Number::i32;       // numeric type of the element's components
  std::size_t components = 1;        // number of components: 1, or 2 to 4 for CUDA's vector types
  std::size_t bytes = 4;             // sizeof the element type, all components included
  bool boolean = false;              // true for bool: the only values are 0 and 1
  std::vector<Member> members = {};  // data members if the element is a struct, for which `number` is unused
  int line = 0;                      // line of the struct's table in assignment.toml

  [[nodiscard]] bool real() const { return number == Number::f32 || number == Number::f64; }
};

// Returns the element type with this C++ name, or nullptr if it is unknown. Multi-word names must have single
// blanks ("unsigned int").
const Element* find_element(std::string_view name);
// Returns the names of all known types, for a message.
std::string known_elements();

// Appends a member to a struct type under construction, at the offset and with the final size that C++ layout
// rules give.
void add_member(Element& made, const std::string& name, const Element& type, const std::string& note);

// Returns true if an element, or a member of it, has one or two bytes.
bool has_small_numbers(const Element& element);

// Calls f.operator()<T>() with the C++ type of an element's components and returns its result.
template <class F>
decltype(auto) with_number(Number number, const F& f) {
  switch (number) {
    case Number::i8:
      return f.template operator()<std::int8_t>();
    case Number::i16:
      return f.template operator()<std::int16_t>();
    case Number::i64:
      return f.template operator()<std::int64_t>();
    case Number::u8:
      return f.template operator()<std::uint8_t>();
    case Number::u16:
      return f.template operator()<std::uint16_t>();
    case Number::u32:
      return f.template operator()<std::uint32_t>();
    case Number::u64:
      return f.template operator()<std::uint64_t>();
    case Number::f32:
      return f.template operator()<float>();
    case Number::f64:
      return f.template operator()<double>();
    case Number::i32:
      break;
  }
  return f.template operator()<std::int32_t>();
}

inline std::size_t bytes_of(Number number) {
  return with_number(number, []<class T>() { return sizeof(T); });
}

}  // namespace warpmark::plain
