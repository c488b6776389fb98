/* Linked to programs that count executed lines (--wrap=_exit): a worker process ends by _exit, which
 * would lose its counts. */
void __gcov_dump(void);
_Noreturn void __real__exit(int status);
_Noreturn void __wrap__exit(int status);

_Noreturn void __wrap__exit(int status) {
  __gcov_dump();
  __real__exit(status);
}
