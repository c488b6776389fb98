#include "../internal.h"
#include <stdio.h>
