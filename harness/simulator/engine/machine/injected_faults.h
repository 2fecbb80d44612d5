// Fault injection: wrong results of chosen executions of instructions, which show whether a kernel's output
// depends on them.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "harness/simulator/engine/machine/random.h"
#include "harness/simulator/engine/operations/context.h"
#include "harness/simulator/ptx/program.h"

namespace warpmark::simulator {

// The faults of one launch, which runs on one host thread.
class InjectedFaults {
 public:
  // `seed` chooses the bits that change. `program` must outlive the object.
  InjectedFaults(const Program& program, std::uint64_t seed)
      : program_(program), random_(seed), has_chosen_(program.code.size()) {}

  // Chooses the execution number `number`, from 0, of the instruction at `pc` by any warp of the launch. Its
  // fault hits all active lanes. collective: the instruction is one that Warp::perform() executes.
  void choose(std::uint32_t pc, std::uint64_t number, bool collective);

  // Executes an instruction by its handler, with a fault if this execution is a chosen one.
  void execute(Context& context, const Instruction& instruction);
  // Returns true if this execution of a warp collective is a chosen one. The result of each group of lanes is
  // to be changed by change_result().
  bool is_chosen(const Instruction& collective);
  void change_result(const LaneValues& lanes, const Instruction& collective);

 private:
  struct Chosen {
    std::uint32_t pc = 0;
    bool collective = false;
    std::vector<std::uint64_t> numbers;  // of executions, ascending
    std::uint64_t executed = 0;
    std::size_t next = 0;  // the first of the numbers that is not over
  };
  [[nodiscard]] Chosen* chosen_at(const Instruction& instruction, bool collective);
  // Returns true if the next execution is a chosen one, and counts it.
  static bool is_due(Chosen& chosen);
  // Changes a value of the active lanes of `bytes` bytes each.
  void change(const LaneValues& lanes, Operand operand, unsigned bytes);

  const Program& program_;
  Random random_;
  std::vector<bool> has_chosen_;  // by pc: the instruction has chosen executions
  std::vector<Chosen> chosen_;
};

}  // namespace warpmark::simulator
