// Generates the adapter of an assignment in the plain form: C++ that calls a version, or the course's own
// functions, with the worker's buffers.
#pragma once

#include <string>
#include <string_view>

#include "harness/assignments/plain/spec.h"

namespace warpmark::plain {

// Returns the source of adapter.cu (host: of adapter_host.cpp). Errors in `call` are reported by the compiler
// with the file and line of assignment.toml.
std::string adapter_of(const Spec& spec, bool host, const std::string& host_contract);

// Returns what a compiler's message says of a [[struct]] that is not the contract's: "[[struct]] Pair: ...";
// empty if the message is about something else.
std::string fault_of_struct(const Spec& spec, std::string_view message);
// Returns the line in assignment.toml of the struct that fault_of_struct() names.
int line_of_struct(const Spec& spec, std::string_view fault);

// Returns the source of an adapter for the course's function `update`, which takes the contract's parameters
// and, before the stream, the index of the changed element and its old value. Both come as further scalars.
std::string update_adapter_of(const Spec& spec);

// Returns the source of an adapter for the course's functions in data.cpp that generate inputs. Buffers:
// target, name of the data class. Scalars: count, seed, sizes.
std::string data_adapter();

}  // namespace warpmark::plain
