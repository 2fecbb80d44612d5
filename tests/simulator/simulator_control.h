// The simulator's control table, which is given out once a process.
#pragma once

#include "harness/simulator/both/control.h"

inline const WarpmarkSimulatorControl& simulator_control() {
  static const WarpmarkSimulatorControl* table = warpmark_simulator_control();
  return *table;
}
