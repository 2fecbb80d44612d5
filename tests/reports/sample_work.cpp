#include "tests/reports/sample_work.h"

#include <utility>

namespace warpmark {
namespace {

CountedLine source_only(int number, std::string text) {
  CountedLine line;
  line.file = "v06_tree_strided.cu";
  line.line = number;
  line.text = std::move(text);
  return line;
}

Counted counted_tree() {
  Counted counted;
  counted.version = "v06_tree_strided";
  counted.type = "int";
  counted.n = 20011;
  counted.sectors_per_request = 3.66;
  counted.requests_per_element = 0.0354;
  counted.bank_conflicts = 8400;
  counted.barriers = 720;
  counted.global_atomics = 0;
  counted.active_lanes = 30.25;
  counted.multiprocessors = 16;
  counted.limits = {{"shared_requests_a_warp", "shared memory requests per warp", 5.63, 14, false, true,
                     "Let the first threads of the block add."},
                    {"conflicts_a_request", "bank conflicts per shared memory request", 1.31, 0.02, false,
                     false, "Let neighbouring threads add neighbouring elements."}};
  counted.kernels = {
      {"tree_strided", 2, {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 629}, {"barriers", 720}}}};
  CountedLine load = source_only(21, "  shared[tid] = i < n ? values[i] : 0;");
  load.instructions = 3200;
  load.active_lanes = 31.5;
  load.requests = 629;
  load.sectors_per_request = 4;
  load.shared_requests = 640;
  CountedLine add = source_only(25, "    if (at < blockDim.x) shared[at] += shared[at + s];");
  add.instructions = 9100;
  add.active_lanes = 24.25;
  add.shared_requests = 1920;
  add.bank_conflicts = 8400;
  counted.lines = {source_only(20, "  const unsigned tid = threadIdx.x;"), load, source_only(24, "  {"), add};
  return counted;
}

WorkFigures sample_figures(double sectors) {
  return {.launches = 1,
          .instructions = 262144,
          .active_lanes = 31.5,
          .requests = 32768,
          .sectors = sectors,
          .barriers = 64,
          .global_atomics = 64};
}

PassedVersion sample_passed() {
  return {.version = "v02_atomic_per_thread",
          .next = "v03_atomic_coalesced",
          .teaches = "neighbouring threads read neighbouring values.",
          .n = 1000000,
          .work = sample_figures(1048576),
          .reference = sample_figures(1048576),
          .reference_of_next = sample_figures(131072),
          .before = WorkBefore{"v01_atomic_per_element", true, sample_figures(131072)},
          .last = WorkOfLastGrade{"2026-11-21T09:12:44Z", 990000, sample_figures(2097152)}};
}

}  // namespace

void add_sample_work(Grade& grade) {
  grade.counters = {counted_tree()};
  grade.passed = {sample_passed()};
}

void for_each_text_of_work(Grade& grade, const std::function<void(std::string&)>& change) {
  for (Counted& counted : grade.counters) {
    change(counted.version);
    for (CountedLimit& limit : counted.limits) {
      change(limit.counter);
      change(limit.title);
      change(limit.lesson);
    }
    for (CountedKernel& kernel : counted.kernels) {
      change(kernel.kernel);
      for (auto& [counter, value] : kernel.counters) change(counter);
    }
    for (CountedLine& line : counted.lines) {
      change(line.file);
      change(line.text);
    }
  }
  for (PassedVersion& passed : grade.passed) {
    for (std::string* text : {&passed.version, &passed.next, &passed.teaches}) change(*text);
    if (passed.before) change(passed.before->version);
    if (passed.last) change(passed.last->graded_at);
  }
}

}  // namespace warpmark
