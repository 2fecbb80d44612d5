#include "harness/source_edits/source.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace warpmark::source_edits {
namespace {

template <std::size_t N>
bool is_one_of(std::string_view text, const std::array<std::string_view, N>& words) {
  return std::ranges::find(words, text) != words.end();
}

bool opens(std::string_view text) {
  return text == "(" || text == "[" || text == "{";
}
bool closes(std::string_view text) {
  return text == ")" || text == "]" || text == "}";
}

// Keywords after which an operator such as * or - is a prefix operator.
constexpr std::array<std::string_view, 8> kBeforePrefix{"return", "case",      "else", "do",
                                                        "throw",  "co_return", "new",  "delete"};
// Keywords that begin a statement other than an expression statement.
constexpr std::array<std::string_view, 22> kBeginOther{
    "if",     "for",   "while",    "do",    "else",     "switch",   "case",   "default",
    "return", "break", "continue", "goto",  "using",    "typedef",  "static", "extern",
    "const",  "auto",  "struct",   "throw", "template", "constexpr"};
constexpr std::array<std::string_view, 11> kAssignments{
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
// Tokens that end an operand of && or ||.
constexpr std::array<std::string_view, 8> kEndOperand{"&&", "||", "?", ":", ",", ";", "=", "return"};

}  // namespace

Source::Source(std::string_view text) : text_(text) {
  bool directive = false;
  for (PlacedToken& token : placed_tokens_of(text)) {
    if (token.text == "#") directive = true;
    const bool ends = token.text == "\n";
    if (!directive && !ends) tokens_.push_back(std::move(token));
    if (ends) directive = false;
  }
  pair_brackets();
  find_functions();
}

void Source::know_names_of(std::string_view header) {
  for (PlacedToken& token : placed_tokens_of(header)) known_.insert(std::move(token.text));
}

bool Source::knows(std::string_view name) const {
  return known_.contains(name) || std::ranges::find(tokens_, name, &PlacedToken::text) != tokens_.end();
}

int Source::line(std::size_t token) const {
  const auto begin = static_cast<std::ptrdiff_t>(tokens_[token].begin);
  return 1 + static_cast<int>(std::count(text_.begin(), text_.begin() + begin, '\n'));
}

std::string Source::text(std::size_t first, std::size_t last) const {
  return std::string(text_.substr(tokens_[first].begin, tokens_[last].end - tokens_[first].begin));
}

void Source::pair_brackets() {
  partners_.assign(tokens_.size(), kNone);
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const std::string_view what = at(i);
    if (opens(what)) open.push_back(i);
    if (what == "<<<") {
      std::size_t depth = 0;
      for (std::size_t k = i + 1; k < tokens_.size(); ++k) {
        if (opens(at(k))) ++depth;
        if (closes(at(k)) && depth > 0) --depth;
        if (at(k) == ">>>" && depth == 0) {
          partners_[i] = k;
          partners_[k] = i;
          break;
        }
        if (at(k) == ";") break;
      }
    }
    if (!closes(what) || open.empty()) continue;
    partners_[i] = open.back();
    partners_[open.back()] = i;
    open.pop_back();
  }
}

bool Source::is_name(std::size_t token) const {
  const std::string_view what = at(token);
  return !what.empty() &&
         (std::isalpha(static_cast<unsigned char>(what.front())) != 0 || what.front() == '_') &&
         what.back() != '"' && what.back() != '\'';
}

bool Source::is_number(std::size_t token) const {
  const std::string_view what = at(token);
  return !what.empty() && (std::isdigit(static_cast<unsigned char>(what.front())) != 0 ||
                           (what.size() > 1 && what.front() == '.' && what != "..."));
}

bool Source::is_assignment(std::size_t token) const {
  return is_one_of(at(token), kAssignments);
}

// Returns true if a < opens template arguments: no logical operator stands between it and its >, and the >
// comes within the expression, followed by what can follow a template's name.
bool Source::is_template_bracket(std::size_t token) const {
  const auto is_list = [&](std::size_t open) {
    if (open == 0 || !is_name(open - 1)) return false;
    for (std::size_t k = open + 1; k < tokens_.size(); ++k) {
      const std::string_view what = at(k);
      if (what == ">" || what == ">>")
        return at(k + 1) == "(" || at(k + 1) == "{" || at(k + 1) == "::" || at(k + 1) == "<<<" ||
               at(k + 1) == ">" || at(k + 1) == ">>" || at(k + 1) == "*" || at(k + 1) == "&" ||
               at(k + 1) == "," || at(k + 1) == ")" || is_name(k + 1);
      if (what == ";" || what == "{" || what == "&&" || what == "||" || what == ")" || what == "?")
        return false;
      if (what == "(" && partner(k) != kNone) k = partner(k);
    }
    return false;
  };
  if (at(token) == "<") return is_list(token);
  for (std::size_t k = token; k-- > 0;) {
    const std::string_view what = at(k);
    if (what == "<" && is_list(k)) return true;
    if (what == ";" || what == "{" || what == "}" || what == "&&" || what == "||" || what == "(")
      return false;
    if (what == ")" && partner(k) != kNone) k = partner(k);
  }
  return false;
}

bool Source::is_binary(std::size_t token) const {
  if (token == 0 || token + 1 >= tokens_.size()) return false;
  const bool operand = (is_name(token - 1) && !is_one_of(at(token - 1), kBeforePrefix)) ||
                       is_number(token - 1) || at(token - 1) == ")" || at(token - 1) == "]" ||
                       at(token - 1) == "}";
  if (!operand) return false;
  const std::string_view what = at(token);
  if (what == "<" || what == ">" || what == ">>") return !is_template_bracket(token);
  if ((what == "*" || what == "&") && at(token + 1) == ">") return false;
  if (what == "*" || what == "&") {
    const bool before = tokens_[token - 1].end < tokens_[token].begin;
    const bool after = tokens_[token].end < tokens_[token + 1].begin;
    return before == after;
  }
  return true;
}

std::size_t Source::operand_begin(std::size_t token) const {
  std::size_t k = token;
  while (k > 0) {
    const std::string_view what = at(k - 1);
    if (closes(what) && partner(k - 1) != kNone) {
      if (what == "}" && !is_name(partner(k - 1) - 1)) break;
      k = partner(k - 1);
      continue;
    }
    if (opens(what) || is_one_of(what, kEndOperand)) break;
    --k;
  }
  return k;
}

std::size_t Source::operand_end(std::size_t token) const {
  std::size_t k = token;
  while (k + 1 < tokens_.size()) {
    const std::string_view what = at(k + 1);
    if (opens(what) && partner(k + 1) != kNone) {
      k = partner(k + 1);
      continue;
    }
    if (closes(what) || is_one_of(what, kEndOperand)) break;
    ++k;
  }
  return k;
}

std::size_t Source::factor_end(std::size_t token) const {
  std::size_t k = token + 1;
  while (at(k) == "-" || at(k) == "*" || at(k) == "&" || at(k) == "!") ++k;
  if (opens(at(k)) && partner(k) != kNone) k = partner(k);
  while (k + 1 < tokens_.size()) {
    const std::string_view next = at(k + 1);
    if (next == "(" || next == "[" || (next == "{" && is_name(k))) {
      if (partner(k + 1) == kNone) break;
      k = partner(k + 1);
    } else if (next == "." || next == "->" || next == "::") {
      k += 2;
    } else if (next == "<" && is_template_bracket(k + 1)) {
      while (k + 1 < tokens_.size() && at(k) != ">") ++k;
    } else {
      break;
    }
  }
  return std::min(k, tokens_.size() - 1);
}

std::size_t Source::statement_begin(std::size_t token) const {
  // Braces may be part of an expression, as in `Packed{key} << 32`.
  static const std::set<std::string_view> kBehindBraces{"<<", ">>", "|", "+", "-", ")", ",", ".", "]"};
  while (token > 0 && at(token - 1) != ";" && at(token - 1) != "{") {
    const bool closes = at(token - 1) == "}";
    if (closes && (!kBehindBraces.contains(at(token)) || partner(token - 1) == kNone)) break;
    token = closes ? partner(token - 1) : token - 1;
  }
  return token;
}

std::size_t Source::statement_end(std::size_t token) const {
  const auto behind_head = [&](std::size_t from) {
    while (at(from) != "(" && from < tokens_.size()) ++from;
    return partner(from) == kNone ? kNone : partner(from) + 1;
  };
  const std::string_view what = at(token);
  if (what == "{") return partner(token);
  if (what == "for" || what == "while" || what == "if" || what == "switch") {
    const std::size_t body = behind_head(token);
    std::size_t end = body == kNone ? kNone : statement_end(body);
    if (what == "if" && end != kNone && at(end + 1) == "else") end = statement_end(end + 2);
    return end;
  }
  for (std::size_t k = token; k < tokens_.size(); ++k) {
    if (at(k) == ";") return k;
    if (opens(at(k)) && partner(k) != kNone) k = partner(k);
  }
  return kNone;
}

std::size_t Source::begin_of_declaration(std::size_t token) const {
  std::size_t k = token;
  while (k > 0 && at(k - 1) != ";" && at(k - 1) != "}" && at(k - 1) != "{") --k;
  return k;
}

Function Source::function_at(std::size_t open) const {
  std::size_t end = open;
  while (end > 0 && at(end - 1) != ")") --end;
  Function function;
  function.open = open;
  function.close = partner(open);
  if (end == 0 || partner(end - 1) == kNone) return function;
  const std::size_t list = partner(end - 1);
  if (list > 0) function.name = at(list - 1);
  for (std::size_t k = begin_of_declaration(list); k < list; ++k) {
    if (at(k) == "__global__" || at(k) == "__device__") function.on_device = true;
    if (at(k) == "void") function.returns_nothing = true;
  }
  std::size_t first = list + 1;
  for (std::size_t k = first; k < end; ++k) {
    if (k != end - 1 && at(k) != ",") {
      if (opens(at(k)) && partner(k) != kNone) k = partner(k);
      continue;
    }
    if (k > first + 1 && is_name(k - 1))
      function.parameters.push_back({text(first, k - 2), std::string(at(k - 1))});
    first = k + 1;
  }
  return function;
}

void Source::find_functions() {
  for (std::size_t k = 0; k < tokens_.size(); ++k) {
    if (at(k) != "{" || partner(k) == kNone) continue;
    const std::size_t begin = begin_of_declaration(k);
    bool scope = false;
    bool assigned = false;
    for (std::size_t i = begin; i < k; ++i) {
      if (at(i) == "namespace" || at(i) == "struct" || at(i) == "class" || at(i) == "union") scope = true;
      if (at(i) == "=") assigned = true;
      if (at(i) == "(" && partner(i) != kNone) i = partner(i);
    }
    if (at(begin) == "extern" && k == begin + 2) scope = true;
    const bool has_list = k > 0 && (at(k - 1) == ")" ||
                                    ((at(k - 1) == "const" || at(k - 1) == "noexcept") && at(k - 2) == ")"));
    if (has_list && !assigned) {
      functions_.push_back(function_at(k));
    } else if (scope) {
      continue;
    }
    k = partner(k);
  }
}

bool Source::begins_statement(std::size_t token) const {
  if (token == 0) return false;
  const std::string_view before = at(token - 1);
  if (before == ";" || before == "{" || before == "}" || before == "else") return true;
  if (before != ")" || partner(token - 1) == kNone || partner(token - 1) == 0) return false;
  const std::string_view head = at(partner(token - 1) - 1);
  return head == "if" || head == "for" || head == "while" || head == "constexpr";
}

// Returns true if a statement is a declaration: it has two adjacent names, or a name, * or & and a name that
// is then initialised.
bool Source::is_declaration(std::size_t begin, std::size_t end) const {
  for (std::size_t k = begin; k < end; ++k) {
    const std::string_view what = at(k);
    if (is_one_of(what, kAssignments) || what == "(" || what == "[" || what == "<<<") return false;
    if (is_name(k) && is_name(k + 1)) return true;
    const bool pointer = (what == "*" || what == "&") && k > begin && is_name(k + 1);
    if (pointer && (at(k + 2) == "=" || at(k + 2) == ";" || at(k + 2) == "{" || at(k + 2) == ","))
      return true;
    if (what == "{") return true;
  }
  return false;
}

std::vector<Statement> Source::statements(const Function& function) const {
  std::vector<Statement> found;
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    if (!begins_statement(k) || is_one_of(at(k), kBeginOther) || opens(at(k)) || closes(at(k)) ||
        at(k) == ";")
      continue;
    const bool in_head = at(k - 1) == ";" && [&] {
      for (std::size_t i = k - 1; i > function.open; --i) {
        if (closes(at(i)) && partner(i) != kNone)
          i = partner(i);
        else if (at(i) == "(")
          return true;
        else if (at(i) == "{")
          return false;
      }
      return false;
    }();
    const std::size_t end = statement_end(k);
    if (in_head || end == kNone || end > function.close) continue;
    bool acts = at(k) == "++" || at(k) == "--" || at(end - 1) == "++" || at(end - 1) == "--";
    for (std::size_t i = k; i < end; ++i) acts = acts || is_one_of(at(i), kAssignments) || at(i) == "(";
    if (acts && !is_declaration(k, end)) found.push_back({k, end});
  }
  return found;
}

}  // namespace warpmark::source_edits
