// Watches code of the course that runs in the judge's own process: the judge.cpp of an assignment. A crash in
// it or a call that does not return ends this process with exit status 2, after a message that names the
// assignment's file and line. Nothing is graded then, so no submission loses points by a fault of the course.
#pragma once

#include <chrono>
#include <string>

#include <pthread.h>

#include "harness/base/loaded_object.h"

namespace warpmark::judge {

// A library of the course, loaded for the rest of this process.
struct CourseLibrary {
  std::string name;                   // of the assignment
  std::string folder;                 // its files, for messages
  std::string library;                // path, for addr2line
  LoadedObject object;                // where it is loaded
  std::chrono::milliseconds limit{};  // in which a call must return
};

// Installs the signal handlers and the watchdog, and adds the library to those whose crashes are reported.
// The library must live as long as the process.
void guard(const CourseLibrary& library);

// A call as the watchdog and the signal handler see it.
struct RunningCall {
  const CourseLibrary* library = nullptr;
  const char* function = "";
  RunningCall* outer = nullptr;  // of the same thread
  pthread_t thread{};
  std::chrono::steady_clock::time_point deadline = {};
  bool late = false;
};

// A call into a library of the course, from construction to destruction, in one thread.
class CourseCall {
 public:
  // Both arguments must outlive the call. function: "make", "check", for messages.
  CourseCall(const CourseLibrary& library, const char* function);
  CourseCall(const CourseCall&) = delete;
  CourseCall& operator=(const CourseCall&) = delete;
  ~CourseCall();

  // Stop and restart the clock while the course's code waits for the judge.
  void pause();
  void resume();

 private:
  RunningCall call_;
};

}  // namespace warpmark::judge
