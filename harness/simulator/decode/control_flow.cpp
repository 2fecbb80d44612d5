#include "harness/simulator/decode/control_flow.h"

#include <algorithm>

namespace warpmark::simulator {
namespace {

constexpr int kNone = -1;

struct BasicBlock {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;  // pc after the basic block's last instruction
  std::vector<int> successors;
  std::vector<int> predecessors;
  int order = kNone;      // position of the basic block in the post-order of the reversed control-flow graph
  int dominator = kNone;  // index of the basic block's immediate post-dominator
};

class Graph {
 public:
  Graph(const std::vector<Instruction>& code, std::uint32_t begin, std::uint32_t end,
        const std::vector<Flow>& flows)
      : code_(code), begin_(begin), end_(end), flows_(flows) {
    split();
    connect();
    number();
    dominate();
  }

  // Returns the pc at which lanes reconverge after this branch: the start of the immediate post-dominator of
  // its basic block.
  [[nodiscard]] std::uint32_t rejoin(std::uint32_t pc) const {
    const int dominator = blocks_[static_cast<std::size_t>(block_of_[pc - begin_])].dominator;
    if (dominator == kNone || dominator == exit_) return kNowhere;
    const BasicBlock& block = blocks_[static_cast<std::size_t>(dominator)];
    return flow(block.begin) == Flow::end ? kNowhere : block.begin;
  }

 private:
  [[nodiscard]] Flow flow(std::uint32_t pc) const { return flows_[pc - begin_]; }

  void split() {
    std::vector<bool> leader(end_ - begin_ + 1, false);
    leader[0] = true;
    for (std::uint32_t pc = begin_; pc < end_; ++pc) {
      if (flow(pc) == Flow::next) continue;
      leader[pc + 1 - begin_] = true;
      if (flow(pc) == Flow::jump || flow(pc) == Flow::branch) leader[code_[pc].target - begin_] = true;
    }
    block_of_.resize(end_ - begin_);
    for (std::uint32_t pc = begin_; pc < end_; ++pc) {
      if (leader[pc - begin_])
        blocks_.push_back({.begin = pc, .end = pc, .successors = {}, .predecessors = {}});
      blocks_.back().end = pc + 1;
      block_of_[pc - begin_] = static_cast<int>(blocks_.size()) - 1;
    }
    exit_ = static_cast<int>(blocks_.size());
    blocks_.emplace_back();
  }

  void connect() {
    const auto edge = [&](int from, int to) {
      blocks_[static_cast<std::size_t>(from)].successors.push_back(to);
      blocks_[static_cast<std::size_t>(to)].predecessors.push_back(from);
    };
    for (int b = 0; b < exit_; ++b) {
      const std::uint32_t last = blocks_[static_cast<std::size_t>(b)].end - 1;
      const Flow how = flow(last);
      if (how == Flow::jump || how == Flow::branch) edge(b, block_of_[code_[last].target - begin_]);
      if (how == Flow::next || how == Flow::branch) edge(b, last + 1 < end_ ? b + 1 : exit_);
      if (how == Flow::leave || how == Flow::end) edge(b, exit_);
    }
  }

  // Numbers the basic blocks in post-order of the reversed control-flow graph, starting at the exit. Blocks
  // that cannot reach the exit (endless loops) get no number and no post-dominator.
  void number() {
    struct Visit {
      int block;
      std::size_t next;
    };
    std::vector<Visit> stack{{exit_, 0}};
    std::vector<bool> seen(blocks_.size(), false);
    seen[static_cast<std::size_t>(exit_)] = true;
    while (!stack.empty()) {
      Visit& visit = stack.back();
      BasicBlock& block = blocks_[static_cast<std::size_t>(visit.block)];
      if (visit.next < block.predecessors.size()) {
        const int before = block.predecessors[visit.next++];
        if (seen[static_cast<std::size_t>(before)]) continue;
        seen[static_cast<std::size_t>(before)] = true;
        stack.push_back({before, 0});
        continue;
      }
      block.order = static_cast<int>(order_.size());
      order_.push_back(visit.block);
      stack.pop_back();
    }
  }

  // Computes immediate post-dominators, i.e. dominators on the reversed graph. Source: K. D. Cooper, T. J.
  // Harvey, K. Kennedy, A Simple, Fast Dominance Algorithm.
  void dominate() {
    blocks_[static_cast<std::size_t>(exit_)].dominator = exit_;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = order_.size(); i-- > 0;) {
        if (order_[i] == exit_) continue;
        BasicBlock& block = blocks_[static_cast<std::size_t>(order_[i])];
        int common = kNone;
        for (const int after : block.successors) {
          if (blocks_[static_cast<std::size_t>(after)].dominator == kNone) continue;
          common = common == kNone ? after : intersect(common, after);
        }
        changed = changed || block.dominator != common;
        block.dominator = common;
      }
    }
  }

  [[nodiscard]] int intersect(int a, int b) const {
    const auto at = [&](int block) -> const BasicBlock& { return blocks_[static_cast<std::size_t>(block)]; };
    while (a != b) {
      while (at(a).order < at(b).order) a = at(a).dominator;
      while (at(b).order < at(a).order) b = at(b).dominator;
    }
    return a;
  }

  const std::vector<Instruction>& code_;
  std::uint32_t begin_;
  std::uint32_t end_;
  const std::vector<Flow>& flows_;
  std::vector<BasicBlock> blocks_;
  std::vector<int> block_of_;
  std::vector<int> order_;
  int exit_ = 0;
};

}  // namespace

void find_rejoins(std::vector<Instruction>& code, std::uint32_t begin, std::uint32_t end,
                  const std::vector<Flow>& flows) {
  if (begin == end) return;
  const Graph graph(code, begin, end, flows);
  for (std::uint32_t pc = begin; pc < end; ++pc) {
    if (flows[pc - begin] == Flow::branch) code[pc].rejoin = graph.rejoin(pc);
  }
}

}  // namespace warpmark::simulator
