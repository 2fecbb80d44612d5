// NVRTC: compiles CUDA source while a program runs, by `warpmark nvcc -fatbin` of this installation.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <nvrtc.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/file.h"
#include "harness/simulator/both/fat_binary.h"
#include "harness/simulator/program/own_device.h"
#include "harness/simulator/ptx/parser.h"

using namespace warpmark;
using namespace warpmark::simulator;

struct WarpmarkRuntimeProgram {
  std::string source, name;
  std::vector<std::pair<std::string, std::string>> headers;  // name, contents
  // Expressions such as "scale<float>", and the names in PTX of what they name.
  std::vector<std::pair<std::string, std::string>> expressions;
  bool compiled = false;
  std::string log;
  FatBinary images;
};

namespace {

namespace fs = std::filesystem;

constexpr std::array kArchitectures{75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};
constexpr std::string_view kNamePrefix = "warpmark_lowered_name_";

// Each expression becomes a variable with the address of what it names, whose initialiser has that name.
std::string with_expressions(const WarpmarkRuntimeProgram& program) {
  std::string text = program.source + "\n";
  for (std::size_t i = 0; i < program.expressions.size(); ++i)
    text += "__attribute__((used)) __device__ const void* " + std::string(kNamePrefix) + std::to_string(i) +
            " = (const void*)(" + program.expressions[i].first + ");\n";
  return text;
}

nvrtcResult find_names(WarpmarkRuntimeProgram& program) {
  const auto parsed = ptx::parse(program.images.counting);
  if (!parsed) return NVRTC_ERROR_INTERNAL_ERROR;
  for (const ptx::Variable& variable : parsed->variables) {
    const std::string_view name = variable.name;
    if (!name.starts_with(kNamePrefix) || variable.initialisers.empty()) continue;
    const auto number = std::stoul(std::string(name.substr(kNamePrefix.size())));
    if (number < program.expressions.size())
      program.expressions[number].second = variable.initialisers.front().symbol;
  }
  return NVRTC_SUCCESS;
}

// Returns the option as nvcc has it; empty for one that changes nothing here.
std::string for_nvcc(std::string_view option) {
  constexpr auto kIgnored = std::to_array<std::string_view>(
      {"--device-as-default-execution-space", "-default-device", "--builtin-", "--fast-compile", "--pch",
       "--create-pch", "--use-pch", "--no-source-include", "--extra-device-vectorization", "--minimal"});
  const bool ignored =
      std::ranges::any_of(kIgnored, [&](std::string_view each) { return option.starts_with(each); });
  return ignored ? "" : std::string(option);
}

// Runs a command, its output into a file. Returns its exit status, or -1.
int run(std::vector<std::string> words, const std::string& output) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files{};
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  pid_t child = 0;
  const int error = posix_spawn(&child, arguments[0], &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  int status = 0;
  if (error != 0) return -1;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

nvrtcResult compile(WarpmarkRuntimeProgram& program, const std::vector<std::string>& options,
                    const fs::path& folder) {
  for (const auto& [name, contents] : program.headers) {
    std::error_code error;
    fs::create_directories((folder / name).parent_path(), error);
    if (!write_file(folder / name, contents)) return NVRTC_ERROR_INVALID_INPUT;
  }
  const fs::path source = folder / fs::path(program.name).filename();
  if (!write_file(source, with_expressions(program))) return NVRTC_ERROR_INVALID_INPUT;
  const std::string code = folder / "code.fatbin", log = folder / "log.txt";
  std::vector<std::string> words{
      program_beside("warpmark-cli"), "nvcc", "-fatbin", "-x", "cu", "-o", code, source, "-I", folder};
  words.insert(words.end(), options.begin(), options.end());
  const int status = run(std::move(words), log);
  if (status < 0) {
    program.log = "Warpmark's compiler cannot be started here";
    return NVRTC_ERROR_INTERNAL_ERROR;
  }
  program.log = read_file(log).value_or("");
  if (program.log.find("Unknown option") != std::string::npos) return NVRTC_ERROR_INVALID_OPTION;
  const auto bytes = read_file(code);
  auto images = bytes ? unpack(*bytes) : std::nullopt;
  if (status != 0 || !images) return NVRTC_ERROR_COMPILATION;
  program.images = std::move(*images);
  program.compiled = true;
  return find_names(program);
}

// Copies text, with the zero byte at its end.
nvrtcResult copy(const std::string& text, size_t* bytes, char* to) {
  if (bytes != nullptr) *bytes = text.size() + 1;
  if (to != nullptr) std::memcpy(to, text.c_str(), text.size() + 1);
  return NVRTC_SUCCESS;
}
nvrtcResult copy_code(nvrtcProgram program, bool whole, size_t* bytes, char* to) {
  if (program == nullptr || !program->compiled) return NVRTC_ERROR_INVALID_PROGRAM;
  return copy(whole ? pack(program->images) : program->images.counting, bytes, to);
}

}  // namespace

const char* nvrtcGetErrorString(nvrtcResult result) {
  constexpr auto kNames = std::to_array<const char*>(
      {"NVRTC_SUCCESS", "NVRTC_ERROR_OUT_OF_MEMORY", "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
       "NVRTC_ERROR_INVALID_INPUT", "NVRTC_ERROR_INVALID_PROGRAM", "NVRTC_ERROR_INVALID_OPTION",
       "NVRTC_ERROR_COMPILATION", "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
       "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION", "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
       "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID", "NVRTC_ERROR_INTERNAL_ERROR"});
  const auto number = static_cast<std::size_t>(result);
  return number < kNames.size() ? kNames[number] : "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int* major, int* minor) {
  *major = 13;
  *minor = 0;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetNumSupportedArchs(int* count) {
  *count = static_cast<int>(kArchitectures.size());
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int* architectures) {
  std::ranges::copy(kArchitectures, architectures);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char* name, int headers,
                               const char* const* header_sources, const char* const* header_names) {
  if (program == nullptr || source == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  auto* made = new WarpmarkRuntimeProgram;
  made->source = source;
  made->name = name == nullptr || *name == '\0' ? "default_program" : name;
  for (int i = 0; i < headers; ++i) made->headers.emplace_back(header_names[i], header_sources[i]);
  *program = made;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program) {
  if (program == nullptr || *program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  delete std::exchange(*program, nullptr);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char* const* options) {
  if (program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  std::vector<std::string> words;
  for (int i = 0; i < count; ++i)
    if (std::string word = for_nvcc(options[i]); !word.empty()) words.push_back(std::move(word));
  const TemporaryFolder folder;
  return compile(*program, words, folder.path());
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t* bytes) {
  return copy_code(program, false, bytes, nullptr);
}
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char* text) {
  return copy_code(program, false, nullptr, text);
}
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t* bytes) {
  return copy_code(program, true, bytes, nullptr);
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* code) {
  return copy_code(program, true, nullptr, code);
}
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t* bytes) {
  return program == nullptr ? NVRTC_ERROR_INVALID_PROGRAM : copy(program->log, bytes, nullptr);
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char* text) {
  return program == nullptr ? NVRTC_ERROR_INVALID_PROGRAM : copy(program->log, nullptr, text);
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char* expression) {
  if (program == nullptr || expression == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  if (program->compiled) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  program->expressions.emplace_back(expression, "");
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char* expression, const char** name) {
  if (program == nullptr || expression == nullptr || name == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  if (!program->compiled) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  for (const auto& [text, lowered] : program->expressions) {
    if (text != expression || lowered.empty()) continue;
    *name = lowered.c_str();
    return NVRTC_SUCCESS;
  }
  return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}
