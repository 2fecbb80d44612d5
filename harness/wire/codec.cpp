#include "harness/wire/codec.h"

#include <utility>

#include "harness/wire/bounded_parser.h"
#include "harness/wire/describe.h"

namespace warpmark::wire {
namespace {

using nlohmann::json;

// Serialises JSON; replaces invalid UTF-8, because messages may quote bytes of a student's output.
std::string text_of(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

template <class T>
constexpr std::string_view kNameOf = T::kName;
template <class T>
requires requires {
  typename T::Answer;
}
constexpr std::string_view kNameOf<T> = T::Answer::kName;

// Encodes one alternative of a variant as a flat JSON object: the message's sequence number under the key
// `numbered`, the alternative's name under the key `named`, then the alternative's own members.
template <class Variant>
std::string encode_numbered(const char* numbered, std::uint64_t number, const char* named,
                            const Variant& message) {
  json object;
  Writer writer(object);
  writer.member(numbered, number);
  std::visit(
      [&]<class T>(const T& alternative) {
        writer.member(named, std::string(kNameOf<T>));
        describe(writer, alternative);
      },
      message);
  return text_of(object);
}

// Makes the variant's alternative with the given name active; returns false if there is none.
template <class Variant, std::size_t kIndex = 0>
bool make_named(std::string_view name, Variant& message) {
  if constexpr (kIndex == std::variant_size_v<Variant>) {
    return false;
  } else {
    if (name != kNameOf<std::variant_alternative_t<kIndex, Variant>>)
      return make_named<Variant, kIndex + 1>(name, message);
    message.template emplace<kIndex>();
    return true;
  }
}

template <class Variant>
tl::expected<std::pair<std::uint64_t, Variant>, Malformed> decode_numbered(std::string_view bytes,
                                                                           const char* numbered,
                                                                           const char* named) {
  const auto object = parse_bounded(bytes);
  if (!object) return tl::unexpected(object.error());
  std::pair<std::uint64_t, Variant> message{};
  std::string why;
  std::string name;
  Reader reader(*object, why);
  reader.member(numbered, message.first);
  reader.member(named, name);
  reader.require("a message of an unknown name", [&] { return make_named(name, message.second); });
  if (why.empty()) {
    std::visit([&](auto& alternative) { describe(reader, alternative); }, message.second);
    reader.finish();
  }
  if (!why.empty()) return tl::unexpected(Malformed{std::move(why)});
  return message;
}

template <class T>
std::string encode_one(const T& value) {
  json object;
  Writer writer(object);
  describe(writer, value);
  return text_of(object);
}

template <class T>
tl::expected<T, Malformed> decode_one(const json& object) {
  T value;
  std::string why;
  Reader reader(object, why);
  describe(reader, value);
  reader.finish();
  if (!why.empty()) return tl::unexpected(Malformed{std::move(why)});
  return value;
}

template <class T>
tl::expected<T, Malformed> decode_text(std::string_view text) {
  const auto object = parse_bounded(text);
  if (!object) return tl::unexpected(object.error());
  return decode_one<T>(*object);
}

}  // namespace

std::string_view name_of(const Request& request) {
  return std::visit([]<class T>(const T& /*alternative*/) { return kNameOf<T>; }, request);
}

Seen& seen_in(Reply& reply) {
  return std::visit([](Seen& seen) -> Seen& { return seen; }, reply);
}

std::string encode(const NumberedRequest& request) {
  return encode_numbered("request", request.number, "do", request.request);
}
std::string encode(const NumberedReply& reply) {
  return encode_numbered("reply", reply.number, "to", reply.reply);
}
std::string encode(const Startup& startup) {
  return encode_one(startup);
}
std::string encode(const DeviceRequest& request) {
  return encode_one(request);
}
std::string encode(const DeviceReply& reply) {
  return encode_one(reply);
}
std::string encode(const JournalLine& line) {
  return std::visit([](const auto& alternative) { return encode_one(alternative); }, line);
}

tl::expected<NumberedRequest, Malformed> decode_request(std::string_view bytes) {
  return decode_numbered<Request>(bytes, "request", "do").map([](auto&& message) {
    return NumberedRequest{message.first, std::move(message.second)};
  });
}
tl::expected<NumberedReply, Malformed> decode_reply(std::string_view bytes) {
  return decode_numbered<Reply>(bytes, "reply", "to").map([](auto&& message) {
    return NumberedReply{message.first, std::move(message.second)};
  });
}
tl::expected<Startup, Malformed> decode_startup(std::string_view text) {
  return decode_text<Startup>(text);
}
tl::expected<DeviceRequest, Malformed> decode_device_request(std::string_view bytes) {
  return decode_text<DeviceRequest>(bytes);
}
tl::expected<DeviceReply, Malformed> decode_device_reply(std::string_view bytes) {
  return decode_text<DeviceReply>(bytes);
}

tl::expected<JournalLine, Malformed> decode_journal_line(std::string_view line) {
  const auto object = parse_bounded(line);
  if (!object) return tl::unexpected(object.error());
  const auto as_line = [](auto&& value) { return JournalLine(std::move(value)); };
  if (object->contains("running")) return decode_one<Running>(*object).map(as_line);
  if (object->contains("end")) return decode_one<RanksFailure>(*object).map(as_line);
  if (object->contains("kind")) return decode_one<Finding>(*object).map(as_line);
  if (object->contains("frames")) return decode_one<Frames>(*object).map(as_line);
  return decode_one<Observation>(*object).map(as_line);
}

}  // namespace warpmark::wire
