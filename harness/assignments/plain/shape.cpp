#include "harness/assignments/plain/shape.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>
#include <unistd.h>

#include "harness/assignments/bytes.h"
#include "harness/assignments/plain/comparison.h"
#include "harness/assignments/random.h"

namespace warpmark::plain {
namespace {

std::string place(const Spec& spec, int line) {
  return fmt::format("{}:{}", spec.file, line);
}

std::uint64_t memory_of_the_machine() {
  return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

// Value of a bound on generated data. Whole numbers are kept as 64-bit integers, because a double cannot
// represent all of them.
struct Value {
  std::int64_t whole = 0;
  double real = 0;
};

Value value_of(const Spec& spec, std::string_view what, int line, const Bound& bound, bool real,
               const Size& size) {
  if (!bound.expression) {
    if (!real && bound.number != std::floor(bound.number))
      throw AssignmentFault(
          fmt::format("{}: {}: the bound {} is no whole number, and the type has only those",
                      place(spec, line), what, bound.number));
    if (!real && std::abs(bound.number) >= 0x1p63)
      throw AssignmentFault(
          fmt::format("{}: {}: the bound {} exceeds 64 bits", place(spec, line), what, bound.number));
    return {real ? 0 : static_cast<std::int64_t>(bound.number), bound.number};
  }
  const auto value = bound.expression->value(spec.values_of(size));
  if (!value)
    throw AssignmentFault(fmt::format("{}: {}: a bound at size {}: {}", place(spec, line), what,
                                      to_text(size), value.error().message));
  return {*value, static_cast<double>(*value)};
}

template <class T>
Range full_range(std::string_view data_class, double sum_below) {
  using Limits = std::numeric_limits<T>;
  Range range;
  if constexpr (std::is_floating_point_v<T>) {
    range.real_low = data_class == "exact" ? -sum_below : -1;
    range.real_high = -range.real_low;
  } else {
    range.low = std::is_signed_v<T> ? static_cast<std::int64_t>(Limits::min()) : 0;
    range.span = static_cast<std::uint64_t>(Limits::max()) - static_cast<std::uint64_t>(Limits::min());
    range.real_low = static_cast<double>(Limits::min());
    range.real_high = static_cast<double>(Limits::max());
  }
  return range;
}

template <class T>
bool holds(const Value& value) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::abs(value.real) <= static_cast<double>(std::numeric_limits<T>::max());
  } else {
    return std::in_range<T>(value.whole);
  }
}

// Returns those data classes listed for a buffer that can be generated for its element type.
std::vector<std::string> usable_classes(const BufferRule& rule, const Element& element) {
  std::vector<std::string> usable =
      element.real() && !rule.data_of_reals.empty() ? rule.data_of_reals : rule.data;
  std::erase_if(usable, [&](const std::string& name) { return !element.real() && needs_reals(name); });
  return usable;
}

// Returns the class of a buffer that lists `usable`, at least one, in the case that `name`, one of `leading`,
// stands for: `name` itself if the buffer lists it, else the class whose turn it is.
const std::string& class_led_by(std::string_view name, const std::vector<std::string>& leading,
                                const std::vector<std::string>& usable) {
  const auto own = std::ranges::find(usable, name);
  if (own != usable.end()) return *own;
  return usable[static_cast<std::size_t>(std::ranges::find(leading, name) - leading.begin()) % usable.size()];
}

// Returns the index of the first whole number that is not in the range; nullopt if all are. Floats are not
// compared: a course may make NaN, infinities and other values beyond the bounds on purpose.
std::optional<std::size_t> first_outside(Number number, std::span<const std::byte> contents,
                                         const Range& range) {
  return with_number(number, [&]<class T>() -> std::optional<std::size_t> {
    if constexpr (std::is_floating_point_v<T>) return std::nullopt;
    for (std::size_t i = 0; i < contents.size() / sizeof(T); ++i) {
      T value{};
      std::memcpy(&value, contents.data() + i * sizeof(T), sizeof(T));
      if (static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(range.low) > range.span) return i;
    }
    return std::nullopt;
  });
}

}  // namespace

std::uint64_t elements_of(const Spec& spec, const BufferRule& rule, const Size& size, const Element& element,
                          std::string_view leading) {
  if (std::ranges::find(rule.without, leading) != rule.without.end()) return 0;
  const auto count = spec.count_of(rule, size);
  if (!count) throw AssignmentFault(count.error().message);
  if (*count > memory_of_the_machine() / element.bytes) {
    throw AssignmentFault(
        fmt::format("{}: {} has {} elements at size {}, which is more than this machine's memory of {} MiB; "
                    "lower the size",
                    place(spec, rule.line), rule.name, *count, to_text(size), memory_of_the_machine() >> 20));
  }
  return *count;
}

Range range_of(const Spec& spec, std::string_view what, int line, const std::optional<Bound>& low,
               const std::optional<Bound>& high, const Element& element, std::string_view data_class,
               double sum_below, const Size& size, bool empty) {
  return with_number(element.number, [&]<class T>() {
    Range range = full_range<T>(data_class, sum_below);
    if (element.boolean) range.span = 1;
    constexpr bool kReal = std::is_floating_point_v<T>;
    const Value full_high{static_cast<std::int64_t>(static_cast<std::uint64_t>(range.low) + range.span),
                          range.real_high};
    const bool unsigned_top = !kReal && !high && sizeof(T) == 8 && !std::is_signed_v<T>;
    const Value least =
        low ? value_of(spec, what, line, *low, kReal, size) : Value{range.low, range.real_low};
    const Value most = high ? value_of(spec, what, line, *high, kReal, size) : full_high;
    if (empty && (kReal ? most.real < least.real : most.whole < least.whole)) return range;
    for (const auto& [given, value] :
         {std::pair(low.has_value(), least), std::pair(high.has_value(), most)}) {
      const bool fits = holds<T>(value) && (!element.boolean || value.whole == 0 || value.whole == 1);
      if (given && !fits)
        throw AssignmentFault(fmt::format(
            "{}: {}: its type {} cannot hold the bound {} at size {}", place(spec, line), what, element.name,
            kReal ? fmt::format("{}", value.real) : fmt::format("{}", value.whole), to_text(size)));
    }
    if (!unsigned_top && (kReal ? most.real < least.real : most.whole < least.whole)) {
      throw AssignmentFault(fmt::format("{}: {}: high ({}) is below low ({}) at size {}", place(spec, line),
                                        what, kReal ? most.real : static_cast<double>(most.whole),
                                        kReal ? least.real : static_cast<double>(least.whole),
                                        to_text(size)));
    }
    range.low = least.whole;
    range.span = unsigned_top
                     ? ~std::uint64_t{0} - static_cast<std::uint64_t>(least.whole)
                     : static_cast<std::uint64_t>(most.whole) - static_cast<std::uint64_t>(least.whole);
    range.real_low = least.real;
    range.real_high = most.real;
    return range;
  });
}

void check_made(const Spec& spec, const BufferRule& rule, const Element& element,
                std::span<const std::byte> contents, const Range& range, const Made& made) {
  const auto wrong = first_outside(element.number, contents, range);
  if (!wrong) return;
  throw AssignmentFault(fmt::format(
      "{}: make_{} of data.cpp sets element {} of class \"{}\" to {}, which is not {}, at size {}",
      place(spec, rule.line), rule.name, *wrong / element.components, made.data_class,
      number_text(element.number, contents, *wrong),
      element.boolean ? "a value of bool between low and high" : "between low and high", to_text(made.size)));
}

std::vector<std::string> classes_of(const Spec& spec, std::string_view type) {
  std::vector<std::vector<std::string>> lists;
  for (const BufferRule& rule : spec.buffers)
    lists.push_back(usable_classes(rule, spec.element_of(rule.type, type)));
  std::vector<std::string> leading;
  for (const std::vector<std::string>& list : lists) {
    std::vector<std::string> classes;
    for (const std::string& name : list) {
      if (std::ranges::find(classes, name) == classes.end()) classes.push_back(name);
    }
    if (classes.size() > leading.size()) leading = std::move(classes);
  }
  // A buffer that lists a leading class uses it in that case, in place of the class whose turn it is. A class
  // that therefore never has its turn leads a case of its own.
  for (const std::vector<std::string>& list : lists) {
    for (const std::string& name : list) {
      const auto draws = [&](const std::string& each) { return class_led_by(each, leading, list) == name; };
      if (std::ranges::none_of(leading, draws)) leading.push_back(name);
    }
  }
  if (leading.empty()) leading.emplace_back("uniform");  // nothing is filled
  return leading;
}

std::string class_in(const Spec& spec, const BufferRule& rule, std::string_view type,
                     std::string_view leading) {
  const Element& element = spec.element_of(rule.type, type);
  const auto usable = usable_classes(rule, element);
  if (usable.empty())
    throw AssignmentFault(fmt::format("{}: {}: no class of `data` can be drawn for {}",
                                      place(spec, rule.line), rule.name, element.name));
  return class_led_by(leading, classes_of(spec, type), usable);
}

std::vector<std::uint64_t> draw_scalars(const Spec& spec, const Case& which) {
  std::vector<std::uint64_t> bits;
  for (const ScalarRule& rule : spec.scalars) {
    const Element& element = spec.element_of(rule.type, which.type);
    const Range range = range_of(spec, rule.name, spec.call_line, rule.low, rule.high, element, "uniform", 0,
                                 which.sizes(), false);
    const Drawing drawing{"uniform", element.number, 1, range, 0, random_bits(~which.seed, bits.size())};
    std::uint64_t value = 0;
    static_cast<void>(fill(drawing, std::as_writable_bytes(std::span(&value, 1)).first(element.bytes)));
    bits.push_back(value);
  }
  return bits;
}

}  // namespace warpmark::plain
