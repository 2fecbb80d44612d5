#include "harness/remote/grade_process.h"

#include <fcntl.h>
#include <fmt/format.h>

#include "harness/remote/shell.h"

namespace warpmark::remote {

std::string message_of_grade(const std::string& output) {
  static constexpr std::string_view kMark = "warpmark grade: ";
  const std::size_t at = output.rfind(kMark);
  std::string message = at == std::string::npos ? output : output.substr(at + kMark.size());
  message.erase(message.find_last_not_of(" \n\r\t") + 1);
  constexpr std::size_t kMost = 2000;
  return message.size() > kMost ? message.substr(message.size() - kMost) : message;
}

Result<GradeProcess> GradeProcess::start(std::vector<std::string> arguments, Say say) {
  auto out = std::make_unique<TemporaryFolder>();
  sandbox::Command command;
  command.argv = {std::filesystem::read_symlink("/proc/self/exe").string(), "grade"};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  command.argv.insert(command.argv.end(), {"--out", out->path().string()});
  command.environment = whole_environment();
  command.folder = std::filesystem::current_path();
  // Its report is made again from the joined grade.
  const UniqueFd nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  command.standard_fds[1] = nowhere.get();
  auto process = sandbox::Process::start(command);
  if (!process) return tl::unexpected(process.error());
  return GradeProcess(std::move(*process), std::move(out), std::move(say));
}

bool GradeProcess::step() {
  const auto ending = process_.wait_until(sandbox::Clock::now());
  const std::string text = process_.take_output();
  printed_ += text;
  line_ += text;
  for (std::size_t end = 0; (end = line_.find('\n')) != std::string::npos; line_.erase(0, end + 1))
    say_(line_.substr(0, end));
  return ending.has_value();
}

Result<Grade> GradeProcess::grade() const {
  const auto text = read_file(out_->path() / "grade.json");
  if (!text) return fail(message_of_grade(printed_));
  return grade_from_json(*text);
}

}  // namespace warpmark::remote
