// Builds variants of a student's source (harness/source_edits/variants.h) and loads them into the worker
// process that runs the original.
#pragma once

#include <chrono>
#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/engine.h"
#include "harness/judge/checks/explain_wrong_answer.h"
#include "harness/judge/workers/libraries.h"

namespace warpmark::judge {

struct VariantSource {
  const Libraries& libraries;
  Engine engine;
  const std::string& version;
  const std::string& type;
  source_edits::Flat flat;                          // the student's file with its own headers
  std::string contract;                             // text of the header that the file includes
  const std::map<std::string, std::string>& given;  // headers that are not changed: Submission::given
  std::filesystem::path adapter;
  std::chrono::milliseconds limit;  // time limit per request to the worker process
};

struct BuiltVariants {
  std::filesystem::path library;
  std::vector<std::size_t> numbers;  // of the variants in it, among those of its part
};

// The variants of a source, in parts of some dozens. The first one is the source itself: where that is right,
// when it is built as variants are, no change can be said to cure it.
class VariantParts {
 public:
  // `seen`: lines in which the mistake shows. `original` and the references in `source` must outlive this and
  // what load() returns.
  VariantParts(VariantSource source, TriedVersion& original, const std::vector<source_edits::Origin>& seen);

  // Builds and loads one part, counted from 0. Returns null if there is no such part, no variant of it
  // compiles, or the library cannot be loaded. From the second part on, the next one is built beside it.
  std::unique_ptr<TriedVariants> load(std::size_t part);

 private:
  [[nodiscard]] std::vector<source_edits::Repair> repairs_of(std::size_t part) const;
  [[nodiscard]] std::optional<BuiltVariants> build(std::size_t part) const;

  VariantSource source_;
  TriedVersion& original_;
  std::vector<source_edits::Repair> all_;
  std::size_t next_part_ = 0;
  std::future<std::optional<BuiltVariants>> next_;  // valid: part next_part_ is being built
};

}  // namespace warpmark::judge
