// This machine as a host of ssh: a real sshd on 127.0.0.1 with keys and configuration of its own. Nothing in
// anybody's ~/.ssh is read or written.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

#include "harness/base/error.h"

namespace warpmark {

class SshHost {
 public:
  SshHost() = default;
  SshHost(const SshHost&) = delete;
  SshHost& operator=(const SshHost&) = delete;
  ~SshHost();

  // Starts it below a folder. Fails with "... is missing" if the machine lacks a program.
  Result<void> start(const std::filesystem::path& folder);
  // Ends all connections at once, as a broken network does.
  void cut_connections() const;
  // No connection is accepted any more; those that are open stay.
  void stop_listening();

  // The configuration for ssh -F, which knows this host as "there".
  [[nodiscard]] std::filesystem::path configuration() const { return folder_ / "config"; }
  // Temporary files of commands there.
  [[nodiscard]] std::filesystem::path temporary() const { return folder_ / "temporary there"; }
  // Returns the processes there whose command line or environment names the temporary folder.
  [[nodiscard]] std::vector<std::string> processes() const;

 private:
  std::filesystem::path folder_;
  pid_t daemon_ = -1;
};

}  // namespace warpmark
