// The compiled half of toml++: Debian installs it as a shared library, whose name changes with each release.
#define TOML_IMPLEMENTATION
#include <toml++/toml.h>
