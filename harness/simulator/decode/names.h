// Converts mangled C++ names to their form in the source code.
#pragma once

#include <string>
#include <string_view>

namespace warpmark::simulator {

// Returns "reduce" for "_Z6reducePKiPii" and "tree<256u>" for "_Z4treeILj256EEvPi". Returns an unmangled name
// unchanged.
std::string function_name(const std::string& mangled);
// Returns the source name of a mangled variable: "sd" for "_ZZ6reducePKiPiiE2sd", a variable in a function.
std::string variable_name(const std::string& mangled);

}  // namespace warpmark::simulator
