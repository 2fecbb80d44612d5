// The kernels whose counters the simulator and a real chip have to agree on, in one fixed order.
//
//   corpus --list    one line a launch: its case, its kernel
//   corpus           launches them all
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "access_kernels.h"
#include "course_kernels.h"
#include "patterns.h"

namespace {

struct Case {
  std::string name;
  std::string kernel;
  std::function<void()> launch;
};

void require(cudaError_t status, const std::string& what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "corpus: %s: %s\n", what.c_str(), cudaGetErrorString(status));
  std::exit(1);
}

// Device memory for the whole run: zeros, or the numbers given.
void* device_memory(std::size_t bytes, const void* contents = nullptr) {
  void* memory = nullptr;
  require(cudaMalloc(&memory, bytes), "cudaMalloc");
  require(contents == nullptr ? cudaMemset(memory, 0, bytes)
                              : cudaMemcpy(memory, contents, bytes, cudaMemcpyHostToDevice),
          "filling memory");
  return memory;
}

struct Data {
  std::vector<Pattern> patterns = ::patterns();
  std::vector<const int*> indices;  // by pattern, on the device
  void* input = nullptr;
  void* output = nullptr;
};

Data make_data() {
  Data data;
  std::vector<int> table;
  for (const Pattern& pattern : data.patterns)
    table.insert(table.end(), pattern.index.begin(), pattern.index.end());
  const auto* first = static_cast<const int*>(device_memory(table.size() * sizeof(int), table.data()));
  for (std::size_t i = 0; i < data.patterns.size(); ++i) data.indices.push_back(first + 32 * i);
  std::vector<int> numbers(std::size_t{1} << 19);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i * 7 % 1009);
  data.input = device_memory(numbers.size() * sizeof(int), numbers.data());
  data.output = device_memory(numbers.size() * sizeof(int));
  return data;
}

template <class T>
struct AccessKernels {
  int bytes;
  void (*load_global)(const int*, const T*, T*);
  void (*store_global)(const int*, T*);
  void (*load_shared)(const int*, T*);
  void (*store_shared)(const int*, T*);
};

template <class T>
void add_accesses(std::vector<Case>& cases, const Data& data, const AccessKernels<T>& kernels) {
  for (std::size_t i = 0; i < data.patterns.size(); ++i) {
    const Pattern& pattern = data.patterns[i];
    if (kernels.bytes < pattern.narrowest || kernels.bytes > pattern.widest) continue;
    const int* index = data.indices[i];
    auto* input = static_cast<const T*>(data.input);
    auto* output = static_cast<T*>(data.output);
    const auto add = [&](const char* access, const std::function<void()>& launch) {
      const std::string kernel = std::string(access) + "_" + std::to_string(kernels.bytes);
      cases.push_back({kernel + "." + pattern.name, kernel, launch});
    };
    add("load_global", [=] { kernels.load_global<<<kAccessBlocks, 32>>>(index, input, output); });
    add("store_global", [=] { kernels.store_global<<<kAccessBlocks, 32>>>(index, output); });
    add("load_shared", [=] { kernels.load_shared<<<kAccessBlocks, 32>>>(index, output); });
    add("store_shared", [=] { kernels.store_shared<<<kAccessBlocks, 32>>>(index, output); });
  }
}

void add_course_kernels(std::vector<Case>& cases, const Data& data) {
  auto* in = static_cast<const int*>(data.input);
  auto* out = static_cast<int*>(data.output);
  auto* in_double = static_cast<const double*>(data.input);
  auto* out_double = static_cast<double*>(data.output);
  auto* in_float = static_cast<const float*>(data.input);
  auto* out_float = static_cast<float*>(data.output);
  const auto add = [&](const std::string& kernel, const std::string& shape,
                       const std::function<void()>& launch) {
    cases.push_back({kernel + "." + shape, kernel, launch});
  };
  add("copy", "whole", [=] { copy<<<64, kBlock>>>(in, out, 64 * kBlock); });
  add("copy", "with_a_tail", [=] { copy<<<64, kBlock>>>(in, out, 63 * kBlock + 45); });
  add("copy", "blocks_of_48", [=] { copy<<<64, 48>>>(in, out, 64 * 48); });
  add("copy", "blocks_of_1", [=] { copy<<<64, 1>>>(in, out, 64); });
  add("copy", "from_element_1", [=] { copy<<<64, kBlock>>>(in + 1, out, 64 * kBlock); });
  add("copy", "to_element_5", [=] { copy<<<64, kBlock>>>(in, out + 5, 64 * kBlock); });
  add("copy_read_only", "with_a_tail", [=] { copy_read_only<<<64, kBlock>>>(in, out, 63 * kBlock + 45); });
  add("copy_doubles", "with_a_tail",
      [=] { copy_doubles<<<64, kBlock>>>(in_double, out_double, 63 * kBlock + 45); });
  add("copy_doubles", "from_element_1",
      [=] { copy_doubles<<<64, kBlock>>>(in_double + 1, out_double, 64 * kBlock); });
  add("copy_in_fours", "with_a_tail", [=] {
    copy_in_fours<<<64, kBlock>>>(static_cast<const int4*>(data.input), static_cast<int4*>(data.output),
                                  63 * kBlock + 45);
  });
  add("copy_in_fours", "from_element_1", [=] {
    copy_in_fours<<<64, kBlock>>>(static_cast<const int4*>(data.input) + 1, static_cast<int4*>(data.output),
                                  64 * kBlock);
  });
  add("copy_early_return", "with_a_tail",
      [=] { copy_early_return<<<64, kBlock>>>(in, out, 63 * kBlock + 45); });
  add("copy_grid_stride", "with_a_tail",
      [=] { copy_grid_stride<<<16, kBlock>>>(in, out, 63 * kBlock + 45); });
  add("sum_of_chunks", "of_8", [=] { sum_of_chunks<<<32, kBlock>>>(in, out, 8); });
  add("sum_of_chunks", "of_33", [=] { sum_of_chunks<<<32, kBlock>>>(in, out, 33); });
  add("lengths_of_points", "whole",
      [=] { lengths_of_points<<<64, kBlock>>>(static_cast<const Point*>(data.input), out_float); });
  add("columns_of_8", "whole", [=] { columns_of_8<<<64, dim3(8, 8)>>>(in, out); });
  add("transpose_plain", "256", [=] { transpose_plain<<<dim3(8, 8), dim3(kTile, kTile)>>>(in, out, 256); });
  add("transpose_shared", "256", [=] { transpose_shared<<<dim3(8, 8), dim3(kTile, kTile)>>>(in, out, 256); });
  add("transpose_padded", "256", [=] { transpose_padded<<<dim3(8, 8), dim3(kTile, kTile)>>>(in, out, 256); });
  add("stencil", "whole", [=] { stencil<<<64, kBlock>>>(in, out, 64 * kBlock); });
  add("tree_modulo", "whole", [=] { tree_modulo<<<64, kBlock>>>(in, out); });
  add("tree_strided", "whole", [=] { tree_strided<<<64, kBlock>>>(in, out); });
  add("tree_strided", "large", [=] { tree_strided<<<2048, kBlock>>>(in, out); });
  add("tree_sequential", "blocks_of_256", [=] { tree_sequential<<<64, 256, 256 * sizeof(int)>>>(in, out); });
  add("tree_sequential", "blocks_of_64", [=] { tree_sequential<<<64, 64, 64 * sizeof(int)>>>(in, out); });
  add("tree_of_doubles", "whole", [=] { tree_of_doubles<<<64, kBlock>>>(in_double, out_double); });
  add("sum_by_shuffles", "whole", [=] { sum_by_shuffles<<<64, kBlock>>>(in, out); });
  add("matrix_product", "64",
      [=] { matrix_product<<<dim3(4, 4), dim3(16, 16)>>>(in_float, in_float, out_float, 64); });
  add("add_all_to_one", "whole", [=] { add_all_to_one<<<64, kBlock>>>(in, out); });
  add("add_to_own", "whole", [=] { add_to_own<<<64, kBlock>>>(in, out); });
  add("histogram_global", "whole", [=] { histogram_global<<<64, kBlock>>>(in, out); });
  add("histogram_shared", "whole", [=] { histogram_shared<<<64, kBlock>>>(in, out); });
  add("two_ways", "8", [=] { two_ways<<<32, 128>>>(out, 8); });
  add("loops_of_many_lengths", "7", [=] { loops_of_many_lengths<<<32, 128>>>(out, 7); });
  add("half_of_a_warp", "8", [=] { half_of_a_warp<<<32, 128>>>(out, 8); });
}

std::vector<Case> make_cases(const Data& data) {
  std::vector<Case> cases;
#define ACCESSES(bytes, T) \
  add_accesses<T>(         \
      cases, data,         \
      {bytes, load_global_##bytes, store_global_##bytes, load_shared_##bytes, store_shared_##bytes})
  ACCESSES(1, unsigned char);
  ACCESSES(2, unsigned short);
  ACCESSES(4, int);
  ACCESSES(8, long long);
  ACCESSES(16, int4);
#undef ACCESSES
  add_course_kernels(cases, data);
  return cases;
}

}  // namespace

// For a caller in the same process, who reads the counters after each launch.
extern "C" void run_corpus(void (*launched)(const char* name, const char* kernel)) {
  const Data data = make_data();
  for (const Case& each : make_cases(data)) {
    each.launch();
    require(cudaGetLastError(), "launching " + each.name);
    require(cudaDeviceSynchronize(), each.name);
    launched(each.name.c_str(), each.kernel.c_str());
  }
}

int main(int count, char** arguments) {
  if (count == 2 && std::strcmp(arguments[1], "--list") == 0) {
    Data data;  // nothing is launched, so nothing needs a device
    data.indices.resize(data.patterns.size());
    for (const Case& each : make_cases(data)) std::printf("%s %s\n", each.name.c_str(), each.kernel.c_str());
    return 0;
  }
  if (count != 1) {
    std::fprintf(stderr, "usage: %s [--list]\n", arguments[0]);
    return 2;
  }
  run_corpus([](const char*, const char*) {});
}
