#include "harness/simulator/engine/functions/builtin_functions.h"

#include <array>
#include <cmath>

#include "harness/simulator/both/special_functions.h"
#include "harness/simulator/engine/functions/call_frame.h"
#include "harness/simulator/engine/functions/device_library.h"
#include "harness/simulator/engine/functions/random_jumps.h"
#include "harness/simulator/engine/machine/control_operations.h"
#include "harness/simulator/include/warpmark_cuda/device/math_table.h"

namespace warpmark::simulator {
namespace {

// Instruction handler that executes a call of a built-in math function by calling a host function per active
// lane. Signature: the kernel's types; Computed: the host function's, which may be wider (float computed in
// double).
template <class Signature, class Computed>
struct BuiltIn;
template <class Result, class... Arguments, class Computed>
struct BuiltIn<Result(Arguments...), Computed> {
  template <Computed* kFunction>
  static void run(Context& c, const Instruction& i) {
    const CallFrame<Result, Arguments...> call(c, i);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if ((c.mask >> lane & 1) == 0) continue;
      call.give(lane, static_cast<Result>(std::apply(kFunction, call.arguments(lane))));
    }
  }
};

// Replaces the host's lgamma(), which is not thread-safe because it writes the sign to a global variable.
double lgamma(double x) {
  int sign = 0;
  return lgamma_r(x, &sign);
}
float lgammaf(float x) {
  int sign = 0;
  return lgammaf_r(x, &sign);
}

struct Builtin {
  std::string_view name;
  Handler handler;
};
#define WARPMARK_FUNCTION(name, double_form, float_form)          \
  {"__nv_" #name, &BuiltIn<double_form, double_form>::run<name>}, \
      {"__nv_" #name "f", &BuiltIn<float_form, float_form>::run<name##f>},
// Expands to a math function's two entries, double and float, in the name-to-handler table; the float entry
// computes in double, because the host function exists only for double.
#define WARPMARK_OWN(name, double_form, float_form)               \
  {"__nv_" #name, &BuiltIn<double_form, double_form>::run<name>}, \
      {"__nv_" #name "f", &BuiltIn<float_form, double_form>::run<name>},
#define WARPMARK_OF_1(name) WARPMARK_FUNCTION(name, double(double), float(float))
#define WARPMARK_OF_2(name) WARPMARK_FUNCTION(name, double(double, double), float(float, float))
#define WARPMARK_TO_INT(name) WARPMARK_FUNCTION(name, int(double), int(float))
#define WARPMARK_TO_LONG(name) WARPMARK_FUNCTION(name, long long(double), long long(float))
#define WARPMARK_WITH_INT(name) WARPMARK_FUNCTION(name, double(double, int), float(float, int))
#define WARPMARK_OWN_1(name) WARPMARK_OWN(name, double(double), float(float))
#define WARPMARK_OWN_2(name) WARPMARK_OWN(name, double(double, double), float(float, float))
#define WARPMARK_OWN_3(name) WARPMARK_OWN(name, double(double, double, double), float(float, float, float))
#define WARPMARK_OWN_4(name) \
  WARPMARK_OWN(name, double(double, double, double, double), float(float, float, float, float))
#define WARPMARK_OWN_TO_INT(name) WARPMARK_OWN(name, int(double), int(float))
#define WARPMARK_OWN_2_TO_INT(name) WARPMARK_OWN(name, int(double, double), int(float, float))
#define WARPMARK_OF_ORDER(name) WARPMARK_FUNCTION(name, double(int, double), float(int, float))
using Jump = unsigned long long(int, unsigned long long, unsigned long long, unsigned int, unsigned long long,
                                int);
using MrgJump = unsigned long long(int, int, unsigned long long, unsigned int, unsigned long long, int);
constexpr Builtin kBuiltins[] = {
    {"vprintf", device_library::print},
    {"__assertfail", device_library::assertion_failed},
    {"__warpmark_grid_is_valid", device_library::grid_is_valid},
    {"__warpmark_grid_barrier", control::grid_barrier},
    {"__warpmark_cluster_barrier", control::cluster_barrier},
    {"__warpmark_cluster_place", device_library::cluster_place},
    {"__warpmark_map_shared", device_library::map_shared},
    {"__warpmark_shared_rank", device_library::shared_rank},
    {"__warpmark_barrier_init", device_library::barrier_init},
    {"__warpmark_barrier_arrive", device_library::barrier_arrive},
    {"__warpmark_barrier_test", device_library::barrier_test},
    {"__warpmark_barrier_wait", control::barrier_object},
    {"__warpmark_copy_started", device_library::copy_started},
    {"__warpmark_copies_committed", control::copies_committed},
    {"__warpmark_copies_awaited", device_library::copies_awaited},
    {"__warpmark_kernel_body", control::nothing},
    {"__warpmark_configure_launch", device_library::configure_launch},
    {"__warpmark_malloc", device_library::allocate},
    {"__warpmark_free", device_library::release},
    {"__warpmark_outside_of_surface", device_library::outside_of_surface},
    {"__warpmark_xorwow_jump", &BuiltIn<Jump, Jump>::run<random_jumps::xorwow>},
    {"__warpmark_mrg32k3a_jump", &BuiltIn<MrgJump, MrgJump>::run<random_jumps::mrg32k3a>},
    // clang-format off
    WARPMARK_MATH_OF_1(WARPMARK_OF_1)
    WARPMARK_CUDA_MATH_OF_1(WARPMARK_OWN_1)
    WARPMARK_MATH_OF_2(WARPMARK_OF_2)
    WARPMARK_CUDA_MATH_OF_2(WARPMARK_OWN_2)
    WARPMARK_CUDA_MATH_OF_3(WARPMARK_OWN_3)
    WARPMARK_CUDA_MATH_OF_4(WARPMARK_OWN_4)
    WARPMARK_MATH_TO_INT(WARPMARK_TO_INT)
    WARPMARK_CUDA_MATH_TO_INT(WARPMARK_OWN_TO_INT)
    WARPMARK_MATH_TO_LONG(WARPMARK_TO_LONG)
    WARPMARK_MATH_WITH_INT(WARPMARK_WITH_INT)
    WARPMARK_CUDA_MATH_OF_ORDER(WARPMARK_OF_ORDER)
    WARPMARK_CUDA_MATH_OF_2_TO_INT(WARPMARK_OWN_2_TO_INT)
    // clang-format on
};

}  // namespace

Handler builtin_function(std::string_view name) {
  for (const Builtin& builtin : kBuiltins) {
    if (builtin.name == name) return builtin.handler;
  }
  return nullptr;
}

}  // namespace warpmark::simulator
