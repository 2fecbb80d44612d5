# The pages that are installed, side by side: build/pages. Links between them are kept, and of links to other files of
# the repository only the text.
set(pages
    CHANGELOG.md:CHANGELOG.md harness/handout/COURSE.md:COURSE.md harness/assignments/WRITING.md:WRITING.md
    harness/assignments/README.md:ASSIGNMENTS.md harness/class/README.md:CLASS.md harness/handout/README.md:HANDOUT.md
    harness/judge/README.md:JUDGE.md harness/nvcc/README.md:NVCC.md harness/worker/README.md:VERSIONS.md)

foreach(page IN LISTS pages)
  string(REPLACE ":" ";" page ${page})
  list(GET page 0 source)
  list(GET page 1 name)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  file(READ ${source} text)
  get_filename_component(folder ${PROJECT_SOURCE_DIR}/${source} DIRECTORY)
  foreach(other IN LISTS pages)
    string(REPLACE ":" ";" other ${other})
    list(GET other 0 target)
    list(GET other 1 installed)
    file(RELATIVE_PATH link ${folder} ${PROJECT_SOURCE_DIR}/${target})
    string(REPLACE "](${link})" "](@${installed})" text "${text}")
    string(REPLACE "](${link}#" "](@${installed}#" text "${text}")
  endforeach()
  string(REGEX REPLACE "\\[([^][]*)\\]\\([^@#:()][^:()]*\\)" "\\1" text "${text}")
  string(REPLACE "](@" "](" text "${text}")
  file(WRITE ${PROJECT_BINARY_DIR}/pages/${name} "${text}")
endforeach()
