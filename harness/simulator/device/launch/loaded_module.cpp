#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>

#include "harness/simulator/decode/array_index.h"
#include "harness/simulator/decode/decoder.h"
#include "harness/simulator/decode/names.h"
#include "harness/simulator/device/launch/kernel.h"
#include "harness/simulator/engine/functions/device_library.h"
#include "harness/simulator/engine/machine/control_operations.h"
#include "harness/simulator/ptx/link.h"
#include "harness/simulator/ptx/parser.h"

namespace warpmark::simulator {

struct LoadedModule::State {
  Program program;
  VariableAddresses variables;
  NativeProgram native{program};
  std::vector<std::unique_ptr<Kernel>> kernels;
};

LoadedModule::LoadedModule() : state_(std::make_unique<State>()) {}
LoadedModule::~LoadedModule() = default;

namespace {

bool is_device_variable(const ptx::Variable& variable) {
  return variable.space == ptx::Space::global || variable.space == ptx::Space::constant;
}

// Writes the initial value of a __device__ variable to `at`: zeros, then its initialisers.
void initialise(const ptx::Variable& variable, const VariableAddresses& addresses, std::byte* at) {
  std::memset(at, 0, variable.bytes);
  const std::size_t size = std::max<std::size_t>(1, size_of(variable.type));
  std::size_t offset = 0;
  for (const auto& initialiser : variable.initialisers) {
    if (offset + size > variable.bytes) return;
    std::uint64_t bits = initialiser.bits;
    if (const auto found = addresses.find(initialiser.symbol); found != addresses.end())
      bits += found->second;
    std::memcpy(at + offset, &bits, std::min(size, sizeof(bits)));
    offset += size;
  }
}

// Returns the pcs of unsupported instructions in the kernel and in all functions that it calls, directly or
// indirectly.
std::vector<std::uint32_t> unsupported_in(const Program& program, std::uint32_t kernel) {
  std::vector<std::uint32_t> found;
  std::set<std::uint32_t> seen{kernel};
  std::vector<std::uint32_t> work{kernel};
  while (!work.empty()) {
    const ProgramFunction& function = program.functions[work.back()];
    work.pop_back();
    for (std::uint32_t pc = function.begin; pc < function.end; ++pc) {
      const Instruction& instruction = program.code[pc];
      if (instruction.handler == control::unsupported) found.push_back(pc);
      if (instruction.handler == control::call && seen.insert(instruction.target).second) {
        work.push_back(instruction.target);
      }
    }
  }
  return found;
}

// Returns the cluster size per kernel name, from `.pragma "warpmark_cluster x y z"` in the PTX, which
// include/warpmark_cuda/device/clusters.h emits for __cluster_dims__.
std::map<std::string, Dim3, std::less<>> cluster_sizes(std::string_view ptx) {
  constexpr std::string_view kPragma = ".pragma \"warpmark_cluster ";
  constexpr std::string_view kEntry = ".entry ";
  std::map<std::string, Dim3, std::less<>> sizes;
  for (std::size_t at = ptx.find(kPragma); at != std::string_view::npos; at = ptx.find(kPragma, at + 1)) {
    const std::size_t entry = ptx.rfind(kEntry, at);
    if (entry == std::string_view::npos) continue;
    const std::size_t name = entry + kEntry.size();
    Dim3 size;
    const std::string numbers(ptx.substr(at + kPragma.size(), 40));
    if (std::sscanf(numbers.c_str(), "%u %u %u", &size.x, &size.y, &size.z) == 3)
      sizes[std::string(ptx.substr(name, ptx.find_first_of("( \n", name) - name))] = size;
  }
  return sizes;
}

// Allocates the variables of a PTX file; those in `managed` keep their given addresses. Adds all addresses to
// `variables`. Returns an error message, empty on success.
std::string allocate(const ptx::Module& parsed, DeviceMemory& memory, const VariablePlaces& managed,
                     VariableAddresses& variables) {
  for (const auto& variable : parsed.variables) {
    if (!is_device_variable(variable) || variable.external) continue;
    if (const auto place = managed.find(variable.name); place != managed.end()) {
      variables[variable.name] = place->second;
      continue;
    }
    const auto address =
        memory.allocate(variable.bytes, Allocation::Kind::variable, variable_name(variable.name),
                        variable.space == ptx::Space::constant);
    if (!address) {
      return fmt::format("variable {} needs {} bytes of device memory, which is used up",
                         variable_name(variable.name), variable.bytes);
    }
    variables[variable.name] = *address;
  }
  return {};
}

// True for PTX variables that clang generates for string literals and jump tables. They have '$' in their
// names, and unlike __device__ variables, each compilation of a file has its own.
bool is_constant_of_the_compiler(const ptx::Variable& variable) {
  return variable.name.find('$') != std::string::npos;
}

bool begin_alike(const ptx::Variable& one, const ptx::Variable& other) {
  return one.bytes == other.bytes && one.space == other.space && one.type == other.type &&
         std::ranges::equal(one.initialisers, other.initialisers, [](const auto& a, const auto& b) {
           return a.bits == b.bits && a.symbol == b.symbol;
         });
}

}  // namespace

std::optional<std::vector<std::byte>> initial_value(std::string_view ptx, std::string_view mangled_name) {
  const auto parsed = ptx::parse(ptx);
  if (!parsed) return std::nullopt;
  for (const ptx::Variable& variable : parsed->variables) {
    if (variable.name != mangled_name) continue;
    std::vector<std::byte> value(variable.bytes);
    initialise(variable, {}, value.data());
    return value;
  }
  return std::nullopt;
}

tl::expected<std::unique_ptr<LoadedModule>, std::string> LoadedModule::load(std::string_view ptx,
                                                                            DeviceMemory& memory) {
  return std::move(load(std::vector{ptx}, memory).front());
}

std::vector<tl::expected<std::unique_ptr<LoadedModule>, std::string>> LoadedModule::load(
    const std::vector<std::string_view>& files, DeviceMemory& memory,
    const std::vector<VariablePlaces>& managed) {
  std::vector<ptx::Module> parsed(files.size());
  std::vector<VariableAddresses> own(files.size());
  std::vector<tl::expected<std::unique_ptr<LoadedModule>, std::string>> modules(files.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (auto read = ptx::parse(files[i])) {
      parsed[i] = std::move(*read);
      settle_index_tests(parsed[i]);
      const VariablePlaces elsewhere = managed.empty() ? VariablePlaces() : managed[i];
      if (auto error = allocate(parsed[i], memory, elsewhere, own[i]); !error.empty())
        modules[i] = tl::unexpected(error);
    } else {
      modules[i] = tl::unexpected(read.error());
    }
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!modules[i]) continue;
    const ptx::Linked linked = ptx::link(parsed, i);
    VariableAddresses variables = own[i];
    for (const auto& [name, from] : linked.imported) variables[name] = own[from.file].at(from.name);
    // PTX variables that already have an address when a module is loaded (__managed__ ones, or those shared
    // with another compilation of the file) keep their contents and are not initialised again.
    if (!managed.empty())
      std::erase_if(own[i], [&](const auto& each) { return managed[i].contains(each.first); });
    modules[i] = link_up(linked.module, std::move(variables), own[i], memory);
    const auto clusters = cluster_sizes(files[i]);
    for (const auto& kernel : (*modules[i])->state_->kernels) {
      if (const auto size = clusters.find(kernel->function->name); size != clusters.end())
        kernel->cluster = size->second;
    }
  }
  return modules;
}

std::unique_ptr<LoadedModule> LoadedModule::link_up(const ptx::Module& file, VariableAddresses variables,
                                                    const VariableAddresses& own, DeviceMemory& memory) {
  std::unique_ptr<LoadedModule> module(new LoadedModule);
  State& state = *module->state_;
  state.variables = std::move(variables);
  state.program = decode(file, state.variables);
  // Function addresses are among the known symbols because initial values of __device__ variables (such as
  // vtables) may contain them.
  VariableAddresses names = state.variables;
  for (std::uint32_t i = 0; i < state.program.functions.size(); ++i) {
    names[state.program.functions[i].name] = function_address(i);
  }
  for (const auto& variable : file.variables) {
    if (!own.contains(variable.name) || variable.bytes == 0) continue;
    initialise(variable, names, memory.host_view(own.at(variable.name), variable.bytes));
    // Constant memory without an initial value is 0, but a kernel that reads it before the host has set it
    // probably lacks a copy.
    if (variable.space == ptx::Space::constant && variable.initialisers.empty())
      memory.undefine(own.at(variable.name), variable.bytes);
  }
  for (std::uint32_t i = 0; i < state.program.functions.size(); ++i) {
    if (!state.program.functions[i].entry) continue;
    state.kernels.push_back(std::make_unique<Kernel>(Kernel{
        &state.program, &state.program.functions[i], unsupported_in(state.program, i), &state.native}));
  }
  return module;
}

const Kernel* LoadedModule::find(std::string_view mangled_name) const {
  for (const auto& kernel : state_->kernels) {
    if (kernel->function->name == mangled_name) return kernel.get();
  }
  return nullptr;
}

std::optional<Address> LoadedModule::variable(std::string_view mangled_name) const {
  const auto found = state_->variables.find(std::string(mangled_name));
  if (found == state_->variables.end()) return std::nullopt;
  return found->second;
}

std::optional<VariablePlaces> LoadedModule::places_for(std::string_view other, std::string_view own) const {
  const auto knows_functions = [](const Instruction& instruction) {
    return instruction.handler == control::call_indirect || instruction.handler == device_library::launch;
  };
  if (std::ranges::any_of(state_->program.code, knows_functions)) return std::nullopt;
  const auto theirs = ptx::parse(other);
  const auto ours = ptx::parse(own);
  if (!theirs || !ours) return std::nullopt;
  VariablePlaces places;
  for (const ptx::Variable& variable : theirs->variables) {
    if (!is_device_variable(variable) || variable.external || is_constant_of_the_compiler(variable)) continue;
    const auto same = std::ranges::find(ours->variables, variable.name, &ptx::Variable::name);
    if (same == ours->variables.end() || !begin_alike(*same, variable)) return std::nullopt;
    places.emplace(variable.name, state_->variables.at(variable.name));
  }
  return places;
}

std::string_view mangled_name(const Kernel& kernel) {
  return kernel.function->name;
}

bool is_simulated(const Kernel& kernel) {
  return kernel.unsupported.empty();
}

std::string_view mangled_name(const Kernel& parent, const ChildLaunch& child) {
  return parent.program->functions[child.function].name;
}

std::vector<const void*> arguments_of(const Kernel& kernel, const ChildLaunch& child) {
  std::vector<const void*> arguments;
  for (const std::size_t offset : kernel.function->parameter_offsets)
    arguments.push_back(child.parameters.data() + offset);
  return arguments;
}

std::vector<std::size_t> parameter_sizes(const Kernel& kernel) {
  return kernel.function->parameter_sizes;
}

std::vector<std::vector<bool>> parameter_reads(const Kernel& kernel) {
  const ProgramFunction& function = *kernel.function;
  std::vector<std::vector<bool>> reads;
  for (std::size_t i = 0; i < function.parameter_sizes.size(); ++i) {
    const auto begin =
        function.parameter_reads.begin() + static_cast<std::ptrdiff_t>(function.parameter_offsets[i]);
    reads.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(function.parameter_sizes[i]));
  }
  return reads;
}

std::size_t static_shared_bytes(const Kernel& kernel) {
  return kernel.function->static_shared_bytes;
}

Dim3 cluster_of(const Kernel& kernel) {
  return kernel.cluster;
}

const Program& program_of(const Kernel& kernel) {
  return *kernel.program;
}

bool is_of_library(const Kernel& kernel) {
  const Program& program = *kernel.program;
  for (std::uint32_t pc = kernel.function->begin; pc < kernel.function->end; ++pc) {
    const ptx::Location& place = program.locations[program.code[pc].location];
    if (place.line == 0 || place.caller != 0) continue;
    const auto file = program.files.find(place.file);
    // Files of a submission have relative names.
    return file != program.files.end() && file->second.starts_with('/') &&
           file->second.find("/warpmark_cuda/algorithms/") != std::string::npos;
  }
  return false;
}

std::string_view display_name(const Kernel& kernel) {
  return kernel.function->display_name;
}

}  // namespace warpmark::simulator
