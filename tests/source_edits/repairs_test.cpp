// Each kind of mistake that a mutation operator makes has a repair that undoes it.
#include "harness/source_edits/repairs.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/source_edits/edits.h"

namespace warpmark::source_edits {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::string wrapped(const std::string& body) {
  return "#include \"a.h\"\nconstexpr unsigned kThreads = 256;\nconstexpr unsigned kTile = 16;\n__global__ "
         "void k(const int* a, const int* "
         "b, "
         "unsigned n, unsigned width, int* out) {\n" +
         body + "\n}\n";
}

// Returns the mistakes of the repairs that turn one body of a kernel into another.
std::vector<std::string> mistakes(const std::string& wrong, const std::string& right) {
  std::vector<std::string> found;
  const auto without_blanks = [](std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
    return text;
  };
  const std::string text = wrapped(wrong);
  for (const Repair& repair : repairs_of(text)) {
    if (without_blanks(changed_by(text, repair.edit)) == without_blanks(wrapped(right)))
      found.emplace_back(repair.mistake);
  }
  return found;
}

struct Undone {
  std::string mistake;
  std::string wrong;
  std::string right;
};

TEST(Repairs, undo_each_kind_of_mistake) {
  for (const Undone& undone : std::vector<Undone>{
           {"wrong_comparison", "if (i <= n) f();", "if (i < n) f();"},
           {"wrong_operator", "x = i / width;", "x = i % width;"},
           {"wrong_operator", "x = i / width;", "x = i * width;"},
           {"wrong_operator", "sum = a[i];", "sum += a[i];"},
           {"wrong_operator", "sum -= a[i];", "sum += a[i];"},
           {"wrong_constant", "x = 2;", "x = 1;"},
           {"wrong_index", "x = a[i + 1];", "x = a[i + 1 - 1];"},
           {"wrong_axis", "x = threadIdx.y;", "x = threadIdx.x;"},
           {"wrong_stride", "for (i = t; i < n; i += 1) f();", "for (i = t; i < n; i += kThreads) f();"},
           {"wrong_stride", "for (i = t; i < n; i += 2 * (n)) f();",
            "for (i = t; i < n; i += (2 * (n)) / 2) f();"},
           {"wrong_stride", "for (i = t; i < n; ++i) f();", "for (i = t; i < n; i += blockDim.x) f();"},
           {"early_exit", "while (g()) { f(); break; }", "while (g()) { f(); ; }"},
           {"wrong_condition", "if (flag) f();", "if (!(flag)) f();"},
           {"wrong_condition", "x = i < n || true ? a[i] : 0;", "x = i < n ? a[i] : 0;"},
           {"wrong_condition", "if (i < n || j < n) f();", "if (i < n && j < n) f();"},
           {"wrong_function", "x = max(x, y);", "x = min(x, y);"},
           {"wrong_buffer", "x = b[0];", "x = a[0];"},
           {"wrong_shift", "x = y >> 1;", "x = y << 1;"},
           {"wrong_factor", "x = a[y + x];", "x = a[y * width + x];"},
           {"wrong_factor", "x = a[y * width + x];", "x = a[width + x];"},
           {"wrong_factor", "x = a[y + x]; z = z * (width + 1);",
            "x = a[y * (width + 1) + x]; z = z * (width + 1);"},
           {"wrong_stride", "for (i = t; i < n; i += 1) f(); for (i = t; i < n; i += width / 2) g();",
            "for (i = t; i < n; i += width / 2) f(); for (i = t; i < n; i += width / 2) g();"},
           {"missing_test", "if (t == 0) f(); if (i < n) g();",
            "if (t == 0) f(); if ((i < n) && (t == 0)) g();"},
           {"wrong_name", "x = gridDim.x * y;", "x = blockDim.x * y;"},
           {"wrong_name", "if (x < p.rows) f(); if (y < p.columns) g();",
            "if (x < p.columns) f(); if (y < p.columns) g();"},
           {"wrong_name", "best.at = o[1].lowest_at; x = o[1].greatest_at;",
            "best.at = o[1].greatest_at; x = o[1].greatest_at;"},
           {"wrong_name", "a.low = b.low; a.low_at = shuffled(b.low);",
            "a.low = b.low; a.low_at = shuffled(b.low_at);"},
           {"wrong_factor", "x = 4 / (1 + y);", "x = 4 / (1 + y * y);"},
           {"wrong_factor", "x = blockDim.x;", "x = blockDim.x * gridDim.x;"},
           {"wrong_name", "int first = g(); int second = g(); f(first);",
            "int first = g(); int second = g(); f(second);"},
           {"wrong_division", "x = y / kThreads;", "x = (y + kThreads - 1) / kThreads;"},
           {"wrong_division", "x = 2 * y / kThreads;", "x = 2 * ((y + kThreads - 1) / kThreads);"},
           {"wrong_division", "x = (y + kThreads - 1) / kThreads;", "x = y / kThreads;"},
           {"wrong_division", "x = 1 / 2;", "x = 1.0 * 1 / 2;"},
           {"wrong_division", "x = n / width; for (i = t; i < (t + 1) * x; ++i) f();",
            "x = (n + width - 1) / width; for (i = t; i < (t + 1) * x && i < n; ++i) f();"},
           {"swapped_indices", "x = tile[k][c];", "x = tile[c][k];"},
           {"swapped_indices", "x = a[x * width + y];", "x = a[y * width + x];"},
           {"wrong_axis", "dim3 d; x = threadIdx.x;",
            "dim3 d; x = (threadIdx.y * blockDim.x + threadIdx.x);"},
           {"initial_value", "int best = 0;", "int best = 2147483647;"},
           {"initial_value", "unsigned long long best = 0;", "unsigned long long best = ~0ULL;"},
           {"initial_value", "x = t < n ? a[t] : 0;", "x = t < n ? a[t] : 2147483647;"},
           {"initial_value", "x = t < n ? a[t] : 0;", "x = t < n ? a[t] : kThreads;"},
           {"initial_value", "Pair p = {0, 0};", "Pair p = {0, (-2147483647 - 1)};"},
           {"initial_value", "x = thrust::reduce(a, b, 0, f);", "x = thrust::reduce(a, b, -3.4e38f, f);"},
           {"initial_value", "x = std::numeric_limits<float>::min();",
            "x = std::numeric_limits<float>::lowest();"},
           {"initial_value", "x = FLT_MIN;", "x = (-FLT_MAX);"},
           {"initial_value", "cudaMemset(a, 0, n);", "cudaMemset(a, 0xff, n);"},
           {"wrong_axis", "x = threadIdx.x; y = blockIdx.y;", "x = threadIdx.y; y = blockIdx.x;"},
           {"wrong_loop", "if (t < n) f();", "while (t < n) f();"},
           {"wrong_loop", "if (const unsigned i = threadIdx.x; i < width * 4) out[i] = a[i];",
            "for (unsigned i = threadIdx.x; i < width * 4; i += blockDim.x) out[i] = a[i];"},
           {"wrong_loop", "if (threadIdx.x < width) out[threadIdx.x] = 0;",
            "for (unsigned each = threadIdx.x; each < width; each += blockDim.x) out[each] = 0;"},
           {"wrong_comparison", "for (i = t; i + width <= n; ++i) f();", "for (i = t; i < n; ++i) f();"},
           {"integer_width", "x = reduce(a, 0, f);", "x = reduce(a, 0.0, f);"},
           {"byte_count", "cudaMemset(a, 0, n);", "cudaMemset(a, 0, (n) * sizeof(*(a)));"},
           {"swapped_dimensions", "dim3 block(kHigh, kWide);", "dim3 block(kWide, kHigh);"},
           {"swapped_dimensions", "f<<<blocks, dim3(8, f(32, 1)), 0, s>>>(a);",
            "f<<<blocks, dim3(f(32, 1), 8), 0, s>>>(a);"},
           {"swapped_dimensions", "f<<<kThreads, blocks(n)>>>(a);", "f<<<blocks(n), kThreads>>>(a);"},
           {"row_length", "m.b.data[y * m.w + x] = m.a.data[y * m.w + x]; m.b.pitch;",
            "m.b.data[y * m.b.pitch + x] = m.a.data[y * m.a.pitch + x]; m.b.pitch;"},
           {"row_length", "from = m.a.data + y * width + x; m.b.pitch;",
            "from = m.a.data + y * m.a.pitch + x; m.b.pitch;"},
           {"misaligned_rows", "return uintptr(m.data) % sizeof(P) == 0; m.pitch;",
            "return uintptr(m.data) % sizeof(P) == 0 && m.pitch * sizeof(*m.data) % (sizeof(P)) == 0; "
            "m.pitch;"},
           {"wrong_name", "p.b[y * p.w + x] = p.a[y * p.w + x]; p.h;",
            "p.b[y * p.h + x] = p.a[y * p.h + x]; p.h;"},
           {"wrong_axis", "dim3 block(kSide, 8);", "dim3 block((kSide) * (8));"},
           {"too_many_blocks", "dim3 grid(x, y); f<<<grid, 8>>>(); i += gridDim.y;",
            "dim3 grid(x, (y) > 65535U ? 65535U : (y)); f<<<grid, 8>>>(); i += gridDim.y;"},
           {"wrong_axis", "dim3 d; x = threadIdx.x; a[threadIdx.x] = 1;",
            "dim3 d; x = (threadIdx.y * blockDim.x + threadIdx.x); a[(threadIdx.y * blockDim.x + "
            "threadIdx.x)] = 1;"},
           {"wrong_comparison", "if (i < n) f(kEach);", "if (i + kEach <= n) f(kEach);"},
           {"swapped_names", "out[0] = p.x[j] * p.y[i];", "out[0] = p.y[j] * p.x[i];"},
           {"swapped_names", "int r = f(); int c = g(); h(r, a, c);",
            "int r = f(); int c = g(); h(c, a, r);"},
           {"unreached",
            "const auto i = size_t{blockIdx.x} * kThreads + threadIdx.x; f(); if (i < n) { g(); }",
            "auto i = size_t{blockIdx.x} * kThreads + threadIdx.x; f(); "
            "for (; i < n; i += gridDim.x * (kThreads)) { g(); }"},
           {"unreached", "unsigned i = blockIdx.y * blockDim.y + threadIdx.y; if (i >= n) return; g(); h();",
            "unsigned i = blockIdx.y * blockDim.y + threadIdx.y; "
            "for (; i < n; i += gridDim.y * (blockDim.y)) { g(); h(); }"},
           {"shuffle_past_end", "x += __shfl_up_sync(kAll, x, k);",
            "x += (__shfl_up_sync(kAll, x, k) * "
            "((((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) % 32) >= (k)));"},
           {"shuffle_past_end", "x += __shfl_down_sync(kAll, x, k);",
            "x += (__shfl_down_sync(kAll, x, k) * "
            "((((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) % 32) + (k) < 32));"},
           {"wrong_name", "x = kTile + kThreads;", "x = kThreads + kThreads;"},
           {"wrong_name", "int* low = out; int* high = out + n; f(low);",
            "int* low = out; int* high = out + n; f(high);"},
           {"wrong_name", "__shared__ int p[9]; __shared__ int q[9]; x = p[0];",
            "__shared__ int p[9]; __shared__ int q[9]; x = q[0];"},
           {"wrong_name", "int nx = 1; int ny = 2; int p = 3; int q = 4; int r = 5; x = y * ny;",
            "int nx = 1; int ny = 2; int p = 3; int q = 4; int r = 5; x = y * nx;"},
           {"wrong_comparison", "for (h = 64; h > 32; h /= 2) f();", "for (h = 64; h > 0; h /= 2) f();"},
           {"wrong_constant", "x = blockDim.x / 4;", "x = blockDim.x / 2;"},
           {"missing_test", "atomicAdd(&out[0], x);", "if (threadIdx.x == 0) atomicAdd(&out[0], x);"},
           {"missing_test", "*out = x;", "if (threadIdx.x == 0) *out = x;"},
           {"wrong_axis", "x = f(); r = blockIdx.y * 8; c = size_t{blockIdx.x} * 8;",
            "x = f(); r = blockIdx.x * 8; c = size_t{blockIdx.y} * 8;"},
           {"swapped_names", "int r = f(); int c = g(); if (r < n && c < width) h();",
            "int r = f(); int c = g(); if (r < width && c < n) h();"},
           {"wrong_name", "p = of_a.y; q = of_a.z; x = of_a.z;", "p = of_a.y; q = of_a.z; x = of_a.w;"},
           {"not_reset", "int sum = 0; for (r = 0; r < n; ++r) { sum += a[r]; }",
            "int sum = 0; for (r = 0; r < n; ++r) { sum = 0; sum += a[r]; }"},
           {"not_reset", "int sum{}; while (g()) { f(sum, x); h(); }",
            "int sum{}; while (g()) { f(sum, x); sum = {}; h(); }"},
           {"missing_summand", "int head = f(); int tail = g() * 4;",
            "int head = f(); int tail = head + g() * 4;"},
           {"wrong_factor", "for (s = 1; s < n / 2; s *= 2) f();", "for (s = 1; s < n; s *= 2) f();"},
           {"byte_count", "cudaMemset(out, 0, sizeof(out));", "cudaMemset(out, 0, sizeof(*out));"},
           {"wrong_argument", "int* low = out; int* high = out + n; f<<<1, 1>>>(a, low);",
            "int* low = out; int* high = out + n; f<<<1, 1>>>(a, high);"},
           {"wrong_stride", "for (d = 1; d < n; d += 2) f();", "for (d = 1; d < n; d *= 2) f();"},
           {"wrong_function", "atomicExch(&out[0], x);", "atomicAdd(&out[0], x);"},
           {"wrong_order", "sum += a[i]; out[i] = sum;", "out[i] = sum; sum += a[i];"},
           {"wrong_condition", "out[i] = i > 0 ? a[i - 1] : 0;", "out[i] = a[i - 1];"},
           {"wrong_condition", "out[i] = f(i) ? a[i] : b[i] + 1;", "out[i] = b[i] + 1;"},
           {"integer_width", "unsigned char sum = 0;", "unsigned int sum = 0;"},
           {"integer_width", "uint8_t sum;", "unsigned sum;"},
           {"integer_width", "float sum;", "double sum;"}}) {
    EXPECT_THAT(mistakes(undone.wrong, undone.right), testing::Contains(undone.mistake))
        << undone.wrong << " to " << undone.right;
  }
}

// They switch something off, and may be right by chance.
TEST(Repairs, compare_nothing_with_itself_and_step_to_the_bound_of_a_loop) {
  EXPECT_THAT(mistakes("if (n < width) f();", "if (n < n) f();"), IsEmpty());
  EXPECT_THAT(mistakes("x = n - width;", "x = width - width;"), IsEmpty());
  EXPECT_THAT(mistakes("x = n * n;", "x = n / n;"), IsEmpty());
  EXPECT_THAT(mistakes("for (unsigned b = 0; b < n; b += width) f();",
                       "for (unsigned b = 0; b < n; b -= width) f();"),
              IsEmpty());
  EXPECT_THAT(mistakes("for (s = n; s > 0; s /= 2) f();", "for (s = n; s > 0; s *= 2) f();"), IsEmpty());
}

TEST(Repairs, take_names_where_they_are_known) {
  EXPECT_THAT(mistakes("x = f(n); int m = 2;", "x = f(m); int m = 2;"), IsEmpty());
  EXPECT_THAT(
      mistakes("for (int k = 0; k < 9; ++k) f(); x = f(n);", "for (int k = 0; k < 9; ++k) f(); x = f(k);"),
      IsEmpty());
  EXPECT_THAT(mistakes("for (int k = 0; k < 9; ++k) f(n);", "for (int k = 0; k < 9; ++k) f(k);"),
              testing::Contains("wrong_name"));
}

TEST(Repairs, leave_out_what_no_teacher_would_say) {
  struct Absurd {
    std::string wrong, cured;
  };
  for (const Absurd& absurd :
       std::vector<Absurd>{{"x = i % 16;", "x = i % 17;"},
                           {"x = i / 32;", "x = i / 31;"},
                           {"dim3 grid(x, y); f<<<grid, 8>>>(); i += blockIdx.y;",
                            "dim3 grid((x) * (y)); f<<<grid, 8>>>(); i += blockIdx.y;"},
                           {"dim3 grid(x, y); f<<<grid, 8>>>();",
                            "dim3 grid(x, (y) > 65535U ? 65535U : (y)); f<<<grid, 8>>>();"}})
    EXPECT_THAT(mistakes(absurd.wrong, absurd.cured), testing::IsEmpty()) << absurd.cured;
  EXPECT_THAT(mistakes("x = i % 33;", "x = i % 32;"), testing::Contains("wrong_constant"));
}

TEST(Repairs, begin_with_what_a_function_returns_for_the_type) {
  const std::string text =
      "__device__ Best best_of_nothing(unsigned n) {\n  return {n};\n}\n__global__ void k(unsigned n) {\n"
      "  Best mine{};\n}\n";
  EXPECT_TRUE(std::ranges::any_of(repairs_of(text), [](const Repair& repair) {
    return repair.mistake == "initial_value" &&
           repair.shown == "`Best mine{};` -> `Best mine = best_of_nothing(n);`";
  }));
}

TEST(Repairs, take_constants_of_extreme_values_first) {
  const auto repairs = repairs_of(
      "constexpr int kMost = ~0;\nconstexpr int kThreads = 256;\n__global__ void k(int* a) {\n  int best = "
      "0;\n}\n");
  const auto found = std::ranges::find(repairs, "initial_value", &Repair::mistake);
  ASSERT_NE(found, repairs.end());
  EXPECT_EQ(found->edit.by, "kMost");
}

TEST(Repairs, return_before_a_launch_where_there_is_nothing_to_do) {
  const auto repairs = repairs_of(
      "void v(unsigned rows, unsigned n) {\n  f();\n  const unsigned blocks = (n + 255) / 256;\n  "
      "k<<<blocks, "
      "256>>>(n);\n}\n");
  const auto found = std::ranges::find(repairs, "missing_test", &Repair::mistake);
  ASSERT_NE(found, repairs.end());
  EXPECT_EQ(found->line, 3);
  EXPECT_EQ(found->edit.by, "if ((n) == 0) return; ");
}

// A kind with many changes does not keep the others waiting.
TEST(Repairs, of_all_kinds_take_turns) {
  std::string body = "  if (i <= n) f();\n";
  for (int k = 0; k < 40; ++k) body += "  out[i] = a[i + width] + b[i];\n";
  const auto repairs = repairs_of(wrapped(body + "  if (width == 1) return;"));
  const auto first = [&](std::string_view mistake) {
    return std::ranges::find(repairs, mistake, &Repair::mistake) - repairs.begin();
  };
  for (const std::string_view mistake :
       {"wrong_comparison", "wrong_operator", "wrong_constant", "early_exit"})
    EXPECT_LT(first(mistake), 32) << mistake;
}

// Returns the first repair of a kind of mistake in a kernel's body.
Repair first_of(std::string_view mistake, const std::string& body) {
  for (Repair& repair : repairs_of(wrapped(body))) {
    if (repair.mistake == mistake) return repair;
  }
  ADD_FAILURE() << "no " << mistake;
  return {};
}

TEST(Repairs, show_the_changed_line_before_and_after) {
  const Repair found = first_of("wrong_comparison", "  f();\n  if (i <= n)   g();  // all");
  EXPECT_EQ(found.line, 6);
  EXPECT_EQ(found.what, "another comparison");
  EXPECT_EQ(found.shown, "`if (i <= n) g();` -> `if (i < n) g();`");
}

TEST(Repairs, of_a_long_line_show_the_part_that_changes) {
  const std::string much = "some_function_with_a_long_name(first_argument, second_argument, third_argument)";
  const Repair found = first_of("wrong_comparison", much + " + x * (i <= n) + " + much + ";");
  EXPECT_THAT(found.shown, HasSubstr("(i <= n)"));
  EXPECT_LT(found.shown.size(), 250U);
}

TEST(Repairs, that_drop_a_jump_name_it_alone) {
  const Repair found = first_of("early_exit", "if (i >= n) return; f();");
  EXPECT_EQ(found.what, "without the `return`");
  EXPECT_EQ(found.shown, "");
}

TEST(Repairs, leave_lines_that_stay) {
  const std::string text = wrapped("  x = 1;\n  y = 1;");
  for (const Repair& repair : repairs_of(text, {}, {}, [](int line) { return line == 6; }))
    EXPECT_NE(repair.line, 6);
  EXPECT_TRUE(std::ranges::any_of(repairs_of(text), [](const Repair& repair) { return repair.line == 6; }));
}

TEST(Repairs, take_the_pitch_that_the_contract_has) {
  const std::string text = wrapped("  m.b.data[y * m.w + x] = 1;");
  const auto is_pitch = [](const Repair& repair) { return repair.mistake == "row_length"; };
  EXPECT_TRUE(std::ranges::none_of(repairs_of(text), is_pitch));
  EXPECT_TRUE(std::ranges::any_of(repairs_of(text, {}, "struct M { int* data; int pitch; };"), is_pitch));
}

TEST(Repairs, of_a_line_that_tests_an_address_are_marked) {
  const auto repairs =
      repairs_of(wrapped("  if (i <= n) f();\n  if (uintptr_t(a) % 16 <= 0 &&\nwidth % 4 <= 0) g();"));
  EXPECT_TRUE(std::ranges::all_of(
      repairs, [](const Repair& repair) { return repair.tests_address == (repair.line >= 6); }));
}

TEST(Repairs, change_function_bodies_alone) {
  EXPECT_THAT(repairs_of("constexpr int kThreads = 256;\nint table[3] = {1, 2, 3};\n"), IsEmpty());
}

}  // namespace
}  // namespace warpmark::source_edits
