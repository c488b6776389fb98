#include <gmp.h>
#include <stdint.h>
#include "ops.def"
