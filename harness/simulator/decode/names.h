// Names as the student wrote them.
#pragma once

#include <string>
#include <string_view>

namespace warpmark::simulator {

// "_Z6reducePKiPii" is "reduce", "_Z4treeILj256EEvPi" is "tree<256u>"; what is not mangled stays as it is.
std::string function_name(const std::string& mangled);
// "_ZZ6reducePKiPiiE2sd" is "sd".
std::string variable_name(const std::string& mangled);

}  // namespace warpmark::simulator
