#include "harness/source_edits/omissions.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "harness/source_edits/comparators.h"
#include "harness/source_edits/source.h"

namespace warpmark::source_edits {
namespace {

bool is_kernel(const Source& source, const Function& function) {
  for (std::size_t k = function.open; k-- > 0 && source.at(k) != "}" && source.at(k) != ";";) {
    if (source.at(k) == "__global__") return true;
  }
  return false;
}

// Returns the function of the version: the last one that is no kernel and not called by others.
const Function* exported(const Source& source) {
  const Function* last = nullptr;
  for (const Function& function : source.functions()) {
    if (!function.on_device) last = &function;
  }
  return last;
}

// Returns true if the head of a `for` declares a variable, so that the loop does nothing without its
// statement: `for (p = 1; p < n; p *= 2) ;` computes p.
bool declares_variable(const Source& source, std::size_t loop) {
  for (std::size_t k = loop + 2; k < source.partner(loop + 1) && source.at(k) != ";"; ++k) {
    if (source.at(k) == "=" && source.is_name(k - 1) && source.is_name(k - 2)) return true;
  }
  return false;
}

// Looks for an `if` or `for` whose statement is empty. A `while` is left out: it may be the end of a `do`, or
// wait. only_sure: no loop that may compute something in its head.
std::optional<Omission> empty_statement(const Source& source, bool only_sure) {
  for (std::size_t k = 0; k + 1 < source.count(); ++k) {
    const bool loop = source.at(k) == "for";
    if ((source.at(k) != "if" && !loop) || source.partner(k + 1) == Source::kNone) continue;
    if (loop && only_sure && !declares_variable(source, k)) continue;
    const std::size_t behind = source.partner(k + 1) + 1;
    const bool in_braces =
        source.at(behind) == "{" && source.at(behind + 1) == ";" && source.at(behind + 2) == "}";
    const bool is_empty = (source.at(behind) == ";" && source.at(behind + 1) != "else") || in_braces;
    if (is_empty)
      return Omission{source.line(k),
                      fmt::format("the `{}` there does nothing: a `;` is its only statement", source.at(k))};
  }
  return std::nullopt;
}

// Looks for a division of a whole number by a larger one, `1 / 2`, that is no part of a product.
std::optional<Omission> division_to_zero(const Source& source) {
  const auto whole = [&](std::size_t token) {
    const std::string_view number = source.at(token);
    return source.is_number(token) && number.find_first_not_of("0123456789") == std::string_view::npos &&
                   number.size() < 10
               ? std::atol(std::string(number).c_str())
               : 0;
  };
  for (std::size_t k = 2; k + 1 < source.count(); ++k) {
    if (source.at(k) != "/" || source.at(k - 2) == "*" || source.at(k - 2) == "/" || source.at(k - 2) == "%")
      continue;
    if (whole(k - 1) == 0 || whole(k - 1) >= whole(k + 1)) continue;
    return Omission{source.line(k), fmt::format("`{} / {}` is 0", source.at(k - 1), source.at(k + 1))};
  }
  return std::nullopt;
}

std::size_t uses_of(const Source& source, std::string_view name) {
  std::size_t count = 0;
  for (std::size_t k = 0; k < source.count(); ++k) count += source.at(k) == name ? 1U : 0U;
  return count;
}

// Returns true if a function assigns to what it calls `name`, or to the member `name` of something, or hands
// it on to another function.
bool stores_to(const Source& source, const Function& function, std::string_view name) {
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    if (source.at(k) != name) continue;
    std::size_t behind = k + 1;
    while (source.at(behind) == "[" || source.at(behind) == "." || source.at(behind) == "->")
      behind = source.at(behind) == "[" ? source.partner(behind) + 1 : behind + 2;
    if (source.is_assignment(behind) || source.at(behind) == "++" || source.at(behind) == "--" ||
        source.at(k - 1) == "++" || source.at(k - 1) == "--")
      return true;
    std::size_t before = k;
    while (source.at(before - 1) == "." || source.at(before - 1) == "->") before -= 2;
    const std::string_view left = source.at(before - 1);
    const bool handed_on = source.at(k + 1) == "," || source.at(k + 1) == ")" || source.at(k + 1) == "+";
    if (left == "&" || ((left == "(" || left == ",") && handed_on)) return true;
    // A pointer that is computed from it: `value_t* to = out + i`.
    if (left == "=") return true;
  }
  return false;
}

std::optional<Omission> never_called(const Source& source) {
  const Function* version = exported(source);
  for (const Function& function : source.functions()) {
    if (&function == version || uses_of(source, function.name) != 1 || function.name.starts_with("operator"))
      continue;
    return Omission{source.line(function.open),
                    fmt::format("nothing calls the function `{}`, which is defined there", function.name)};
  }
  return std::nullopt;
}

// Returns true if a name is assigned at `token` or given its first value, `int x = 0;`.
bool is_set_at(const Source& source, std::size_t token) {
  if (!source.is_name(token) || source.at(token - 1) == "." || source.at(token - 1) == "->" ||
      source.at(token - 1) == "*")
    return false;
  return source.at(token + 1) == "=";
}

// Returns true if a local variable is declared at `token`: behind its type.
bool is_declared_at(const Source& source, std::size_t token) {
  const std::string_view before = source.at(token - 1);
  return source.is_name(token) && before != "return" && before != "else" &&
         (source.is_name(token - 1) || before == ">");
}

std::optional<Omission> never_read(const Source& source) {
  for (const Function& function : source.functions()) {
    for (std::size_t k = function.open + 1; k < function.close; ++k) {
      if (!is_declared_at(source, k) || (source.at(k + 1) != "=" && source.at(k + 1) != ";")) continue;
      std::size_t last = k;
      bool read = false;
      for (std::size_t other = k + 1; other < function.close && !read; ++other) {
        if (source.at(other) != source.at(k)) continue;
        read = !is_set_at(source, other);
        last = other;
      }
      const bool is_set = last != k || source.at(k + 1) == "=";
      if (!read && is_set)
        return Omission{source.line(last),
                        fmt::format("`{}` is set there, and nothing reads it", source.at(k))};
    }
  }
  return std::nullopt;
}

std::optional<Omission> never_launched(const Source& source) {
  const Function* version = exported(source);
  if (version == nullptr) return std::nullopt;
  for (const Function& function : source.functions()) {
    if (is_kernel(source, function) && uses_of(source, function.name) == 1)
      return Omission{source.line(version->close),
                      fmt::format("the kernel `{}` is never launched: `{}` ends there without it",
                                  function.name, version->name)};
  }
  return std::nullopt;
}

// Returns the name by which a kernel knows the output that it is given: that of a parameter at the place of
// the argument, or of a member; empty if it is not given the output.
std::string name_in_kernel(const Source& source, const Function& kernel, std::string_view output) {
  for (std::size_t k = 0; k + 1 < source.count(); ++k) {
    if (source.at(k) != ">>>" || source.at(k + 1) != "(" || source.partner(k) == Source::kNone ||
        source.partner(k + 1) == Source::kNone)
      continue;
    std::size_t callee = source.partner(k) - 1;
    while (callee > 0 && source.at(callee) != kernel.name && source.at(callee) != ";") --callee;
    if (source.at(callee) != kernel.name) continue;
    std::size_t argument = 0;
    for (std::size_t a = k + 2; a < source.partner(k + 1); ++a) {
      if (source.at(a) == ",") ++argument;
      if (source.at(a) == output && argument < kernel.parameters.size())
        return kernel.parameters[argument].name;
    }
  }
  return {};
}

std::optional<Omission> never_stored(const Source& source, const std::string& output) {
  const Function* last = nullptr;
  std::string given;
  for (const Function& function : source.functions()) {
    if (function.on_device && stores_to(source, function, output)) return std::nullopt;
    if (!is_kernel(source, function)) continue;
    const std::string name = name_in_kernel(source, function, output);
    if (!name.empty() && stores_to(source, function, name)) return std::nullopt;
    if (!name.empty() || given.empty()) {
      last = &function;
      given = name;
    }
  }
  // Without a kernel that is given it, the output is a member that no statement names any more.
  if (last == nullptr || (given.empty() && uses_of(source, output) > 0)) return std::nullopt;
  return Omission{source.line(last->close),
                  fmt::format("no statement of the kernel `{}`, which ends there, stores to `{}`", last->name,
                              given.empty() ? output : given)};
}

}  // namespace

std::optional<Omission> find_omission(std::string_view text, const std::vector<std::string>& outputs) {
  const Source source(text);
  if (auto found = empty_statement(source, true)) return found;
  if (auto found = never_launched(source)) return found;
  for (const std::string& output : outputs) {
    if (auto found = never_stored(source, output)) return found;
  }
  return std::nullopt;
}

std::optional<Leftover> find_leftover(std::string_view text) {
  const Source source(text);
  if (auto found = division_to_zero(source))
    return Leftover{std::move(*found), "Whole numbers are divided without a fraction: write 1.0 / 2.0", true};
  if (auto found = find_bad_comparator(source))
    return Leftover{
        {source.line(found->token), std::move(found->what)},
        "A sort needs a strict order, in which no element comes before itself, and may run past the "
        "array's ends without one: compare with < or >",
        true};
  if (auto found = empty_statement(source, true))
    return Leftover{.omission = std::move(*found), .is_sure = true};
  if (auto found = empty_statement(source, false)) return Leftover{std::move(*found)};
  if (auto found = never_called(source)) return Leftover{std::move(*found)};
  if (auto found = never_read(source)) return Leftover{std::move(*found)};
  return std::nullopt;
}

int line_of_early_return(std::string_view text) {
  const Source source(text);
  const Function* version = exported(source);
  if (version == nullptr) return 0;
  for (std::size_t k = version->open; k < version->close; ++k) {
    if (source.at(k) == "return" && source.at(k + 1) == ";") return source.line(k);
  }
  return 0;
}

}  // namespace warpmark::source_edits
