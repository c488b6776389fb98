/* What AddressSanitizer does under libFuzzer, unless ASAN_OPTIONS says otherwise. Its defaults keep
 * 256 MB of freed memory, which a run hardly touches twice, and 30 frames of every allocation: a tenth
 * of the time. The replay mains have the defaults, for a report with all frames. */

const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "quarantine_size_mb=8:malloc_context_size=4"; }
