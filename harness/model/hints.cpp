#include <algorithm>
#include <array>

#include "harness/model/staged_help.h"

namespace warpmark {
namespace {

struct HintRow {
  CauseKind kind;
  Hint hint;
};

using enum CauseKind;

constexpr std::array kHints{
    HintRow{wrong_sum,
            {"Which elements are added never, and which more than once? Try a size that is no multiple of "
             "the block.",
             "Every element of the input counts exactly once, at every size."}},
    HintRow{wrong_output,
            {"Which thread writes the element that is wrong, and from which inputs should it compute it?",
             "Every element of the output has the value that the contract describes, at every size."}},
    HintRow{not_written,
            {"Which thread is to write the element that was not written? Does it exist at this size?",
             "The version writes every element of its outputs, also at sizes 0 and 1."}},
    HintRow{input_changed,
            {"Which statement writes through a pointer to an input?", "Inputs are read only."}},
    HintRow{out_of_bounds_write,
            {"What is the largest index that a thread of the last block computes?",
             "A version writes only inside of its buffers, whose lengths the contract gives."}},
    HintRow{out_of_bounds,
            {"What is the largest, and what is the smallest index that any thread computes?",
             "A thread accesses only elements inside of the buffers: 0 to their length minus 1."}},
    HintRow{use_after_free,
            {"Which work may still be queued when the memory is freed?",
             "Memory is freed only after the last kernel or copy that uses it has ended."}},
    HintRow{misaligned,
            {"Is the address a multiple of the size of what is loaded, for every pointer that the contract "
             "allows?",
             "An access of 2, 4, 8 or 16 bytes needs an address that is a multiple of its size."}},
    HintRow{host_pointer,
            {"Where was the memory allocated to which the kernel's pointer points?",
             "Kernels take pointers to device memory."}},
    HintRow{device_pointer,
            {"Where was the memory allocated that the host code reads or writes?",
             "Host code reaches device memory only by copies."}},
    HintRow{divergent_barrier,
            {"Which threads of the block do not arrive at this barrier, and why?",
             "All threads of a block reach the same __syncthreads(), or none does."}},
    HintRow{deadlock,
            {"Who waits for whom, and is each of them sure to run?",
             "A thread waits only for threads that can still make progress."}},
    HintRow{endless_loop,
            {"Which variable ends the loop, and does every round bring it nearer to its end?",
             "Every loop ends, at every size."}},
    HintRow{
        timed_out,
        {"Which loop has the most rounds, and does it end?", "A call ends within the rubric's time limit."}},
    HintRow{race,
            {"Which two threads use the same element, at least one of them writing, with nothing that orders "
             "them?",
             "Between a write and another thread's access of the same element stands a barrier or another "
             "order, or "
             "both are atomic."}},
    HintRow{warp_synchronous,
            {"What makes the lanes of the warp wait for each other between the write and the read?",
             "Threads of a warp run in no given order: __syncwarp() orders their accesses."}},
    HintRow{same_word_store,
            {"Which lanes write to the same word in one instruction?",
             "Different values are stored to different words, or by atomics."}},
    HintRow{uninitialised_read,
            {"Who writes this element before it is read, and does it do so at this size?",
             "Memory is written before it is read."}},
    HintRow{cuda_error,
            {"Which CUDA call fails first, and what does its return value say?",
             "Every CUDA call and every launch succeeds."}},
    HintRow{crashed, {"Which pointer does the host code follow just before it crashes?", "A call returns."}},
    HintRow{missing_synchronize,
            {"What makes the host or the other stream wait until the result is there?",
             "A result is used only after the work that computes it has ended."}},
    HintRow{
        default_stream,
        {"On which stream is each launch and each copy queued?", "All work is queued on the given stream."}},
    HintRow{schedule_dependent,
            {"What changes when the blocks or warps run in another order?",
             "The answer is the same in every order of blocks and warps."}},
    HintRow{wrong_when_called_again,
            {"What is left over from the first call: counters, static variables, accumulators?",
             "A version gives the right answer in every call, with the same pointers, too."}},
    HintRow{not_repeatable,
            {"Which value is used that is different from call to call?",
             "The same input gives the same answer in every call."}},
    HintRow{too_much_work,
            {"Which statement causes most of the counted work, and how often is it executed?",
             "The kernel stays within the version's limits on its work."}},
    HintRow{too_slow,
            {"What does the kernel wait for most of the time?", "The version reaches the required speedup."}},
    HintRow{no_kernel, {"Where is the answer computed?", "A kernel computes the answer on the device."}},
    HintRow{uploaded_again,
            {"How many bytes go from host to device over the whole program?",
             "The data goes to the device once."}},
};

constexpr Hint kOther{"What does the contract promise, and which statement breaks it?",
                      "The version keeps to the contract and to CUDA's rules."};

}  // namespace

Hint hint_for(CauseKind kind) {
  const auto* found = std::ranges::find(kHints, kind, &HintRow::kind);
  return found == kHints.end() ? kOther : found->hint;
}

}  // namespace warpmark
