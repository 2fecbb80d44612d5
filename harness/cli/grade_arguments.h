// The command line of `warpmark grade`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpmark::cli {

// Where the part of a grade runs that needs a GPU.
struct OnArguments {
  std::string place = "local";       // "local", "slurm" or "ssh:HOST"
  std::string program = "warpmark";  // Warpmark's program on the host that ssh reaches
  std::string ssh_config;            // for ssh -F; empty: the user's own
  std::string slurm_options;         // for sbatch, separated by blanks
  [[nodiscard]] bool is_elsewhere() const { return place != "local"; }
};

struct GradeArguments {
  std::string submission;
  std::string assignment;
  std::string engine = "auto";
  std::string only = "*";
  std::string out;
  std::string rubric;
  std::string type;
  std::string seed;
  std::string sandbox = "auto";
  std::string ci;
  std::vector<std::string> data;
  std::uint64_t k = 0;
  bool has_k = false;
  bool changed = false;
  bool for_student = false;
  bool staged = false;
  bool gpu_part = false;
  std::uint64_t attempt = 1;
  std::string size;
  std::string test;
  std::string timeline;
  unsigned jobs = 0;
  bool quiet = false;
  bool verbose = false;
  OnArguments on;
};

}  // namespace warpmark::cli
