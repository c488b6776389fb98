#include "engine/uop.h"
