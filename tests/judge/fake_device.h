// A device that exists only in a fake worker: it answers the requests of harness/worker/session.cpp, and a
// "library" is a name that says how its function behaves. No CUDA, no compiler: what is tested is the judge.
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/base/file.h"

namespace warpmark::fake {

// The libraries, by the name of their file:
//   sum            the right sum                        half            that of half of the data
//   zero           always 0
//   never_writes   nothing                              changes_input   the sum, and the first value changed
//   before, past   the sum, and the byte before or      past_workspace  the same behind the workspace
//                  behind the sum changed
//   by_schedule    the sum, and 1 unless in order       by_optimiser    the sum, and 1 when optimised
//   by_sweep       the sum, and 1 when it is timed      replays         the first sum again and again
//   turns_input    the sum, and values exchanged        throws         an exception
//   cuda_error     CUDA's word for it                   crashes         a signal
//   finding:KIND   a finding of that kind               copies          the sum; the input crosses again
//   pieces         the same in 40 copies                mapped, pages   the same by mapped, managed memory
//   at_load        5000 bytes sent while it is loaded   late            5000 bytes sent when the call is over
//   on_the_cpu     the sum, without a kernel
//   time:MS        the sum, in so many milliseconds     not_loadable    cannot be loaded
//   hidden:MS:MS   the sum; what the events say, and what it takes by the fake clock
//   swings:MS:X    the sum, X times as long in three calls, as short in the next three, and so on
//   hidden_beside:MS:MS, swings_beside:MS:X   the same, but only where a submission is loaded too, the latter
//                  call by call
//   beside:MS:MS   the sum, in so long alone, and so long where a submission is loaded too
//   once:MS:MS     the same, but only while fewer than 50 calls of it were made
// and of upload: device, null, unregistered, host, managed, short (half of the data), other (not the data),
//   twice (sent again), throws (an exception), odd (an answer of the wrong type), unseen (nothing is
//   recorded)
class Device {
 public:
  nlohmann::json answer(const nlohmann::json& request, const std::vector<UniqueFd>& descriptors);
  void record_nothing() { recording_ = false; }
  // Where the fake time stands, in milliseconds: it goes on by what each call is said to take.
  void keep_time_in(double* clock_ms) { clock_ms_ = clock_ms; }

 private:
  nlohmann::json answer_alone(const nlohmann::json& request, const std::vector<UniqueFd>& descriptors);
  nlohmann::json call(const nlohmann::json& request, int reads);
  nlohmann::json upload(const nlohmann::json& request, int values);
  void compute(const nlohmann::json& request, const std::string& behaviour);
  void write_reads(const nlohmann::json& request, int fd, std::size_t turn = 0) const;
  // What the events say of one call, and how long it takes by the fake clock.
  struct Duration {
    nlohmann::json event_ms;
    double clock_ms;
  };
  Duration duration_of(const std::string& behaviour);
  [[nodiscard]] std::byte* at(const nlohmann::json& view, std::size_t index = 0);
  void sent(std::size_t bytes, const char* kind = "copy", std::size_t count = 1);
  nlohmann::json observed();

  std::map<std::string, std::string> libraries_;  // what each was loaded as -> the file's name
  std::map<std::string, std::vector<std::byte>> buffers_;
  std::map<std::string, double> first_sums_;  // of `replays`
  nlohmann::json findings_ = nlohmann::json::array();
  nlohmann::json events_ = nlohmann::json::array();
  bool late_ = false;
  bool recording_ = true;
  std::size_t turned_ = 0;  // calls of `turns_input`
  double* clock_ms_ = nullptr;
  std::map<std::string, int> timed_;  // calls of each behaviour
};

}  // namespace warpmark::fake
