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
constexpr std::size_t kMostParts = 16;
// Most attempts to compile a part: after a failed one, variants that the compiler's messages name are left
// out.
constexpr int kAttempts = 3;

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
        source_edits::source_of_variants(source.flat.text, repairs, numbers, source.version), exports);
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

VariantParts::VariantParts(VariantSource source, TriedVersion& original,
                           const std::vector<source_edits::Origin>& seen)
    : source_(std::move(source)),
      original_(original),
      all_(source_edits::repairs_of(
          source_.flat.text, source_.flat.places_of(seen), source_.contract, [this](int line) {
            return source_.given.contains(source_.flat.lines[static_cast<std::size_t>(line) - 1].file);
          })) {
  all_.insert(all_.begin(), source_edits::Repair{.edit = {}, .line = 1, .mistake = {}, .what = {}});
  for (source_edits::Repair& repair : all_) {
    const source_edits::Origin& origin = source_.flat.lines[static_cast<std::size_t>(repair.line) - 1];
    repair.file = origin.file;
    repair.line = origin.line;
  }
}

std::vector<source_edits::Repair> VariantParts::repairs_of(std::size_t part) const {
  const std::size_t first = std::min(part * kInOnePart, all_.size());
  const std::size_t end = part < kMostParts ? std::min(first + kInOnePart, all_.size()) : first;
  return {all_.begin() + static_cast<std::ptrdiff_t>(first), all_.begin() + static_cast<std::ptrdiff_t>(end)};
}

std::optional<BuiltVariants> VariantParts::build(std::size_t part) const {
  const auto repairs = repairs_of(part);
  return repairs.empty() ? std::nullopt : build_variants(source_, repairs);
}

std::unique_ptr<TriedVariants> VariantParts::load(std::size_t part) {
  std::future<std::optional<BuiltVariants>> ahead;
  if (next_.valid() && next_part_ == part) ahead = std::move(next_);
  if (part > 0) {
    next_part_ = part + 1;
    next_ = std::async(std::launch::async, [this, next = part + 1] { return build(next); });
  }
  auto built = ahead.valid() ? ahead.get() : build(part);
  if (!built) return nullptr;
  auto loaded =
      std::make_unique<LoadedVariants>(source_, original_, std::move(*built), repairs_of(part), part);
  if (!loaded->load_library()) return nullptr;
  return loaded;
}

}  // namespace warpmark::judge
