// Watches code of the course that runs in the judge's own process: the judge.cpp of an assignment. A crash in
// it or a call that does not return ends this process with exit status 2, after a message that names the
// assignment's file and line. Nothing is graded then, so no submission loses points by a fault of the course.
#pragma once

#include <chrono>
#include <string>

#include <pthread.h>

#include "harness/base/loaded_object.h"

namespace warpmark::judge {

// A shared library with an assignment's code (judge.cpp); stays loaded until the judge process ends.
struct CourseLibrary {
  std::string name;
  std::string folder;                 // folder of the assignment's sources, for messages
  std::string library;                // path of the course's library, for addr2line
  LoadedObject object;                // address range where the course's library is loaded
  std::chrono::milliseconds limit{};  // time in which a call into the course's library must return
};

// Installs the signal handlers and the watchdog, and adds the library to those whose crashes are reported.
// The library must live as long as the process.
void guard(const CourseLibrary& library);

// An unfinished call into a course's library, as seen by the watchdog thread and the crash signal handler.
struct RunningCall {
  const CourseLibrary* library = nullptr;
  const char* function = "";
  RunningCall* outer = nullptr;  // the same thread's enclosing call into a course's library
  pthread_t thread{};
  std::chrono::steady_clock::time_point deadline = {};
  bool late = false;
};

// Marks a call into a course's library as running, from construction to destruction, in one thread: gives it
// a time limit and attributes crashes to it.
class CourseCall {
 public:
  // `library` and `function` must outlive the CourseCall. `function` names the called function in messages:
  // "make", "check".
  CourseCall(const CourseLibrary& library, const char* function);
  CourseCall(const CourseCall&) = delete;
  CourseCall& operator=(const CourseCall&) = delete;
  ~CourseCall();

  // Stop and restart the time limit of a call into a course's library, while its code waits for the judge.
  void pause();
  void resume();

 private:
  RunningCall call_;
};

}  // namespace warpmark::judge
