// Machine-code templates for PTX instructions, keyed by the instruction's handler.
#pragma once

#include <functional>
#include <unordered_map>

#include "harness/simulator/engine/native/emitter.h"

namespace warpmark::simulator::native {

// Emits machine code for an instruction. If the handler must execute the instruction instead, the generated
// code jumps to `otherwise` before it has changed anything.
using Template = std::function<void(Emitter&, const Instruction&, Label& otherwise)>;
using Templates = std::unordered_map<Handler, Template>;

const Templates& templates();

// Each function adds the machine-code templates of one group of PTX instructions to `all`.
void add_integer_templates(Templates& all);
void add_real_templates(Templates& all);    // adds machine code for floating-point PTX instructions
void add_choice_templates(Templates& all);  // adds machine code for PTX comparisons, selections and moves
void add_memory_templates(Templates& all);

// Emit code for a row of 32-bit or 64-bit results, one 512-bit vector at a time: the code that body(n) emits
// must leave vector n in vector register 0.
template <class Body>
void each32(Emitter& e, Operand to, Body body) {
  for (unsigned n = 0; n < 2; ++n) {
    body(n);
    e.keep32(zmm0, to, n);
  }
}
template <class Body>
void each64(Emitter& e, Operand to, Body body) {
  for (unsigned n = 0; n < 4; ++n) {
    body(n);
    e.keep64(zmm0, to, n);
  }
}
template <class Body>
void each(Emitter& e, bool wide, Operand to, Body body) {
  if (wide)
    each64(e, to, body);
  else
    each32(e, to, body);
}

Template unary(Unary code, bool wide);
template <class Code>
Template binary(Code code, bool wide) {
  return [code, wide](Emitter& e, const Instruction& i, Label&) {
    each(e, wide, i.operands[0], [&](unsigned n) {
      e.vmovdqu64(zmm0, e.in(i.operands[1], n));
      (e.*code)(zmm0, zmm0, e.in(i.operands[2], n));
    });
  };
}

}  // namespace warpmark::simulator::native
