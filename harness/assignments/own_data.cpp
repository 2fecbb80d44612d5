#include "harness/assignments/assignment.h"

namespace warpmark {

Result<OwnData> Assignment::with_files(const DataFiles& /*files*/) const {
  return fail("this assignment takes no data files: it makes its own inputs; leave --data out");
}

Result<std::vector<std::filesystem::path>> Assignment::write_files(
    const DataShape& /*shape*/, const std::filesystem::path& /*folder*/) const {
  return fail("this assignment takes no data files, so none are made for it");
}

}  // namespace warpmark
