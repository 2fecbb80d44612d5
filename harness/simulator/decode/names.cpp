#include "harness/simulator/decode/names.h"

#include <cstdlib>
#include <memory>

#include <cxxabi.h>

namespace warpmark::simulator {
namespace {

std::string demangled(const std::string& mangled) {
  // abi::__cxa_demangle also accepts bare type codes: it would turn an unmangled variable name "x" into "long
  // long".
  if (!mangled.starts_with("_Z")) return mangled;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text != nullptr ? text.get() : mangled;
}

}  // namespace

std::string function_name(const std::string& mangled) {
  std::string name = demangled(mangled);
  // Strips the parameter list, the last parenthesised part, from a demangled function name. It is matched
  // from the end because template arguments may contain parentheses, too.
  if (name.ends_with(')')) {
    int depth = 0;
    for (std::size_t i = name.size(); i-- > 0;) {
      if (name[i] == ')') ++depth;
      if (name[i] == '(' && --depth == 0) {
        name.resize(i);
        break;
      }
    }
  }
  // Removes the return type, with which the demangled name of a template instance begins: keeps the text
  // after the last blank that is outside of brackets.
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    if (name[i] == '>' || name[i] == ')') ++depth;
    if (name[i] == '<' || name[i] == '(') --depth;
    if (name[i] == ' ' && depth == 0) return name.substr(i + 1);
  }
  return name;
}

std::string variable_name(const std::string& mangled) {
  const std::string name = demangled(mangled);
  const std::size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

}  // namespace warpmark::simulator
