// Runs a kernel and prints what one of its warps executes: a line per PTX instruction with its source line,
// the active lanes and, for each register that it writes, the lanes' values after it.
//   build/tests/trace_warp -S [-O2] [-I... -D...] FILE.cu      prints the PTX
//   build/tests/trace_warp [-O2] [-I... -D...] FILE.cu|FILE.ptx KERNEL [grid=N] [threads=N] [block=N]
//   [warp=N] [ARGUMENT...]
// An argument is a whole number, a number with a point (float or double, by the parameter's size), or an
// array in device memory: @N holds N 4-byte integers 0, 1, 2, ..., @N. (with a point) N floats.
#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "harness/build/clang_flags.h"
#include "harness/simulator/device/launch/kernel.h"
#include "harness/simulator/device/launch/launch.h"
#include "harness/simulator/engine/machine/block.h"
#include "harness/simulator/engine/machine/warp.h"

namespace {

using namespace warpmark::simulator;
namespace fs = std::filesystem;

std::string read(const fs::path& file) {
  std::ifstream text(file);
  if (!text) throw std::runtime_error("cannot read " + file.string());
  return {std::istreambuf_iterator<char>(text), {}};
}

std::string ptx_of(const fs::path& file, Level level, const std::string& flags) {
  if (file.extension() == ".ptx") return read(file);
  std::string folder = (fs::temp_directory_path() / "trace_warp.XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no temporary folder");
  const fs::path ptx = fs::path(folder) / "kernel.ptx";
  std::string command = WARPMARK_TEST_CLANG;
  for (const auto& flag : device_flags(level)) command += " '" + flag + "'";
  command += flags + " -I'" WARPMARK_TEST_INCLUDE "' '" + file.string() + "' -o '" + ptx.string() + "'";
  const int status = std::system(command.c_str());
  std::string text = status == 0 ? read(ptx) : std::string{};
  fs::remove_all(folder);
  if (status != 0) throw std::runtime_error("clang failed: " + command);
  return text;
}

// A statement of a function's body.
struct Statement {
  std::string text;
  std::string source;             // FILE:LINE, of the .loc before it
  std::vector<std::string> into;  // the registers of its first operand
};

std::vector<std::string> first_registers(const std::string& text) {
  static const std::regex instruction(R"((?:@!?%p\d+\s+)?([a-z][\w.]*)\s+(\{[^}]*\}|[^,;]*).*)");
  static const std::regex name("%[a-z]+\\d+");
  std::smatch parts;
  if (!std::regex_match(text, parts, instruction)) return {};
  const std::string opcode = parts[1];
  for (const char* without : {"st.", "bra", "red.", "bar", "call", "ret"})
    if (opcode.starts_with(without)) return {};
  const std::string first = parts[2];
  return {std::sregex_token_iterator(first.begin(), first.end(), name), {}};
}

// The text with each statement's number as the line of its .loc, so that a decoded instruction names its
// statement, and the statements.
struct Numbered {
  std::string text;
  std::vector<Statement> statements{{}};
};

Numbered numbered(const std::string& ptx) {
  static const std::regex file(R"re(\s*\.file\s+(\d+)\s+"(?:.*/)?([^"/]*)".*)re");
  static const std::regex loc(R"(\s*\.loc\s+(\d+)\s+(\d+).*)");
  std::vector<std::string> names;
  std::istringstream lines(ptx);
  for (std::string line; std::getline(lines, line);) {
    std::smatch parts;
    if (!std::regex_match(line, parts, file)) continue;
    const auto number = static_cast<std::size_t>(std::stoul(parts[1]));
    names.resize(std::max(names.size(), number + 1));
    names[number] = parts[2];
  }
  Numbered all;
  std::string source = "?";
  bool begins = true;  // the line before it ends a statement
  lines = std::istringstream(ptx);
  for (std::string line; std::getline(lines, line);) {
    std::smatch parts;
    if (std::regex_match(line, parts, loc)) {
      const auto number = static_cast<std::size_t>(std::stoul(parts[1]));
      source = fmt::format("{}:{}", number < names.size() ? names[number] : "?", parts[2].str());
      continue;
    }
    const std::size_t at = line.find_first_not_of(" \t");
    std::string code = at == std::string::npos ? "" : line.substr(at, line.find("//", at) - at);
    while (!code.empty() && std::isspace(static_cast<unsigned char>(code.back())) != 0) code.pop_back();
    std::ranges::replace(code, '\t', ' ');
    if (begins && !code.empty() && at > 0 &&
        (std::islower(static_cast<unsigned char>(code[0])) != 0 || code[0] == '@')) {
      all.text += fmt::format(".loc 1 {} 1\n", all.statements.size());
      all.statements.push_back({code, source, first_registers(code)});
    }
    if (!code.empty()) begins = std::string_view(";{}:").find(code.back()) != std::string_view::npos;
    all.text += line + "\n";
  }
  return all;
}

// What the handlers below find: they stand in for those of the program.
struct Trace {
  std::vector<Handler> handlers;  // indexed by pc
  const std::vector<Instruction>* code = nullptr;
  const Program* program = nullptr;
  std::vector<Statement> statements;
  std::uint32_t block = 0;
  std::size_t warp = 0;
  struct Line {
    const Instruction* instruction;
    std::uint32_t mask;
  };
  std::optional<Line> pending;  // its results are there when the warp goes on
};
Trace trace;

std::string values_of(const Context& context, const std::string& name, Operand operand, std::uint32_t mask) {
  const auto list = [&]<class T>(T) {
    const T* values = context.read<T>(operand);
    std::vector<T> active;
    for (unsigned lane = 0; lane < kLanes; ++lane)
      if ((mask >> lane & 1) != 0) active.push_back(values[lane]);
    const T step = active.size() > 1 ? static_cast<T>(active[1] - active[0]) : T{};
    bool even = true;
    for (std::size_t i = 1; i < active.size(); ++i)
      even = even && static_cast<T>(active[i] - active[i - 1]) == step;
    if (!even) return fmt::format("{}", fmt::join(active, " "));
    return step == T{} ? fmt::format("{} in each", active[0])
                       : fmt::format("{}, then {} more each", active[0], step);
  };
  if (name.starts_with("%p"))
    return fmt::format("lanes {:08x}", *context.read<std::uint32_t>(operand) & mask);
  if (name.starts_with("%rs")) return list(std::int16_t{});
  if (name.starts_with("%rd")) return list(std::int64_t{});
  if (name.starts_with("%fd")) return list(double{});
  if (name.starts_with("%f")) return list(float{});
  return list(std::int32_t{});
}

void print_pending(const Context& context) {
  if (!trace.pending) return;
  const auto [instruction, mask] = *std::exchange(trace.pending, std::nullopt);
  const Statement& statement = trace.statements.at(trace.program->locations[instruction->location].line);
  fmt::print("{:<14} {:08x}  {}\n", statement.source, mask, statement.text);
  for (std::size_t i = 0; i < statement.into.size() && i < kAddressOperand; ++i) {
    const Operand to = instruction->operands[i];
    if (to == kNoOperand || (to & kBaseMask) != kRegisters) continue;
    fmt::print("{:<24}  {} = {}\n", "", statement.into[i], values_of(context, statement.into[i], to, mask));
  }
}

void traced(Context& context, const Instruction& instruction) {
  const auto pc = static_cast<std::size_t>(&instruction - trace.code->data());
  const Block& block = context.warp->block();
  const bool wanted = block.position() == trace.block && context.warp->number() == trace.warp;
  if (wanted) print_pending(context);
  const std::uint32_t mask = context.mask;
  // A statement may be several decoded instructions: the last one has its results.
  const bool last = pc + 1 == trace.code->size() || (*trace.code)[pc + 1].location != instruction.location;
  if (wanted && last) trace.pending = {&instruction, mask};
  trace.handlers[pc](context, instruction);
  if (wanted && context.event == ControlEvent::none) print_pending(context);
}

struct Options {
  Level level = Level::checking;
  bool only_ptx = false;
  std::string flags;
  fs::path file;
  std::string kernel;
  std::uint32_t grid = 1, threads = 32;
  std::vector<std::string> arguments;
};

Options options_of(const std::vector<std::string>& words) {
  Options options;
  std::vector<std::string> names;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    const std::string key = word.substr(0, equals);
    if (word == "-O2") {
      options.level = Level::counting;
    } else if (word == "-S") {
      options.only_ptx = true;
    } else if (word.starts_with("-I") || word.starts_with("-D")) {
      options.flags += " '" + word + "'";
    } else if (equals != std::string::npos) {
      const auto value = static_cast<std::uint32_t>(std::stoul(word.substr(equals + 1)));
      if (key == "grid")
        options.grid = value;
      else if (key == "threads")
        options.threads = value;
      else if (key == "block")
        trace.block = value;
      else if (key == "warp")
        trace.warp = value;
      else
        throw std::invalid_argument("unknown option " + word);
    } else if (names.size() < 2) {
      names.push_back(word);
    } else {
      options.arguments.push_back(word);
    }
  }
  if (names.size() < (options.only_ptx ? 1U : 2U))
    throw std::invalid_argument(
        "usage: trace_warp [-O2] FILE.cu|FILE.ptx KERNEL [grid=N] [threads=N] [block=N] [warp=N] "
        "[ARGUMENT...]");
  options.file = names[0];
  options.kernel = names.back();
  return options;
}

// The kernel of that name, which may be mangled in the text.
const Kernel* find(const LoadedModule& module, const std::string& text, const std::string& name) {
  static const std::regex entry(R"(\.entry\s+([\w$]+))");
  for (std::sregex_iterator i(text.begin(), text.end(), entry), end; i != end; ++i) {
    const std::string mangled = (*i)[1];
    if (mangled == name || mangled.find(fmt::format("_Z{}{}", name.size(), name)) == 0)
      return module.find(mangled);
  }
  throw std::invalid_argument("no kernel " + name);
}

std::uint64_t argument(const std::string& word, std::size_t bytes, DeviceMemory& memory) {
  if (word[0] == '@') {
    const std::size_t count = std::stoul(word.substr(1));
    const Address array = memory.allocate(4 * count, Allocation::Kind::device).value();
    std::byte* bytes_of_array = memory.host_view(array, 4 * count);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t value =
          word.back() == '.' ? std::bit_cast<std::uint32_t>(static_cast<float>(i)) : i;
      std::memcpy(bytes_of_array + std::size_t{4} * i, &value, sizeof value);
    }
    memory.written_by_host(array, 4 * count);
    return array;
  }
  if (word.find('.') == std::string::npos) return static_cast<std::uint64_t>(std::stoll(word));
  if (bytes == 8) return std::bit_cast<std::uint64_t>(std::stod(word));
  return std::bit_cast<std::uint32_t>(std::stof(word));
}

int traced_run(const Options& options) {
  Numbered ptx = numbered(ptx_of(options.file, options.level, options.flags));
  DeviceMemory memory;
  auto module = LoadedModule::load(ptx.text, memory);
  if (!module) throw std::runtime_error(module.error());
  const Kernel* kernel = find(**module, ptx.text, options.kernel);
  const std::vector<std::size_t> sizes = parameter_sizes(*kernel);
  if (sizes.size() != options.arguments.size())
    throw std::invalid_argument(fmt::format("{} has {} parameters", options.kernel, sizes.size()));
  std::vector<std::uint64_t> values;
  std::vector<const void*> pointers;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    values.push_back(argument(options.arguments[i], sizes[i], memory));
  for (const auto& value : values) pointers.push_back(&value);

  // The module owns its program and nothing else uses it: each instruction gets the handler that prints.
  auto& program = const_cast<Program&>(program_of(*kernel));
  trace.statements = std::move(ptx.statements);
  trace.program = &program;
  trace.code = &program.code;
  for (Instruction& instruction : program.code) {
    trace.handlers.push_back(instruction.handler);
    instruction.handler = traced;
  }
  const Outcome outcome = run(
      {.kernel = kernel, .grid = {options.grid}, .block = {options.threads}, .arguments = pointers.data()},
      {.host_threads = 1, .native = false}, memory);
  for (const Finding& finding : outcome.findings) fmt::print("finding: {}\n", finding.message);
  fmt::print("{}", outcome.printed);
  return outcome.completed ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options = options_of({argv + 1, argv + argc});
    if (!options.only_ptx) return traced_run(options);
    fmt::print("{}", ptx_of(options.file, options.level, options.flags));
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
