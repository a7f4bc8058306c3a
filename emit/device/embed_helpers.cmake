# cmake -DOUTPUT=<file.cpp> -DFILES=<a.cuh;b.cuh> -P embed_helpers.cmake
# Writes the definition of embeddedDeviceHelpers() (embedded_helpers.h): one raw string a file.
set(rows "")
foreach(file IN LISTS FILES)
  file(READ "${file}" text)
  get_filename_component(name "${file}" NAME)
  string(APPEND rows "    {\"${name}\", R\"__t2c__(${text})__t2c__\"},\n")
endforeach()
if(rows)
  set(body "  static const EmbeddedFile files[] = {\n${rows}  };\n  return files;\n")
else()
  set(body "  return {};\n")
endif()
file(WRITE "${OUTPUT}" "// Written by emit/device/embed_helpers.cmake.
#include \"emit/device/embedded_helpers.h\"

namespace tile2cu::emit {

llvm::ArrayRef<EmbeddedFile> embeddedDeviceHelpers() {
${body}}

}  // namespace tile2cu::emit
")
