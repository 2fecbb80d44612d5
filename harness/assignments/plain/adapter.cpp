#include "harness/assignments/plain/adapter.h"

#include <cctype>
#include <set>

#include <fmt/format.h>

namespace warpmark::plain {
namespace {

// Returns a C++ call expression with two more arguments inserted before its last argument `stream`, or at the
// end if it has none.
std::string updating(const std::string& call) {
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  static constexpr std::string_view kStream = "stream";
  std::size_t at = call.rfind(kStream);
  while (at != std::string::npos && at > 0 && is_letter(call[at - 1])) at = call.rfind(kStream, at - 1);
  static constexpr std::string_view kArguments = "warpmark_index, warpmark_old";
  if (at != std::string::npos)
    return fmt::format("{}{}, {}", call.substr(0, at), kArguments, call.substr(at));
  const std::size_t close = call.rfind(')');
  if (close == std::string::npos) return call;
  return fmt::format("{}, {}{}", call.substr(0, close), kArguments, call.substr(close));
}

// Returns C++ declarations of the names that an assignment's `call` expression may use: sizes, scalars and
// buffers.
std::string names_of(const Spec& spec) {
  std::string text;
  std::size_t number = 0;
  for (const std::string& size : spec.sizes)
    text += fmt::format("  [[maybe_unused]] const std::size_t {} = scalars[{}];\n", size, number++);
  for (const ScalarRule& rule : spec.scalars)
    text += fmt::format("  [[maybe_unused]] {1} {0};\n  std::memcpy(&{0}, &scalars[{2}], sizeof {0});\n",
                        rule.name, rule.type, number++);
  for (std::size_t i = 0; i < spec.buffers.size(); ++i) {
    const BufferRule& rule = spec.buffers[i];
    const std::string type = (rule.role == Role::input ? "const " : "") + rule.type;
    text += fmt::format(
        "  [[maybe_unused]] {0}* {1} = buffers[{2}].bytes == 0 ? nullptr : "
        "static_cast<{0}*>(buffers[{2}].data);\n"
        "  [[maybe_unused]] const std::size_t {1}_count = buffers[{2}].bytes / sizeof({3});\n",
        type, rule.name, i, rule.type);
  }
  return text;
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

// Returns the adapter's C++ function warpmark_call(), which evaluates the assignment's `call` on a function
// of the given type. more: declarations placed before the call.
std::string call_of(const Spec& spec, const std::string& type, const std::string& call,
                    const std::string& more = "") {
  std::string line;
  for (const char c : call) line += c == '\n' ? ' ' : c;
  return fmt::format(
      "extern \"C\" void warpmark_call(void* function, const WarpmarkView* buffers, const std::uint64_t* "
      "scalars,\n"
      "                              void* warpmark_stream) {{\n"
      "  auto* const version = reinterpret_cast<{}*>(function);\n"
      "  [[maybe_unused]] const cudaStream_t stream = static_cast<cudaStream_t>(warpmark_stream);\n"
      "{}{}"
      "#line {} \"{}\"\n"
      "  {};\n"
      "}}\n",
      type, names_of(spec), more, spec.call_line, escaped(spec.file), line);
}

constexpr std::string_view kOfStruct = "[[struct]]";  // what the messages about structs begin with

// Returns C++ that fails to compile where a struct of assignment.toml is not the contract's: it declares the
// struct as assignment.toml has it, and compares member by member.
std::string layout_of(const Spec& spec) {
  if (spec.structs.empty()) return "";
  std::string text =
      "#include <cstddef>\n#include <type_traits>\n\n"
      "// Numbers of one kind are read alike: whole with a sign, whole without, or floating-point.\n"
      "template <class A, class B>\n"
      "constexpr bool warpmark_alike = sizeof(A) == sizeof(B) &&\n"
      "                                std::is_floating_point<A>::value == "
      "std::is_floating_point<B>::value &&\n"
      "                                (std::is_enum<A>::value || std::is_signed<A>::value == "
      "std::is_signed<B>::value);\n";
  std::set<std::string> seen;
  for (const auto& [key, element] : spec.structs) {
    if (!seen.insert(element.name).second) continue;  // the same struct with another value type
    const std::string ours = fmt::format("WarpmarkStruct{}", seen.size());
    const std::string theirs = fmt::format("WarpmarkContract{}", seen.size());
    text += fmt::format("#line {} \"{}\"\nusing {} = {};\nstruct {} {{\n", element.line, escaped(spec.file),
                        theirs, element.name, ours);
    for (const Member& member : element.members) text += fmt::format("  {} {};\n", member.type, member.name);
    text += "};\n";
    const auto add = [&, &element = element](const std::string& condition, const std::string& what) {
      text += fmt::format("#line {} \"{}\"\nstatic_assert({}, \"{} {}: {}\");\n", element.line,
                          escaped(spec.file), condition, kOfStruct, escaped(element.name), what);
    };
    for (const Member& member : element.members) {
      add(fmt::format("warpmark_alike<decltype({0}::{2}), decltype({1}::{2})>", theirs, ours, member.name),
          fmt::format("the member {} has another type in the contract", member.name));
      add(fmt::format("offsetof({0}, {2}) == offsetof({1}, {2})", theirs, ours, member.name),
          fmt::format("the member {} stands at another place in the contract", member.name));
    }
    add(fmt::format("sizeof({}) == sizeof({})", theirs, ours),
        fmt::format("the contract's has another size, so that it has members after {} or another alignment",
                    element.members.back().name));
  }
  return text + "\n";
}

std::string begin_of(const std::string& contract, bool cuda) {
  return fmt::format(
      "#include <cstdint>\n#include <cstring>\n{}#include \"adapter.h\"\n#include \"{}\"\n{}\n",
      cuda ? "#include <cuda_runtime.h>\n" : "", contract, cuda ? "" : "using cudaStream_t = void*;\n");
}

}  // namespace

std::string adapter_of(const Spec& spec, bool host, const std::string& host_contract) {
  std::string text = begin_of(host ? host_contract : spec.contract, !host) + layout_of(spec);
  if (host) {
    text += call_of(spec, spec.host_function_type.empty() ? spec.function_type : spec.host_function_type,
                    spec.host_call.empty() ? spec.call : spec.host_call);
    return text;
  }
  text += call_of(spec, spec.function_type, spec.call);
  for (const BufferRule& rule : spec.buffers) {
    if (!rule.uploaded) continue;
    text += fmt::format(
        "\nextern \"C\" void* warpmark_upload(void* function, const void* host_values, std::uint64_t count) "
        "{{\n"
        "  auto* const upload = reinterpret_cast<{0}* (*)(const {0}*, std::size_t)>(function);\n"
        "  return upload(static_cast<const {0}*>(host_values), count);\n"
        "}}\n",
        rule.type);
  }
  return text;
}

std::string fault_of_struct(const Spec& spec, std::string_view message) {
  const std::size_t begin = message.find(kOfStruct);
  const std::size_t place =
      message.find(" (in ");  // the compiler's, beside a file that is not compiled itself
  if (begin != std::string_view::npos) {
    message = message.substr(begin, place == std::string_view::npos ? place : place - begin);
    return std::string(message.substr(0, message.find('"')));
  }
  for (const auto& [key, element] : spec.structs) {
    if (place != std::string_view::npos && message.ends_with(fmt::format(", line {})", element.line)))
      return fmt::format("{} {}: {}; compare its members with those in {}", kOfStruct, element.name,
                         message.substr(0, place), spec.contract);
  }
  return "";
}

int line_of_struct(const Spec& spec, std::string_view fault) {
  for (const auto& [key, element] : spec.structs) {
    if (fault.starts_with(fmt::format("{} {}: ", kOfStruct, element.name))) return element.line;
  }
  return 0;
}

std::string update_adapter_of(const Spec& spec) {
  std::string type;
  for (const BufferRule& rule : spec.buffers) {
    if (rule.patched) type = rule.type;
  }
  const bool streamed = updating(spec.call).find("warpmark_old, stream") != std::string::npos;
  const std::size_t first = spec.sizes.size() + spec.scalars.size();
  // The generated template inserts two more parameters into a function type: before its last one if that is
  // the stream, else at the end.
  const std::string with_two = fmt::format(
      "#include <tuple>\n#include <utility>\n"
      "template <class Function>\nstruct WarpmarkUpdate;\n"
      "template <class Result, class... A>\n"
      "struct WarpmarkUpdate<Result(A...)> {{\n"
      "  using All = std::tuple<A...>;\n"
      "  static constexpr std::size_t kFirst = sizeof...(A) - {0};\n"
      "  template <std::size_t... I, std::size_t... J>\n"
      "  static auto of(std::index_sequence<I...>, std::index_sequence<J...>)\n"
      "      -> Result (*)(std::tuple_element_t<I, All>..., std::size_t, {1}, std::tuple_element_t<kFirst + "
      "J, All>...);\n"
      "  using Pointer = decltype(of(std::make_index_sequence<kFirst>(), std::make_index_sequence<{0}>()));\n"
      "}};\n\n",
      streamed ? 1 : 0, type);
  const std::string more = fmt::format(
      "  const std::size_t warpmark_index = scalars[{}];\n"
      "  {} warpmark_old;\n  std::memcpy(&warpmark_old, &scalars[{}], sizeof warpmark_old);\n",
      first, type, first + 1);
  const std::string pointer =
      fmt::format("std::remove_pointer_t<typename WarpmarkUpdate<{}>::Pointer>", spec.function_type);
  return begin_of(spec.contract, true) + with_two + call_of(spec, pointer, updating(spec.call), more);
}

std::string data_adapter() {
  return "#include <cstddef>\n#include <cstdint>\n#include <vector>\n#include \"adapter.h\"\n\n"
         "extern \"C\" void warpmark_call(void* function, const WarpmarkView* buffers, const std::uint64_t* "
         "scalars, void*) {\n"
         "  auto* const make = reinterpret_cast<void (*)(void*, std::size_t, const std::size_t*, const "
         "char*, std::uint64_t)>(function);\n"
         "  static_assert(sizeof(std::size_t) == sizeof(std::uint64_t));\n"
         "  void* const target = scalars[0] == 0 ? nullptr : buffers[0].data;\n"
         "  make(target, scalars[0], reinterpret_cast<const std::size_t*>(scalars + 2),\n"
         "       static_cast<const char*>(buffers[1].data), scalars[1]);\n"
         "}\n";
}

}  // namespace warpmark::plain
