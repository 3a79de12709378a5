# SPDX-License-Identifier: MIT
# Finds what the library can be built with. For each component NAME it sets HIT_NAME (ON or OFF) and, where
# that is OFF, HIT_NAME_WHY: the reason that the program gives at run time.
include(CheckLanguage)
find_package(PkgConfig QUIET)
find_package(Threads REQUIRED)

# What the user says wins; otherwise a component is on where it was found. Nothing is cached, so that a
# component that is installed later is taken at the next configuration.
macro(hit_component name found how)
  if(NOT DEFINED HIT_${name})
    set(HIT_${name} OFF)
    if(${found})
      set(HIT_${name} ON)
    endif()
    set(HIT_${name}_WHY "not found when this was built: ${how}")
  elseif(HIT_${name} AND NOT ${found})
    message(FATAL_ERROR "HIT_${name}=ON, but it was not found: ${how}, or configure with -DHIT_${name}=OFF")
  else()
    set(HIT_${name}_WHY "configured with -DHIT_${name}=OFF")
  endif()
  if(HIT_${name})
    message(STATUS "HIT_${name}: on")
  else()
    message(STATUS "HIT_${name}: off, ${HIT_${name}_WHY}")
  endif()
endmacro()

# Sets HIT_FOUND_NAME by pkg-config; the target is PkgConfig::NAME.
macro(hit_find_package name module)
  set(HIT_FOUND_${name} OFF)
  if(PkgConfig_FOUND)
    pkg_check_modules(${name} QUIET IMPORTED_TARGET ${module})
    set(HIT_FOUND_${name} ${${name}_FOUND})
  endif()
endmacro()

if(NOT DEFINED HIT_MPI OR HIT_MPI)
  find_package(MPI QUIET COMPONENTS C)
endif()
hit_component(MPI MPI_C_FOUND "install libopenmpi-dev and openmpi-bin, or libmpich-dev and mpich")
set(HIT_MPI_NAME openmpi) # as Debian calls it
if(HIT_MPI AND MPI_C_LIBRARIES MATCHES "mpich")
  set(HIT_MPI_NAME mpich)
endif()

hit_find_package(OPENBLAS openblas)
hit_component(BLAS HIT_FOUND_OPENBLAS "install libopenblas-dev and pkg-config")

hit_find_package(HWLOC hwloc)
hit_component(HWLOC HIT_FOUND_HWLOC "install libhwloc-dev and pkg-config")

hit_find_package(PNG libpng)
hit_component(PNG HIT_FOUND_PNG "install libpng-dev and pkg-config")
hit_find_package(ZLIB zlib)

hit_find_package(ZSTD libzstd)
hit_component(ZSTD HIT_FOUND_ZSTD "install libzstd-dev and pkg-config")

# HDF5 sends no messages here: the one of this MPI, which a program may use beside hit, else the serial one
set(HIT_HDF5_MODULES hdf5-serial)
if(HIT_MPI)
  list(PREPEND HIT_HDF5_MODULES hdf5-${HIT_MPI_NAME})
endif()
foreach(module IN LISTS HIT_HDF5_MODULES)
  set(HIT_HDF5_MODULE ${module})
  hit_find_package(HDF5 ${module})
  if(HIT_FOUND_HDF5)
    break()
  endif()
endforeach()
if(HIT_FOUND_HDF5) # dimension scales are in a library beside it, of which pkg-config does not tell
  unset(HIT_HDF5_HL CACHE)
  find_library(HIT_HDF5_HL hdf5_hl HINTS ${HDF5_LIBRARY_DIRS})
  if(NOT HIT_HDF5_HL)
    set(HIT_FOUND_HDF5 OFF)
  endif()
endif()
hit_component(HDF5 HIT_FOUND_HDF5 "install libhdf5-${HIT_MPI_NAME}-dev or libhdf5-dev, and pkg-config")

hit_find_package(CHECK check)
hit_component(TESTS HIT_FOUND_CHECK "install check and pkg-config")

# CUDA: nvcc is often outside PATH. It needs a C++ compiler beside it, so a first compilation decides. The
# driver library is never linked: programs start on machines without a GPU.
set(HIT_FOUND_CUDA OFF)
if((NOT DEFINED HIT_CUDA OR HIT_CUDA))
  find_program(HIT_NVCC nvcc HINTS $ENV{CUDACXX} $ENV{CUDA_HOME}/bin $ENV{CUDA_PATH}/bin /usr/local/cuda/bin)
  mark_as_advanced(HIT_NVCC)
  if(HIT_NVCC AND NOT CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_COMPILER ${HIT_NVCC})
  endif()
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 75-real 80-real 90)
  endif()
  set(HIT_CUDA_ARCHITECTURES "${CMAKE_CUDA_ARCHITECTURES}")
  # Targets here link the static library, which links it. Those of others have it from CMake, once more: the
  # shared library does not pass its own on.
  set(CMAKE_CUDA_RUNTIME_LIBRARY None)
  if(CMAKE_CUDA_COMPILER)
    check_language(CUDA)
  endif()
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    find_package(CUDAToolkit QUIET)
    if(TARGET CUDA::cudart_static AND TARGET CUDA::cublas)
      set(HIT_FOUND_CUDA ON)
    endif()
  endif()
endif()
hit_component(CUDA HIT_FOUND_CUDA "nvcc (with a C++ compiler), cudart_static and cublas are needed")
