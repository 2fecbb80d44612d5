// Runs a program as a user would and keeps what it said.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/sandbox/process.h"

namespace warpmark {

struct Child {
  int status = -1;     // its exit status; 1000 and the signal when one ended it
  std::string output;  // stdout and stderr
};

inline Child run_child(const std::vector<std::string>& argv,
                       const std::map<std::string, std::string>& environment,
                       const std::filesystem::path& folder) {
  sandbox::Command command;
  command.argv = argv;
  command.environment = environment;
  command.folder = folder;
  const auto finished = sandbox::run(command, std::chrono::minutes(5));
  if (!finished) throw std::runtime_error(finished.error().message);
  if (finished->timed_out)
    throw std::runtime_error(argv.front() + " did not end: " + finished->ending.output);
  const bool exited = finished->ending.kind == sandbox::Ending::Kind::exited;
  return {exited ? finished->ending.code : 1000 + finished->ending.code, finished->ending.output};
}

}  // namespace warpmark
