#include "harness/build/manifest.h"

#include <fmt/format.h>

#include "harness/base/text.h"

namespace warpmark::build {
namespace {

// Parser for a text of length-prefixed fields, read one by one. After a parse error, failed() stays true.
class Fields {
 public:
  explicit Fields(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

  std::string_view next() {
    const std::size_t colon = rest_.find(':');
    const auto size =
        colon == std::string_view::npos ? std::nullopt : number_in<std::size_t>(rest_.substr(0, colon));
    if (!size || *size > rest_.size() - colon - 1) return fail();
    const std::string_view field = rest_.substr(colon + 1, *size);
    rest_.remove_prefix(colon + 1 + *size);
    return field;
  }
  template <class Number>
  Number next_number() {
    const auto value = number_in<Number>(next());
    if (!value) fail();
    return value.value_or(Number{});
  }

 private:
  std::string_view fail() {
    failed_ = true;
    rest_ = {};
    return {};
  }
  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace

void add_field(std::string& text, std::string_view field) {
  text += fmt::format("{}:", field.size());
  text += field;
}

std::string to_text(const Manifest& manifest) {
  std::string text;
  add_field(text, kManifestFormat);
  add_field(text, manifest.library_digest);
  add_field(text, manifest.uses_thrust ? "1" : "0");
  add_field(text, manifest.warnings);
  add_field(text, std::to_string(manifest.included.size()));
  for (const Included& file : manifest.included) {
    add_field(text, std::to_string(file.folder));
    add_field(text, file.name);
    add_field(text, std::to_string(file.size));
    add_field(text, std::to_string(file.modified_ns));
    add_field(text, file.digest);
  }
  return text;
}

std::optional<Manifest> manifest_from(std::string_view text) {
  Fields fields(text);
  if (fields.next() != kManifestFormat) return std::nullopt;
  Manifest manifest;
  manifest.library_digest = fields.next();
  manifest.uses_thrust = fields.next() == "1";
  manifest.warnings = fields.next();
  const auto count = fields.next_number<std::size_t>();
  for (std::size_t i = 0; i < count && !fields.failed(); ++i) {
    Included file;
    file.folder = fields.next_number<int>();
    file.name = fields.next();
    file.size = fields.next_number<std::uint64_t>();
    file.modified_ns = fields.next_number<std::int64_t>();
    file.digest = fields.next();
    manifest.included.push_back(std::move(file));
  }
  if (fields.failed() || !fields.at_end()) return std::nullopt;
  return manifest;
}

}  // namespace warpmark::build
