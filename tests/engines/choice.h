// Which fixtures are graded, and in which runs.
#pragma once

#include <string>
#include <vector>

#include "tests/engines/fixture.h"

namespace warpmark::engines {

struct Choice {
  std::vector<std::string> corpora;  // empty: all
  std::string only = "*";            // glob of names, or of corpus/name
  unsigned part = 1;                 // of `parts` equal parts
  unsigned parts = 1;
};

// Reads "2/8": the second of eight parts. Returns false for anything else.
bool read_shard(const std::string& text, Choice& choice);

std::vector<const Fixture*> chosen(const std::vector<Fixture>& all, const Choice& choice);

// The names of runs on these engines: "gpu,gpu,simulator" gives gpu, gpu.2 and simulator.
std::vector<std::string> runs_of(const std::string& engines);

}  // namespace warpmark::engines
