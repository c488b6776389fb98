#include "fuzz/gen.h"
#include "formats/formats.h"
#include COMPUTED_HEADER
