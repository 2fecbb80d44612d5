// Files and sums for `grade --timeline`.
#pragma once

#include <filesystem>

#include "harness/base/error.h"
#include "harness/base/trace.h"

namespace warpmark::cli {

// Writes the trace in the JSON Trace Event Format, which ui.perfetto.dev and chrome://tracing open: complete
// events ("ph": "X"), times in microseconds, one thread id per lane.
Result<void> write_timeline(const Trace& trace, const std::filesystem::path& file);

// Prints how many seconds the threads spent in each kind of span, without the spans inside it.
void print_sums(const Trace& trace);

}  // namespace warpmark::cli
