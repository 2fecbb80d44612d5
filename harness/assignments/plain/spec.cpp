#include "harness/assignments/plain/spec.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/assignments/cpp_name.h"
#include "harness/assignments/plain/classes.h"
#include "harness/assignments/plain/fields.h"
#include "harness/assignments/plain/ladder_rules.h"

namespace warpmark::plain {
namespace {

constexpr std::size_t kMostSizes = 8;
constexpr std::size_t kMostBuffers = 32;
constexpr std::size_t kMostScalars = 32;
// Names that an assignment may not give to sizes, buffers or scalars: the generated adapter uses them.
constexpr std::array<std::string_view, 7> kTaken{"stream",  "version", "value_t", "function",
                                                 "buffers", "scalars", "std"};

// Reads the parts of assignment.toml that describe the kernel call: its buffers, scalars and sizes.
class Reader {
 public:
  Reader(TomlTable& top, const std::string& name) : top_(top) {
    spec_.name = name;
    spec_.file = top.file();
  }

  Spec read() {
    spec_.contract = top_.text("contract");
    spec_.call = top_.text("call");
    spec_.call_line = top_.line_of("call");
    if (spec_.call.find("version") == std::string::npos)
      top_.refuse(top_.need("call"),
                  "call must call the function: write version(...), with the buffers and sizes by name");
    spec_.function_type = top_.text_or("function", spec_.name + "_fn");
    if (!is_cpp_name(spec_.function_type))
      top_.refuse(top_.need("function"),
                  "function must name the contract's function type, such as histogram_fn");
    read_types();
    read_size_names();
    read_structs();
    read_buffers();
    read_scalars();
    if (top_.find("values") != nullptr) spec_.values = read_expression(spec_, top_, "values");
    read_explanation();
    read_ladder(top_, spec_);
    read_cpu(top_, spec_);
    read_rubric_keys(top_, spec_);
    return std::move(spec_);
  }

 private:
  void read_types() {
    spec_.types = top_.find("types") != nullptr ? top_.texts("types") : std::vector<std::string>{""};
    if (spec_.types.empty()) top_.refuse(top_.need("types"), "types must name at least one value type");
    if (top_.find("further_types") != nullptr) spec_.further_types = top_.texts("further_types");
    for (const char* name : {"types", "further_types"}) {
      if (top_.find(name) == nullptr) continue;
      for (const std::string& type : top_.texts(name)) {
        if (find_element(type) == nullptr)
          top_.refuse(top_.need(name),
                      fmt::format("{}: \"{}\" is no known type; known: {}", name, type, known_elements()));
      }
    }
  }

  void read_explanation() {
    // Asked once for an explanation of its own; every assignment gets the same now.
    const std::string explain = top_.text_or("explain", "");
    if (!explain.empty() && explain != "sum" && explain != "elements")
      top_.refuse(top_.need("explain"), "explain has no meaning any more; remove the line");
    spec_.wrong_answer = top_.text_or("wrong_answer", explain == "sum" ? "wrong_sum" : "wrong_output");
    if (spec_.wrong_answer != "wrong_sum" && spec_.wrong_answer != "wrong_output")
      top_.refuse(top_.need("wrong_answer"), "wrong_answer must be \"wrong_sum\" or \"wrong_output\"");
  }

  void read_structs() {
    if (top_.find("struct") == nullptr) return;
    for (const toml::node& entry : top_.list("struct")) {
      if (!entry.is_table()) top_.refuse(entry, "each [[struct]] must be a table");
      TomlTable table(*entry.as_table(), "struct", top_.file());
      read_struct(spec_, table);
    }
  }
  void read_size_names() {
    const toml::array& list = top_.list("sizes");
    for (const std::string& name : top_.texts("sizes")) {
      take_name(list, name);
      spec_.sizes.push_back(name);
    }
    if (spec_.sizes.empty() || spec_.sizes.size() > kMostSizes)
      top_.refuse(list, fmt::format("sizes must name 1 to {} numbers, such as [\"n\"]", kMostSizes));
  }

  void take_name(const toml::node& node, const std::string& name) {
    static constexpr std::string_view kCount = "_count";
    if (name.ends_with(kCount) &&
        std::ranges::find(spec_.buffers, name.substr(0, name.size() - kCount.size()), &BufferRule::name) !=
            spec_.buffers.end())
      top_.refuse(node, fmt::format("{} is the count of a buffer; choose another name", name));
    if (!is_cpp_name(name) || name.starts_with("warpmark") || std::ranges::find(kTaken, name) != kTaken.end())
      top_.refuse(
          node,
          fmt::format("\"{}\" cannot be a name in `call`; use letters, digits and _, and no word of C++",
                      name));
    if (!names_.insert(name).second) top_.refuse(node, fmt::format("the name {} is listed twice", name));
  }

  void read_buffers() {
    if (top_.find("buffer") == nullptr) top_.refuse("there must be at least one [[buffer]]");
    for (const toml::node& entry : top_.list("buffer")) {
      mistakes_.collect([&] {
        if (!entry.is_table()) top_.refuse(entry, "each [[buffer]] must be a table");
        TomlTable table(*entry.as_table(), "buffer", top_.file());
        BufferRule rule = read_buffer(spec_, table);
        take_name(table.need("name"), rule.name);
        if (names_.contains(rule.name + "_count"))
          table.refuse(
              table.need("name"),
              fmt::format("{0}_count is the count of the buffer {0}; give the size another name", rule.name));
        table.finish();
        spec_.buffers.push_back(std::move(rule));
      });
    }
    mistakes_.report();
    if (spec_.buffers.empty() || spec_.buffers.size() > kMostBuffers)
      top_.refuse(fmt::format("there must be 1 to {} [[buffer]]", kMostBuffers));
    const auto answers = std::ranges::any_of(spec_.buffers, [](const BufferRule& rule) {
      return rule.role == Role::output || rule.role == Role::in_out;
    });
    if (!answers) top_.refuse("no [[buffer]] has the role output or in_out, so nothing can be checked");
    if (std::ranges::count(spec_.buffers, true, &BufferRule::uploaded) > 1)
      top_.refuse("only one [[buffer]] can be uploaded = true");
    for (const BufferRule& rule : spec_.buffers) check_note(rule);
    choose_patched();
  }

  void check_note(const BufferRule& rule) {
    if (!rule.note) return;
    for (const std::string& name : rule.note->buffers()) {
      if (std::ranges::find(spec_.buffers, name, &BufferRule::name) == spec_.buffers.end())
        throw Broken{fmt::format("{}:{}: the note of {} names {}, which is no [[buffer]]", spec_.file,
                                 rule.line, rule.name, name)};
    }
  }

  // Chooses the buffer that timed calls change: the one marked in assignment.toml, else the first input with
  // built-in classes alone, else the first with one in timed calls, which use the first class of each buffer.
  // Else the last input that data.cpp makes: buffers that describe a structure (offsets, columns) usually
  // stand before those with its values.
  void choose_patched() {
    const auto marked = std::ranges::count(spec_.buffers, true, &BufferRule::patched);
    if (marked > 1) top_.refuse("only one [[buffer]] can be patched = true");
    if (marked == 1) return;
    const auto is_built_in = [](const std::string& name) { return built_in_class(name).has_value(); };
    auto chosen = std::ranges::find_if(spec_.buffers, [&](const BufferRule& rule) {
      return !rule.data.empty() && std::ranges::all_of(rule.data, is_built_in);
    });
    if (chosen == spec_.buffers.end())
      chosen = std::ranges::find_if(spec_.buffers, [&](const BufferRule& rule) {
        return !rule.data.empty() && is_built_in(rule.data.front()) &&
               (rule.data_of_reals.empty() || is_built_in(rule.data_of_reals.front()));
      });
    if (chosen == spec_.buffers.end()) {
      const auto made = std::ranges::find_if(spec_.buffers.rbegin(), spec_.buffers.rend(),
                                             [](const BufferRule& rule) { return !rule.data.empty(); });
      if (made == spec_.buffers.rend()) return;
      chosen = std::prev(made.base());
    }
    chosen->patched = true;
  }

  void read_scalars() {
    if (top_.find("scalar") == nullptr) return;
    for (const toml::node& entry : top_.list("scalar")) {
      if (!entry.is_table()) top_.refuse(entry, "each [[scalar]] must be a table");
      TomlTable table(*entry.as_table(), "scalar", top_.file());
      ScalarRule rule;
      rule.name = table.text("name");
      take_name(table.need("name"), rule.name);
      rule.type = read_type(spec_, table);
      for (const std::string& value_type : spec_.types) {
        const Element& element = spec_.element_of(rule.type, value_type);
        if (element.components != 1 || !element.members.empty())
          table.refuse(table.need("type"), fmt::format("{}: a scalar is one number", rule.name));
      }
      rule.low = read_bound(spec_, table, "low");
      rule.high = read_bound(spec_, table, "high");
      table.finish();
      spec_.scalars.push_back(std::move(rule));
    }
    if (spec_.scalars.size() > kMostScalars)
      top_.refuse(fmt::format("there can be {} [[scalar]] at most", kMostScalars));
  }

  TomlTable& top_;
  Mistakes mistakes_;  // errors in [[buffer]] tables, reported together
  Spec spec_;
  std::set<std::string> names_;
};

}  // namespace

std::optional<Bound> BufferRule::low_for(const std::string& value_type) const {
  const auto own = low_by_type.find(value_type);
  return own == low_by_type.end() ? low : own->second;
}

std::optional<Bound> BufferRule::high_for(const std::string& value_type) const {
  const auto own = high_by_type.find(value_type);
  return own == high_by_type.end() ? high : own->second;
}

bool Spec::is_struct(std::string_view type) const {
  return structs.contains({std::string(type), types.front()});
}

const Element& Spec::element_of(const std::string& type, std::string_view value_type) const {
  const auto made = structs.find({type, std::string(value_type)});
  if (made != structs.end()) return made->second;
  return *find_element(type == kValueType ? value_type : std::string_view(type));
}

Values Spec::values_of(const Size& size) const {
  Values values;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    values[sizes[i]] = static_cast<std::int64_t>(size.parts.at(i));
  return values;
}

Result<std::uint64_t> Spec::count_of(const BufferRule& buffer, const Size& size) const {
  const auto count = buffer.count.value(values_of(size));
  if (!count)
    return fail(fmt::format("{}:{}: the count of {} at size {}: {}", file, buffer.line, buffer.name,
                            to_text(size), count.error().message));
  if (*count < 0)
    return fail(fmt::format("{}:{}: the count of {} is {} at size {}; it must be 0 or more", file,
                            buffer.line, buffer.name, *count, to_text(size)));
  return static_cast<std::uint64_t>(*count);
}

bool is_plain(TomlTable& top) {
  return top.find("call") != nullptr || top.find("buffer") != nullptr;
}

Spec read_spec(TomlTable& top, const std::string& name) {
  return Reader(top, name).read();
}

Size read_size(const TomlTable& table, const toml::node& node, const std::string& path, std::size_t parts) {
  const auto count_of = [&](const toml::node& number) {
    if (!number.is_integer() || **number.as_integer() < 0)
      table.refuse(number, fmt::format("{} must be a whole number, 0 or more", path));
    return static_cast<std::uint64_t>(**number.as_integer());
  };
  if (!node.is_array()) {
    if (parts > 1)
      table.refuse(node,
                   fmt::format("{} must be a list of {} numbers, in the order of `sizes`", path, parts));
    return count_of(node);
  }
  std::vector<std::uint64_t> all;
  for (const toml::node& number : *node.as_array()) all.push_back(count_of(number));
  if (all.size() != parts)
    table.refuse(node, fmt::format("{} has {} numbers; `sizes` names {}", path, all.size(), parts));
  return Size(std::move(all));
}

std::vector<Size> read_sizes(TomlTable& table, const std::string& name, std::size_t parts) {
  std::vector<Size> sizes;
  for (const toml::node& node : table.list(name))
    sizes.push_back(read_size(table, node, table.full(name), parts));
  return sizes;
}

}  // namespace warpmark::plain
