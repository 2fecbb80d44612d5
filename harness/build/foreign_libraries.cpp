#include "harness/build/foreign_libraries.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace warpmark::build {

namespace {

struct Header {
  std::string_view begin, library;
};
constexpr std::array kHeaders{Header{"GL/glut", "GLUT"},        Header{"GL/freeglut", "GLUT"},
                              Header{"GL/glew", "GLEW"},        Header{"GLFW/", "GLFW"},
                              Header{"GL/", "OpenGL"},          Header{"SDL", "SDL"},
                              Header{"mpi.h", "MPI"},           Header{"opencv", "OpenCV"},
                              Header{"FreeImage", "FreeImage"}, Header{"hdf5", "HDF5"},
                              Header{"boost/", "Boost"},        Header{"Eigen/", "Eigen"},
                              Header{"gtest/", "GoogleTest"},   Header{"benchmark/", "Google Benchmark"},
                              Header{"png.h", "libpng"},        Header{"jpeglib.h", "libjpeg"},
                              Header{"fftw3", "FFTW"},          Header{"tbb/", "TBB"}};

}  // namespace

std::string missing_library_advice(std::string_view message) {
  constexpr std::string_view kNotFound = "' file not found";
  if (message == "'omp.h' file not found" || message.find("cannot find -lomp") != std::string_view::npos ||
      message.find("unable to find library -lomp") != std::string_view::npos)
    return ": clang's OpenMP is not installed; sudo apt-get install libomp-dev";
  if (!message.starts_with('\'') || !message.ends_with(kNotFound)) return {};
  const std::string_view name = message.substr(1, message.size() - 1 - kNotFound.size());
  const auto* const found =
      std::ranges::find_if(kHeaders, [&](const Header& each) { return name.starts_with(each.begin); });
  if (found == kHeaders.end()) return {};
  return fmt::format(
      ", a header of {}: programs are built with the C++ library, OpenMP and CUDA alone, so do without it, "
      "or run this where it is installed",
      found->library);
}

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
