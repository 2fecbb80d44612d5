# Libraries of others, linked in where their archives are installed: a program then runs on releases of Debian and Ubuntu
# that have other versions of them. warpmark_<name> is what our targets link.

find_package(fmt REQUIRED)
find_package(LibArchive REQUIRED)
find_package(mstch REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(SQLiteCpp REQUIRED)
find_package(tl-expected REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(yaml-cpp REQUIRED)

# warpmark_link_archives(TARGET FALLBACK NAME...): links the archives lib<NAME>.a; where one is missing, FALLBACK, a shared one.
function(warpmark_link_archives target fallback)
  set(files "")
  foreach(name IN LISTS ARGN)
    find_library(WARPMARK_ARCHIVE_${name} lib${name}.a)
    mark_as_advanced(WARPMARK_ARCHIVE_${name})
    list(APPEND files ${WARPMARK_ARCHIVE_${name}})
  endforeach()
  add_library(${target} INTERFACE)
  if(NOT files MATCHES "NOTFOUND")
    target_link_libraries(${target} INTERFACE ${files})
  else()
    target_link_libraries(${target} INTERFACE ${fallback})
  endif()
endfunction()

# Debian 13's libcrypto.a needs the other two.
warpmark_link_archives(warpmark_crypto OpenSSL::Crypto crypto zstd z)
warpmark_link_archives(warpmark_sqlite SQLiteCpp SQLiteCpp sqlite3)
warpmark_link_archives(warpmark_utf8proc utf8proc utf8proc)
warpmark_link_archives(warpmark_yaml yaml-cpp yaml-cpp)
# What zip, tar and their compressions need of libarchive.
warpmark_link_archives(warpmark_libarchive LibArchive::LibArchive archive nettle lzma zstd bz2 z)
add_library(warpmark_archive STATIC ${CMAKE_CURRENT_LIST_DIR}/zip_only.cpp)
target_link_libraries(warpmark_archive PUBLIC warpmark_libarchive)
# The linker takes our function before it has seen that libarchive needs one.
target_link_options(warpmark_archive INTERFACE -Wl,--undefined=__archive_write_entry_filetype_unsupported)

# Debian has no archive of {fmt} and toml++: their sources are in their headers, and are compiled here, once.
add_library(warpmark_fmt INTERFACE)
if(fmt_VERSION VERSION_GREATER_EQUAL 9 AND fmt_VERSION VERSION_LESS 11)
  add_library(warpmark_fmt_compiled STATIC ${CMAKE_CURRENT_LIST_DIR}/fmt.cpp)
  target_compile_definitions(warpmark_fmt_compiled PUBLIC $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
  target_link_libraries(warpmark_fmt INTERFACE warpmark_fmt_compiled)
else()
  target_link_libraries(warpmark_fmt INTERFACE fmt::fmt-header-only)
endif()
add_library(warpmark_toml STATIC ${CMAKE_CURRENT_LIST_DIR}/toml.cpp)
target_compile_options(warpmark_toml PUBLIC $<TARGET_PROPERTY:tomlplusplus::tomlplusplus,INTERFACE_COMPILE_OPTIONS>)
