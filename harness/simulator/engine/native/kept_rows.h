// While code is emitted: which vector registers hold copies of PTX registers' rows, all of which are in
// memory, too. Reading a copy spares the wait for the store that wrote the row a moment ago.
#pragma once

#include <array>
#include <cstddef>

#include "harness/simulator/ptx/program.h"

namespace warpmark::simulator::native {

class KeptRows {
 public:
  // Vector registers 12 to 30; templates use the others.
  static constexpr int kFirst = 12;
  static constexpr std::size_t kCount = 19;

  // Returns the register that holds vector `number` of a row; -1: none does.
  [[nodiscard]] int find(Operand row, unsigned number) const {
    for (std::size_t i = 0; i < kCount; ++i)
      if (rows_[i] == Row{row, number}) return kFirst + static_cast<int>(i);
    return -1;
  }
  // Returns a register for the new contents of vector `number` of a row. What it held is no longer kept.
  int keep(Operand row, unsigned number) {
    int kept = find(row, number);
    if (kept < 0) {
      kept = kFirst + static_cast<int>(next_);
      rows_[next_] = {row, number};
      next_ = (next_ + 1) % kCount;
    }
    return kept;
  }
  void forget(Operand row, unsigned number) {
    for (Row& each : rows_)
      if (each == Row{row, number}) each = {};
  }
  void forget_all() { rows_ = {}; }
  [[nodiscard]] bool empty() const { return rows_ == std::array<Row, kCount>{}; }

  // Calls each(register, row, number) for what is kept.
  template <class Each>
  void for_each(Each each) const {
    for (std::size_t i = 0; i < kCount; ++i)
      if (rows_[i].row != kNoOperand) each(kFirst + static_cast<int>(i), rows_[i].row, rows_[i].number);
  }

 private:
  struct Row {
    Operand row = kNoOperand;
    unsigned number = 0;  // which of its 512-bit vectors
    friend bool operator==(const Row&, const Row&) = default;
  };
  std::array<Row, kCount> rows_{};
  std::size_t next_ = 0;
};

}  // namespace warpmark::simulator::native
