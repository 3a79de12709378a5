# SPDX-License-Identifier: MIT
# What `cmake --install` and cpack do: headers under one versioned folder, the library static and shared, the
# files by which find_package(hit) and pkg-config find it, the command hit, its manual, and the examples' sources.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

option(HIT_SHARED "build the shared library, too" ${PROJECT_IS_TOP_LEVEL})
set(HIT_HEADERS_DIR ${CMAKE_INSTALL_INCLUDEDIR}/hit-${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

# --- the shared library: the same objects ------------------------------------------------------------------
# Before 1.0 a minor version may change the interface, so that it is part of the soname.
if(HIT_SHARED)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/hit_shared.c
    CONTENT "/* CMake wants a source; all else is in the static library. */\nextern int hit_shared_;\n")
  add_library(hit_shared SHARED ${PROJECT_BINARY_DIR}/hit_shared.c)
  set_target_properties(hit_shared PROPERTIES
    OUTPUT_NAME hit EXPORT_NAME shared
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  target_link_libraries(hit_shared PRIVATE $<BUILD_INTERFACE:$<LINK_LIBRARY:WHOLE_ARCHIVE,hit>> INTERFACE m)
  target_link_options(hit_shared PRIVATE LINKER:--exclude-libs,libcudart_static.a LINKER:--no-undefined)
  if(HIT_SANITIZE) # their run-time library comes with the program
    target_link_options(hit_shared PRIVATE LINKER:-z,undefs)
  endif()
  target_include_directories(hit_shared INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${HIT_HEADERS_DIR}>)
  install(TARGETS hit_shared EXPORT hit-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
set_target_properties(hit PROPERTIES EXPORT_NAME static)
install(TARGETS hit EXPORT hit-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS hit-tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# --- headers: those that programs, plug-ins and kernel files include, and what these include ------------------------------
set(HIT_HEADERS "")
set(HIT_PUBLIC_HEADERS hit/hit.h hit/plugin.h hit/kernel.h hit/base/json.h hit/checkpoint/checkpoint.h hit/dry/dry_run.h hit/io/png.h hit/mpi.h hit/sum.h hit/tile/adopt.h hit/tile/array.h hit/measure/trial.h hit/model/fpm.h
  hit/model/fpm_file.h hit/model/fpm_time.h hit/model/measure.h hit/sched/bounds.h hit/sched/clock.h
  hit/sched/machine_file.h hit/scheduled/schedule.h hit/tile/hold.h kernels/kernels.h layouts/balance.h layouts/costs.h layouts/partition/even.h
  layouts/partition/pareto.h layouts/partition/partition.h)
set(todo ${HIT_PUBLIC_HEADERS})
while(todo)
  list(POP_FRONT todo header)
  if(header IN_LIST HIT_HEADERS)
    continue()
  endif()
  list(APPEND HIT_HEADERS ${header})
  cmake_path(GET header PARENT_PATH folder)
  install(FILES ${header} DESTINATION ${HIT_HEADERS_DIR}/${folder})
  file(STRINGS ${header} includes REGEX "^ *#include \"")
  foreach(line IN LISTS includes)
    string(REGEX REPLACE ".*#include \"([^\"]*)\".*" "\\1" include "${line}")
    list(APPEND todo ${include})
  endforeach()
endwhile()

# --- find_package(hit) ---------------------------------------------------------------------------------------
set(HIT_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/hit)
configure_package_config_file(cmake/hit-config.cmake.in ${PROJECT_BINARY_DIR}/package/hit-config.cmake
  INSTALL_DESTINATION ${HIT_CMAKE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/hit-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(EXPORT hit-targets NAMESPACE hit:: DESTINATION ${HIT_CMAKE_DIR})
install(FILES
  ${PROJECT_BINARY_DIR}/package/hit-config.cmake
  ${PROJECT_BINARY_DIR}/package/hit-config-version.cmake
  cmake/HitKernels.cmake
  DESTINATION ${HIT_CMAKE_DIR})

# --- pkg-config: what the static library wants stands in hit-static, how kernel files are compiled in variables of hit;
# hit-uninstalled, which pkg-config prefers, is this very build --------------------------------------------------------
set(requires "")
set(libs "-pthread -lm -ldl") # OpenBLAS and cuBLAS are loaded when a product is launched
foreach(pair HWLOC:hwloc PNG:libpng ZSTD:libzstd HDF5:${HIT_HDF5_MODULE})
  string(REGEX MATCH "([^:]*):(.*)" pair ${pair})
  if(HIT_${CMAKE_MATCH_1})
    string(APPEND requires " ${CMAKE_MATCH_2}")
  endif()
endforeach()
if(HIT_HDF5)
  string(APPEND libs " -lhdf5_hl")
endif()
if(HIT_MPI)
  foreach(library IN LISTS MPI_C_LIBRARIES)
    string(APPEND libs " ${library}")
  endforeach()
  string(APPEND libs " ${MPI_C_LINK_FLAGS}")
endif()
if(HIT_CUDA)
  string(APPEND libs " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -ldl -lrt")
endif()
string(STRIP "${requires}" HIT_PC_REQUIRES)
set(HIT_PC_LIBS ${libs})
list(JOIN HIT_KERNEL_STRICT_FLAGS " " HIT_PC_STRICT_FLAGS)
string(APPEND HIT_PC_STRICT_FLAGS " -DHIT_KERNEL_STRICT=1")
list(JOIN HIT_KERNEL_FLAGS " " HIT_PC_KERNEL_FLAGS)
if(HIT_STRICT)
  string(APPEND HIT_PC_KERNEL_FLAGS " -DHIT_KERNEL_STRICT=1")
endif()
list(JOIN HIT_KERNEL_CHECKED_FLAGS " " HIT_PC_CHECKED_FLAGS)
set(HIT_PC_PREFIX ${PROJECT_BINARY_DIR})
set(HIT_PC_INCLUDE ${PROJECT_SOURCE_DIR})
set(HIT_PC_LIB ${PROJECT_BINARY_DIR})
set(HIT_PC_SHARE ${PROJECT_SOURCE_DIR})
configure_file(cmake/hit.pc.in ${PROJECT_BINARY_DIR}/package/hit-uninstalled.pc @ONLY)
if(NOT HIT_NATIVE) # those of users are, as in hit-config.cmake
  string(REPLACE "-O3" "-O3 -march=native" HIT_PC_KERNEL_FLAGS "${HIT_PC_KERNEL_FLAGS}")
endif()
file(RELATIVE_PATH up /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix) # ../.., or more on Debian
set(HIT_PC_PREFIX "\${pcfiledir}/${up}")
set(HIT_PC_INCLUDE "\${prefix}/${HIT_HEADERS_DIR}")
set(HIT_PC_LIB "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
set(HIT_PC_SHARE "\${prefix}/${CMAKE_INSTALL_DATADIR}/hit")
foreach(module hit hit-static)
  configure_file(cmake/${module}.pc.in ${PROJECT_BINARY_DIR}/package/${module}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/package/${module}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

# --- documents and examples ------------------------------------------------------------------------------------
# hit(1) is what the command says of itself
configure_file(docs/man/hit.7.in ${PROJECT_BINARY_DIR}/man/hit.7 @ONLY)
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/man/hit.1
  COMMAND ${PROJECT_SOURCE_DIR}/docs/man/hit.1.sh $<TARGET_FILE:hit-tool> > ${PROJECT_BINARY_DIR}/man/hit.1
  DEPENDS hit-tool ${PROJECT_SOURCE_DIR}/docs/man/hit.1.sh VERBATIM)
add_custom_target(hit_manual ALL DEPENDS ${PROJECT_BINARY_DIR}/man/hit.1)
install(FILES ${PROJECT_BINARY_DIR}/man/hit.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${PROJECT_BINARY_DIR}/man/hit.7 DESTINATION ${CMAKE_INSTALL_MANDIR}/man7)
# The pages keep their links: what they link to is installed at the same place relative to them; the examples, which lie
# beside the machines, are a symbolic link there.
# A target builds what is installed, and not the tests.
add_custom_target(hit_install DEPENDS hit hit-tool hit_manual)
if(HIT_SHARED)
  add_dependencies(hit_install hit_shared)
endif()
file(RELATIVE_PATH HIT_EXAMPLES_FROM_DOC /prefix/${CMAKE_INSTALL_DOCDIR} /prefix/${CMAKE_INSTALL_DATADIR}/hit/examples)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/package)
file(CREATE_LINK ${HIT_EXAMPLES_FROM_DOC} ${PROJECT_BINARY_DIR}/package/examples SYMBOLIC)
install(FILES ${PROJECT_BINARY_DIR}/package/examples README.md CHANGELOG.md CONTRIBUTING.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs
  FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.svg" PATTERN "papers.bib" PATTERN "layers.txt" PATTERN "man" EXCLUDE)
install(DIRECTORY examples fortran machines python DESTINATION ${CMAKE_INSTALL_DATADIR}/hit
  PATTERN __pycache__ EXCLUDE PATTERN build EXCLUDE PATTERN "*.egg-info" EXCLUDE)

# --- packages: cpack -G DEB -------------------------------------------------------------------------------------
set(CPACK_PACKAGE_NAME hit)
set(CPACK_PACKAGE_CONTACT "the hit developers <hit@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6-dev")
if(HIT_MPI_NAME STREQUAL "mpich")
  string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", mpich")
elseif(HIT_MPI) # a program starts orted, even alone; the libraries do not ask for it
  string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", openmpi-bin")
endif()
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "cmake (>= 3.25), pkg-config, gcc, lib${HIT_MPI_NAME}-dev")
if(HIT_BLAS) # gemm loads it when it is needed
  string(APPEND CPACK_DEBIAN_PACKAGE_RECOMMENDS ", libopenblas0")
endif()
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libhwloc-dev, libpng-dev, libzstd-dev, zlib1g-dev, python3-cffi, python3-numpy")
include(CPack)
