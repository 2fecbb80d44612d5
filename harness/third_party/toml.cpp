// Compiles the functions of toml++ that its headers do not define inline. It replaces Debian's shared library
// of toml++, whose name changes with each release.
#define TOML_IMPLEMENTATION
#include <toml++/toml.h>
