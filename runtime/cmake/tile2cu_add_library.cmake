# Kernels written as tile functions in a CMake project.
#
#   find_package(tile2cu CONFIG REQUIRED)
#   tile2cu_add_library(kernels softmax.tile.cpp matmul.tile.cpp HEADER ARCH sm_80 sm_90a)
#   target_link_libraries(app PRIVATE kernels)          # app includes "softmax.h"
#
# tile2cu_add_library(<name> [STATIC | SHARED | MODULE | OBJECT] <source>...
#                     [HEADER] [ARCH <arch>...] [OPTIONS <flag>...])
#   A library, static by default, of the CUDA that the sources become. In a project without the
#   language CUDA the files are written and nothing is compiled.
#
# tile2cu_target_sources(<target> <source>... [HEADER] [ARCH <arch>...] [OPTIONS <flag>...])
#   Adds the CUDA that the sources become to a target of the same directory.
#
# tile2cu_generate(<variable> <source>...
#                  [TARGET <target>] [HEADER] [ARCH <arch>...] [OPTIONS <flag>...])
#   For projects that compile the .cu files themselves: sets <variable> to their paths, to be added
#   to a target of the same directory. Include directories and definitions are those of TARGET.
#
# HEADER   The users of the target can include <stem>.h, which declares the launchers. The target
#          property TILE2CU_HEADERS lists these files, to install them.
# ARCH     Both --arch and what nvcc compiles for. Without it, tile2cu writes for the target's
#          CUDA_ARCHITECTURES, and so for CMAKE_CUDA_ARCHITECTURES.
# OPTIONS  Other flags of tile2cu.
#
# The target's include directories and definitions are tile2cu's too.
#
# The files are in <build>/tile2cu/<target>, or <build>/tile2cu/<variable> without a target, in the
# folders that the sources have: a/k.tile.cpp and b/k.tile.cpp become a/k.cu and b/k.cu. The header
# is "a/k.h"; "k.h" finds it too where no other source of the target has that name.
#
# A file is written again when its source, or a file that it includes, or tile2cu has changed, and
# touched only if its text changes: editing a comment compiles nothing (with Ninja).
include_guard(GLOBAL)
cmake_policy(PUSH)
cmake_policy(VERSION 3.20...3.25)

# Whether the project has enabled a language.
function(_tile2cu_has_language variable language)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  set(result FALSE)
  if(language IN_LIST languages)
    set(result TRUE)
  endif()
  set(${variable} ${result} PARENT_SCOPE)
endfunction()

# Makes imported targets known in all directories: those that link a library need them too.
function(_tile2cu_make_global)
  foreach(target IN LISTS ARGN)
    if(TARGET ${target})
      set_target_properties(${target} PROPERTIES IMPORTED_GLOBAL TRUE)
    endif()
  endforeach()
endfunction()

# An error for what is no source: a misspelt keyword, or a file that is not there.
function(_tile2cu_check_sources caller)
  if(NOT ARGN)
    message(FATAL_ERROR "${caller}: there is no source")
  endif()
  foreach(source IN LISTS ARGN)
    if(source MATCHES "^[A-Z_]+$")
      message(FATAL_ERROR "${caller}: there is no keyword '${source}'; see HEADER, ARCH, OPTIONS and"
                          " (of tile2cu_generate) TARGET")
    endif()
    get_filename_component(path ${source} ABSOLUTE)
    get_source_file_property(generated ${path} GENERATED)
    if(NOT EXISTS ${path} AND NOT generated)
      message(FATAL_ERROR "${caller}: there is no file '${source}'")
    endif()
  endforeach()
endfunction()

# Sets <variable> to where the output of a source goes, below the folder of its target: the path of
# the source from the current directory, without its extensions. Each ".." becomes "__", as in the
# paths of CMake's object files.
function(_tile2cu_place variable source)
  file(RELATIVE_PATH place ${CMAKE_CURRENT_SOURCE_DIR} ${source})
  file(RELATIVE_PATH built ${CMAKE_CURRENT_BINARY_DIR} ${source})
  if(NOT built MATCHES "^\\.\\./")
    set(place ${built})
  endif()
  string(REPLACE "../" "__/" place ${place})
  string(REGEX REPLACE "(\\.tile)?\\.[^./]+$" "" place ${place})
  set(${variable} ${place} PARENT_SCOPE)
endfunction()

# Sets <variable> to the flag --arch for the architectures, which may be in CMake's spelling (80,
# 90a-real, native, all) or a generator expression.
function(_tile2cu_arch_flag variable arch)
  set(native ${CMAKE_CUDA_ARCHITECTURES_NATIVE})
  if(NOT native)
    set(native native)
  endif()
  # nvcc itself knows what "all" are; tile2cu writes for 75 and newer ones.
  set(all ${CMAKE_CUDA_ARCHITECTURES_ALL})
  list(FILTER all EXCLUDE REGEX "^([3-6][0-9]|7[0-5])")
  list(PREPEND all 75)
  list(JOIN native "$<SEMICOLON>" native)
  list(JOIN all "$<SEMICOLON>" all)
  set(named "$<IF:$<STREQUAL:${arch},native>,${native},${arch}>")
  set(named "$<IF:$<IN_LIST:${arch},all$<SEMICOLON>all-major>,${all},${named}>")
  set(${variable} "$<$<BOOL:${arch}>:--arch=$<JOIN:${named},$<COMMA>>>" PARENT_SCOPE)
endfunction()

# Writes the include directories and definitions of the target to a response file of tile2cu in
# <folder>, and sets <variable> to its path. Only file(GENERATE) evaluates $<COMPILE_LANGUAGE>.
function(_tile2cu_response_file variable target folder)
  _tile2cu_has_language(has_cuda CUDA)
  set(language CXX)
  if(has_cuda)
    set(language CUDA)
  endif()
  # Generator expressions of a target may leave empty elements.
  set(includes "$<FILTER:$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>,EXCLUDE,^$>")
  set(includes "$<REMOVE_DUPLICATES:${includes}>")
  set(definitions "$<FILTER:$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>,EXCLUDE,^$>")
  set(include_lines "$<$<BOOL:${includes}>:'-I$<JOIN:${includes},'\n'-I>'\n>")
  set(definition_lines "$<$<BOOL:${definitions}>:'-D$<JOIN:${definitions},'\n'-D>'\n>")
  get_property(known GLOBAL PROPERTY tile2cu_response_files)
  if(NOT folder IN_LIST known)
    set_property(GLOBAL APPEND PROPERTY tile2cu_response_files ${folder})
    file(GENERATE OUTPUT ${folder}/$<COMPILE_LANGUAGE>.rsp
         CONTENT "${include_lines}${definition_lines}" TARGET ${target})
  endif()
  set(${variable} ${folder}/${language}.rsp PARENT_SCOPE)
endfunction()

# The tile sources as C++ of a target that is never built, for compile_commands.json: clangd and
# other tools then read them as the target's.
function(_tile2cu_export_commands target)
  _tile2cu_has_language(has_cxx CXX)
  if(NOT CMAKE_EXPORT_COMPILE_COMMANDS OR NOT has_cxx)
    return()
  endif()
  if(NOT TARGET ${target}_tile_sources)
    add_library(${target}_tile_sources OBJECT EXCLUDE_FROM_ALL)
    set_target_properties(${target}_tile_sources PROPERTIES CXX_STANDARD 23 UNITY_BUILD OFF)
    target_link_libraries(${target}_tile_sources PRIVATE tile2cu::runtime)
    target_include_directories(${target}_tile_sources PRIVATE
                               $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
    target_compile_definitions(${target}_tile_sources PRIVATE
                               $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
  endif()
  target_sources(${target}_tile_sources PRIVATE ${ARGN})
endfunction()

# The folder of a target's files. With several configurations in one build folder, each has files of
# its own.
function(_tile2cu_folder variable name)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/tile2cu/${name})
  get_property(several GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(several)
    string(APPEND folder /$<CONFIG>)
  endif()
  set(${variable} ${folder} PARENT_SCOPE)
endfunction()

# Sets properties of a file for all configurations that may be in its path.
function(_tile2cu_set_properties file)
  get_property(several GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  set(files ${file})
  if(several)
    set(files "")
    foreach(config IN LISTS CMAKE_CONFIGURATION_TYPES)
      string(REPLACE "$<CONFIG>" "${config}" one ${file})
      list(APPEND files ${one})
    endforeach()
  endif()
  set_source_files_properties(${files} PROPERTIES ${ARGN})
endfunction()

# The command for one source: <folder>/<place>.cu and, with <header>, <folder>/<place>.h.
function(_tile2cu_command source folder place header response flags)
  set(outputs ${folder}/${place}.cu)
  set(header_flag "")
  if(header)
    list(APPEND outputs ${folder}/${place}.h)
    set(header_flag --header=${folder}/${place}.h)
  endif()
  set(response_flag "")
  if(response)
    set(response_flag @${response})
  endif()
  get_property(known GLOBAL PROPERTY tile2cu_outputs)
  if(${folder}/${place}.cu IN_LIST known)
    message(FATAL_ERROR "two sources would be written to '${folder}/${place}.cu'")
  endif()
  set_property(GLOBAL APPEND PROPERTY tile2cu_outputs ${folder}/${place}.cu)
  # Ninja looks again at what a command left alone; make would run it again and again.
  set(touch "")
  if(NOT CMAKE_GENERATOR MATCHES "Ninja")
    set(touch COMMAND ${CMAKE_COMMAND} -E touch ${outputs})
  endif()
  get_filename_component(inside ${folder}/${place}.cu DIRECTORY)
  set(make_folder "")
  if(inside MATCHES "\\$<")
    set(make_folder COMMAND ${CMAKE_COMMAND} -E make_directory ${inside})
  else()
    file(MAKE_DIRECTORY ${inside})
  endif()
  add_custom_command(
    OUTPUT ${outputs}
    ${make_folder}
    COMMAND tile2cu::tile2cu ${source} -o ${folder}/${place}.cu ${header_flag}
            -MD -MF ${folder}/${place}.d -MT ${folder}/${place}.cu
            --helpers=include ${response_flag} ${flags}
    ${touch}
    DEPENDS ${source} tile2cu::tile2cu ${response}
    DEPFILE ${folder}/${place}.d
    COMMENT "tile2cu ${place}"
    COMMAND_EXPAND_LISTS VERBATIM)
  # It includes the headers of __device__ functions by the names that the source has for them, so it
  # looks for them where the source does: beside it as well.
  get_filename_component(directory ${source} DIRECTORY)
  _tile2cu_set_properties(${folder}/${place}.cu INCLUDE_DIRECTORIES ${directory})
endfunction()

# Sets <variable> to the .cu files and <variable>_headers to the headers.
function(_tile2cu_generate variable sources target name header arch options)
  set(flags ${options})
  if(NOT arch)
    set(old ${CMAKE_CUDA_ARCHITECTURES})
    list(FILTER old INCLUDE REGEX "^([3-6][0-9]|7[0-4])(-|$)")
    if(old)
      message(WARNING "tile2cu writes for sm_75 and newer GPUs, and CMAKE_CUDA_ARCHITECTURES has"
                      " '${old}': set it, or ARCH")
    endif()
  endif()
  if(NOT arch AND target)
    set(arch "$<TARGET_PROPERTY:${target},CUDA_ARCHITECTURES>")
  elseif(NOT arch)
    set(arch "${CMAKE_CUDA_ARCHITECTURES}")
  endif()
  if(arch)
    list(JOIN arch "$<SEMICOLON>" arch)
    _tile2cu_arch_flag(flag "${arch}")
    list(APPEND flags "${flag}")
  endif()
  _tile2cu_folder(folder ${name})
  set(response "")
  if(target)
    _tile2cu_response_file(response ${target} ${folder})
  endif()
  set(generated "")
  set(headers "")
  foreach(source IN LISTS sources)
    get_filename_component(source ${source} ABSOLUTE)
    _tile2cu_place(place ${source})
    _tile2cu_command(${source} ${folder} ${place} "${header}" "${response}" "${flags}")
    list(APPEND generated ${folder}/${place}.cu)
    if(header)
      list(APPEND headers ${folder}/${place}.h)
    endif()
  endforeach()
  set(${variable} "${generated}" PARENT_SCOPE)
  set(${variable}_headers "${headers}" PARENT_SCOPE)
endfunction()

# The folders of the headers are include directories of the target's users: the folder of the target
# first, then those below it in which no header has the name of another.
function(_tile2cu_include_directories target headers)
  set(names "")
  foreach(header IN LISTS headers)
    get_filename_component(name ${header} NAME)
    list(APPEND names ${name})
  endforeach()
  set(folders "")
  set(ambiguous "")
  foreach(header IN LISTS headers)
    get_filename_component(name ${header} NAME)
    get_filename_component(folder ${header} DIRECTORY)
    set(others ${names})
    list(FILTER others INCLUDE REGEX "^${name}$")
    list(LENGTH others count)
    list(APPEND folders ${folder})
    if(count GREATER 1)
      list(APPEND ambiguous ${folder})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES folders)
  if(ambiguous)
    list(REMOVE_ITEM folders ${ambiguous})
  endif()
  _tile2cu_folder(folder ${target})
  list(PREPEND folders ${folder})
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${folder}>)
  endforeach()
endfunction()

# What is linked and included with generated files.
function(_tile2cu_link target)
  target_link_libraries(${target} PUBLIC $<BUILD_INTERFACE:tile2cu::runtime>)
  _tile2cu_has_language(has_cuda CUDA)
  if(has_cuda)
    if(NOT TARGET CUDA::cudart)
      find_package(CUDAToolkit REQUIRED)
      _tile2cu_make_global(CUDA::cudart CUDA::toolkit)
    endif()
    target_link_libraries(${target} PUBLIC CUDA::cudart)
    target_compile_features(${target} PUBLIC cxx_std_17)
  endif()
endfunction()

# What tile2cu_add_library and tile2cu_target_sources have in common.
function(_tile2cu_add_sources target sources header arch options)
  _tile2cu_generate(generated "${sources}" ${target} ${target} "${header}" "${arch}" "${options}")
  target_sources(${target} PRIVATE ${generated})
  _tile2cu_has_language(has_cuda CUDA)
  if(NOT has_cuda)
    foreach(file IN LISTS generated)
      _tile2cu_set_properties(${file} HEADER_FILE_ONLY ON)
    endforeach()
    # A target that compiles nothing is not built with Ninja.
    set(writes ${target}_generated)
    while(TARGET ${writes})
      string(APPEND writes _more)
    endwhile()
    add_custom_target(${writes} ALL DEPENDS ${generated})
    add_dependencies(${target} ${writes})
  elseif(arch)
    list(TRANSFORM arch REPLACE "^(sm|compute)_" "")
    set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES "${arch}")
  endif()
  set_property(TARGET ${target} APPEND PROPERTY TILE2CU_HEADERS ${generated_headers})
  get_target_property(headers ${target} TILE2CU_HEADERS)
  _tile2cu_include_directories(${target} "${headers}")
  _tile2cu_link(${target})
  _tile2cu_export_commands(${target} ${sources})
endfunction()

function(tile2cu_generate variable)
  cmake_parse_arguments(PARSE_ARGV 1 arg "HEADER" "TARGET" "ARCH;OPTIONS")
  _tile2cu_check_sources(tile2cu_generate ${arg_UNPARSED_ARGUMENTS})
  set(name ${variable})
  if("TARGET" IN_LIST arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "tile2cu_generate: TARGET needs the name of a target")
  elseif(arg_TARGET)
    set(name ${arg_TARGET})
  endif()
  _tile2cu_generate(generated "${arg_UNPARSED_ARGUMENTS}" "${arg_TARGET}" ${name}
                    "${arg_HEADER}" "${arg_ARCH}" "${arg_OPTIONS}")
  set(${variable} "${generated}" PARENT_SCOPE)
endfunction()

function(tile2cu_target_sources target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "HEADER" "" "ARCH;OPTIONS")
  _tile2cu_check_sources(tile2cu_target_sources ${arg_UNPARSED_ARGUMENTS})
  if(NOT TARGET ${target})
    message(FATAL_ERROR "tile2cu_target_sources: there is no target '${target}'")
  endif()
  get_target_property(directory ${target} SOURCE_DIR)
  if(NOT directory STREQUAL CMAKE_CURRENT_SOURCE_DIR)
    message(FATAL_ERROR "tile2cu_target_sources: the target '${target}' belongs to '${directory}';"
                        " call it there")
  endif()
  _tile2cu_add_sources(${target} "${arg_UNPARSED_ARGUMENTS}" "${arg_HEADER}" "${arg_ARCH}"
                       "${arg_OPTIONS}")
endfunction()

function(tile2cu_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "HEADER;STATIC;SHARED;MODULE;OBJECT" "" "ARCH;OPTIONS")
  _tile2cu_check_sources(tile2cu_add_library ${arg_UNPARSED_ARGUMENTS})
  set(kind STATIC)
  foreach(one IN ITEMS SHARED MODULE OBJECT)
    if(arg_${one})
      set(kind ${one})
    endif()
  endforeach()
  _tile2cu_has_language(has_cuda CUDA)
  if(has_cuda)
    add_library(${name} ${kind})
  else()
    add_library(${name} OBJECT)
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  endif()
  _tile2cu_add_sources(${name} "${arg_UNPARSED_ARGUMENTS}" "${arg_HEADER}" "${arg_ARCH}"
                       "${arg_OPTIONS}")
endfunction()

cmake_policy(POP)
