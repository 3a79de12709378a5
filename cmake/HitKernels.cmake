# SPDX-License-Identifier: MIT
# hit_add_kernels(target [STRICT] file.k.c ...): one source for processors and GPUs. The file is added to the target
# as C and, where CUDA is on, once more through a generated one-line file X.k.cu that nvcc compiles; the C
# compilation then sees HIT_KERNEL_CUDA=1, so that its kernel knows the launcher of the other half. With
# HIT_CHECKS, X.k.checked.c is the half that HIT_CHECK=1 runs, and HIT_KERNEL_CHECKED=1 says that it is there. X.k.vectors.c
# is that of kernels in vectors, and HIT_KERNEL_VECTORS=1 says so.
#
# Compilers may make one operation with one rounding of a multiplication and an addition (a contraction). With STRICT,
# or HIT_STRICT for all kernels, they may not: then all compilers, devices and partitions give the same bits. A file that
# several targets of a folder compile is strict in all of them, or in none.

# gcc from version 12 on makes multiplications with additions and subtractions in turn, as those of complex numbers are,
# one operation (vfmaddsub) whatever -ffp-contract says: it is to believe that the processor has none.
set(strict -ffp-contract=off)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|i.86)$")
  list(APPEND strict -mno-fma -mno-fma4 -mno-avx512f)
  include(CheckCCompilerFlag)
  foreach(name avx10.1-256 avx10.1) # which have what AVX-512 has; their names differ from gcc 14 on
    string(MAKE_C_IDENTIFIER "HIT_HAS_${name}" has)
    check_c_compiler_flag(-mno-${name} ${has})
    if(${has})
      list(APPEND strict -mno-${name})
    endif()
  endforeach()
endif()
set(HIT_KERNEL_STRICT_FLAGS ${strict} CACHE INTERNAL "what strict kernels are compiled with, too")

set(flags -O3)
if(HIT_NATIVE)
  list(APPEND flags -march=native)
  # gcc and clang take vectors of 256 bits where the processor has longer ones, since the first of those ran slower while
  # they used them. Those that have VBMI2 do not: from Ice Lake and Zen 4 on.
  include(CheckCSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS "-march=native -mprefer-vector-width=512")
  check_c_source_compiles("
#ifndef __AVX512VBMI2__
#error
#endif
int main(void) { return 0; }" HIT_HAS_LONG_VECTORS)
  unset(CMAKE_REQUIRED_FLAGS)
  if(HIT_HAS_LONG_VECTORS)
    list(APPEND flags -mprefer-vector-width=512)
  endif()
endif()
if(HIT_STRICT)
  list(APPEND flags ${strict})
elseif(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  list(APPEND flags -ffp-contract=fast) # its default for C, but not for -std=c11
else()
  list(APPEND flags -ffp-contract=on)
endif()
# cached, so that a project around this one sees them too
set(HIT_KERNEL_FLAGS ${flags} CACHE INTERNAL "how kernel files are compiled")
set(HIT_KERNEL_WITH_CUDA ${HIT_CUDA} CACHE INTERNAL "are kernel files compiled by nvcc, too")
set(HIT_KERNEL_CUDA_ARCHITECTURES "${HIT_CUDA_ARCHITECTURES}" CACHE INTERNAL "GPUs that the library is compiled for")
set(HIT_KERNEL_WITH_CHECKS ${HIT_CHECKS} CACHE INTERNAL "do kernels have a checked half, too")
if(HIT_CHECKS)
  set(flags -O1 -ffp-contract=off)
else()
  set(flags "")
endif()
set(HIT_KERNEL_CHECKED_FLAGS ${flags} CACHE INTERNAL "how that half is compiled")
set(HIT_KERNEL_STRICT ${HIT_STRICT} CACHE INTERNAL "are all kernels strict")

# -fno-threadsafe-statics: else nvcc's start-up code asks for libstdc++, and programs could not be linked by a C
# compiler.
set(flags -O3 -Xcompiler=-fno-threadsafe-statics)
if(HIT_STRICT)
  list(APPEND flags --fmad=false)
endif()
if(HIT_TESTS) # tests/support/ptx reads the PTX out of what is linked
  list(APPEND flags -no-compress)
endif()
set(HIT_KERNEL_CUDA_FLAGS ${flags} CACHE INTERNAL "how nvcc compiles them")

# The GPUs of the library for targets whose user names none. CMake then has put nvcc's default into the cache,
# with this text to it; what the user says by -D, in a CMakeLists.txt or in CUDAARCHS is another value, has
# another text, or was there when this was first asked.
function(hit_choose_architectures target)
  set(chosen "")
  get_property(text CACHE CMAKE_CUDA_ARCHITECTURES PROPERTY HELPSTRING)
  if(text STREQUAL "CUDA architectures")
    set(chosen "$CACHE{CMAKE_CUDA_ARCHITECTURES}")
  endif()
  if(NOT DEFINED CACHE{HIT_KERNEL_CUDA_NAMED})
    set(HIT_KERNEL_CUDA_NAMED "$ENV{CUDAARCHS}" CACHE INTERNAL "what CUDAARCHS was when CUDA was enabled")
  endif()
  get_target_property(has ${target} CUDA_ARCHITECTURES)
  if(NOT HIT_KERNEL_CUDA_NAMED AND "${has}" STREQUAL "${chosen}")
    set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES "${HIT_KERNEL_CUDA_ARCHITECTURES}")
  endif()
endfunction()

function(hit_add_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 kernels STRICT "" "")
  if(HIT_KERNEL_STRICT)
    set(kernels_STRICT TRUE)
  endif()
  if(HIT_KERNEL_WITH_CUDA AND CMAKE_CUDA_COMPILER_LOADED)
    hit_choose_architectures(${target})
  endif()
  foreach(file IN LISTS kernels_UNPARSED_ARGUMENTS)
    cmake_path(ABSOLUTE_PATH file NORMALIZE)
    target_sources(${target} PRIVATE ${file})
    # a file's properties are those of all targets that compile it: what one target asks for is said by the target
    set(strict "$<IN_LIST:${file},$<TARGET_PROPERTY:HIT_STRICT_KERNEL_FILES>>")
    if(kernels_STRICT)
      set_property(TARGET ${target} APPEND PROPERTY HIT_STRICT_KERNEL_FILES ${file})
    endif()
    set_property(SOURCE ${file} PROPERTY COMPILE_OPTIONS ${HIT_KERNEL_FLAGS} "$<${strict}:${HIT_KERNEL_STRICT_FLAGS}>")
    set_property(SOURCE ${file} APPEND PROPERTY COMPILE_DEFINITIONS "$<${strict}:HIT_KERNEL_STRICT=1>")
    cmake_path(GET file FILENAME name)
    string(MD5 folder ${file}) # files of one name in several folders
    string(SUBSTRING ${folder} 0 8 folder)
    set(wrapped "${CMAKE_CURRENT_BINARY_DIR}/${target}.kernels/${folder}/${name}")
    if(HIT_KERNEL_WITH_CHECKS)
      string(REGEX REPLACE "[.]c$" ".checked.c" wrapper ${wrapped})
      file(CONFIGURE OUTPUT ${wrapper} CONTENT "#define HIT_KERNEL_CHECKED_HALF\n#include \"${file}\"\n")
      target_sources(${target} PRIVATE ${wrapper})
      set_property(SOURCE ${wrapper} APPEND PROPERTY COMPILE_OPTIONS ${HIT_KERNEL_CHECKED_FLAGS})
      set_property(SOURCE ${file} APPEND PROPERTY COMPILE_DEFINITIONS HIT_KERNEL_CHECKED=1)
    endif()
    string(REGEX REPLACE "[.]c$" ".vectors.c" wrapper ${wrapped})
    file(CONFIGURE OUTPUT ${wrapper} CONTENT "#define HIT_KERNEL_VECTOR_HALF\n#include \"${file}\"\n")
    target_sources(${target} PRIVATE ${wrapper})
    set_property(SOURCE ${wrapper} PROPERTY COMPILE_OPTIONS ${HIT_KERNEL_FLAGS} "$<${strict}:${HIT_KERNEL_STRICT_FLAGS}>")
    foreach(property COMPILE_DEFINITIONS INCLUDE_DIRECTORIES) # what the program says of the file goes for all of it
      get_property(own SOURCE ${file} PROPERTY ${property})
      set_property(SOURCE ${wrapper} PROPERTY ${property} ${own})
    endforeach()
    set_property(SOURCE ${file} APPEND PROPERTY COMPILE_DEFINITIONS HIT_KERNEL_VECTORS=1)
    if(HIT_KERNEL_WITH_CUDA AND NOT CMAKE_CUDA_COMPILER_LOADED)
      message(STATUS "${target}: ${file} is compiled for processors only; for GPUs, too: project(... LANGUAGES C CUDA)")
    elseif(HIT_KERNEL_WITH_CUDA)
      string(REGEX REPLACE "[.]c$" ".cu" wrapper ${wrapped})
      file(CONFIGURE OUTPUT ${wrapper} CONTENT "#include \"${file}\"\n")
      target_sources(${target} PRIVATE ${wrapper})
      set_property(SOURCE ${wrapper} APPEND PROPERTY COMPILE_OPTIONS ${HIT_KERNEL_CUDA_FLAGS})
      if(kernels_STRICT)
        set_property(SOURCE ${wrapper} APPEND PROPERTY COMPILE_OPTIONS --fmad=false)
      endif()
      set_property(SOURCE ${file} APPEND PROPERTY COMPILE_DEFINITIONS HIT_KERNEL_CUDA=1)
    endif()
  endforeach()
endfunction()
