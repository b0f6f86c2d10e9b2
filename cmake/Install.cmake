# SPDX-License-Identifier: Apache-2.0
# What `make install` lays down: headers, libraries, program, example models, a CMake package with
# the target elver::elver, and elver.pc. Both package files find the prefix from where they lie, so an
# installed tree may be moved.
include(CMakePackageConfigHelpers)

set(ELVER_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/elver)
set(ELVER_PKGCONFIG_DIR ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(TARGETS elver_lib EXPORT elverTargets)
install(TARGETS elver_static)
if(TARGET elver)
    install(TARGETS elver)
endif()
install(DIRECTORY include/elver ${PROJECT_BINARY_DIR}/include/elver
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(DIRECTORY models/ DESTINATION ${CMAKE_INSTALL_DATADIR}/elver/models)

# CMake: find_package(elver), target elver::elver (the shared library)
install(EXPORT elverTargets NAMESPACE elver:: DESTINATION ${ELVER_CMAKE_DIR})
configure_package_config_file(cmake/elverConfig.cmake.in elverConfig.cmake
    INSTALL_DESTINATION ${ELVER_CMAKE_DIR})
write_basic_package_version_file(elverConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/elverConfig.cmake ${PROJECT_BINARY_DIR}/elverConfigVersion.cmake
    DESTINATION ${ELVER_CMAKE_DIR})

# pkg-config: elver.pc
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
    BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX}/${ELVER_PKGCONFIG_DIR} OUTPUT_VARIABLE ELVER_PC_TO_PREFIX)
configure_file(cmake/elver.pc.in elver.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/elver.pc DESTINATION ${ELVER_PKGCONFIG_DIR})
