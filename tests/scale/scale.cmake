# SPDX-License-Identifier: MIT
# scale.sh configures the library with it (CMAKE_PROJECT_hit_INCLUDE): smpirun has to find main() in programs, which are
# shared objects there, and witness.c is in the place of what it looks at.
add_custom_target(hit_scale)
function(hit_scale_programs)
  foreach(target example_heat example_matmul example_seismic example_cholesky)
    if(NOT TARGET ${target})
      message(FATAL_ERROR "${target} is missing: install zlib1g-dev")
    endif()
    set_target_properties(${target} PROPERTIES C_VISIBILITY_PRESET default)
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests/scale/witness.c)
    foreach(name hit_open_with hit_launch_args hit_kernel_call MPI_Allreduce MPI_Bcast MPI_Barrier MPI_Gather MPI_Finalize)
      target_link_options(${target} PRIVATE -Wl,--wrap=${name})
    endforeach()
    add_dependencies(hit_scale ${target})
  endforeach()
endfunction()
cmake_language(DEFER CALL hit_scale_programs)
