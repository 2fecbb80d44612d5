#include "harness/nvcc/options.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/base/text.h"

namespace warpmark::nvcc {
namespace {

using Words = std::vector<std::string>;
// Applies an option to the command line. value: empty for an option without one.
using Apply = void (*)(CommandLine& line, const std::string& value);

struct Option {
  std::string_view long_name;   // without the two dashes
  std::string_view short_name;  // without the dash; empty: none
  bool has_value = false;
  Apply apply = nullptr;       // null: the option changes nothing on the simulator
  std::string_view refused{};  // why it is refused; empty: it is not
};

// Splits text into words as a shell does: quotes and backslashes keep spaces.
Words words_of(std::string_view text) {
  Words words;
  std::optional<std::string> word;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char next = text[i];
    if (quote != 0 && next == quote) {
      quote = 0;
    } else if (quote == 0 && (next == '"' || next == '\'')) {
      quote = next;
      if (!word) word.emplace();
    } else if (quote == 0 && (next == ' ' || next == '\t' || next == '\n' || next == '\r')) {
      if (word) words.push_back(*std::exchange(word, std::nullopt));
    } else {
      if (!word) word.emplace();
      word->push_back(next == '\\' && i + 1 < text.size() ? text[++i] : next);
    }
  }
  if (word) words.push_back(*word);
  return words;
}

// Returns the items of a list such as "a,b": nvcc takes one where other compilers take a value.
Words split(const std::string& list) {
  Words words;
  std::istringstream items(list);
  for (std::string item; std::getline(items, item, ',');)
    if (!item.empty()) words.push_back(item);
  return words;
}

template <Phase phase>
void choose(CommandLine& line, const std::string& /*value*/) {
  line.phase = phase;
}
template <bool CommandLine::*member>
void turn_on(CommandLine& line, const std::string& /*value*/) {
  line.*member = true;
}
template <std::string CommandLine::*member>
void set(CommandLine& line, const std::string& value) {
  line.*member = value;
}
template <Words CommandLine::*member>
void add(CommandLine& line, const std::string& value) {
  const Words items = split(value);
  (line.*member).insert((line.*member).end(), items.begin(), items.end());
}
void relocatable_object(CommandLine& line, const std::string& /*value*/) {
  line.phase = Phase::object;
  line.relocatable = true;
}
void add_pre_include(CommandLine& line, const std::string& value) {
  for (const std::string& file : split(value))
    line.host_flags.insert(line.host_flags.end(), {"-include", file});
}
void add_system_include(CommandLine& line, const std::string& value) {
  for (const std::string& folder : split(value))
    line.host_flags.insert(line.host_flags.end(), {"-isystem", folder});
}
template <char letter>
void add_prefixed(CommandLine& line, const std::string& value) {
  Words& flags = letter == 'U' ? line.host_flags : line.link_flags;
  for (const std::string& each : split(value)) flags.push_back(fmt::format("-{}{}", letter, each));
}
void add_linker_option(CommandLine& line, const std::string& value) {
  for (const std::string& each : split(value))
    line.link_flags.insert(line.link_flags.end(), {"-Xlinker", each});
}
void no_exceptions(CommandLine& line, const std::string& /*value*/) {
  line.host_flags.emplace_back("-fno-exceptions");
}
void dependencies(CommandLine& line, const std::string& /*value*/) {
  line.phase = Phase::dependencies;
}
void own_dependencies(CommandLine& line, const std::string& /*value*/) {
  line.phase = Phase::dependencies;
  line.system_headers = false;
}
void own_dependencies_too(CommandLine& line, const std::string& /*value*/) {
  line.dependencies_too = true;
  line.system_headers = false;
}
template <char letter>
void add_dependency_flag(CommandLine& line, const std::string& value) {
  line.dependency_flags.push_back(fmt::format("-M{}", letter));
  if (!value.empty()) line.dependency_flags.push_back(value);
}

// Adds options of the host's compiler. nvcc gives them to a shell, which splits them at spaces.
void add_compiler_options(CommandLine& line, const std::string& value) {
  for (const std::string& item : split(value)) {
    const Words words = words_of(item);
    line.host_flags.insert(line.host_flags.end(), words.begin(), words.end());
  }
}

constexpr std::string_view kNoMachineCode =
    "makes machine code of a GPU, which the simulator does not run; -ptx makes PTX";

// All options of nvcc 13, in the order of its documentation.
constexpr auto kOptions = std::to_array<Option>({
    {"cuda", "cuda", false, nullptr, "makes an intermediate file of nvcc's own"},
    {"cubin", "cubin", false, nullptr, kNoMachineCode},
    {"fatbin", "fatbin", false, choose<Phase::fat_binary>},
    {"ptx", "ptx", false, choose<Phase::ptx>},
    {"optix-ir", "optix-ir", false, nullptr, "makes code for OptiX, which is not simulated"},
    {"ltoir", "ltoir", false, nullptr, "makes an intermediate file of nvcc's own"},
    {"preprocess", "E", false, choose<Phase::preprocess>},
    {"generate-dependencies", "M", false, dependencies},
    {"generate-nonsystem-dependencies", "MM", false, own_dependencies},
    {"generate-dependencies-with-compile", "MD", false, turn_on<&CommandLine::dependencies_too>},
    {"generate-nonsystem-dependencies-with-compile", "MMD", false, own_dependencies_too},
    {"dependency-output", "MF", true, set<&CommandLine::dependency_file>},
    {"generate-dependency-targets", "MP", false, add_dependency_flag<'P'>},
    {"dependency-target-name", "MT", true, add_dependency_flag<'T'>},
    {"dependency-quoted-target-name", "MQ", true, add_dependency_flag<'Q'>},
    {"compile", "c", false, choose<Phase::object>},
    {"device-c", "dc", false, relocatable_object},
    {"device-w", "dw", false, choose<Phase::object>},
    {"device-link", "dlink", false, choose<Phase::device_link>},
    {"link", "link", false, choose<Phase::program>},
    {"lib", "lib", false, choose<Phase::archive>},
    {"run", "run", false, turn_on<&CommandLine::run>},
    {"output-file", "o", true, set<&CommandLine::output>},
    {"output-directory", "odir", true, set<&CommandLine::output_folder>},
    {"objdir-as-tempdir", "objtemp", false},
    {"pre-include", "include", true, add_pre_include},
    {"library", "l", true, add_prefixed<'l'>},
    {"library-path", "L", true, add_prefixed<'L'>},
    {"define-macro", "D", true,
     [](CommandLine& line, const std::string& value) { line.defines.push_back(value); }},
    {"undefine-macro", "U", true, add_prefixed<'U'>},
    {"include-path", "I", true, add<&CommandLine::include_folders>},
    {"system-include", "isystem", true, add_system_include},
    {"cudart", "cudart", true,
     [](CommandLine& line, const std::string& value) { line.without_runtime = value == "none"; }},
    {"cudadevrt", "cudadevrt", true},
    {"libdevice-directory", "ldir", true},
    {"target-directory", "target-dir", true},
    {"compiler-bindir", "ccbin", true, set<&CommandLine::host_compiler>},
    {"allow-unsupported-compiler", "allow-unsupported-compiler", false},
    {"archiver-binary", "arbin", true},
    {"std", "std", true, set<&CommandLine::standard>},
    {"profile", "pg", false,
     [](CommandLine& line, const std::string& /*value*/) { line.host_flags.emplace_back("-pg"); }},
    {"debug", "g", false, [](CommandLine& line, const std::string& /*value*/) { line.host_flags.emplace_back("-g"); }},
    {"device-debug", "G", false},
    {"generate-line-info", "lineinfo", false},
    {"optimization-info", "opt-info", true},
    {"optimize", "O", true,
     [](CommandLine& line, const std::string& value) { line.host_flags.push_back("-O" + value); }},
    {"Ofast-compile", "Ofc", true},
    {"dopt", "dopt", true},
    {"dlink-time-opt", "dlto", false},
    {"lto", "lto", false},
    {"gen-opt-lto", "gen-opt-lto", false},
    {"split-compile", "split-compile", true},
    {"split-compile-extended", "split-compile-extended", true},
    {"jobserver", "jobserver", false},
    {"ftemplate-backtrace-limit", "ftemplate-backtrace-limit", true},
    {"ftemplate-depth", "ftemplate-depth", true,
     [](CommandLine& line, const std::string& value) { line.host_flags.push_back("-ftemplate-depth=" + value); }},
    {"no-exceptions", "noeh", false, no_exceptions},
    {"shared", "shared", false, turn_on<&CommandLine::shared>},
    {"x", "x", true, set<&CommandLine::language>},
    {"no-host-device-initializer-list", "nohdinitlist", false},
    {"no-host-device-move-forward", "nohdmoveforward", false},
    {"expt-relaxed-constexpr", "expt-relaxed-constexpr", false},
    {"extended-lambda", "extended-lambda", false},
    {"expt-extended-lambda", "expt-extended-lambda", false},
    {"machine", "m", true},
    {"m64", "m64", false},
    {"host-linker-script", "hls", true},
    {"augment-host-linker-script", "aug-hls", false},
    {"compiler-options", "Xcompiler", true, add_compiler_options},
    {"linker-options", "Xlinker", true, add_linker_option},
    {"archive-options", "Xarchive", true},
    {"ptxas-options", "Xptxas", true},
    {"nvlink-options", "Xnvlink", true},
    {"cudafe-options", "Xcudafe", true},
    {"forward-unknown-to-host-compiler", "forward-unknown-to-host-compiler", false},
    {"forward-unknown-to-host-linker", "forward-unknown-to-host-linker", false},
    {"forward-unknown-opts", "forward-unknown-opts", false},
    {"forward-slash-prefix-opts", "forward-slash-prefix-opts", false},
    {"dont-use-profile", "noprof", false},
    {"threads", "t", true},
    {"dryrun", "dryrun", false, turn_on<&CommandLine::dry>},
    {"verbose", "v", false, turn_on<&CommandLine::verbose>},
    {"keep", "keep", false},
    {"keep-dir", "keep-dir", true},
    {"save-temps", "save-temps", false},
    {"clean-targets", "clean", false, nullptr, "deletes what a compilation made; delete the files that -o named"},
    {"time", "time", true},
    {"run-args", "run-args", true, add<&CommandLine::run_arguments>},
    {"qpp-config", "qpp-config", true},
    {"version-ident", "dQ", true},
    {"gpu-architecture", "arch", true},
    {"gpu-code", "code", true},
    {"generate-code", "gencode", true},
    {"list-gpu-code", "code-ls", false, choose<Phase::architectures>},
    {"list-gpu-arch", "arch-ls", false, choose<Phase::architectures>},
    {"relocatable-device-code", "rdc", true,
     [](CommandLine& line, const std::string& value) { line.relocatable = value == "true"; }},
    {"entries", "e", true},
    {"maxrregcount", "maxrregcount", true},
    {"use_fast_math", "use_fast_math", false},
    {"ftz", "ftz", true},
    {"prec-div", "prec-div", true},
    {"prec-sqrt", "prec-sqrt", true},
    {"fmad", "fmad", true,
     [](CommandLine& line, const std::string& value) {
       if (value == "false") line.host_flags.emplace_back("-ffp-contract=off");
     }},
    {"extra-device-vectorization", "extra-device-vectorization", false},
    {"restrict", "restrict", false},
    {"compile-as-tools-patch", "astoolspatch", false},
    {"keep-device-functions", "keep-device-functions", false},
    {"source-in-ptx", "src-in-ptx", false},
    {"device-entity-has-hidden-visibility", "device-entity-has-hidden-visibility", true},
    {"static-global-template-stub", "static-global-template-stub", true},
    {"jump-table-density", "jtd", true},
    {"device-stack-protector", "device-stack-protector", true},
    {"compress-mode", "compress-mode", true},
    {"frandom-seed", "frandom-seed", true},
    {"default-stream", "default-stream", true,
     [](CommandLine& line, const std::string& value) { line.own_default_streams = value == "per-thread"; }},
    {"fdevice-syntax-only", "fdevice-syntax-only", false},
    {"fdevice-time-trace", "fdevice-time-trace", true},
    {"disable-warnings", "w", false, turn_on<&CommandLine::quiet>},
    {"Wreorder", "Wreorder", false},
    {"Wdefault-stream-launch", "Wdefault-stream-launch", false},
    {"Wmissing-launch-bounds", "Wmissing-launch-bounds", false},
    {"Wext-lambda-captures-this", "Wext-lambda-captures-this", false},
    {"Wno-deprecated-gpu-targets", "Wno-deprecated-gpu-targets", false},
    {"Wno-deprecated-declarations", "Wno-deprecated-declarations", false},
    {"Werror", "Werror", true},
    {"display-error-number", "err-no", false},
    {"no-display-error-number", "no-err-no", false},
    {"diag-error", "diag-error", true},
    {"diag-suppress", "diag-suppress", true},
    {"diag-warn", "diag-warn", true},
    {"resource-usage", "res-usage", false},
    {"brief-diagnostics", "brief-diag", true},
    {"options-file", "optf", true},
    {"help", "h", false, choose<Phase::help>},
    {"version", "V", false, choose<Phase::version>},
});

// A word of the command line as an option with its value.
struct Match {
  const Option* option = nullptr;
  std::optional<std::string> value;  // in the same word; nullopt: in the next one, if the option has a value
};

const Option* named(std::string_view name, std::string_view Option::*form) {
  const auto* found =
      std::ranges::find_if(kOptions, [&](const Option& option) { return option.*form == name; });
  return found == kOptions.end() || name.empty() ? nullptr : found;
}

// Options whose value follows without a space or equals sign, as for the host's compiler: -Idir, -O2.
constexpr std::string_view kJoined = "IDULlOxot";

Match match(std::string_view word) {
  const bool two_dashes = word.starts_with("--");
  const std::string_view text = word.substr(two_dashes ? 2 : 1);
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  const Option* option = named(name, two_dashes ? &Option::long_name : &Option::short_name);
  if (option == nullptr) option = named(name, two_dashes ? &Option::short_name : &Option::long_name);
  const bool may_be_joined =
      !two_dashes && text.size() > 1 && kJoined.find(text[0]) != std::string_view::npos;
  if (option == nullptr && may_be_joined) {
    return {named(text.substr(0, 1), &Option::short_name), std::string(text.substr(1))};
  }
  if (option == nullptr && !two_dashes && (text == "g1" || text == "g2" || text == "g3"))
    return {named("g", &Option::short_name), {}};
  if (option == nullptr || equals == std::string_view::npos) return {option, {}};
  return {option, std::string(text.substr(equals + 1))};
}

Words variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? Words{} : words_of(value);
}

// Returns the arguments with the contents of each options file in the place of its option.
Result<Words> with_files(const Words& arguments) {
  Words all;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Match found = arguments[i].starts_with('-') ? match(arguments[i]) : Match{};
    if (found.option == nullptr || found.option->long_name != "options-file") {
      all.push_back(arguments[i]);
      continue;
    }
    if (!found.value && i + 1 == arguments.size()) return fail("--options-file names no file");
    const auto text = read_file(found.value ? *found.value : arguments[++i]);
    if (!text) return tl::unexpected<Error>(text.error());
    const Words words = words_of(*text);
    all.insert(all.end(), words.begin(), words.end());
  }
  return all;
}

}  // namespace

Result<CommandLine> read_command_line(std::vector<std::string> arguments) {
  const Words before = variable("NVCC_PREPEND_FLAGS");
  const Words after = variable("NVCC_APPEND_FLAGS");
  arguments.insert(arguments.begin(), before.begin(), before.end());
  arguments.insert(arguments.end(), after.begin(), after.end());
  const Result<Words> all = with_files(arguments);
  if (!all) return tl::unexpected<Error>(all.error());
  const auto has = [&](std::string_view option) {
    return std::ranges::any_of(*all, [&](const std::string& word) {
      return word == fmt::format("-{}", option) || word == fmt::format("--{}", option);
    });
  };
  const bool forwards = has("forward-unknown-to-host-compiler") || has("forward-unknown-opts");
  CommandLine line;
  for (std::size_t i = 0; i < all->size(); ++i) {
    const std::string& word = (*all)[i];
    if (word.size() < 2 || word.front() != '-') {
      // nvcc gives its commands to a shell, so that a name may be in quotes of its own.
      const Words name = words_of(word);
      line.inputs.push_back(word.starts_with('"') && name.size() == 1 ? name.front() : word);
      continue;
    }
    Match found = match(word);
    if (found.option == nullptr) {
      if (!forwards) return fail(fmt::format("Unknown option '{}'", word));
      line.host_flags.push_back(word);
      continue;
    }
    const Option& option = *found.option;
    if (!option.refused.empty()) return fail(fmt::format("{} {}", word, option.refused));
    if (option.has_value && !found.value) {
      if (i + 1 == all->size()) return fail(fmt::format("{} has no value", word));
      found.value = (*all)[++i];
    }
    if (option.apply != nullptr) option.apply(line, found.value.value_or(""));
  }
  return line;
}

}  // namespace warpmark::nvcc
