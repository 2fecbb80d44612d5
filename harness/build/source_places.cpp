#include "harness/build/source_places.h"

#include <algorithm>
#include <array>
#include <vector>

#include "harness/build/source_text.h"

namespace warpmark::build {
namespace {

// The lines of a source without comments that begin with //, and without indentation.
std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line(text.substr(at, end - at));
    line.erase(std::min(line.find("//"), line.size()));
    line.erase(0, std::min(line.find_first_not_of(kSpaces), line.size()));
    line.erase(line.find_last_not_of(kSpaces) + 1);
    lines.push_back(std::move(line));
    at = end + 1;
  }
  return lines;
}

bool has_word(std::string_view line, std::string_view word) {
  for (std::size_t at = line.find(word); at != kNone; at = line.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word(line[at - 1])) && (end >= line.size() || !is_word(line[end]))) return true;
  }
  return false;
}

// Returns true if a line changes a variable: by an assignment, by ++ or --, or by an atomic operation.
bool changes(const std::string& line, const std::string& name) {
  if (line.find("&" + name) != kNone || line.find("++" + name) != kNone || line.find("--" + name) != kNone)
    return true;
  std::size_t behind = line.find(name);
  behind = behind == kNone ? kNone : line.find_first_not_of(" ", behind + name.size());
  if (behind == kNone) return false;
  const std::string_view rest = std::string_view(line).substr(behind);
  return rest.starts_with("++") || rest.starts_with("--") ||
         (rest.starts_with("=") && !rest.starts_with("==")) ||
         (rest.size() > 1 && rest[1] == '=' && std::string_view("+-*|&^").find(rest[0]) != kNone);
}

// Returns the first line that passes the test.
template <class Test>
Place first_of(const std::vector<std::string>& lines, const Test& test) {
  const auto found = std::ranges::find_if(lines, test);
  if (found == lines.end()) return {};
  return {static_cast<int>(found - lines.begin()) + 1, *found};
}

}  // namespace

Place shared_declaration(std::string_view text, std::string_view array) {
  return first_of(lines_of(text), [&](const std::string& line) {
    return has_word(line, "__shared__") && has_word(line, array) && line.find('[') != kNone;
  });
}

Place memory_call(std::string_view text, std::string_view array) {
  static constexpr std::array<std::string_view, 4> kCalls{"cudaMemset", "cudaMemcpy", "memset", "memcpy"};
  Place named;
  Place any;
  int calls = 0;
  const auto lines = lines_of(text);
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const auto call = std::ranges::find_if(
        kCalls, [&](std::string_view each) { return lines[k].find(std::string(each)) != kNone; });
    if (call == kCalls.end() || lines[k].find('(') == kNone) continue;
    const Place here{static_cast<int>(k) + 1, lines[k]};
    ++calls;
    any = here;
    if (named.line == 0 && has_word(lines[k], array)) named = here;
  }
  if (named.line != 0) return named;
  return calls == 1 ? any : Place{};
}

Place kept_variable(std::string_view text) {
  return first_of(lines_of(text), [](const std::string& line) {
    const bool kept =
        has_word(line, "__device__") || line.starts_with("static ") || line.starts_with("thread_local ");
    const bool constant = has_word(line, "const") || has_word(line, "constexpr");
    const std::size_t bracket = line.find('(');
    const std::size_t equals = line.find('=');
    const bool function = bracket != kNone && (equals == kNone || bracket < equals);
    return kept && !constant && !function && line.find(';') != kNone;
  });
}

Place use_of(std::string_view text, const Place& declaration) {
  // The name stands before the first of these.
  std::size_t end = declaration.code.find_first_of("=;[{");
  while (end != kNone && end > 0 && !is_word(declaration.code[end - 1])) --end;
  if (end == kNone || end == 0) return {};
  std::size_t begin = end;
  while (begin > 0 && is_word(declaration.code[begin - 1])) --begin;
  const std::string name = declaration.code.substr(begin, end - begin);
  const auto lines = lines_of(text);
  Place named;
  for (std::size_t k = static_cast<std::size_t>(declaration.line); k < lines.size(); ++k) {
    if (!has_word(lines[k], name)) continue;
    const Place here{static_cast<int>(k) + 1, lines[k]};
    if (changes(lines[k], name)) return here;
    if (named.line == 0) named = here;
  }
  return named;
}

Place return_above(std::string_view text, int line) {
  const auto lines = lines_of(text);
  for (std::size_t k = std::min<std::size_t>(lines.size(), static_cast<std::size_t>(std::max(line - 1, 0)));
       k-- > 0;) {
    if (has_word(lines[k], "__global__") || has_word(lines[k], "__device__")) break;
    if (has_word(lines[k], "return")) return {static_cast<int>(k) + 1, lines[k]};
  }
  return {};
}

Place use_in_kernel(std::string_view source, std::string_view kernel, std::string_view text) {
  const std::string_view name = kernel.substr(0, kernel.find('<'));
  bool is_kernel = false;
  bool inside = false;
  return first_of(lines_of(source), [&](const std::string& line) {
    is_kernel = is_kernel || has_word(line, "__global__");
    if (is_kernel && line.find('(') != kNone) {
      inside = has_word(line, name);
      is_kernel = false;
    }
    return inside && line.find(text) != kNone;
  });
}

Place library_call(std::string_view text, std::string_view name) {
  const auto lines = lines_of(text);
  const auto with = [&](const std::string& what) {
    return first_of(lines, [&](const std::string& line) {
      return !line.starts_with("#") && line.find(what) != kNone && line.find('(') != kNone;
    });
  };
  for (const std::string library : {"thrust::", "cub::"}) {
    for (const std::string& what : {library + std::string(name), library}) {
      if (Place place = with(what); place.line != 0) return place;
    }
  }
  return {};
}

Place only_line_with(std::string_view text, const std::vector<std::string>& words) {
  const auto lines = lines_of(text);
  const auto names_one = [&](const std::string& line) {
    return std::ranges::any_of(words, [&](std::string_view word) { return has_word(line, word); });
  };
  return std::ranges::count_if(lines, names_one) == 1 ? first_of(lines, names_one) : Place{};
}

Place alignment_test(std::string_view text) {
  return first_of(lines_of(text), [](const std::string& line) {
    return has_word(line, "uintptr_t") && line.find('%') != kNone;
  });
}

VectorType vector_type(std::string_view text, int line) {
  static constexpr std::array<VectorType, 12> kTypes{{{"double4", 32},
                                                      {"longlong4", 32},
                                                      {"float4", 16},
                                                      {"int4", 16},
                                                      {"uint4", 16},
                                                      {"double2", 16},
                                                      {"longlong2", 16},
                                                      {"ulonglong2", 16},
                                                      {"float2", 8},
                                                      {"int2", 8},
                                                      {"uint2", 8},
                                                      {"half2", 4}}};
  const auto lines = lines_of(text);
  const auto named_by = [&](const auto& named) {
    const auto found = std::ranges::find_if(kTypes, named);
    return found == kTypes.end() ? VectorType{} : *found;
  };
  if (line > 0 && static_cast<std::size_t>(line) <= lines.size()) {
    const VectorType here = named_by([&](const VectorType& type) {
      return has_word(lines[static_cast<std::size_t>(line) - 1], type.name);
    });
    if (here.bytes != 0) return here;
  }
  return named_by([&](const VectorType& type) {
    return std::ranges::any_of(lines, [&](const std::string& each) { return has_word(each, type.name); });
  });
}

}  // namespace warpmark::build
