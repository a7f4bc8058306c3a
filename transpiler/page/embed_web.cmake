# cmake -DOUTPUT=<file.cpp> -DFILES=<page.html;page.css> -P embed_web.cmake
# Writes the definition of webFile() (embedded_web.h): one raw string a file.
set(rows "")
foreach(file IN LISTS FILES)
  file(READ "${file}" text)
  get_filename_component(name "${file}" NAME)
  string(APPEND rows "  if (name == \"${name}\") return R\"__t2c__(${text})__t2c__\";\n")
endforeach()
file(WRITE "${OUTPUT}" "// Written by transpiler/page/embed_web.cmake.
#include \"transpiler/page/embedded_web.h\"

#include \"passes/ir/diagnostics/diagnostics.h\"

namespace tile2cu::page {

llvm::StringRef webFile(llvm::StringRef name) {
${rows}  T2C_UNREACHABLE(\"a file of the page is missing\");
}

}  // namespace tile2cu::page
")
