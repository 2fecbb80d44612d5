#include "harness/judge/checks/variants.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "harness/base/trace.h"
#include "harness/source_edits/variants.h"

namespace warpmark::judge {
namespace {

// Variants in one library: few enough to be loaded again soon after a variant that ended the process. Most
// parts of one source.
constexpr std::size_t kInOnePart = 32;
constexpr std::size_t kMostParts = 8;
// Most attempts to compile a part: after a failed one, variants that the compiler's messages name are left
// out.
constexpr int kAttempts = 3;

struct BuiltVariants {
  std::filesystem::path library;
  std::vector<std::size_t> numbers;  // of the variants in it
};

std::optional<BuiltVariants> build_variants(const VariantSource& source,
                                            std::span<const source_edits::Repair> repairs) {
  const TraceSpan span("build", fmt::format("variants of {}", source.version));
  std::vector<std::size_t> numbers(repairs.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  for (int attempt = 0; attempt < kAttempts && !numbers.empty(); ++attempt) {
    std::vector<std::string> exports;
    for (const std::size_t number : numbers)
      exports.push_back(source_edits::variant_function(source.version, number));
    const build::Built built = source.libraries.variants(
        source.engine, source.version, source.type,
        source_edits::source_of_variants(source.text, repairs, numbers, source.version), exports);
    if (built.causes.empty()) {
      if (built.library.empty()) return std::nullopt;
      return BuiltVariants{built.library, std::move(numbers)};
    }
    const auto bad = source_edits::variants_named_in(built.causes.front().details);
    if (std::erase_if(numbers, [&](std::size_t k) { return std::ranges::binary_search(bad, k); }) == 0)
      return std::nullopt;
  }
  return std::nullopt;
}

class LoadedVariants final : public TriedVariants {
 public:
  LoadedVariants(const VariantSource& source, TriedVersion& original, BuiltVariants built,
                 const std::vector<source_edits::Repair>& repairs, std::size_t part)
      : source_(source),
        name_(fmt::format("{}.{}.variants{}", source.version, source.type, part)),
        original_(original),
        built_(std::move(built)) {
    for (const std::size_t number : built_.numbers) repairs_.push_back(repairs[number]);
  }

  // Loads the library into the current worker process. Returns false if that fails.
  bool load_library() {
    auto loaded = load(original_.worker(), built_.library, source_.adapter, name_, source_.version, false,
                       source_.limit);
    if (!loaded) return false;
    loaded_ = std::move(*loaded);
    return true;
  }

  WorkerClient& worker() override { return original_.worker(); }
  const Loaded& loaded() override { return loaded_; }
  bool renew() override {
    const std::string function = loaded_.function;
    if (!original_.renew() || !load_library()) return false;
    loaded_.function = function;
    return true;
  }
  [[nodiscard]] const std::vector<source_edits::Repair>& repairs() const override { return repairs_; }
  void choose(std::size_t number) override {
    loaded_.function = source_edits::variant_function(source_.version, built_.numbers[number]);
  }

 private:
  VariantSource source_;
  std::string name_;  // of the library in the worker process
  TriedVersion& original_;
  BuiltVariants built_;
  std::vector<source_edits::Repair> repairs_;
  Loaded loaded_;
};

}  // namespace

std::unique_ptr<TriedVariants> load_variants(const VariantSource& source, TriedVersion& original,
                                             std::size_t part, const std::vector<int>& seen) {
  const auto all = source_edits::repairs_of(source.text, seen);
  const std::size_t first = part * kInOnePart;
  if (part >= kMostParts || first >= all.size()) return nullptr;
  const std::vector<source_edits::Repair> repairs(
      all.begin() + static_cast<std::ptrdiff_t>(first),
      all.begin() + static_cast<std::ptrdiff_t>(std::min(first + kInOnePart, all.size())));
  auto built = build_variants(source, repairs);
  if (!built) return nullptr;
  auto loaded = std::make_unique<LoadedVariants>(source, original, std::move(*built), repairs, part);
  if (!loaded->load_library()) return nullptr;
  return loaded;
}

}  // namespace warpmark::judge
