#include "uop.h"
