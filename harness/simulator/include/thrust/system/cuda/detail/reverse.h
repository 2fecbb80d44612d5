// Thrust's generic implementation, built on this system's primitives.
#pragma once
