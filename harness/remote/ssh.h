// A machine that OpenSSH reaches. All settings (addresses, keys, ports, jump hosts) come from ssh's own
// configuration; ssh never asks for a password.
//
// Theory of operation. start() runs a short script there, which makes a private temporary folder with a
// supervisor, unpacks the parcel into it, and look() keeps one connection open, over which it asks once per
// second. Each question renews a lease. The supervisor ends the command and removes the folder when it is
// told to, or when the lease has run out: a client that was killed or cut off leaves nothing behind. A client
// that returns earlier finds the command still running. start() also removes folders whose supervisor is
// gone.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "harness/base/file.h"
#include "harness/remote/place.h"
#include "harness/sandbox/process.h"

namespace warpmark::remote {

struct SshOptions {
  std::string host;                     // as ssh's configuration knows it, may be "user@host"
  std::filesystem::path configuration;  // for ssh -F; empty: the user's own
  std::string program = "warpmark";     // Warpmark's program there: a path, or a name on PATH there
  std::string version;                  // version that Warpmark must have there
  std::stop_token stop = {};            // shortens waits when the user stops the grading
};

class SshPlace : public Place {
 public:
  // Fails if ssh or tar is not on PATH.
  static Result<std::unique_ptr<SshPlace>> make(SshOptions options);

  [[nodiscard]] std::string name() const override { return "ssh:" + options_.host; }
  Result<std::string> start(const Parcel& parcel) override;
  Result<Look> look() override;
  Result<std::string> fetch(const std::filesystem::path& file) override;
  Result<void> remove() override;

 private:
  // A connection over which questions are asked.
  struct Session {
    sandbox::Process process;
    UniqueFd input;
    std::string unread;
  };

  explicit SshPlace(SshOptions options) : options_(std::move(options)) {}
  [[nodiscard]] sandbox::Command command_for(const std::string& command) const;
  // Runs a command there to its end and returns its standard output. Fails with ssh's message, or with the
  // command's if it failed.
  Result<std::string> run(const std::string& command, const std::filesystem::path& input) const;
  Result<void> open_session();
  // Sends a line and returns the answer; closes the connection if none comes.
  Result<std::string> ask(const std::string& question);
  Result<std::string> read_answer();
  // Closes the connection if no answer comes, or if it was the last.
  Result<std::string> read_answer_or_close();
  [[nodiscard]] std::string last_error() const;

  SshOptions options_;
  std::filesystem::path ssh_;
  std::filesystem::path tar_;
  TemporaryFolder folder_;  // holds ssh's error output and the packed parcel
  std::string there_;       // the folder there; empty: none yet
  std::optional<Session> session_;
};

// Returns the script that prepares a folder there and starts its supervisor, if the program there has the
// given version. `program`: a word of a shell's command line. `lease_seconds`: how long the supervisor waits
// for a question.
std::string prepare_script(const std::string& program, const std::string& version, int lease_seconds);

}  // namespace warpmark::remote
