// A device that exists only in a fake worker: it answers the requests of harness/wire/request.h, and a
// "library" is a name that says how its function behaves. No CUDA, no compiler: what is tested is the judge.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/file.h"
#include "harness/wire/codec.h"

namespace warpmark::fake {

// The libraries, by the name of their file:
//   sum            the right sum                        half            that of half of the data
//   zero           always 0
//   never_writes   nothing                              changes_input   the sum, and the first value changed
//   before, past   the sum, and the byte before or      past_workspace  the same behind the workspace
//                  behind the sum changed
//   by_schedule    the sum, and 1 unless in order       by_optimiser    the sum, and 1 when optimised
//   race_by_schedule  the same, with a race found
//   by_sweep       the sum, and 1 when it is timed      replays         the first sum again and again
//   limited        the sum, and 1 where a launch has no limit; if it has one of instructions, which trials of
//                  changes have, the device says that the call took an hour of its processors
//   turns_input    the sum, and values exchanged        throws         an exception
//   cuda_error     CUDA's word for it                   crashes         a signal
//   finding:KIND   a finding of that kind               copies          the sum; the input crosses again
//   pieces         the same in 40 copies                mapped, pages   the same by mapped, managed memory
//   at_load        5000 bytes sent while it is loaded   late            5000 bytes sent when the call is over
//   on_the_cpu     the sum, without a kernel            kept_by_size    the first sum for a size again and
//   again
//   adds_up        the sum, and those before of a size  kept_grid       the sum of no more values than the
//                                                                       first call with any had
//   by_the_clock   the sum, and another number each time never_ends     nothing at all
//   ranks_wait     five seconds, then the end of ranks that wait for each other
//   races          the sum, and another number in each call but the first, unless blocks run one at a time
//   filled         the sum, and 0x01010101              first_twice     the sum, and above 100 values the
//   first
//                                                                       one again
//   last_lost      the sum without the last value       small_sizes_fault   the same; from a call with 3
//   values first_hundred  the sum of no more                                       or fewer on CUDA errors
//   odd_first      the sum, and 1 where the first byte of the input is odd
//   bounds_and_race   findings: out_of_bounds unless the size is a multiple of 256, there a race
//   early_exit     findings: early_exit, and an uninitialised_read further down
//   zero_or_crash  0; a signal at 33 values            wrong_at_33     the sum, and 1 for 33 values
//   copied         the input                            nine_tenths     the first nine tenths of it
//   time:MS        the sum, in so many milliseconds     not_loadable    cannot be loaded
//                  (or, as it stands, what is no number)
//   a_value:MS     the sum, in so many milliseconds a value
//   hidden:MS:MS   the sum; what the events say, and what it takes by the fake clock
//   swings:MS:X    the sum, X times as long in three calls, as short in the next three, and so on
//   hidden_beside:MS:MS, swings_beside:MS:X   the same, but only where a submission is loaded too, the latter
//                  call by call
//   beside:MS:MS   the sum, in so long alone, and so long where a submission is loaded too
//   borrows:MS:MS  the sum, in so long where a kernel of the course is loaded too, and so long alone
//   once:MS:MS     as beside:MS:MS, but only while fewer than 50 calls of it were made
// and of upload: device, null, unregistered, host, managed, short (half of the data), other (not the data),
//   twice (sent again), throws (an exception), odd (an answer of the wrong type), unseen (nothing is
//   recorded)
class Device {
 public:
  wire::Reply answer(const wire::Request& request, const std::vector<UniqueFd>& descriptors);
  // The reply's bytes with what the behaviour puts in place of a proper value.
  std::string distorted(std::string bytes);
  void record_nothing() { recording_ = false; }
  void play(std::string engine) { engine_ = std::move(engine); }
  // Where the fake time stands, in milliseconds: it goes on by what each call is said to take.
  void keep_time_in(double* clock_ms) { clock_ms_ = clock_ms; }

 private:
  wire::HelloReply handle(const wire::Hello& request, int fd);
  wire::LoadReply handle(const wire::Load& request, int fd);
  wire::FillReply handle(const wire::Fill& request, int fd);
  wire::ZerosReply handle(const wire::Zeros& request, int fd);
  wire::CopyReply handle(const wire::Copy& request, int fd);
  wire::CallReply handle(const wire::Call& request, int reads);
  [[noreturn]] void end_as_ranks_that_wait();
  wire::UploadReply handle(const wire::Upload& request, int values);
  wire::CanaryReply handle(const wire::Canary& request, int fd);
  wire::ReadReply handle(const wire::Read& request, int fd);
  wire::ConditionsReply handle(const wire::ReadConditions& request, int fd);
  void compute(const wire::Call& request, const std::string& behaviour);
  void reads(const wire::Call& request, std::uint64_t first, std::uint64_t end, bool again);
  void write_reads(const std::vector<wire::View>& reads, int fd, std::size_t turn = 0) const;
  // What the events say of one call, and how long it takes by the fake clock.
  struct Duration {
    double event_ms;
    double clock_ms;
  };
  Duration duration_of(const std::string& behaviour, std::uint64_t n);
  [[nodiscard]] std::byte* at(const wire::View& view, std::size_t index = 0);
  void sent(std::size_t bytes, wire::TransferKind kind = wire::TransferKind::copy, std::size_t count = 1);
  wire::Observation observed();

  std::map<std::string, std::string> libraries_;  // what each was loaded as -> the file's name
  std::map<std::string, std::vector<std::byte>> buffers_;
  std::map<std::string, double> first_sums_;             // of `replays`
  std::map<std::uint64_t, std::uint32_t> sums_by_size_;  // of `kept_by_size` and `adds_up`
  std::uint64_t first_n_ = 0;                            // of `kept_grid`
  std::uint32_t clock_ = 0;                              // of `by_the_clock`
  std::map<std::string, wire::View> undefined_;          // of each buffer
  bool faulted_ = false;
  std::string engine_;
  std::vector<wire::Finding> findings_;
  std::vector<wire::Launch> launches_;
  std::vector<wire::AuditEvent> events_;
  std::optional<std::pair<std::string, std::string>> distortion_;  // what to replace, and by what
  bool late_ = false;
  bool recording_ = true;
  std::size_t turned_ = 0;           // calls of `turns_input`
  std::vector<std::byte> repaired_;  // the input of the last call that "repairs" made
  double* clock_ms_ = nullptr;
  std::map<std::string, int> timed_;  // calls of each behaviour
};

}  // namespace warpmark::fake
