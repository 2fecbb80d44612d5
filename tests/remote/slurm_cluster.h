// A cluster of one node with two GPUs that are files: munged, slurmctld and slurmd of this machine's
// packages, started as children and without systemd, accounting or cgroups.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <sys/types.h>

#include "harness/base/error.h"

namespace warpmark {

class SlurmCluster {
 public:
  // Starts it below a folder. more: lines for slurm.conf. Fails when the machine lacks a package, or this
  // user is not root, as slurmd asks for.
  Result<void> start(const std::filesystem::path& folder, const std::string& more = "");
  ~SlurmCluster();
  SlurmCluster() = default;
  SlurmCluster(const SlurmCluster&) = delete;
  SlurmCluster& operator=(const SlurmCluster&) = delete;

  // What a command of Slurm's needs to find this cluster.
  [[nodiscard]] std::map<std::string, std::string> environment() const;
  // Runs one, and returns what it printed.
  std::string ask(std::vector<std::string> command) const;
  // The node loses its power: slurmd and all that runs in its jobs are gone at once, and the controller
  // knows.
  void lose_node();
  [[nodiscard]] Result<void> start_node();

 private:
  pid_t spawn(std::vector<std::string> command, const std::string& log);
  void kill_node();
  [[nodiscard]] bool is_in_job(const std::filesystem::path& process) const;

  std::filesystem::path folder_;
  pid_t munged_ = -1;
  pid_t controller_ = -1;
  pid_t node_ = -1;
};

}  // namespace warpmark
