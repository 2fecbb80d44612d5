// Follows a command on another machine to its end, through lost connections.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "harness/remote/place.h"

namespace warpmark::remote {

// A command that another machine runs. The caller calls step() with the current time until it returns true.
class Errand {
 public:
  using Clock = std::chrono::steady_clock;
  using Say = std::function<void(const std::string&)>;

  // Keeps a reference to the place, which must outlive it. `say` receives lines of progress.
  Errand(Place& place, Parcel parcel, Say say)
      : place_(place), parcel_(std::move(parcel)), say_(std::move(say)) {}
  Errand(const Errand&) = delete;
  Errand& operator=(const Errand&) = delete;
  // Removes what is left on the other machine.
  ~Errand() { remove(); }

  // Starts the command. Returns the seed in use, see Place::start().
  Result<std::string> start();
  // Looks once, unless a lost connection is due later. Returns true when the command has ended, or is given
  // up. Does not block longer than Place::look().
  bool step(Clock::time_point now);
  // Returns the file `result` and the name of the machine that made it, or why there is none. Call once,
  // after step() has returned true.
  struct Ended {
    std::string result;
    std::string machine;
  };
  Result<Ended> result(const std::filesystem::path& file);
  // Ends the command and removes its files there, once. Says so if that failed.
  void remove();

 private:
  bool fail_with(std::string why);
  bool take(const Look& look);
  void note_silence(const std::string& why, Clock::time_point now);
  Result<Look> start_again();
  void say_once(const std::string& line);

  Place& place_;
  Parcel parcel_;
  Say say_;
  std::string said_;
  std::string failure_;   // why the command was given up; empty: it ended
  bool there_ = false;    // true: something may be left there
  bool is_gone_ = false;  // true: it has to be started again
  int starts_ = 0;
  int attempts_ = 0;  // failed attempts to reach the place since its last answer
  Clock::time_point silent_since_;
  Clock::time_point next_;  // earliest time of the next attempt
};

}  // namespace warpmark::remote
