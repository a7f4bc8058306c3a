# Kernels written as tile functions in a CMake project.
#
#   find_package(tile2cu CONFIG REQUIRED)
#   tile2cu_add_library(kernels softmax.tile.cpp matmul.tile.cpp HEADER ARCH sm_80 sm_90a)
#   target_link_libraries(app PRIVATE kernels)          # app includes "softmax.h"
#
# tile2cu_add_library(<name> <source>... [HEADER] [ARCH <arch>...] [OPTIONS <flag>...])
#   A static library of the CUDA that the sources become. With HEADER its users can include <stem>.h, which declares the
#   launchers. ARCH is both --arch and what nvcc compiles for. The library's include directories and definitions are tile2cu's too. In a project without the language CUDA
#   the files are written and nothing is compiled.
#
# tile2cu_generate(<variable> <source>... [TARGET <target>] [HEADER] [ARCH <arch>...] [OPTIONS <flag>...])
#   For projects that compile the .cu files themselves: sets <variable> to their paths (<build>/tile2cu/<stem>.cu), to be
#   added to a target of the same directory. Include directories and definitions are those of TARGET.
#
# A file is written again when its source, or a file that it includes, or tile2cu has changed, and touched only if its
# text changes: editing a comment compiles nothing (with Ninja).
include_guard(GLOBAL)
cmake_policy(PUSH)
cmake_policy(VERSION 3.20...3.25)

function(tile2cu_generate variable)
  cmake_parse_arguments(PARSE_ARGV 1 arg "HEADER" "TARGET" "ARCH;OPTIONS")
  set(flags ${arg_OPTIONS})
  if(arg_ARCH)
    list(JOIN arg_ARCH "," arch)
    list(APPEND flags --arch=${arch})
  endif()
  if(arg_TARGET)
    set(includes "$<TARGET_PROPERTY:${arg_TARGET},INCLUDE_DIRECTORIES>")
    set(definitions "$<TARGET_PROPERTY:${arg_TARGET},COMPILE_DEFINITIONS>")
    list(APPEND flags "$<$<BOOL:${includes}>:-I$<JOIN:${includes},$<SEMICOLON>-I>>"
                      "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},$<SEMICOLON>-D>>")
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/tile2cu)
  file(MAKE_DIRECTORY ${folder})
  set(generated "")
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    get_filename_component(source ${source} ABSOLUTE)
    get_filename_component(stem ${source} NAME)
    string(REGEX REPLACE "(\\.tile)?\\.[^.]+$" "" stem ${stem})
    set(outputs ${folder}/${stem}.cu)
    set(header "")
    if(arg_HEADER)
      list(APPEND outputs ${folder}/${stem}.h)
      set(header --header=${folder}/${stem}.h)
    endif()
    # Ninja looks again at what a command left alone; make would run it again and again.
    set(touch "")
    if(NOT CMAKE_GENERATOR MATCHES "Ninja")
      set(touch COMMAND ${CMAKE_COMMAND} -E touch ${outputs})
    endif()
    add_custom_command(
      OUTPUT ${outputs}
      COMMAND tile2cu::tile2cu ${source} -o ${folder}/${stem}.cu ${header}
              -MD -MF ${folder}/${stem}.d -MT ${folder}/${stem}.cu
              --helpers=include ${flags}
      ${touch}
      DEPENDS ${source} tile2cu::tile2cu
      DEPFILE ${folder}/${stem}.d
      COMMENT "tile2cu ${stem}"
      COMMAND_EXPAND_LISTS VERBATIM)
    # It includes the headers of __device__ functions by the names that the source has for them, so it looks for them
    # where the source does: beside it as well.
    get_filename_component(directory ${source} DIRECTORY)
    set_source_files_properties(${folder}/${stem}.cu PROPERTIES INCLUDE_DIRECTORIES ${directory})
    list(APPEND generated ${folder}/${stem}.cu)
  endforeach()
  set(${variable} ${generated} PARENT_SCOPE)
endfunction()

function(tile2cu_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "HEADER" "" "ARCH;OPTIONS")
  set(header "")
  if(arg_HEADER)
    set(header HEADER)
  endif()
  tile2cu_generate(generated ${arg_UNPARSED_ARGUMENTS} TARGET ${name} ${header}
                   ARCH ${arg_ARCH} OPTIONS ${arg_OPTIONS})
  if(CMAKE_CUDA_COMPILER)
    find_package(CUDAToolkit REQUIRED)
    add_library(${name} STATIC ${generated})
    target_link_libraries(${name} PUBLIC CUDA::cudart)
    target_compile_features(${name} PUBLIC cxx_std_17)
    if(arg_ARCH)
      list(TRANSFORM arg_ARCH REPLACE "^(sm|compute)_" "")
      set_target_properties(${name} PROPERTIES CUDA_ARCHITECTURES "${arg_ARCH}")
    endif()
  else()
    add_library(${name} OBJECT ${generated})
    set_source_files_properties(${generated} PROPERTIES HEADER_FILE_ONLY ON)
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  endif()
  target_link_libraries(${name} PUBLIC tile2cu::runtime)
  target_include_directories(${name} PUBLIC ${CMAKE_CURRENT_BINARY_DIR}/tile2cu)
endfunction()

cmake_policy(POP)
