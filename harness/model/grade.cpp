#include "harness/model/grade.h"

namespace warpmark {

std::string_view name_of(Phase phase) {
  switch (phase) {
    case Phase::load:
      return "load";
    case Phase::call:
      return "call";
    case Phase::between:
      return "between";
  }
  return "call";
}

}  // namespace warpmark
