#include "harness/class/run/home.h"

#include <stdexcept>
#include <thread>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/base/leftovers.h"

namespace warpmark::classroom {

namespace fs = std::filesystem;

Result<Home> open_home(const fs::path& out, std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds kPause{100};  // time between two attempts to lock the output folder
  std::error_code error;
  fs::create_directories(out, error);
  if (error)
    return fail(fmt::format("{}: {}; choose another folder with --out DIR", out.string(), error.message()));
  const auto deadline = std::chrono::steady_clock::now() + patience;
  auto lock = Lock::take(out);
  while (!lock && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(kPause);
    lock = Lock::take(out);
  }
  if (!lock) return tl::unexpected(lock.error());
  auto journal = Journal::open(out);
  if (!journal) return tl::unexpected(journal.error());
  sweep_leftovers(out, 2);
  return Home{fs::canonical(out), std::move(*lock), std::move(*journal)};
}

Result<Home> open_existing(const fs::path& out, std::chrono::milliseconds patience) {
  if (!Journal::exists(out))
    return fail(fmt::format("{} holds no class; grade one first with `class INPUT... --out`", out.string()));
  return open_home(out, patience);
}

fs::path rubric_copy(const fs::path& out, Shelf shelf) {
  return (shelf == Shelf::shadow ? out / "regrade" : out) / "rubric.toml";
}

void keep_rubric(const judge::Installation& installation, const fs::path& rubric,
                 const std::string& assignment, const fs::path& copy) {
  const auto home = find_assignment(installation.root, assignment);
  if (!home) throw std::runtime_error(home.error().message);
  fs::create_directories(copy.parent_path());
  const auto text = read_file(rubric.empty() ? home->rules() : rubric);
  const auto written = text ? write_file(copy, *text) : tl::unexpected(text.error());
  if (!written) throw std::runtime_error(written.error().message);
}

}  // namespace warpmark::classroom
