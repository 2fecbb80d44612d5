// The table of mutation operators that change conditions, statements and CUDA's own calls; those of
// arithmetic are in operators_of_values.cpp.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "harness/source_edits/edits.h"
#include "harness/source_edits/harmless.h"
#include "harness/source_edits/mutants.h"

namespace warpmark::source_edits {
namespace {

using Edits = std::vector<Edit>;

void change_comparisons(const Source& source, const Function& function, Edits& edits) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kPairs{
      {{"<", "<="}, {"<=", "<"}, {">", ">="}, {">=", ">"}, {"==", "!="}, {"!=", "=="}}};
  swap_tokens(source, function, edits, kPairs, true);
}

void change_logic(const Source& source, const Function& function, Edits& edits) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kPairs{
      {{"&&", "||"}, {"||", "&&"}}};
  swap_tokens(source, function, edits, kPairs, true);
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    if (source.at(k) == "!" && !source.is_binary(k)) edits.push_back(drop(source, k, k));
  }
}

// Mutation operator: drops a test, namely the condition of an if or ? :, or one side of &&.
void drop_tests(const Source& source, const Function& function, Edits& edits) {
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    if (source.at(k) == "if" && source.at(k + 1) == "(" && source.partner(k + 1) != Source::kNone) {
      const std::size_t close = source.partner(k + 1);
      std::size_t then = close + 1;
      while (source.at(then) == "{") ++then;
      const bool leaves =
          source.at(then) == "return" || source.at(then) == "continue" || source.at(then) == "break";
      edits.push_back(replace(source, k + 2, close - 1, leaves ? "false" : "true"));
    }
    if (source.at(k) == "?") {
      edits.push_back(insert_before(source, k, "|| true ", "always the value before :"));
      edits.push_back(insert_before(source, k, "&& false ", "always the value behind :"));
    }
    if (source.at(k) == "&&" && source.is_binary(k)) {
      edits.push_back(drop(source, k, source.operand_end(k)));
      edits.push_back(drop(source, source.operand_begin(k), k));
    }
  }
}

bool waits(std::string_view name) {
  static constexpr std::array<std::string_view, 9> kNames{
      "__syncthreads",         "__syncwarp",           "__threadfence",
      "__threadfence_block",   "__threadfence_system", "cudaStreamSynchronize",
      "cudaDeviceSynchronize", "cudaEventSynchronize", "cudaStreamWaitEvent"};
  return std::ranges::find(kNames, name) != kNames.end();
}

bool is_wait(const Source& source, const Statement& statement) {
  if (waits(source.at(statement.begin))) return true;
  for (std::size_t k = statement.begin; k + 2 < statement.end; ++k) {
    if ((source.at(k) == "." || source.at(k) == "::") && source.at(k + 1) == "sync" &&
        source.at(k + 2) == "(")
      return true;
  }
  return false;
}

void drop_waits(const Source& source, const Function& function, Edits& edits) {
  for (const Statement& statement : source.statements(function)) {
    if (is_wait(source, statement))
      edits.push_back(replace(source, statement.begin, statement.end, ";", true));
  }
}

void drop_statements(const Source& source, const Function& function, Edits& edits) {
  for (const Statement& statement : source.statements(function)) {
    if (!is_wait(source, statement) && !asks_for_device(source, statement))
      edits.push_back(replace(source, statement.begin, statement.end, ";", true));
  }
}

// Mutation operator: turns atomicAdd(p, v) and other atomics into a plain read and write. If the code uses
// the atomic's result, the replacement also returns the old value.
void make_plain(const Source& source, const Function& function, Edits& edits) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kOperators{
      {{"atomicAdd", "+"},
       {"atomicSub", "-"},
       {"atomicOr", "|"},
       {"atomicAnd", "&"},
       {"atomicXor", "^"},
       {"atomicExch", ""},
       {"atomicMax", ">"},
       {"atomicMin", "<"}}};
  for (std::size_t k = function.open + 1; k + 1 < function.close; ++k) {
    std::string name(source.at(k));
    for (const std::string_view ending : {"_block", "_system"}) {
      if (name.ends_with(ending)) name.resize(name.size() - ending.size());
    }
    if (name == "atomic_add") name = "atomicAdd";
    const auto* found = std::ranges::find(kOperators, std::string_view(name),
                                          &std::pair<std::string_view, std::string_view>::first);
    const std::size_t open = k + 1;
    if (found == kOperators.end() || source.at(open) != "(" || source.partner(open) == Source::kNone)
      continue;
    const auto arguments = arguments_of(source, open);
    if (arguments.size() != 2) continue;
    const std::string place = "*(" + source.text(arguments[0].begin, arguments[0].end) + ")";
    const std::string value = "(" + source.text(arguments[1].begin, arguments[1].end) + ")";
    const std::string_view with = found->second;
    std::string now = value;
    if (with == ">" || with == "<")
      now = fmt::format("({0} {1} {2} ? {0} : {2})", place, with, value);
    else if (!with.empty())
      now = fmt::format("{} {} {}", place, with, value);
    const bool used =
        source.at(source.partner(open) + 1) != ";" || !(source.at(k - 1) == ";" || source.at(k - 1) == "{" ||
                                                        source.at(k - 1) == "}" || source.at(k - 1) == ")");
    Edit edit = replace(
        source, k, source.partner(open),
        used ? fmt::format("[&] {{ const auto before = {0}; {0} = {1}; return before; }}()", place, now)
             : fmt::format("{} = {}", place, now));
    edit.name = fmt::format("{} made plain", source.at(k));
    edits.push_back(std::move(edit));
  }
}

// Mutation operator: returns at the start of a function, or leaves a loop after its first iteration.
void leave_early(const Source& source, const Function& function, Edits& edits) {
  if (function.returns_nothing && function.open + 1 < function.close)
    edits.push_back(
        insert_before(source, function.open + 1, "return; ", "return at the begin of " + function.name));
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    if ((source.at(k) != "for" && source.at(k) != "while") || source.at(k + 1) != "(" ||
        source.partner(k + 1) == Source::kNone)
      continue;
    const std::size_t body = source.partner(k + 1) + 1;
    const std::size_t end = source.at(body) == ";" ? Source::kNone : source.statement_end(body);
    if (end == Source::kNone || end > function.close) continue;
    const std::size_t from = source.token(body).begin;
    const std::size_t to = source.token(end).begin;
    const bool braces = source.at(body) == "{";
    edits.push_back(braces ? Edit{to, to, "break; ", "only one round"}
                           : Edit{from, source.token(end).end, "{ " + source.text(body, end) + " break; }",
                                  "only one round"});
  }
}

// Mutation operator: replaces a pointer parameter by another parameter of the same type.
void take_other_buffer(const Source& source, const Function& function, Edits& edits) {
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    if (!source.is_name(k) || source.at(k - 1) == "." || source.at(k - 1) == "->" || source.at(k - 1) == "::")
      continue;
    const auto own = std::ranges::find(function.parameters, source.at(k), &Parameter::name);
    if (own == function.parameters.end() || own->type.find('*') == std::string::npos) continue;
    for (const Parameter& other : function.parameters) {
      if (other.name != own->name && other.type == own->type)
        edits.push_back(replace(source, k, k, other.name));
    }
  }
}

void change_axes(const Source& source, const Function& function, Edits& edits) {
  static constexpr std::array<std::string_view, 4> kNames{"threadIdx", "blockIdx", "blockDim", "gridDim"};
  for (std::size_t k = function.open + 1; k + 2 < function.close; ++k) {
    if (std::ranges::find(kNames, source.at(k)) == kNames.end() || source.at(k + 1) != ".") continue;
    const std::string axis = source.at(k + 2) == "x" ? "y" : "x";
    edits.push_back(replace(source, k, k + 2, fmt::format("{}.{}", source.at(k), axis)));
  }
}

void swap_functions(const Source& source, const Function& function, Edits& edits) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kPairs{
      {{"min", "max"},
       {"max", "min"},
       {"fminf", "fmaxf"},
       {"fmaxf", "fminf"},
       {"fmin", "fmax"},
       {"fmax", "fmin"},
       {"__shfl_down_sync", "__shfl_up_sync"},
       {"__shfl_up_sync", "__shfl_down_sync"},
       {"__any_sync", "__all_sync"},
       {"__all_sync", "__any_sync"},
       {"atomicMax", "atomicMin"},
       {"atomicMin", "atomicMax"}}};
  swap_tokens(source, function, edits, kPairs, false);
}

}  // namespace

std::span<const Operator> operators() {
  static constexpr std::array<Operator, 18> kOperators{{
      {"test", "a bounds test dropped: of an if, of ? :, of one side of &&", drop_tests},
      {"comparison", "< and <=, > and >=, == and != exchanged", change_comparisons},
      {"logic", "&& and || exchanged, ! dropped", change_logic},
      {"barrier", "__syncthreads, __syncwarp, a fence or a synchronisation dropped", drop_waits},
      {"statement", "an assignment or a call dropped", drop_statements},
      {"atomic", "an atomic operation made a plain one", make_plain},
      {"early", "a return at the begin of a function, a loop of one round", leave_early},
      {"buffer", "another parameter of the same pointer type", take_other_buffer},
      {"axis", "x for y and y for x of threadIdx, blockIdx, blockDim, gridDim", change_axes},
      {"function", "min for max, __shfl_up for __shfl_down, any for all", swap_functions},
      {"constant", "a number one larger or smaller, also the initial value", change_constants},
      {"index", "the element before or behind", change_indices},
      {"stride", "the step of a loop doubled, or 1", change_strides},
      {"arithmetic", "+ and - exchanged, a factor dropped, += and = exchanged, * for /", change_arithmetic},
      {"order", "neighbouring threads take elements that lie far apart", scatter_threads, false, true},
      {"shift", "<< and >> exchanged", change_shifts},
      {"precision", "float for double", lose_precision},
      {"width", "int for a type of 64 bits or without a sign", narrow_types, true},
  }};
  return kOperators;
}

const Operator* find_operator(std::string_view name) {
  const auto all = operators();
  const auto found = std::ranges::find(all, name, &Operator::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace warpmark::source_edits
