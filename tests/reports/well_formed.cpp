#include "tests/reports/well_formed.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace warpmark {
namespace {

constexpr std::string_view kNameLetters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_:.";

const std::map<std::string, std::string> kReferences = {
    {"amp", "&"}, {"lt", "<"},   {"gt", ">"},        {"quot", "\""},     {"apos", "'"},
    {"#39", "'"}, {"#x2F", "/"}, {"#160", "\u00A0"}, {"#8211", "\u2013"}};

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Document document() {
    try {
      check_characters();
      for (const std::string_view prolog : {"<?xml", "<!DOCTYPE"}) {
        if (text_.substr(at_, prolog.size()) == prolog) skip_past(">");
        while (at_ < text_.size() && text_[at_] == '\n') ++at_;
      }
      element();
      while (at_ < text_.size() && text_[at_] == '\n') ++at_;
      if (at_ != text_.size()) complain("text after the root element");
    } catch (const std::runtime_error& error) {
      result_.error = error.what();
    }
    return std::move(result_);
  }

 private:
  [[noreturn]] void complain(const std::string& what) const {
    throw std::runtime_error(what + " near: " + std::string(text_.substr(at_, 60)));
  }

  void check_characters() const {
    for (const char letter : text_) {
      const auto byte = static_cast<unsigned char>(letter);
      if ((byte < 0x20 && letter != '\n') || byte == 0x7F) throw std::runtime_error("control character");
    }
  }

  void skip_past(std::string_view end) {
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos) complain("missing " + std::string(end));
    at_ = found + end.size();
  }

  void expect(std::string_view wanted) {
    if (text_.substr(at_, wanted.size()) != wanted) complain("expected " + std::string(wanted));
    at_ += wanted.size();
  }

  std::string name() {
    const std::size_t end = std::min(text_.find_first_not_of(kNameLetters, at_), text_.size());
    if (end == at_) complain("expected a name");
    std::string found(text_.substr(at_, end - at_));
    at_ = end;
    return found;
  }

  std::string reference() {
    expect("&");
    const std::size_t end = text_.find(';', at_);
    if (end == std::string_view::npos || end - at_ > 8) complain("bad reference");
    const std::string which(text_.substr(at_, end - at_));
    at_ = end + 1;
    const auto found = kReferences.find(which);
    if (found == kReferences.end()) complain("unknown reference " + which);
    return found->second;
  }

  // Up to the letter `end`, which is not taken.
  std::string value(char end) {
    std::string found;
    while (at_ < text_.size() && text_[at_] != end) {
      if (text_[at_] == '<') complain("< inside a value");
      if (text_[at_] == '&') {
        found += reference();
      } else {
        found += text_[at_++];
      }
    }
    return found;
  }

  std::string element() {
    expect("<");
    const std::size_t index = result_.elements.size();
    result_.elements.push_back({name(), {}, ""});
    while (text_.substr(at_, 1) == " ") {
      ++at_;
      if (text_.substr(at_, 1) == "/") break;
      const std::string attribute = name();
      expect("=\"");
      if (!result_.elements[index].attributes.emplace(attribute, value('"')).second)
        complain("attribute twice");
      expect("\"");
    }
    std::string inside;
    if (text_.substr(at_, 2) == "/>") {
      at_ += 2;
    } else {
      expect(">");
      while (text_.substr(at_, 2) != "</") {
        if (at_ >= text_.size()) complain("element not closed: " + result_.elements[index].name);
        inside += text_[at_] == '<' ? element() : value('<');
      }
      expect("</" + result_.elements[index].name + ">");
    }
    result_.elements[index].text = inside;
    return inside;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Document result_;
};

}  // namespace

std::vector<const Element*> Document::named(std::string_view name) const {
  std::vector<const Element*> found;
  for (const Element& element : elements) {
    if (element.name == name) found.push_back(&element);
  }
  return found;
}

Document parse_document(std::string_view text) {
  return Parser(text).document();
}

}  // namespace warpmark
