#include "engine/internal.h"
#include "cli/main.c"
#include <cmocka.h>
