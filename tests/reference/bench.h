// The reference on this machine's engine, called by the judge's own functions.
#pragma once

#include <array>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/assignments/assignment.h"
#include "harness/judge/cases/case_runner.h"
#include "harness/judge/intake/submission.h"
#include "harness/judge/rules/rubric.h"
#include "harness/judge/workers/engines.h"
#include "harness/judge/workers/worker_client.h"
#include "tests/assignment_called.h"

namespace warpmark::judge {

inline const std::filesystem::path kRoot = WARPMARK_ROOT;

inline constexpr std::array kVersions{"v01_atomic_per_element",
                                      "v02_atomic_per_thread",
                                      "v03_atomic_coalesced",
                                      "v04_atomic_per_block",
                                      "v05_tree_modulo",
                                      "v06_tree_strided",
                                      "v07_tree_sequential",
                                      "v08_tree_first_add",
                                      "v09_tree_unrolled_warp",
                                      "v10_tree_unrolled",
                                      "v11_tree_grid_stride",
                                      "v12_shared_one_pass",
                                      "v13_shared_grid_stride",
                                      "v14_pairs_in_shared",
                                      "v15_recursive_by_32",
                                      "v16_warp_shuffle",
                                      "v17_vector_loads",
                                      "v18_single_pass",
                                      "v19_thrust",
                                      "v20_cub",
                                      "v21_peak"};
inline constexpr std::array kTypes{"int", "float", "long long", "double"};

// Returns the Case::shift with which every buffer of an assignment in the plain form begins so many elements
// past a boundary.
inline std::uint64_t shift_of_all(const Assignment& assignment, std::uint64_t elements) {
  return elements == 0 ? 0 : assignment.shifts().back() | (elements - 1) << kFurtherShift;
}
// Throws where there is none.
Rubric rubric_of(const std::string& assignment);
Rubric reduction_rubric();
Installation installation();

// A worker with versions of the reference loaded, on the GPU if there is one, else on the simulator.
class ReferenceBench {
 public:
  // Throws std::runtime_error when the machine has neither engine.
  explicit ReferenceBench(const std::string& assignment = "reduction");

  [[nodiscard]] Engine engine() const { return engine_; }
  [[nodiscard]] const std::string& why_no_gpu() const { return why_no_gpu_; }

  // Builds a version for a type, unless that was done, and loads it. Throws what went wrong.
  const Loaded& load(const std::string& version, const std::string& type);
  // Runs one case; what was wrong with it, or nothing.
  std::string run(const std::string& version, const Case& which);
  // Asks many versions about one input, which crosses to the device once.
  std::map<std::string, std::string> run_all(const std::vector<std::string>& versions, const Case& which);

 private:
  std::shared_ptr<const Assignment> assignment_;
  Rubric rubric_;
  Installation installation_ = installation();
  Submission submission_;
  Engines engines_;  // the one that is used
  Engine engine_ = Engine::simulator;
  std::string why_no_gpu_;
  std::optional<WorkerClient> worker_;
  std::map<std::string, Loaded> loaded_;
};

}  // namespace warpmark::judge
