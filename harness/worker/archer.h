#pragma once

namespace warpmark {

// The file of the OpenMP tool that shows ThreadSanitizer which threads wait for which.
const char* archer_library();

}  // namespace warpmark
