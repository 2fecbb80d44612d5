// What instructions are in machine code. Found by their handlers, which say what they do.
#pragma once

#include <functional>
#include <unordered_map>

#include "harness/simulator/native/emitter.h"

namespace warpmark::simulator::native {

// Writes the instruction, for all lanes of the emitter's kind. `otherwise`: jumped to before anything has
// changed, where the handler has to do it.
using Template = std::function<void(Emitter&, const Instruction&, Label& otherwise)>;
using Templates = std::unordered_map<Handler, Template>;

const Templates& templates();

// Parts of it, a file each.
void add_integer_templates(Templates& all);
void add_real_templates(Templates& all);    // and conversions
void add_choice_templates(Templates& all);  // comparisons, predicates, moves
void add_memory_templates(Templates& all);

// A row of 32-bit or 64-bit results, a vector at a time: body(number of the part) leaves it in register 0.
template <class Body>
void each32(Emitter& e, Operand to, Body body) {
  for (unsigned n = 0; n < 2; ++n) {
    body(n);
    e.keep32(0, Emitter::part(to, n), n);
  }
}
template <class Body>
void each64(Emitter& e, Operand to, Body body) {
  for (unsigned n = 0; n < 4; ++n) {
    body(n);
    e.keep64(0, Emitter::part(to, n), n);
  }
}
template <class Body>
void each(Emitter& e, const VectorCode& code, Operand to, Body body) {
  if (code.wide != 0)
    each64(e, to, body);
  else
    each32(e, to, body);
}

Template unary(VectorCode code);
Template binary(VectorCode code);

}  // namespace warpmark::simulator::native
