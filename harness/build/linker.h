// Runs a fast linker (gold or lld) directly, without the compiler driver.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warpmark::build {

class Linker {
 public:
  // Returns the compiler driver's arguments for linking an object into a library.
  using DriverArguments = std::function<std::vector<std::string>(const std::filesystem::path& object,
                                                                 const std::filesystem::path& library)>;

  Linker() = default;
  // Obtains from the compiler driver the command line with which it would run gold or lld. Returns an empty
  // Linker if neither is installed.
  static Linker find(const std::filesystem::path& driver, const DriverArguments& arguments);

  explicit operator bool() const { return !command_.empty(); }
  // Returns the linker's absolute path, followed by its arguments.
  [[nodiscard]] std::vector<std::string> command(const std::filesystem::path& object,
                                                 const std::filesystem::path& library) const;

 private:
  std::vector<std::string> command_;
};

// Returns the words of the last command in the output of `clang -###`, which escapes quotes, backslashes and
// dollars with a backslash. Empty if there is no command.
std::vector<std::string> last_command_shown(std::string_view output);

}  // namespace warpmark::build
