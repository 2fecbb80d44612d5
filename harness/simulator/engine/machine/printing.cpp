#include "harness/simulator/engine/machine/printing.h"

#include <algorithm>
#include <cstdio>
#include <iterator>

#include <fmt/format.h>

namespace warpmark::simulator {
namespace {

// Maximum field width and precision of a printf conversion: characters beyond the size of the printf buffer
// are never printed.
constexpr int kWidest = static_cast<int>(kPrintBytes);

// A conversion specification of a printf format: %[flags][width][.precision][length]conversion.
struct Conversion {
  std::string flags;
  std::optional<int> width;
  std::optional<int> precision;
  bool wide = false;   // printf length modifier l, ll, z, j or t: 64-bit argument
  std::string narrow;  // printf length modifier h or hh
  char letter = 0;
};

class Formatter {
 public:
  Formatter(const DeviceReader& read, std::string_view format, Address arguments)
      : read_(read), rest_(format), next_(arguments) {}

  std::optional<Formatted> run() {
    while (!rest_.empty()) {
      const std::size_t literal = std::min(rest_.find('%'), rest_.size());
      result_.text += rest_.substr(0, literal);
      rest_.remove_prefix(literal);
      if (rest_.empty()) break;
      const std::string_view whole = rest_;
      rest_.remove_prefix(1);
      Conversion conversion;
      if (!parse(conversion)) return std::nullopt;
      if (conversion.letter == '%') {
        result_.text += '%';
      } else if (conversion.letter == 0) {
        // An invalid printf conversion is printed literally.
        result_.text += whole.substr(0, whole.size() - rest_.size());
      } else if (!convert(conversion)) {
        return std::nullopt;
      }
    }
    return std::move(result_);
  }

 private:
  char take() {
    const char c = rest_.empty() ? '\0' : rest_.front();
    if (!rest_.empty()) rest_.remove_prefix(1);
    return c;
  }

  // Parses the width or precision of a printf conversion: digits, or `*`, whose value is the next argument.
  // Returns false if that argument cannot be read from device memory.
  bool number(std::optional<int>& to) {
    if (rest_.starts_with('*')) {
      take();
      int value = 0;
      if (!argument(value)) return false;
      to = std::clamp(value, -kWidest, kWidest);
      return true;
    }
    while (!rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9') {
      to = std::min(to.value_or(0) * 10 + (take() - '0'), kWidest);
    }
    return true;
  }

  bool parse(Conversion& c) {
    while (!rest_.empty() && std::string_view("-+ #0").find(rest_.front()) != std::string_view::npos)
      c.flags += take();
    if (!number(c.width)) return false;
    if (rest_.starts_with('.')) {
      take();
      c.precision = 0;
      if (!number(c.precision)) return false;
    }
    while (!rest_.empty() && std::string_view("hlzjtLq").find(rest_.front()) != std::string_view::npos) {
      const char length = take();
      if (length == 'h')
        c.narrow += 'h';
      else
        c.wide = c.wide || length != 'L';
    }
    if (!rest_.empty() &&
        std::string_view("diouxXcsfFeEgGaAp%").find(rest_.front()) != std::string_view::npos)
      c.letter = take();
    return true;
  }

  template <class T>
  bool argument(T& value) {
    next_ = (next_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    const bool known = read_(next_, &value, sizeof(T));
    next_ += sizeof(T);
    ++result_.arguments;
    return known;
  }

  // Returns the conversion specification for snprintf, in which each `*` is replaced by its argument's value.
  static std::string specification(const Conversion& c, std::string_view length) {
    const std::string width = c.width ? fmt::to_string(*c.width) : std::string();
    const bool precise = c.precision && *c.precision >= 0;
    const std::string precision = precise ? fmt::format(".{}", *c.precision) : std::string();
    return fmt::format("%{}{}{}{}{}", c.flags, width, precision, length, c.letter);
  }

  template <class T>
  void print(const std::string& specification, T value) {
// Suppresses -Wformat-nonliteral: snprintf's format is assembled at run time from a parsed printf conversion,
// for exactly the type T of its argument.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
    const int size = std::snprintf(nullptr, 0, specification.c_str(), value);
    if (size <= 0) return;
    std::string text(static_cast<std::size_t>(size) + 1, '\0');
    std::snprintf(text.data(), text.size(), specification.c_str(), value);
#pragma GCC diagnostic pop
    text.pop_back();
    result_.text += text;
  }

  template <class T>
  bool print_argument(const std::string& specification) {
    T value{};
    if (!argument(value)) return false;
    print(specification, value);
    return true;
  }

  bool convert(const Conversion& c) {
    switch (c.letter) {
      case 's':
        return print_string(c);
      case 'c':
        return print_argument<int>(specification(c, ""));
      case 'p':
        return print_argument<void*>(specification(c, ""));
      case 'd':
      case 'i':
        return c.wide ? print_argument<long long>(specification(c, "ll"))
                      : print_argument<int>(specification(c, c.narrow));
      case 'o':
      case 'u':
      case 'x':
      case 'X':
        return c.wide ? print_argument<unsigned long long>(specification(c, "ll"))
                      : print_argument<unsigned>(specification(c, c.narrow));
      default:
        return print_argument<double>(specification(c, ""));
    }
  }

  bool print_string(const Conversion& c) {
    Address from = 0;
    if (!argument(from)) return false;
    std::size_t limit = kPrintBytes;
    if (c.precision && *c.precision >= 0) limit = static_cast<std::size_t>(*c.precision);
    const auto text = from == 0 ? std::string("(null)") : read_string(read_, from, limit);
    if (!text) return false;
    print(specification(c, ""), text->c_str());
    return true;
  }

  const DeviceReader& read_;
  std::string_view rest_;
  Address next_;
  Formatted result_;
};

}  // namespace

std::optional<std::string> read_string(const DeviceReader& read, Address from, std::size_t limit) {
  std::string text;
  for (; text.size() < limit; ++from) {
    char c = 0;
    if (!read(from, &c, 1)) return std::nullopt;
    if (c == '\0') break;
    text += c;
  }
  return text;
}

std::optional<Formatted> format_print(const DeviceReader& read, std::string_view format, Address arguments) {
  return Formatter(read, format, arguments).run();
}

void PrintBuffer::add(std::uint64_t position, std::string_view text) {
  const std::lock_guard lock(mutex_);
  OfBlock& block = blocks_[position];
  if (block.text.size() + text.size() > limit_) {
    dropped_ = true;
    return;
  }
  block.text += text;
  block.ends.push_back(block.text.size());
  bytes_ += text.size();
  // printf output over the limit: drops the text of the blocks last in execution order as long as what the
  // earlier blocks printed fills the buffer without it.
  for (auto last = std::prev(blocks_.end());
       blocks_.size() > 1 && bytes_ - last->second.text.size() >= limit_; last = std::prev(blocks_.end())) {
    bytes_ -= last->second.text.size();
    blocks_.erase(last);
    dropped_ = true;
  }
}

PrintBuffer::Printed PrintBuffer::up_to(std::uint64_t last_position) const {
  Printed all{.text = {}, .complete = !dropped_};
  for (const auto& [position, block] : blocks_) {
    if (position > last_position) break;
    std::size_t begin = 0;
    for (const std::size_t end : block.ends) {
      if (all.text.size() + end - begin > limit_) {
        all.complete = false;
        return all;
      }
      all.text += std::string_view(block.text).substr(begin, end - begin);
      begin = end;
    }
  }
  return all;
}

}  // namespace warpmark::simulator
