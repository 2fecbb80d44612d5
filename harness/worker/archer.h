#pragma once

namespace warpmark {

// Returns the path of Archer, a tool library that informs ThreadSanitizer of OpenMP's synchronisation.
const char* archer_library();

}  // namespace warpmark
