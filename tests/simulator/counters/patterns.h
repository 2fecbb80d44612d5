// Which element each of a warp's 32 lanes touches.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

struct Pattern {
  std::string name;
  std::array<int, 32> index;  // -1: the lane does nothing
  int narrowest, widest;      // of the accesses, in bytes, that are tried with it
};

inline std::vector<Pattern> patterns() {
  std::vector<Pattern> all;
  const auto add = [&](std::string name, const std::function<int(int)>& index_of, int narrowest = 4,
                       int widest = 16) {
    Pattern pattern{std::move(name), {}, narrowest, widest};
    for (int lane = 0; lane < 32; ++lane) pattern.index[static_cast<std::size_t>(lane)] = index_of(lane);
    all.push_back(std::move(pattern));
  };
  for (int stride = 1; stride <= 33; ++stride) {
    const bool typical =
        stride <= 4 || stride == 7 || stride == 8 || (stride >= 15 && stride <= 17) || stride >= 31;
    add(
        "stride_" + std::to_string(stride), [=](int lane) { return lane * stride; }, typical ? 1 : 4,
        typical ? 16 : 4);
  }
  for (const int offset : {1, 2, 3, 5, 8, 16, 31}) {
    add(
        "offset_" + std::to_string(offset), [=](int lane) { return lane + offset; }, 1);
  }
  // Lanes that share an element, side by side or far apart.
  for (const int group : {2, 4, 8, 16, 32}) {
    add(
        "same_for_" + std::to_string(group), [=](int lane) { return lane / group; }, 1);
  }
  for (const int period : {2, 4, 8, 16}) {
    add("repeats_after_" + std::to_string(period), [=](int lane) { return lane % period; });
  }
  add("same_for_2_strided", [](int lane) { return lane / 2 * 32; });
  add("same_for_4_strided", [](int lane) { return lane / 4 * 32; });
  add("two_far_apart", [](int lane) { return lane % 2 * 32; });
  add("four_far_apart", [](int lane) { return lane % 4 * 32; });
  add("halves_far_apart", [](int lane) { return lane / 16 * 64 + lane % 16; });
  add("halves_shifted", [](int lane) { return lane / 16 * 33 + lane % 16; });
  add("quarters_far_apart", [](int lane) { return lane / 8 * 64 + lane % 8; });
  add("quarters_shifted", [](int lane) { return lane / 8 * 12 + lane % 8; });
  add("reversed", [](int lane) { return 31 - lane; });
  add("neighbours_swapped", [](int lane) { return lane ^ 1; });
  add("halves_swapped", [](int lane) { return lane ^ 16; });
  add("even_then_odd", [](int lane) { return lane % 16 * 2 + lane / 16; });
  add("squares", [](int lane) { return lane * lane; });
  // Wide loads take fewer passes when lanes agree in pairs: i with i ^ 1, or i with i ^ 2. In one half of the
  // warp, in one quarter, in another way in each.
  const auto add_wide = [&](const std::string& name, const std::function<int(int)>& index_of) {
    add(name, index_of, 8);
  };
  add_wide("same_in_xor_2", [](int lane) { return lane & ~2; });
  add_wide("same_in_xor_4", [](int lane) { return lane & ~4; });
  add_wide("same_in_xor_8", [](int lane) { return lane & ~8; });
  add_wide("same_in_xor_16", [](int lane) { return lane & ~16; });
  add_wide("pairs_in_first_half", [](int lane) { return lane < 16 ? lane & ~1 : lane; });
  add_wide("pairs_in_second_half", [](int lane) { return lane < 16 ? lane : lane & ~1; });
  add_wide("pairs_in_first_quarter", [](int lane) { return lane < 8 ? lane & ~1 : lane; });
  add_wide("pairs_in_middle_quarters", [](int lane) { return lane >= 8 && lane < 24 ? lane & ~1 : lane; });
  add_wide("pairs_then_xor_2", [](int lane) { return lane < 16 ? lane & ~1 : lane & ~2; });
  add_wide("pairs_and_xor_2_by_quarters", [](int lane) { return lane / 8 % 2 == 0 ? lane & ~1 : lane & ~2; });
  add_wide("all_but_one_pair", [](int lane) { return lane == 5 ? 5 : lane & ~1; });
  add_wide("pairs_with_gaps", [](int lane) { return lane % 4 == 3 ? -1 : lane & ~1; });
  add_wide("pairs_first_half_alone", [](int lane) { return lane < 16 ? lane & ~1 : -1; });
  add_wide("pairs_far_apart_in_first_half", [](int lane) { return lane < 16 ? lane / 2 * 32 : lane; });
  add_wide("first_half_even_lanes", [](int lane) { return lane >= 16 || lane % 2 == 0 ? lane : -1; });
  // Lanes that do nothing.
  add("odd_lanes", [](int lane) { return lane % 2 != 0 ? lane : -1; });
  add("even_lanes", [](int lane) { return lane % 2 == 0 ? lane : -1; });
  add("even_lanes_stride_2", [](int lane) { return lane % 2 == 0 ? 2 * lane : -1; });
  add("every_fourth_lane", [](int lane) { return lane % 4 == 0 ? lane : -1; });
  add("every_fourth_lane_stride_32", [](int lane) { return lane % 4 == 0 ? 32 * lane : -1; });
  add("first_half", [](int lane) { return lane < 16 ? lane : -1; });
  add("second_half", [](int lane) { return lane >= 16 ? lane : -1; });
  add("first_half_stride_2", [](int lane) { return lane < 16 ? 2 * lane : -1; });
  add("first_quarter", [](int lane) { return lane < 8 ? lane : -1; });
  add("middle", [](int lane) { return lane >= 8 && lane < 24 ? lane : -1; });
  add("tail_of_5", [](int lane) { return lane < 5 ? lane : -1; });
  add("lane_0", [](int lane) { return lane == 0 ? 0 : -1; });
  add("lanes_0_and_31", [](int lane) { return lane % 31 == 0 ? lane : -1; });
  add("nobody", [](int) { return -1; });
  unsigned state = 12345;  // a fixed sequence (Numerical Recipes' generator)
  const auto random_below = [&state](unsigned limit) {
    state = state * 1664525U + 1013904223U;
    return static_cast<int>((state >> 8) % limit);
  };
  for (const unsigned limit : {32U, 64U, 256U, 1024U}) {
    for (int k = 1; k <= 3; ++k) {
      add(
          "random_below_" + std::to_string(limit) + "_" + std::to_string(k),
          [&](int) { return random_below(limit); }, k == 1 ? 1 : 4);
    }
  }
  return all;
}
