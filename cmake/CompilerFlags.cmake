# SPDX-License-Identifier: Apache-2.0
# Compiler flags. `elver_flags` carries what every target of ours is compiled with; flags that must
# reach every object and link line of a configuration (sanitizers, coverage) are set globally.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
endif()

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)

# results must not depend on whether the compiler fuses a*b + c, and never -ffast-math;
# errno and floating-point traps are not used, and giving them up changes no value; functions that take
# vectors (base/real4.h) are always inlined, so that no calling convention is concerned (-Wno-psabi)
add_library(elver_flags INTERFACE)
target_compile_options(elver_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes -Wstrict-prototypes -Wvla
    -Wno-psabi
    -ffp-contract=off -fno-math-errno -fno-trapping-math
    $<$<BOOL:${ELVER_WERROR}>:-Werror>
    $<$<BOOL:${ELVER_NATIVE}>:-march=native>)

if(ELVER_SANITIZE)
    add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=address,undefined)
endif()

if(ELVER_COVERAGE)
    add_compile_options(--coverage)
    add_compile_definitions(ELVER_INSTRUMENTED)
    add_link_options(--coverage)
endif()

if(ELVER_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "ELVER_FUZZ needs clang: configure with the preset 'fuzz'")
    endif()
    add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all)
    add_link_options(-fsanitize=address,undefined)
endif()
