# SPDX-License-Identifier: Apache-2.0
# The extension elver._elver, for the stable ABI: one file serves Python 3.11 and later. It holds the library (the static one), so
# that the package stands by itself. Asked for by pyproject.toml, or with -DELVER_PYTHON=ON.
find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter Development.Module)

file(GLOB ELVER_PYTHON_SOURCES CONFIGURE_DEPENDS python/src/*.c)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/python/elver)
add_library(elver_python MODULE ${ELVER_PYTHON_SOURCES})
target_link_libraries(elver_python PRIVATE elver_flags elver_static Python3::Module)
set_target_properties(elver_python PROPERTIES
    OUTPUT_NAME _elver
    PREFIX ""
    SUFFIX ".abi3.so"
    C_VISIBILITY_PRESET hidden
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/python/elver)

install(TARGETS elver_python LIBRARY DESTINATION elver COMPONENT python)
install(DIRECTORY models/ DESTINATION elver/models COMPONENT python)

# the package as it lies in the tree, beside the extension just built
file(GLOB ELVER_PYTHON_MODULES CONFIGURE_DEPENDS python/elver/*)
foreach(module ${ELVER_PYTHON_MODULES})
    cmake_path(GET module FILENAME name)
    file(CREATE_LINK ${module} ${PROJECT_BINARY_DIR}/python/elver/${name} SYMBOLIC)
endforeach()
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/models ${PROJECT_BINARY_DIR}/python/elver/models SYMBOLIC)
