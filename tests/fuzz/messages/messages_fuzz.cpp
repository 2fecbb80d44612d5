// Messages that an untrusted worker or program wrote. Whatever the codec takes, it can write and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "harness/wire/codec.h"

namespace {

template <class Decode>
void expect_to_come_back(const Decode& decode, std::string_view text) {
  using warpmark::wire::encode;
  const auto message = decode(text);
  if (message && !decode(encode(*message))) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpmark::wire;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  expect_to_come_back(decode_reply, text);
  expect_to_come_back(decode_request, text);
  expect_to_come_back(decode_startup, text);
  expect_to_come_back(decode_journal_line, text);
  return 0;
}
