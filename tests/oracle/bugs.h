/* Real wrong rewrites of tinygrad 0.10.0 and 0.11.0: the graph as given, and what it was simplified
   to, in the interchange form. */
#ifndef UPROOF_TESTS_ORACLE_BUGS_H
#define UPROOF_TESTS_ORACLE_BUGS_H

typedef struct bug {
  const char *id;
  bool ideal; /* wrong in ideal too; all are wrong in wrap */
  const char *graph, *got;
} bug;

static const bug bugs[] = {
    {"fold-unrolled-divs-negative", true,
     "[[\"DEFINE_VAR\",\"int\",[],[\"x\",-6,6]],[\"CONST\",\"int\",[],2],[\"IDIV\",\"int\",[0,1],"
     "null],[\"CONST\",\"int\",[],1],[\"ADD\",\"int\",[0,3],null],[\"IDIV\",\"int\",[4,1],null],["
     "\"ADD\",\"int\",[2,5],null]]",
     "[[\"DEFINE_VAR\",\"int\",[],[\"x\",-6,6]]]"},
    {"v0100-const-fold-neg-mod", true,
     "[[\"DEFINE_VAR\",\"int\",[],[\"x\",0,1]],[\"CONST\",\"int\",[],-1],[\"ADD\",\"int\",[0,1],"
     "null],[\"CONST\",\"int\",[],3],[\"MOD\",\"int\",[2,3],null]]",
     "[[\"DEFINE_VAR\",\"int\",[],[\"x\",0,1]],[\"CONST\",\"int\",[],2],[\"ADD\",\"int\",[0,1],"
     "null],[\"CONST\",\"int\",[],3],[\"MOD\",\"int\",[2,3],null]]"},
    {"v0100-div-folding-neg-const", true,
     "[[\"DEFINE_VAR\",\"int\",[],[\"x\",0,4]],[\"CONST\",\"int\",[],-1],[\"ADD\",\"int\",[0,1],"
     "null],[\"CONST\",\"int\",[],3],[\"IDIV\",\"int\",[2,3],null]]",
     "[[\"DEFINE_VAR\",\"int\",[],[\"x\",0,4]],[\"CONST\",\"int\",[],2],[\"ADD\",\"int\",[0,1],"
     "null],[\"CONST\",\"int\",[],3],[\"IDIV\",\"int\",[2,3],null],[\"CONST\",\"int\",[],-1],["
     "\"ADD\",\"int\",[4,5],null]]"},
    {"v0100-idiv-lt", true,
     "[[\"DEFINE_VAR\",\"int\",[],[\"x\",-5,5]],[\"CONST\",\"int\",[],4],[\"IDIV\",\"int\",[0,1],"
     "null],[\"CONST\",\"int\",[],0],[\"CMPLT\",\"bool\",[2,3],null]]",
     "[[\"DEFINE_VAR\",\"int\",[],[\"x\",-5,5]],[\"CONST\",\"int\",[],0],[\"CMPLT\",\"bool\",[0,1],"
     "null]]"},
    {"v0100-max-fold-mod", true,
     "[[\"DEFINE_VAR\",\"int\",[],[\"x\",-8,-6]],[\"CONST\",\"int\",[],3],[\"MOD\",\"int\",[0,1],"
     "null],[\"CONST\",\"int\",[],0],[\"MAX\",\"int\",[2,3],null]]",
     "[[\"DEFINE_VAR\",\"int\",[],[\"x\",-8,-6]],[\"CONST\",\"int\",[],3],[\"MOD\",\"int\",[0,1],"
     "null]]"},
    {"v0100-max-fold-idiv", true,
     "[[\"DEFINE_VAR\",\"int\",[],[\"x\",-7,-5]],[\"CONST\",\"int\",[],3],[\"IDIV\",\"int\",[0,1],"
     "null],[\"DEFINE_VAR\",\"int\",[],[\"y\",-2,-1]],[\"MAX\",\"int\",[2,3],null]]",
     "[[\"DEFINE_VAR\",\"int\",[],[\"y\",-2,-1]]]"},
    {"v0110-congruence-idiv-negative", true,
     "[[\"DEFINE_VAR\",\"int\",[],[\"x\",-8,-6]],[\"CONST\",\"int\",[],4],[\"IDIV\",\"int\",[0,1],"
     "null]]",
     "[[\"CONST\",\"int\",[],-2]]"},
    {"v0110-cast-char-max", true,
     "[[\"DEFINE_VAR\",\"int\",[],[\"x\",100,200]],[\"CAST\",\"char\",[0],null],[\"CONST\","
     "\"char\",[],0],[\"MAX\",\"char\",[1,2],null]]",
     "[[\"DEFINE_VAR\",\"int\",[],[\"x\",100,200]],[\"CAST\",\"char\",[0],null]]"},
    {"v0110-const-cast-not-truncated", true,
     "[[\"CONST\",\"int\",[],-1],[\"CAST\",\"uint\",[0],null],[\"CONST\",\"uint\",[],5],[\"CMPLT\","
     "\"bool\",[1,2],null]]",
     "[[\"CONST\",\"bool\",[],true]]"},
    {"v0110-const-cast-not-truncated-div", true,
     "[[\"CONST\",\"int\",[],300],[\"CAST\",\"uchar\",[0],null],[\"CONST\",\"uchar\",[],2],["
     "\"IDIV\",\"uchar\",[1,2],null]]",
     "[[\"CONST\",\"uchar\",[],150]]"},
    {"v0110-const-fold-not-truncated", false,
     "[[\"CONST\",\"uchar\",[],250],[\"CONST\",\"uchar\",[],10],[\"ADD\",\"uchar\",[0,1],null],["
     "\"CONST\",\"uchar\",[],2],[\"IDIV\",\"uchar\",[2,3],null]]",
     "[[\"CONST\",\"uchar\",[],130]]"},
    {"v0110-const-fold-int-not-truncated", false,
     "[[\"CONST\",\"int\",[],2147483647],[\"CONST\",\"int\",[],1],[\"ADD\",\"int\",[0,1],null],["
     "\"CONST\",\"int\",[],0],[\"CMPLT\",\"bool\",[2,3],null]]",
     "[[\"CONST\",\"bool\",[],false]]"},
    {"v0110-add-overflow-cmp", false,
     "[[\"DEFINE_VAR\",\"int\",[],[\"x\",2147483640,2147483647]],[\"DEFINE_VAR\",\"int\",[],[\"y\","
     "0,3]],[\"ADD\",\"int\",[0,1],null],[\"CONST\",\"int\",[],0],[\"CMPLT\",\"bool\",[2,3],null]]",
     "[[\"CONST\",\"bool\",[],false]]"},
    {"v0110-uint-add-overflow-cmp", false,
     "[[\"DEFINE_VAR\",\"uint\",[],[\"x\",0,5]],[\"CONST\",\"uint\",[],4294967294],[\"ADD\","
     "\"uint\",[0,1],null],[\"CONST\",\"uint\",[],3],[\"CMPLT\",\"bool\",[2,3],null]]",
     "[[\"CONST\",\"bool\",[],false]]"},
    {"v0110-mul-overflow-cmp", false,
     "[[\"DEFINE_VAR\",\"int\",[],[\"x\",60000,70000]],[\"DEFINE_VAR\",\"int\",[],[\"y\",60000,"
     "70000]],[\"MUL\",\"int\",[0,1],null],[\"CONST\",\"int\",[],0],[\"CMPLT\",\"bool\",[2,3],null]"
     "]",
     "[[\"CONST\",\"bool\",[],false]]"},
    {"v0110-sub-unsigned-mod", false,
     "[[\"DEFINE_VAR\",\"uchar\",[],[\"y\",0,1]],[\"CONST\",\"uchar\",[],1],[\"SUB\",\"uchar\",[0,"
     "1],null],[\"CONST\",\"uchar\",[],2],[\"MOD\",\"uchar\",[2,3],null]]",
     "[[\"DEFINE_VAR\",\"uchar\",[],[\"y\",0,1]],[\"CONST\",\"uchar\",[],1],[\"SUB\",\"uchar\",[0,"
     "1],null],[\"CONST\",\"uchar\",[],-1],[\"MUL\",\"uchar\",[2,3],null],[\"CONST\",\"uchar\",[],"
     "2],[\"MOD\",\"uchar\",[4,5],null],[\"MUL\",\"uchar\",[6,3],null]]"},
    {"v0110-sub-unsigned-div", false,
     "[[\"DEFINE_VAR\",\"uchar\",[],[\"y\",0,1]],[\"CONST\",\"uchar\",[],1],[\"SUB\",\"uchar\",[0,"
     "1],null],[\"CONST\",\"uchar\",[],2],[\"IDIV\",\"uchar\",[2,3],null]]",
     "[[\"CONST\",\"uchar\",[],0]]"},
    {"v0110-c0-plus-x-lt-c1", false,
     "[[\"DEFINE_VAR\",\"int\",[],[\"x\",-10,2147483647]],[\"CONST\",\"int\",[],5],[\"ADD\","
     "\"int\",[0,1],null],[\"CONST\",\"int\",[],-2],[\"CMPLT\",\"bool\",[2,3],null]]",
     "[[\"DEFINE_VAR\",\"int\",[],[\"x\",-10,2147483647]],[\"CONST\",\"int\",[],-7],[\"CMPLT\","
     "\"bool\",[0,1],null]]"},
    {"v0110-mul-lt-overflow", false,
     "[[\"DEFINE_VAR\",\"char\",[],[\"x\",0,43]],[\"CONST\",\"char\",[],3],[\"MUL\",\"char\",[0,1],"
     "null],[\"CONST\",\"char\",[],1],[\"CMPLT\",\"bool\",[2,3],null]]",
     "[[\"DEFINE_VAR\",\"char\",[],[\"x\",0,43]],[\"CONST\",\"char\",[],1],[\"CMPLT\",\"bool\",[0,"
     "1],null]]"},
    {"v0110-neg-mul-lt-overflow", false,
     "[[\"DEFINE_VAR\",\"char\",[],[\"x\",0,43]],[\"CONST\",\"char\",[],-3],[\"MUL\",\"char\",[0,1]"
     ",null],[\"CONST\",\"char\",[],0],[\"CMPLT\",\"bool\",[2,3],null]]",
     "[[\"DEFINE_VAR\",\"char\",[],[\"x\",0,43]],[\"CONST\",\"char\",[],-1],[\"MUL\",\"char\",[0,1]"
     ",null],[\"CONST\",\"char\",[],0],[\"CMPLT\",\"bool\",[2,3],null]]"},
    {"v0110-div-add-div-overflow", false,
     "[[\"DEFINE_VAR\",\"uchar\",[],[\"x\",0,2]],[\"CONST\",\"uchar\",[],2],[\"IDIV\",\"uchar\",[0,"
     "1],null],[\"CONST\",\"uchar\",[],251],[\"ADD\",\"uchar\",[2,3],null],[\"IDIV\",\"uchar\",[4,"
     "1],null]]",
     "[[\"DEFINE_VAR\",\"uchar\",[],[\"x\",0,2]],[\"CONST\",\"uchar\",[],502],[\"ADD\",\"uchar\",["
     "0,1],null],[\"CONST\",\"uchar\",[],4],[\"IDIV\",\"uchar\",[2,3],null]]"},
    {"v0110-cancel-divmod-overflow", false,
     "[[\"DEFINE_VAR\",\"int\",[],[\"x\",1073741829,1073741830]],[\"ADD\",\"int\",[0,0],null],["
     "\"CONST\",\"int\",[],2147483647],[\"MOD\",\"int\",[1,2],null]]",
     "[[\"DEFINE_VAR\",\"int\",[],[\"x\",1073741829,1073741830]],[\"CONST\",\"int\",[],2],[\"MUL\","
     "\"int\",[0,1],null],[\"CONST\",\"int\",[],-2147483647],[\"ADD\",\"int\",[2,3],null]]"},
    {"v0110-simplify-remainder-overflow", false,
     "[[\"DEFINE_VAR\",\"int\",[],[\"x\",2147483643,2147483647]],[\"CONST\",\"int\",[],4],[\"ADD\","
     "\"int\",[0,1],null],[\"CONST\",\"int\",[],2],[\"MOD\",\"int\",[2,3],null]]",
     "[[\"DEFINE_VAR\",\"int\",[],[\"x\",2147483643,2147483647]],[\"CONST\",\"int\",[],2],[\"MOD\","
     "\"int\",[0,1],null]]"},
    {"v0110-congruence-overflow", false,
     "[[\"DEFINE_VAR\",\"int\",[],[\"x\",536870912,536870917]],[\"CONST\",\"int\",[],4],[\"MUL\","
     "\"int\",[0,1],null],[\"IDIV\",\"int\",[2,1],null]]",
     "[[\"DEFINE_VAR\",\"int\",[],[\"x\",536870912,536870917]]]"},
    {"v0110-int-min-div-negated", false,
     "[[\"DEFINE_VAR\",\"char\",[],[\"x\",-128,1]],[\"CONST\",\"char\",[],-128],[\"IDIV\",\"char\","
     "[0,1],null]]",
     "[[\"DEFINE_VAR\",\"char\",[],[\"x\",-128,1]],[\"CONST\",\"char\",[],128],[\"IDIV\",\"char\",["
     "0,1],null],[\"CONST\",\"char\",[],-1],[\"MUL\",\"char\",[2,3],null]]"},
    {"v0110-mul-lt-float-ceil", true,
     "[[\"DEFINE_VAR\",\"long\",[],[\"x\",0,72057594037927936]],[\"CONST\",\"long\",[],3],[\"MUL\","
     "\"long\",[0,1],null],[\"CONST\",\"long\",[],54043195528445955],[\"CMPLT\",\"bool\",[2,3],"
     "null]]",
     "[[\"DEFINE_VAR\",\"long\",[],[\"x\",0,72057594037927936]],[\"CONST\",\"long\",[],"
     "18014398509481984],[\"CMPLT\",\"bool\",[0,1],null]]"},
    {"v0110-mul-lt-float-floor", true,
     "[[\"DEFINE_VAR\",\"long\",[],[\"x\",0,72057594037927936]],[\"CONST\",\"long\",[],-3],["
     "\"MUL\",\"long\",[0,1],null],[\"CONST\",\"long\",[],-54043195528445955],[\"CMPLT\",\"bool\",["
     "2,3],null]]",
     "[[\"DEFINE_VAR\",\"long\",[],[\"x\",0,72057594037927936]],[\"CONST\",\"long\",[],-1],["
     "\"MUL\",\"long\",[0,1],null],[\"CONST\",\"long\",[],-18014398509481984],[\"CMPLT\",\"bool\",["
     "2,3],null]]"},
    {"v0110-mul-or-div", false,
     "[[\"DEFINE_VAR\",\"ulong\",[],[\"x\",0,\"18446744073709551615\"]],[\"CONST\",\"ulong\",[],"
     "4294967296],[\"MUL\",\"ulong\",[0,1],null],[\"DEFINE_VAR\",\"uint\",[],[\"y\",0,4294967295]],"
     "[\"CAST\",\"ulong\",[3],null],[\"OR\",\"ulong\",[2,4],null],[\"IDIV\",\"ulong\",[5,1],null]]",
     "[[\"DEFINE_VAR\",\"ulong\",[],[\"x\",0,\"18446744073709551615\"]]]"},
    {"v0110-neg-lt-neg-overflow", false,
     "[[\"DEFINE_VAR\",\"char\",[],[\"x\",-128,5]],[\"CONST\",\"char\",[],-1],[\"MUL\",\"char\",[0,"
     "1],null],[\"DEFINE_VAR\",\"char\",[],[\"y\",-128,5]],[\"MUL\",\"char\",[3,1],null],["
     "\"CMPLT\",\"bool\",[2,4],null]]",
     "[[\"DEFINE_VAR\",\"char\",[],[\"y\",-128,5]],[\"DEFINE_VAR\",\"char\",[],[\"x\",-128,5]],["
     "\"CMPLT\",\"bool\",[0,1],null]]"},
    {"v0110-simplex-overflow", false,
     "[[\"DEFINE_VAR\",\"char\",[],[\"x\",0,64]],[\"CONST\",\"char\",[],4],[\"MUL\",\"char\",[0,1],"
     "null],[\"CONST\",\"char\",[],1],[\"CMPLT\",\"bool\",[2,3],null],[\"CONST\",\"bool\",[],true],"
     "[\"CMPNE\",\"bool\",[4,5],null]]",
     "[[\"DEFINE_VAR\",\"char\",[],[\"x\",0,64]],[\"CONST\",\"char\",[],1],[\"CMPLT\",\"bool\",[0,"
     "1],null],[\"CONST\",\"bool\",[],true],[\"CMPNE\",\"bool\",[2,3],null]]"},
    {"v0110-remove-nested-mod-negative", true,
     "[[\"DEFINE_VAR\",\"int\",[],[\"x\",100,200]],[\"CAST\",\"char\",[0],null],[\"CONST\","
     "\"char\",[],8],[\"MOD\",\"char\",[1,2],null],[\"DEFINE_VAR\",\"char\",[],[\"y\",0,3]],["
     "\"ADD\",\"char\",[3,4],null],[\"CONST\",\"char\",[],4],[\"MOD\",\"char\",[5,6],null]]",
     "[[\"DEFINE_VAR\",\"int\",[],[\"x\",100,200]],[\"CAST\",\"char\",[0],null],[\"DEFINE_VAR\","
     "\"char\",[],[\"y\",0,3]],[\"ADD\",\"char\",[1,2],null],[\"CONST\",\"char\",[],4],[\"MOD\","
     "\"char\",[3,4],null]]"},
    {"v0110-range-cast-int-uint-lt", true,
     "[[\"DEFINE_VAR\",\"uint\",[],[\"x\",0,4294967295]],[\"CAST\",\"int\",[0],null],[\"CONST\","
     "\"int\",[],-5],[\"CMPLT\",\"bool\",[1,2],null]]",
     "[[\"CONST\",\"bool\",[],false]]"},
    {"v0110-idiv-lt-overflow", false,
     "[[\"DEFINE_VAR\",\"uchar\",[],[\"x\",0,229]],[\"CONST\",\"uchar\",[],2],[\"MUL\",\"uchar\",["
     "0,1],null],[\"CONST\",\"uchar\",[],228],[\"IDIV\",\"uchar\",[2,3],null],[\"CMPLT\",\"bool\",["
     "4,1],null]]",
     "[[\"DEFINE_VAR\",\"uchar\",[],[\"x\",0,229]],[\"CONST\",\"uchar\",[],228],[\"CMPLT\","
     "\"bool\",[0,1],null]]"},
    {"v0110-div-div-overflow", false,
     "[[\"DEFINE_VAR\",\"uchar\",[],[\"x\",0,255]],[\"CONST\",\"uchar\",[],200],[\"MUL\",\"uchar\","
     "[0,1],null],[\"CONST\",\"uchar\",[],2],[\"IDIV\",\"uchar\",[2,3],null],[\"IDIV\",\"uchar\",["
     "4,1],null]]",
     "[[\"DEFINE_VAR\",\"uchar\",[],[\"x\",0,255]],[\"CONST\",\"uchar\",[],200],[\"MUL\",\"uchar\","
     "[0,1],null],[\"CONST\",\"uchar\",[],400],[\"IDIV\",\"uchar\",[2,3],null]]"},
    {"v0100-cast-const-truncate-wrap", false,
     "[[\"CONST\",\"uchar\",[],5],[\"CONST\",\"uchar\",[],251],[\"ADD\",\"uchar\",[0,1],null],["
     "\"CAST\",\"long\",[2],null]]",
     "[[\"CONST\",\"long\",[],256]]"},
};

#endif
