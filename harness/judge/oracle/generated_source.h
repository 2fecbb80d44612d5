// Stores generated C++ sources in the cache folder of built libraries.
#pragma once

#include <filesystem>
#include <string>

namespace warpmark::judge {

// Writes the text to a file in a folder named by its digest, unless it is there, and returns the path. Throws
// std::runtime_error if the cache cannot be written.
std::filesystem::path generated_source(const std::filesystem::path& cache, const std::string& text,
                                       const std::string& ending);

}  // namespace warpmark::judge
