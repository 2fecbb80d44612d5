// A linker that is started itself, not by the compiler's driver, and is faster than the system's own.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warpmark::build {

class Linker {
 public:
  // What a driver is told to link an object to a library.
  using DriverArguments = std::function<std::vector<std::string>(const std::filesystem::path& object,
                                                                 const std::filesystem::path& library)>;

  Linker() = default;
  // Asks the driver how it would call gold or lld; false where neither is installed.
  static Linker find(const std::filesystem::path& driver, const DriverArguments& arguments);

  explicit operator bool() const { return !command_.empty(); }
  // The linker's absolute path and its arguments.
  [[nodiscard]] std::vector<std::string> command(const std::filesystem::path& object,
                                                 const std::filesystem::path& library) const;

 private:
  std::vector<std::string> command_;
};

// The words of the last command that `clang -###` shows: each in quotes, with backslashes before quotes,
// backslashes and dollars. Empty if it is none.
std::vector<std::string> last_command_shown(std::string_view output);

}  // namespace warpmark::build
