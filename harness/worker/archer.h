#pragma once

namespace warpmark {

// Returns the path of Archer, the OpenMP tool that reports OpenMP's synchronisation to ThreadSanitizer.
const char* archer_library();

}  // namespace warpmark
