#include "harness/remote/shell.h"

#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

#include "harness/base/text.h"

namespace warpmark::remote {

std::map<std::string, std::string> whole_environment() {
  std::map<std::string, std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos) all[std::string(text.substr(0, equals))] = text.substr(equals + 1);
  }
  return all;
}

std::string shell_quoted(const std::string& text) {
  return fmt::format("'{}'", replaced(text, {{'\'', "'\\''"}}));
}

std::string program_word(const std::string& program) {
  return program.starts_with("~/") ? "\"$HOME\"/" + shell_quoted(program.substr(2)) : shell_quoted(program);
}

}  // namespace warpmark::remote
