#include "engine/rulebook.h"
#include "oracle/oracle.h"
#include <z3.h>
