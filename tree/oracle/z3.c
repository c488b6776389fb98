#include "oracle.h"
#include <z3.h>
