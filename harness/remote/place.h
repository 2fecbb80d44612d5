// Another machine that runs a command for this one. Two implementations: SshPlace and SlurmPlace.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/error.h"

namespace warpmark::remote {

// Files in a parcel's folder that every place knows.
inline constexpr const char* kCommandFile = "command.sh";  // shell script that runs there, in that folder
inline constexpr const char* kSeedFile = "seed";           // seed of the test inputs, which the script reads
inline constexpr const char* kLogFile = "log.txt";         // output of the script
inline constexpr const char* kStatusFile = "status";       // exit status of the script, written at its end
inline constexpr const char* kMachineFile = "machine";     // name of the machine that ran the script

// The files that travel.
struct Parcel {
  std::filesystem::path folder;  // holds everything that the command needs, and the command itself
  std::string key;               // digest of these files except the seed: equal keys are the same work
  std::string seed;
  bool needs_gpu = true;
};

// State of the command at one moment.
struct Look {
  enum class State {
    waiting,  // in a queue
    running,
    ended,  // the status file exists
    lost,   // the command and its files are gone: it may be started again
    failed  // the command ended without a result, and would again
  };
  State state = State::running;
  std::string text;  // waiting, running: a line of progress, may be empty; lost, failed: the reason
};

class Place {
 public:
  Place() = default;
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  // Does not remove anything from the other machine: call remove().
  virtual ~Place() = default;

  // Returns the place as the user named it: "ssh:gpu01".
  [[nodiscard]] virtual std::string name() const = 0;
  // Sends the files and starts the command. If the same work is already in progress there, continues with
  // that instead. Returns the seed in use: the parcel's, or that of the work in progress. Fails if the place
  // cannot be reached or used.
  virtual Result<std::string> start(const Parcel& parcel) = 0;
  // Fails if the place does not answer now; the command may still be running.
  virtual Result<Look> look() = 0;
  // Returns a file of the folder there. Fails if the place does not answer, or has no such file.
  virtual Result<std::string> fetch(const std::filesystem::path& file) = 0;
  // Ends the command and removes everything that start() created there. Fails if the place does not answer,
  // with a message that says what happens to the rest.
  virtual Result<void> remove() = 0;
};

}  // namespace warpmark::remote
