# cmake -DLIST=FILE -DOUT=FILE.c -P embed.cmake: the files named in LIST, one a line, as byte arrays.

file(STRINGS ${LIST} files)
set(arrays "")
set(rows "")
set(count 0)
foreach(path IN LISTS files)
  get_filename_component(name ${path} NAME)
  file(READ ${path} hex HEX)
  string(LENGTH "${hex}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
  # The zero at the end is not counted: it keeps an empty file's array legal.
  string(APPEND arrays "static const unsigned char text${count}[] = {\n${hex}0};\n")
  string(APPEND rows "    {\"${name}\", text${count}, ${size}},\n")
  math(EXPR count "${count} + 1")
endforeach()
file(WRITE ${OUT} "/* Generated from engine/rules by cmake/embed.cmake. */
#include \"engine/rules.h\"

${arrays}
const up_embedded up_embedded_rules[] = {
${rows}    {NULL, NULL, 0}};
const unsigned up_embedded_rules_count = ${count};
")
