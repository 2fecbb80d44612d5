// Makes a Touch of an access: which memory it hits, and where in it.
#include "harness/simulator/watch.h"

#include "harness/simulator/counters.h"
#include "harness/simulator/locate.h"
#include "harness/simulator/operation_tables.h"
#include "harness/simulator/shadow.h"
#include "harness/simulator/variant.h"

namespace warpmark::simulator::WARPMARK_VARIANT {
namespace {

void show_touch(Context& c, const Touch& touch) {
  if (c.shadow != nullptr) c.shadow->touch(c, touch);
  if (c.counters != nullptr) c.counters->touched(touch);
}

// The addresses of the lanes in the mask, less the origin; the other lanes repeat the first of them.
void show_lanes(Context& c, Touch touch, std::uint32_t mask, Address origin) {
  if (mask == 0) return;
  alignas(64) Address addresses[kLanes];
  const Address first = c.addresses[static_cast<unsigned>(std::countr_zero(mask))] - origin;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    addresses[lane] = (mask & kLaneBits<std::uint64_t>.bit[lane]) != 0 ? c.addresses[lane] - origin : first;
  }
  touch.mask = mask;
  touch.addresses = addresses;
  show_touch(c, touch);
}

}  // namespace

void show(Context& c, const Instruction& i, Access access, const Located& at, const Places& places) {
  const auto in_window = [&](Address address) { return address - c.shared_window < kWindowBytes; };
  const bool generic = i.space == ptx::Space::none;
  Touch touch{.instruction = i,
              .access = access,
              .shared = i.space == ptx::Space::shared,
              .width = i.width,
              .mask = c.mask,
              .addresses = c.addresses.data()};
  switch (at.kind) {
    case Located::Kind::flat:
      if (!generic || !in_window(c.addresses[static_cast<unsigned>(std::countr_zero(c.mask))]))
        return show_touch(c, touch);
      touch.shared = true;
      return show_lanes(c, touch, c.mask, c.shared_window);
    case Located::Kind::scattered: {
      if (i.space == ptx::Space::param || i.space == ptx::Space::local) return;
      std::uint32_t shared = touch.shared ? c.mask : 0;
      std::uint32_t global = c.mask & ~shared;
      for (unsigned lane = 0; generic && lane < kLanes; ++lane) {
        if (places[lane].local) global &= ~(1U << lane);
        if (in_window(c.addresses[lane])) shared |= c.mask & (1U << lane);
      }
      global &= ~shared;
      touch.shared = true;
      show_lanes(c, touch, shared, generic ? c.shared_window : 0);
      touch.shared = false;
      return show_lanes(c, touch, global, 0);
    }
    case Located::Kind::row:  // a lane's own memory
    case Located::Kind::failed:
      return;
  }
}

}  // namespace warpmark::simulator::WARPMARK_VARIANT
