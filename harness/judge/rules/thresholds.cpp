#include "harness/judge/rules/thresholds.h"

#include <cctype>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/assignments/toml_table.h"
#include "harness/judge/rules/rubric.h"

namespace warpmark::judge {
namespace {

constexpr double kRoundingError = 1e-9;  // tolerance before floor(): 4.1 * 10 is 40.999... in binary

double end_of(const toml::node& node, const TomlTable& table, std::size_t at) {
  const toml::array* pair = node.as_array();
  const auto value = pair != nullptr && pair->size() == 2 ? pair->get(at)->value<double>() : std::nullopt;
  if (!value || !(*value > 0)) table.refuse(node, "measured must be two numbers above 0");
  return *value;
}

VersionThreshold read_version(TomlTable table) {
  VersionThreshold version;
  version.version = table.text("name");
  const toml::node& measured = table.need("measured");
  version.low = end_of(measured, table, 0);
  version.high = end_of(measured, table, 1);
  version.threshold = table.number("speedup");
  if (version.low > version.high) table.refuse(measured, "measured must begin with the smaller number");
  if (!(version.threshold > 0) || version.threshold * kLeastHeadroom > version.low) {
    table.refuse(
        fmt::format("{}: speedup is {:g}, and the reference reached {:g}; it must be above 0 and the "
                    "reference {:g} times as fast, so that a correct version passes every time",
                    version.version, version.threshold, version.low, kLeastHeadroom));
  }
  table.finish();
  return version;
}

Thresholds read_top(TomlTable top) {
  Thresholds thresholds;
  thresholds.gpu = top.text("gpu");
  thresholds.date = top.text("date");
  thresholds.driver = top.text_or("driver", "");
  thresholds.cuda = top.text_or("cuda", "");
  thresholds.type = top.text("type");
  const toml::node& size = top.need("size");
  thresholds.size = plain::read_size(top, size, "size", size.is_array() ? size.as_array()->size() : 1);
  thresholds.runs = top.count("runs");
  thresholds.rounds = top.count("rounds");
  thresholds.naive_ms = top.number("naive_ms");
  if (thresholds.size == Size(0) || thresholds.naive_ms <= 0) top.refuse("size and naive_ms must be above 0");
  for (const toml::node& entry : top.list("version")) {
    if (!entry.is_table()) top.refuse(entry, "each [[version]] must be a table");
    thresholds.versions.push_back(read_version(TomlTable(*entry.as_table(), "version", top.file())));
  }
  top.finish();
  return thresholds;
}

// Returns an input size as TOML text: a number, or a list if the size has several parts (such as rows,
// columns).
std::string size_in_toml(const Size& size) {
  return size.parts.size() == 1 ? to_text(size) : fmt::format("[{}]", fmt::join(size.parts, ", "));
}

}  // namespace

double threshold_below(double low) {
  const double wanted = low / kHeadroom;
  const double unit = std::pow(10, std::floor(std::log10(wanted)) - 1);
  // Divides by the reciprocal of a small unit: the quotient is the double nearest to the decimal number, so
  // it equals the parsed text "4.1".
  const double digits = std::floor(wanted / unit + kRoundingError);
  return unit < 1 ? digits / std::round(1 / unit) : digits * unit;
}

std::string slug_of(std::string_view gpu) {
  std::string slug;
  for (const char c : gpu) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      slug += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!slug.empty() && slug.back() != '-') {
      slug += '-';
    }
  }
  if (!slug.empty() && slug.back() == '-') slug.pop_back();
  return slug;
}

std::filesystem::path thresholds_file(const AssignmentHome& home, std::string_view gpu) {
  return home.folder / "thresholds" / (slug_of(gpu) + ".toml");
}

std::string to_toml(const Thresholds& thresholds) {
  std::string text = fmt::format(
      "# Written by `warpmark calibrate`: what the reference reached on this model of GPU, the lowest and "
      "the\n"
      "# highest end of the 99.9 % intervals of all runs, and the speedup that is asked: the lowest over "
      "{:g},\n"
      "# rounded down to two digits.\n"
      "gpu = \"{}\"\ndate = \"{}\"\ndriver = \"{}\"\ncuda = \"{}\"\n\n"
      "type = \"{}\"\nsize = {}\nruns = {}\nrounds = {}   # of each version, at least, in each run\n"
      "naive_ms = {:.4g}\n",
      kHeadroom, thresholds.gpu, thresholds.date, thresholds.driver, thresholds.cuda, thresholds.type,
      size_in_toml(thresholds.size), thresholds.runs, thresholds.rounds, thresholds.naive_ms);
  for (const VersionThreshold& version : thresholds.versions) {
    text += fmt::format("\n[[version]]\nname = \"{}\"\nmeasured = [{:.4g}, {:.4g}]\nspeedup = {:g}\n",
                        version.version, version.low, version.high, version.threshold);
  }
  return text;
}

Result<Thresholds> read_thresholds(const std::filesystem::path& file) {
  return read_toml<Thresholds>(file, read_top);
}

Result<std::optional<Thresholds>> thresholds_of(const AssignmentHome& home, std::string_view gpu) {
  const auto file = thresholds_file(home, gpu);
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return std::nullopt;
  auto thresholds = read_thresholds(file);
  if (thresholds) return std::move(*thresholds);
  return fail(thresholds.error().message + "; repair the file, or write it anew with `warpmark calibrate`");
}

}  // namespace warpmark::judge
