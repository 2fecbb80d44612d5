// Options of the form -name=value, with the names that NVIDIA's samples give these functions.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include <strings.h>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

// What the samples call in place of the functions that Windows names otherwise.
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#define STRCPY(to, size, from) std::strcpy(to, from)
#define FOPEN(file, name, mode) ((file) = std::fopen(name, mode))
#define FOPEN_FAIL(file) ((file) == nullptr)
#define SSCANF std::sscanf
#define SPRINTF std::sprintf

// Returns what follows "-name" or "--name" in the arguments: "" or "=value"; null if the option is not there.
inline const char* warpmark_option(int argc, const char** argv, const char* name) {
  for (int i = 1; i < argc; ++i) {
    const char* word = argv[i];
    if (*word != '-') continue;
    while (*word == '-') ++word;
    const std::size_t length = std::strlen(name);
    if (std::strncmp(word, name, length) == 0 && (word[length] == '=' || word[length] == '\0'))
      return word + length;
  }
  return nullptr;
}

inline bool checkCmdLineFlag(int argc, const char** argv, const char* name) {
  return warpmark_option(argc, argv, name) != nullptr;
}
inline int getCmdLineArgumentInt(int argc, const char** argv, const char* name) {
  const char* rest = warpmark_option(argc, argv, name);
  return rest != nullptr && *rest == '=' ? std::atoi(rest + 1) : 0;
}
inline float getCmdLineArgumentFloat(int argc, const char** argv, const char* name) {
  const char* rest = warpmark_option(argc, argv, name);
  return rest != nullptr && *rest == '=' ? static_cast<float>(std::atof(rest + 1)) : 0.0f;
}
template <class T>
bool getCmdLineArgumentValue(int argc, const char** argv, const char* name, T* value) {
  const char* rest = warpmark_option(argc, argv, name);
  if (rest == nullptr || *rest != '=') return false;
  *value = static_cast<T>(std::atof(rest + 1));
  return true;
}
inline bool getCmdLineArgumentString(int argc, const char** argv, const char* name, char** value) {
  const char* rest = warpmark_option(argc, argv, name);
  *value = rest != nullptr && *rest == '=' ? const_cast<char*>(rest + 1) : nullptr;
  return *value != nullptr;
}

// Returns the path of a data file, allocated with malloc: in the working folder, or in data/ here or above.
// Null if there is none.
inline char* sdkFindFilePath(const char* name, const char* /*program*/) {
  for (const char* folder :
       {"", "data/", "./data/", "../data/", "../../data/", "../../../data/", "common/data/"}) {
    const std::string path = std::string(folder) + name;
    if (std::ifstream(path).good()) return ::strdup(path.c_str());
  }
  return nullptr;
}

#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
