/* What instrumented code calls, for programs of a libFuzzer build that are no fuzzers (rulec, the
 * replay mains, uproof itself), where no sanitizer's runtime brings it: nothing is counted. */

extern __thread unsigned long __sancov_lowest_stack;
__attribute__((weak, tls_model("initial-exec"))) __thread unsigned long __sancov_lowest_stack;

#define NOTHING(name)                                                                              \
  void __sanitizer_cov_##name(void);                                                               \
  __attribute__((weak)) void __sanitizer_cov_##name(void) {}
NOTHING(8bit_counters_init)
NOTHING(pcs_init)
NOTHING(trace_pc_indir)
NOTHING(trace_cmp1)
NOTHING(trace_cmp2)
NOTHING(trace_cmp4)
NOTHING(trace_cmp8)
NOTHING(trace_const_cmp1)
NOTHING(trace_const_cmp2)
NOTHING(trace_const_cmp4)
NOTHING(trace_const_cmp8)
NOTHING(trace_switch)
NOTHING(trace_div4)
NOTHING(trace_div8)
NOTHING(trace_gep)
