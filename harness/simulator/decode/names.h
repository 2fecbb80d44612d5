// Demangles names to the form in the source.
#pragma once

#include <string>
#include <string_view>

namespace warpmark::simulator {

// "_Z6reducePKiPii" becomes "reduce", "_Z4treeILj256EEvPi" becomes "tree<256u>"; unmangled names stay.
std::string function_name(const std::string& mangled);
// "_ZZ6reducePKiPiiE2sd" becomes "sd".
std::string variable_name(const std::string& mangled);

}  // namespace warpmark::simulator
