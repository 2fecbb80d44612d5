#include "harness/assignments/plain/fields.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/assignments/cpp_name.h"
#include "harness/assignments/plain/classes.h"
#include "harness/assignments/plain/shape.h"

namespace warpmark::plain {
namespace {

constexpr double kLargestSum = 0x1p53;  // 2^53: a double represents every whole number up to here

void check_names(const Spec& spec, const TomlTable& table, const toml::node& node, const std::string& name,
                 const std::set<std::string>& names) {
  for (const std::string& used : names) {
    if (std::ranges::find(spec.sizes, used) == spec.sizes.end()) {
      table.refuse(node, fmt::format("{} uses {}, which is no size; sizes: {}", table.full(name), used,
                                     fmt::join(spec.sizes, ", ")));
    }
  }
}

double sum_of(TomlTable& table, const std::string& name) {
  const toml::node& node = table.need(name);
  const auto value = node.value<double>();
  if (!node.is_number() || !value || !(*value > 0) || *value > kLargestSum)
    table.refuse(node, fmt::format("{} must be a number above 0 and up to 2^53", table.full(name)));
  return *value;
}

// Reads the key sum_below of a [[buffer]], the limit of data class `exact`: one number, or a table with a
// number per value type.
void read_sum_below(TomlTable& table, BufferRule& rule) {
  const toml::node* node = table.find("sum_below");
  if (node == nullptr) return;
  if (!node->is_table()) {
    rule.sum_below = sum_of(table, "sum_below");
    return;
  }
  auto by_type = table.table("sum_below");
  for (const auto& [key, value] : *node->as_table()) {
    const std::string type(key.str());
    if (find_element(type) == nullptr)
      by_type->refuse(value, fmt::format("{}: \"{}\" is no known type", table.full("sum_below"), type));
    rule.sums_below[type] = sum_of(*by_type, type);
  }
}

void read_tolerance(const Spec& spec, TomlTable& table, BufferRule& rule) {
  Tolerance& tolerance = rule.tolerance;
  if (table.find("relative") != nullptr) tolerance.relative = table.number("relative");
  if (table.find("absolute") != nullptr) tolerance.absolute = table.number("absolute");
  if (table.find("ulps") != nullptr) tolerance.ulps = table.count("ulps");
  tolerance.bits = table.flag_or("bits", false);
  if (table.find("tolerance") != nullptr) {
    if (table.text("tolerance") != "expected")
      table.refuse(table.need("tolerance"),
                   "buffer.tolerance can only be \"expected\"; fixed ones are relative, absolute and ulps");
    tolerance.expected = true;
  }
  const bool given = tolerance.relative || tolerance.absolute || tolerance.ulps || tolerance.expected;
  if (!given && !tolerance.bits) return;
  if (rule.role == Role::input || rule.role == Role::scratch)
    table.refuse(fmt::format("{}: a tolerance is for an output", rule.name));
  if (given && tolerance.bits)
    table.refuse(fmt::format("{}: bits = true asks for equal bits; remove it or the tolerance", rule.name));
  for (const std::string& type : spec.types) {
    if (given && !spec.element_of(rule.type, type).real() && rule.type != kValueType)
      table.refuse(
          fmt::format("{}: a tolerance is for floating-point numbers; {} is exact", rule.name, rule.type));
  }
}

// Reads a lower or upper bound of generated values: one bound for all value types, or a table with some: low
// = {float = -100}.
void read_bounds(const Spec& spec, TomlTable& table, const std::string& name, std::optional<Bound>& all,
                 std::map<std::string, Bound>& by_type) {
  const toml::node* node = table.find(name);
  if (node == nullptr || !node->is_table()) {
    all = read_bound(spec, table, name);
    return;
  }
  auto types = table.table(name);
  for (const std::vector<std::string>* known : {&spec.types, &spec.further_types}) {
    for (const std::string& type : *known) {
      if (const auto given = read_bound(spec, *types, type)) by_type[type] = *given;
    }
  }
  types->finish();
}

// Refuses classes of data that count: their numbers are beyond 0 and 1.
void refuse_classes_of_bool(const Spec& spec, TomlTable& table, const BufferRule& rule) {
  const auto counts = std::ranges::find_if(
      rule.data, [](const std::string& name) { return name == "permutation" || is_offsets(name); });
  if (counts == rule.data.end()) return;
  for (const std::vector<std::string>* types : {&spec.types, &spec.further_types}) {
    for (const std::string& type : *types) {
      if (spec.element_of(rule.type, type).boolean)
        table.refuse(
            table.need("data"),
            fmt::format("{}: a bool is 0 or 1, so that there is no data of class {}; choose uniform, "
                        "equal, ascending, descending or few",
                        rule.name, *counts));
    }
  }
}

void read_data(const Spec& spec, TomlTable& table, BufferRule& rule) {
  rule.data = table.find("data") != nullptr ? table.texts("data") : std::vector<std::string>{"uniform"};
  if (rule.data.empty()) table.refuse(table.need("data"), "buffer.data must name at least one class");
  if (table.find("data_of_reals") != nullptr) rule.data_of_reals = table.texts("data_of_reals");
  refuse_classes_of_bool(spec, table, rule);
  read_bounds(spec, table, "low", rule.low, rule.low_by_type);
  read_bounds(spec, table, "high", rule.high, rule.high_by_type);
  rule.patch_low = read_bound(spec, table, "patch_low");
  rule.patch_high = read_bound(spec, table, "patch_high");
  read_sum_below(table, rule);
  rule.sum_by_row = table.flag_or("sum_by_row", false);
  if (rule.sum_by_row && table.find("row") == nullptr)
    table.refuse(table.need("sum_by_row"),
                 fmt::format("{}: sum_by_row needs row, the elements of a row", rule.name));
  rule.uploaded = table.flag_or("uploaded", false);
  rule.patched = table.flag_or("patched", false);
}

Role read_role(TomlTable& table) {
  const std::string role = table.text("role");
  const std::map<std::string, Role, std::less<>> roles{
      {"input", Role::input}, {"output", Role::output}, {"in_out", Role::in_out}, {"scratch", Role::scratch}};
  const auto found = roles.find(role);
  if (found == roles.end())
    table.refuse(table.need("role"),
                 fmt::format("buffer.role is \"{}\", and must be input, output, in_out or scratch", role));
  return found->second;
}

Shift read_shift(TomlTable& table) {
  const toml::node* node = table.find("shift");
  if (node == nullptr || !node->is_string())
    return table.flag_or("shift", false) ? Shift::alone : Shift::none;
  if (table.text("shift") != "together")
    table.refuse(*node, "buffer.shift must be true, false or \"together\"");
  return Shift::together;
}

// Reads clean.data, which must name a class of data in which the inputs of each value type are made.
std::vector<std::string> read_clean_data(TomlTable& clean, const Spec& spec) {
  std::vector<std::string> named = clean.texts("data");
  for (const std::string& type : spec.types) {
    const std::vector<std::string> classes = classes_of(spec, type);
    if (std::ranges::find_first_of(named, classes) == named.end())
      clean.refuse(clean.need("data"),
                   fmt::format("clean.data names none of the classes that lead a case{}: {}",
                               type.empty() ? "" : " of type " + type, fmt::join(classes, ", ")));
  }
  return named;
}

}  // namespace

Expression read_expression(const Spec& spec, TomlTable& table, const std::string& name) {
  const toml::node& node = table.need(name);
  if (node.is_integer()) return Expression::number(**node.as_integer());
  auto parsed = Expression::parse(table.text(name));
  if (!parsed) table.refuse(node, fmt::format("{}: {}", table.full(name), parsed.error().message));
  check_names(spec, table, node, name, parsed->names());
  return std::move(*parsed);
}

std::optional<Bound> read_bound(const Spec& spec, TomlTable& table, const std::string& name) {
  const toml::node* node = table.find(name);
  if (node == nullptr) return std::nullopt;
  if (node->is_floating_point()) {
    const double number = **node->as_floating_point();
    if (!std::isfinite(number)) table.refuse(*node, fmt::format("{} must be finite", table.full(name)));
    return Bound{number, {}};
  }
  return Bound{0, read_expression(spec, table, name)};
}

std::string read_type(const Spec& spec, TomlTable& table) {
  const std::string name = table.text("type");
  if (name == kValueType) {
    if (spec.types.front().empty())
      table.refuse(table.need("type"),
                   "type is value_t, so the top of the file must name the graded types: types = [\"int\"]");
  } else if (find_element(name) == nullptr && !spec.is_struct(name)) {
    table.refuse(table.need("type"),
                 fmt::format("{}: \"{}\" is no known type; known: {}, and those of [[struct]]",
                             table.full("type"), name, known_elements()));
  }
  return name;
}

void read_struct(Spec& spec, TomlTable& table) {
  const std::string name = table.text("name");
  if (find_element(name) != nullptr || spec.is_struct(name))
    table.refuse(table.need("name"), fmt::format("struct.name: {} is a type already", name));
  const toml::array& members = table.list("members");
  if (members.empty()) table.refuse(members, "struct.members must name at least one member");
  for (const std::vector<std::string>* types : {&spec.types, &spec.further_types}) {
    for (const std::string& value_type : *types) {
      Element made{name, Number::u8, 1, 0};
      made.line = table.line();
      for (const toml::node& node : members) {
        if (!node.is_table())
          table.refuse(node, "each of struct.members must be a table: {name = \"x\", type = \"float\"}");
        TomlTable member(*node.as_table(), "struct.members", table.file());
        const std::string type = read_type(spec, member);
        const Element& element = spec.element_of(type, value_type);
        if (element.components != 1 || !element.members.empty())
          member.refuse(member.need("type"), "a member of a struct is one number");
        const std::string name_of_member = member.text("name");
        if (!is_cpp_name(name_of_member) ||
            std::ranges::find(made.members, name_of_member, &Member::name) != made.members.end())
          member.refuse(
              member.need("name"),
              fmt::format("struct.members.name must be a name that no member before it has: {}", kNameRule));
        add_member(made, name_of_member, element, member.text_or("note", ""));
        made.members.back().type = type;
        member.finish();
      }
      spec.structs[{name, value_type}] = std::move(made);
    }
  }
  table.finish();
}

BufferRule read_buffer(const Spec& spec, TomlTable& table) {
  BufferRule rule;
  rule.line = table.line();
  rule.name = table.text("name");
  rule.role = read_role(table);
  rule.type = read_type(spec, table);
  rule.count = read_expression(spec, table, "count");
  if (rule.role == Role::input || rule.role == Role::in_out) {
    if (spec.is_struct(rule.type))
      table.refuse(table.need("type"), fmt::format("{}: a struct is for outputs and scratch", rule.name));
    read_data(spec, table, rule);
  } else if (table.find("data") != nullptr || table.find("low") != nullptr || table.find("high") != nullptr) {
    table.refuse(
        fmt::format("{}: data, low and high are for buffers that are filled (input, in_out)", rule.name));
  }
  if (table.find("without") != nullptr) rule.without = table.texts("without");
  rule.shift = read_shift(table);
  if (table.find("row") != nullptr) rule.row = read_expression(spec, table, "row");
  if (table.find("columns") != nullptr) {
    rule.columns = read_expression(spec, table, "columns");
    if (!rule.row || rule.role != Role::in_out)
      table.refuse(table.need("columns"),
                   fmt::format("{}: columns says where the padding of a row begins, which must be unchanged; "
                               "it needs row and role = \"in_out\"",
                               rule.name));
  }
  if (table.find("note") != nullptr) {
    auto note = Note::parse(table.text("note"));
    if (!note) table.refuse(table.need("note"), fmt::format("buffer.note: {}", note.error().message));
    check_names(spec, table, table.need("note"), "note", note->sizes());
    rule.note = std::move(*note);
  }
  read_tolerance(spec, table, rule);
  const std::string where = table.text_or("where", "device");
  if (where != "device" && where != "host")
    table.refuse(table.need("where"), "buffer.where must be device or host");
  rule.on_host = where == "host";
  if (rule.on_host && rule.role != Role::output)
    table.refuse(table.need("where"), fmt::format("{}: only an output can be in host memory", rule.name));
  return rule;
}

void read_rubric_keys(TomlTable& top, Spec& spec) {
  if (auto host = top.table("host")) {
    spec.host_call = host->text_or("call", spec.host_call);
    spec.host_function_type = host->text_or("function", spec.host_function_type);
  }
  if (auto limits = top.table("limits"); limits && limits->find("bytes_to_host") != nullptr)
    spec.bytes_to_host = read_expression(spec, *limits, "bytes_to_host");
  if (auto clean = top.table("clean"); clean && clean->find("data") != nullptr)
    spec.clean_data = read_clean_data(*clean, spec);
}

}  // namespace warpmark::plain
