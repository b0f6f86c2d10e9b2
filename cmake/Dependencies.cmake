# SPDX-License-Identifier: Apache-2.0
# Every library Elver needs, found in this one place; tools/debian-packages.txt lists the packages
# that hold them. `elver_dependencies` is what the library links; ELVER_PRIVATE_LIBS is the same for
# whoever links the static library through elver.pc.
find_package(PkgConfig REQUIRED)
add_library(elver_dependencies INTERFACE)

# model files, robots in URDF
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
pkg_check_modules(EXPAT REQUIRED IMPORTED_TARGET expat)
target_link_libraries(elver_dependencies INTERFACE PkgConfig::YAML PkgConfig::EXPAT)

# trajectories: the serial HDF5, also where an MPI one is installed beside it
pkg_check_modules(HDF5_SERIAL IMPORTED_TARGET hdf5-serial)
if(HDF5_SERIAL_FOUND)
    target_link_libraries(elver_dependencies INTERFACE PkgConfig::HDF5_SERIAL)
else()
    set(HDF5_PREFER_PARALLEL OFF)
    find_package(HDF5 REQUIRED COMPONENTS C)
    if(HDF5_IS_PARALLEL)
        message(FATAL_ERROR "found only an MPI build of HDF5; install the serial one (libhdf5-dev)")
    endif()
    target_include_directories(elver_dependencies SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
    target_link_libraries(elver_dependencies INTERFACE ${HDF5_C_LIBRARIES})
    set(HDF5_SERIAL_LDFLAGS -lhdf5)
endif()

# explicit adaptive integration; its package file asks for OpenMP, which the parts used here do not
# need and clang often lacks, so an empty target answers
if(NOT TARGET OpenMP::OpenMP_C)
    add_library(OpenMP::OpenMP_C INTERFACE IMPORTED)
endif()
find_package(SUNDIALS 6.0 CONFIG REQUIRED COMPONENTS arkode nvecserial)
target_link_libraries(elver_dependencies INTERFACE SUNDIALS::arkode SUNDIALS::nvecserial m)

# eigenvalues
pkg_check_modules(LAPACKE REQUIRED IMPORTED_TARGET lapacke)
target_link_libraries(elver_dependencies INTERFACE PkgConfig::LAPACKE)

# pictures: packed records
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
target_link_libraries(elver_dependencies INTERFACE PkgConfig::ZLIB)

set(ELVER_PRIVATE_LIBS ${YAML_LDFLAGS} ${EXPAT_LDFLAGS} ${HDF5_SERIAL_LDFLAGS} -lsundials_arkode -lsundials_nvecserial
    ${LAPACKE_LDFLAGS} ${ZLIB_LDFLAGS} -lm)
list(JOIN ELVER_PRIVATE_LIBS " " ELVER_PRIVATE_LIBS)

# the command line alone: threads of `elver view`, JSON of its messages
add_library(elver_cli_dependencies INTERFACE)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
find_package(Threads REQUIRED)
target_link_libraries(elver_cli_dependencies INTERFACE PkgConfig::JANSSON Threads::Threads)

# Python: the system's own, whose modules the packages bring, unless another one is named
if(NOT DEFINED Python3_EXECUTABLE AND EXISTS /usr/bin/python3)
    set(Python3_EXECUTABLE /usr/bin/python3)
endif()

# tests alone
if(ELVER_BUILD_TESTS)
    pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
endif()
