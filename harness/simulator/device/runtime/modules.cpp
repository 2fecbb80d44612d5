// Registers and loads device code: modules, kernels and variables.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "harness/simulator/decode/names.h"
#include "harness/simulator/device/runtime/own_kernels.h"
#include "harness/simulator/device/runtime/runtime.h"

namespace warpmark::simulator {

void* Runtime::add_module(const void* library, FatBinary images) {
  auto module = std::make_unique<RegisteredModule>();
  module->library = library;
  module->images = std::move(images);
  void* handle = module.get();
  modules.emplace(handle, std::move(module));
  return handle;
}

bool Runtime::add_kernel(void* module, const void* stub, std::string mangled_name) {
  const auto owner = modules.find(module);
  if (owner == modules.end()) return false;
  const bool library_code = is_library_code_alone(mangled_name);
  kernels.insert_or_assign(stub,
                           RegisteredKernel{owner->second.get(), std::move(mangled_name), 0, library_code});
  return true;
}

bool Runtime::add_variable(void* module, const void* host_variable, std::string mangled_name,
                           std::size_t bytes) {
  const auto owner = modules.find(module);
  if (owner == modules.end()) return false;
  variables.insert_or_assign(host_variable,
                             RegisteredVariable{owner->second.get(), std::move(mangled_name), bytes});
  return true;
}

const RegisteredVariable* Runtime::variable_at(const void* pointer) const {
  auto behind = variables.upper_bound(pointer);
  if (behind == variables.begin()) return nullptr;
  const auto& [begin, variable] = *--behind;
  const bool within = address_of(pointer) - address_of(begin) < variable.bytes;
  return within && !variable.managed ? &variable : nullptr;
}

bool Runtime::manage(const void* host_variable) {
  const auto found = variables.find(host_variable);
  if (found == variables.end()) return false;
  RegisteredVariable& variable = found->second;
  const auto value = initial_value(variable.module->images.checking, variable.mangled_name);
  if (!value || value->size() > variable.bytes) return false;
  if (!memory.adopt(address_of(host_variable), variable.bytes, variable_name(variable.mangled_name)))
    return false;
  variable.managed = true;
  return write_host(pointer_to(address_of(host_variable)), value->data(), value->size());
}

void Runtime::remove_module(void* module) {
  for (const auto& [host, variable] : variables) {
    if (variable.module == module && variable.managed) memory.release(address_of(host));
  }
  const auto is_its = [=](const auto& entry) { return entry.second.module == module; };
  std::erase_if(kernels, is_its);
  std::erase_if(variables, is_its);
  modules.erase(module);
  repeated_launches = {};
  remembered_launches = {};
}

LoadedModule* Runtime::load(RegisteredModule& module, std::size_t level) {
  const std::size_t slot = slot_of(level);
  auto& loaded = module.levels.at(slot);
  if (loaded) return loaded.get();
  std::vector<RegisteredModule*> program{&module};
  for (const auto& [handle, other] : modules) {
    if (other.get() != &module && other->library == module.library && !other->levels.at(slot))
      program.push_back(other.get());
  }
  return load_all(program, level, std::vector<VariablePlaces>(program.size()));
}

LoadedModule* Runtime::load_beside(RegisteredModule& module) {
  auto& loaded = module.levels.at(slot_of(2));
  if (loaded || module.never_beside) return loaded.get();
  std::vector<RegisteredModule*> program{&module};
  for (const auto& [handle, other] : modules) {
    if (other.get() != &module && other->library == module.library) program.push_back(other.get());
  }
  std::vector<VariablePlaces> places;
  for (const RegisteredModule* file : program) {
    const auto& checked = file->levels.at(slot_of(0));
    auto at = checked ? checked->places_for(file->images.counting, file->images.checking) : std::nullopt;
    if (!at) {
      module.never_beside = true;
      return nullptr;
    }
    places.push_back(std::move(*at));
  }
  return load_all(program, 2, std::move(places));
}

LoadedModule* Runtime::load_all(const std::vector<RegisteredModule*>& program, std::size_t level,
                                std::vector<VariablePlaces> places) {
  std::vector<std::string_view> files;
  for (const auto& [host, variable] : variables) {
    const auto file = std::ranges::find(program, variable.module);
    if (variable.managed && file != program.end()) {
      places[static_cast<std::size_t>(file - program.begin())].insert_or_assign(variable.mangled_name,
                                                                                address_of(host));
    }
  }
  files.reserve(program.size());
  for (const RegisteredModule* file : program)
    files.emplace_back(level == 0 ? file->images.checking : file->images.counting);
  auto all = LoadedModule::load(files, memory, places);
  if (!all.front()) {
    recorder.found(CauseKind::unsupported, "",
                   fmt::format("the device code cannot be read: {}", all.front().error()));
    return nullptr;
  }
  const std::size_t slot = slot_of(level);
  for (std::size_t i = 0; i < program.size(); ++i) {
    if (all[i]) program[i]->levels.at(slot) = std::move(*all[i]);
  }
  return program.front()->levels.at(slot).get();
}

}  // namespace warpmark::simulator
