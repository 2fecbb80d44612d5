// thrust's general form, over this system's algorithms.
#pragma once
