/* cmocka with the headers that it needs before it. */
#ifndef UPROOF_TESTS_CM_H
#define UPROOF_TESTS_CM_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
