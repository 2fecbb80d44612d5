// libstdc++ 13 uses __attribute__((__noinline__)), which CUDA's macro __noinline__ breaks (clang 14).
#pragma once

#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/basic_string.tcc>
#pragma pop_macro("__noinline__")
