#include "harness/build/foreign_libraries.h"

#include <array>

namespace warpmark::build {

// known.
std::string_view foreign_library(std::string_view symbol) {
  struct Library {
    std::string_view prefix, name;
  };
  constexpr std::array kLibraries{
      Library{"glut", "GLUT"},  Library{"glew", "GLEW"},   Library{"glfw", "GLFW"},
      Library{"glX", "OpenGL"}, Library{"SDL_", "SDL"},    Library{"MPI_", "MPI"},
      Library{"npp", "NPP"},    Library{"cv::", "OpenCV"}, Library{"FreeImage_", "FreeImage"},
      Library{"H5", "HDF5"},    Library{"cudnn", "cuDNN"}, Library{"nccl", "NCCL"},
      Library{"nvml", "NVML"}};
  for (const Library& each : kLibraries) {
    if (symbol.starts_with(each.prefix)) return each.name;
  }
  const bool opengl = symbol.size() > 2 && symbol.starts_with("gl") && symbol[2] >= 'A' && symbol[2] <= 'Z';
  return opengl ? "OpenGL" : std::string_view();
}

}  // namespace warpmark::build
