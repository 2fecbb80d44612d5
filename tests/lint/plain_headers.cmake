# The compilation database without what g++ has precompiled, which clang cannot read. FROM, TO: files.
file(READ ${FROM} commands)
string(REGEX REPLACE "( -Winvalid-pch)? -include [^ \"]*cmake_pch\\.hxx" "" commands "${commands}")
file(WRITE ${TO} "${commands}")
