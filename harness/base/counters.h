// Names of a kernel's counters. They are Nsight Compute's metric names where it has such a metric, so that a
// student meets the same names on a GPU.
#pragma once

#include <array>
#include <string_view>

namespace warpmark {

namespace counter {
inline constexpr std::string_view kLoadRequests = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
inline constexpr std::string_view kLoadSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
inline constexpr std::string_view kStoreRequests = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum";
inline constexpr std::string_view kStoreSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
inline constexpr std::string_view kSharedLoads = "smsp__inst_executed_op_shared_ld.sum";
inline constexpr std::string_view kLoadWavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
inline constexpr std::string_view kLoadConflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum";
inline constexpr std::string_view kSharedStores = "smsp__inst_executed_op_shared_st.sum";
inline constexpr std::string_view kStoreWavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum";
inline constexpr std::string_view kStoreConflicts =
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum";
inline constexpr std::string_view kInstructions = "smsp__inst_executed.sum";
inline constexpr std::string_view kActiveLanes = "smsp__thread_inst_executed_per_inst_executed.ratio";
inline constexpr std::string_view kDivergentBranches = "smsp__sass_branch_targets_threads_divergent.sum";
inline constexpr std::string_view kBarriers = "barriers";  // completed barriers, summed over all blocks
// Atomics on global memory, counted per thread.
inline constexpr std::string_view kGlobalAtomics = "global_atomics";
// Subset of global_atomics: atomics that are serialised behind a lower lane of the same warp that updates the
// same address.
inline constexpr std::string_view kSameAddressAtomics = "same_address_atomics";
// Atomics on shared memory, counted per thread.
inline constexpr std::string_view kSharedAtomics = "shared_atomics";
// Warp instructions that exchange values between lanes: shuffles and reductions (redux).
inline constexpr std::string_view kShuffles = "shuffles";
}  // namespace counter

// Returns sum / count, or 0 if `count` is 0.
constexpr double ratio(double sum, double count) {
  return count > 0 ? sum / count : 0;
}

// Names of all performance counters of a kernel, in the order in which reports list them.
inline constexpr std::array kCounterNames{
    counter::kLoadRequests,      counter::kLoadSectors,        counter::kStoreRequests,
    counter::kStoreSectors,      counter::kSharedLoads,        counter::kLoadWavefronts,
    counter::kLoadConflicts,     counter::kSharedStores,       counter::kStoreWavefronts,
    counter::kStoreConflicts,    counter::kBarriers,           counter::kShuffles,
    counter::kGlobalAtomics,     counter::kSameAddressAtomics, counter::kSharedAtomics,
    counter::kDivergentBranches, counter::kInstructions,       counter::kActiveLanes};

}  // namespace warpmark
