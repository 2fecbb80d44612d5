// The source file of a version of the exercise as tokens, with queries for mutation operators: functions,
// statements, operands. Parses only the C++ syntax that course code uses; whether a mutant is a valid program
// is left to the compiler.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/assignments/tokens.h"

namespace warpmark::source_edits {

struct Parameter {
  std::string type;  // "const float *"
  std::string name;
};

// A function in a source file; positions are token indices.
struct Function {
  std::string name;
  std::size_t open = 0;    // its {
  std::size_t close = 0;   // its }
  bool on_device = false;  // true: a __global__ or __device__ function
  bool returns_nothing = false;
  std::vector<Parameter> parameters;
};

// An expression statement in a source file: the tokens from `begin` to `end`, its semicolon.
struct Statement {
  std::size_t begin = 0;
  std::size_t end = 0;
};

class Source {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  explicit Source(std::string_view text);

  // Adds the names in a header that the source includes.
  void know_names_of(std::string_view header);
  // Returns true if the source or a header that it is known to include uses the name.
  [[nodiscard]] bool knows(std::string_view name) const;

  [[nodiscard]] std::size_t count() const { return tokens_.size(); }
  // Returns the token's text; empty past the end.
  [[nodiscard]] std::string_view at(std::size_t token) const {
    return token < tokens_.size() ? std::string_view(tokens_[token].text) : std::string_view();
  }
  [[nodiscard]] const PlacedToken& token(std::size_t index) const { return tokens_[index]; }
  // Returns the line of a token, counted from 1.
  [[nodiscard]] int line(std::size_t token) const;
  [[nodiscard]] const std::vector<Function>& functions() const { return functions_; }
  // Returns the source text from one token to another, both included.
  [[nodiscard]] std::string text(std::size_t first, std::size_t last) const;

  // Returns the source text between two byte offsets.
  [[nodiscard]] std::string_view substring(std::size_t begin, std::size_t end) const {
    return text_.substr(begin, end - begin);
  }

  // Returns the bracket that belongs to the one at `token`, or kNone.
  [[nodiscard]] std::size_t partner(std::size_t token) const {
    return token < partners_.size() ? partners_[token] : kNone;
  }
  [[nodiscard]] bool is_name(std::size_t token) const;
  [[nodiscard]] bool is_number(std::size_t token) const;
  [[nodiscard]] bool is_assignment(std::size_t token) const;  // "=", "+=", ...
  // Returns true if the operator at `token` has an operand on its left, so that it is not a prefix, a
  // pointer's * or a template's <.
  [[nodiscard]] bool is_binary(std::size_t token) const;
  // Return the first and the last token of the operands of && or ||, or the last token of the factor behind *
  // or /.
  [[nodiscard]] std::size_t operand_begin(std::size_t token) const;
  [[nodiscard]] std::size_t operand_end(std::size_t token) const;
  [[nodiscard]] std::size_t factor_end(std::size_t token) const;
  // Returns the last token of the statement that begins at `token`: its semicolon or closing brace.
  [[nodiscard]] std::size_t statement_end(std::size_t token) const;
  // Returns the first token of the statement that contains `token`.
  [[nodiscard]] std::size_t statement_begin(std::size_t token) const;
  // Returns the statements of a function that assign or call something, without declarations.
  [[nodiscard]] std::vector<Statement> statements(const Function& function) const;

 private:
  void pair_brackets();
  void find_functions();
  [[nodiscard]] bool is_template_bracket(std::size_t token) const;
  [[nodiscard]] Function function_at(std::size_t open) const;
  [[nodiscard]] std::size_t begin_of_declaration(std::size_t token) const;
  [[nodiscard]] bool begins_statement(std::size_t token) const;
  [[nodiscard]] bool is_declaration(std::size_t begin, std::size_t end) const;

  std::string_view text_;
  std::vector<PlacedToken> tokens_;  // tokens of the source file without preprocessor lines
  std::vector<std::size_t> partners_;
  std::vector<Function> functions_;
  std::set<std::string, std::less<>> known_;  // names in headers
};

}  // namespace warpmark::source_edits
