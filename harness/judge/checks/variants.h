// Builds variants of a student's source (harness/source_edits/variants.h) and loads them into the worker
// process that runs the original.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "harness/base/engine.h"
#include "harness/judge/checks/explain_wrong_answer.h"
#include "harness/judge/workers/libraries.h"

namespace warpmark::judge {

struct VariantSource {
  const Libraries& libraries;
  Engine engine;
  const std::string& version;
  const std::string& type;
  const std::string& text;  // the student's file
  std::filesystem::path adapter;
  std::chrono::milliseconds limit;  // time limit per request to the worker process
};

// Loads one part of the variants, counted from 0. Returns null if there is no such part, no variant of it
// compiles, or the library cannot be loaded. `original` and the references in
// `source` must outlive the result.
std::unique_ptr<TriedVariants> load_variants(const VariantSource& source, TriedVersion& original,
                                             std::size_t part, const std::vector<int>& seen);

}  // namespace warpmark::judge
