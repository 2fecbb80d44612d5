#include "harness/wire/bounded_parser.h"

#include <string>
#include <utility>
#include <vector>

namespace warpmark::wire {
namespace {

using nlohmann::json;

// SAX handler that builds the JSON value. The library's own parser with a callback rescans a list after each
// element, which is quadratic: minutes for a list of millions.
class ValueBuilder final : public json::json_sax_t {
 public:
  json root;
  std::string why;

  bool null() override { return add(nullptr) != nullptr; }
  bool boolean(bool value) override { return add(value) != nullptr; }
  bool number_integer(number_integer_t value) override { return add(value) != nullptr; }
  bool number_unsigned(number_unsigned_t value) override { return add(value) != nullptr; }
  bool number_float(number_float_t value, const string_t& /*text*/) override { return add(value) != nullptr; }
  bool string(string_t& value) override { return add(std::move(value)) != nullptr; }
  bool binary(binary_t& /*value*/) override { return refuse("binary data"); }
  bool start_object(std::size_t /*size*/) override { return open(json::object()); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t /*size*/) override { return open(json::array()); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    key_ = std::move(name);
    return true;
  }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*error*/) override {
    return refuse("not JSON at byte " + std::to_string(position));
  }

 private:
  bool refuse(std::string reason) {
    if (why.empty()) why = std::move(reason);
    return false;
  }

  // Adds a value to the JSON list or object that is being parsed and returns its address; returns nullptr if
  // the text has too many values, or an object two members of the same name.
  json* add(json value) {
    if (++count_ > kElementLimit) {
      refuse("more than " + std::to_string(kElementLimit) + " values");
      return nullptr;
    }
    if (open_.empty()) {
      root = std::move(value);
      return &root;
    }
    json& parent = *open_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    const auto [entry, added] = parent.emplace(key_, std::move(value));
    if (added) return &*entry;
    refuse("a member comes twice");
    return nullptr;
  }
  bool open(json empty) {
    if (open_.size() == kDepthLimit) return refuse("nested deeper than " + std::to_string(kDepthLimit));
    json* const added = add(std::move(empty));
    if (added == nullptr) return false;
    open_.push_back(added);
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::vector<json*> open_;
  std::string key_;
  std::size_t count_ = 0;
};

}  // namespace

tl::expected<json, Malformed> parse_bounded(std::string_view text) {
  if (text.size() > kFrameLimit) {
    return tl::unexpected(Malformed{"longer than " + std::to_string(kFrameLimit) + " bytes"});
  }
  ValueBuilder builder;
  if (!json::sax_parse(text, &builder)) return tl::unexpected(Malformed{builder.why});
  if (!builder.root.is_object()) return tl::unexpected(Malformed{"not a JSON object"});
  return std::move(builder.root);
}

}  // namespace warpmark::wire
