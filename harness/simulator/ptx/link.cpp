#include "harness/simulator/ptx/link.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace warpmark::simulator::ptx {
namespace {

template <class Named>
const Named* find(const std::vector<Named>& all, const std::string& name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Named& each) { return each.name == name; });
  return found == all.end() ? nullptr : &*found;
}

bool defines(const Function& function) {
  return function.defined;
}
bool defines(const Variable& variable) {
  return !variable.external && variable.space != Space::shared;
}

class Linker {
 public:
  Linker(std::span<const Module> files, std::size_t which)
      : files_(files), which_(which), result_{files[which], {}} {}

  Linked link() {
    for (const Function& function : files_[which_].functions) {
      if (!function.defined) import_function(function.name);
    }
    for (const Variable& variable : files_[which_].variables) {
      if (variable.external) import_variable(variable.name, variable.name);
    }
    while (!work_.empty()) {
      const auto [file, name] = work_.back();
      work_.pop_back();
      add(file, *find(files_[file].functions, name));
    }
    return std::move(result_);
  }

 private:
  // PTX linker: returns the index of another source file whose PTX has a visible definition of the name;
  // nullopt if there is none.
  template <class Named>
  std::optional<std::size_t> defining(std::vector<Named> Module::*list, const std::string& name) const {
    for (std::size_t file = 0; file < files_.size(); ++file) {
      const Named* found = file == which_ ? nullptr : find(files_[file].*list, name);
      if (found != nullptr && defines(*found) && !found->internal) return file;
    }
    return std::nullopt;
  }

  void import_function(const std::string& name) {
    if (const auto file = defining(&Module::functions, name)) want(*file, name);
  }
  void import_variable(const std::string& name, const std::string& as) {
    if (const auto file = defining(&Module::variables, name)) result_.imported[as] = {*file, name};
  }

  void want(std::size_t file, const std::string& name) {
    if (seen_.emplace(file, name).second) work_.emplace_back(file, name);
  }

  // Returns a name for a file's internal function or variable that is unique in the linked program: the
  // file's number follows a dot, which demanglers treat as a clone suffix.
  static std::string renamed(std::size_t file, const std::string& name) {
    return fmt::format("{}.{}", name, file);
  }

  // PTX linking: adds a copy of a function that another file defines, and resolves the names to which that
  // function refers.
  void add(std::size_t file, Function function) {
    if (function.internal) rename_shared(file, function);
    for (Instruction& instruction : function.body) {
      instruction.location.file = number_of(file, instruction.location.file);
      instruction.location.caller = caller_of(file, instruction.location.caller);
      for (Operand& operand : instruction.operands) refer(file, function, operand);
    }
    if (function.internal) function.name = renamed(file, function.name);
    auto& functions = result_.module.functions;
    const auto declared = std::find_if(functions.begin(), functions.end(),
                                       [&](const Function& each) { return each.name == function.name; });
    if (declared == functions.end()) {
      functions.push_back(std::move(function));
    } else if (!declared->defined) {
      *declared = std::move(function);
    }  // else: the PTX linker keeps the first definition of a template instantiation, all of which are equal
  }

  // Makes the names of an internal function's shared arrays unique: internal functions of the same name in
  // different files have different arrays.
  static void rename_shared(std::size_t file, Function& function) {
    for (Variable& variable : function.variables) {
      if (variable.space != Space::shared) continue;
      const std::string name = renamed(file, variable.name);
      for (Instruction& instruction : function.body) rename(instruction.operands, variable.name, name);
      variable.name = name;
    }
  }
  static void rename(std::vector<Operand>& operands, const std::string& from, const std::string& to) {
    for (Operand& operand : operands) {
      if (operand.index < 0 && operand.name == from) operand.name = to;
      rename(operand.elements, from, to);
    }
  }

  void refer(std::size_t file, const Function& from, Operand& operand) {
    for (Operand& element : operand.elements) refer(file, from, element);
    if (operand.name.empty() || operand.index >= 0) return;
    const std::string& name = operand.name;
    if (from.labels.contains(name) || find(from.variables, name) != nullptr) return;
    const Module& module = files_[file];
    if (const Function* callee = find(module.functions, name)) {
      refer_to_function(file, *callee, operand);
    } else if (const Variable* variable = find(module.variables, name)) {
      refer_to_variable(file, *variable, operand);
    }
  }

  void refer_to_function(std::size_t file, const Function& callee, Operand& operand) {
    const auto& own = files_[which_].functions;
    if (callee.internal) {
      want(file, callee.name);
      operand.name = renamed(file, callee.name);
    } else if (const Function* known = find(own, callee.name); known != nullptr && known->defined) {
      return;
    } else if (callee.defined) {
      want(file, callee.name);
    } else {
      import_function(callee.name);
      // Adds a declaration of a function that no file defines, so that messages can name it.
      if (find(result_.module.functions, callee.name) == nullptr) result_.module.functions.push_back(callee);
    }
  }

  void refer_to_variable(std::size_t file, const Variable& variable, Operand& operand) {
    const std::string name = variable.internal ? renamed(file, variable.name) : variable.name;
    operand.name = name;
    if (variable.space == Space::shared) {
      if (find(result_.module.variables, name) != nullptr) return;
      result_.module.variables.push_back(variable);
      result_.module.variables.back().name = name;
    } else if (variable.external) {
      if (const Variable* own = find(files_[which_].variables, name); own == nullptr || own->external)
        import_variable(variable.name, name);
    } else {
      result_.imported[name] = {file, variable.name};
    }
  }

  // PTX linker: translates the number by which another file's PTX names a source file to the number in this
  // file's PTX.
  std::uint32_t number_of(std::size_t file, std::uint32_t number) {
    const auto path = files_[file].files.find(number);
    if (path == files_[file].files.end()) return 0;
    auto& own = result_.module.files;
    std::uint32_t highest = 0;
    for (const auto& [known, known_path] : own) {
      if (known_path == path->second) return known;
      highest = std::max(highest, known);
    }
    own[highest + 1] = path->second;
    return highest + 1;
  }

  // Translates an index into another file's inlined call sites to an index into this file's.
  std::uint32_t caller_of(std::size_t file, std::uint32_t number) {
    if (number == 0) return 0;
    const auto [known, is_new] = callers_.try_emplace({file, number}, 0);
    if (is_new) {  // PTX linker: the iterator stays valid, as the recursion only inserts into a std::map
      Location caller = files_[file].callers[number];
      caller.file = number_of(file, caller.file);
      caller.caller = caller_of(file, caller.caller);
      result_.module.callers.push_back(caller);
      known->second = static_cast<std::uint32_t>(result_.module.callers.size() - 1);
    }
    return known->second;
  }

  std::span<const Module> files_;
  std::size_t which_;
  std::map<std::pair<std::size_t, std::uint32_t>, std::uint32_t> callers_;
  Linked result_;
  std::set<std::pair<std::size_t, std::string>> seen_;
  std::vector<std::pair<std::size_t, std::string>> work_;
};

}  // namespace

Linked link(std::span<const Module> files, std::size_t which) {
  return Linker(files, which).link();
}

}  // namespace warpmark::simulator::ptx
