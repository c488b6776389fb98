#include "engine/uop.h"
#include <jansson.h>
#include <zlib.h>
