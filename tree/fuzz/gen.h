#include "oracle/oracle.h"
#include "engine/uop.h"
