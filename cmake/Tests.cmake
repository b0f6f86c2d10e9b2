# SPDX-License-Identifier: Apache-2.0
# Tests, fuzz targets and benchmarks, each found by its name:
#   tests/test_<stem>.c    a cmocka program, run by CTest as <stem>
#   tests/fuzz_<stem>.c    a libFuzzer target, built with ELVER_FUZZ alone
#   bench/bench_<stem>.c   a benchmark, built here and run by `make bench`
# and the checks on the tree itself (tools/), run by CTest as well.

# a program that may see internal headers
function(elver_internal_program name source folder)
    add_executable(${name} ${source})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
    target_link_libraries(${name} PRIVATE elver_flags elver_static elver_dependencies)
    target_compile_definitions(${name} PRIVATE
        ELVER_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
        ELVER_BIN="${PROJECT_BINARY_DIR}/elver")
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${folder})
endfunction()

function(elver_add_test name)
    add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
    set_tests_properties(${name} PROPERTIES
        TIMEOUT 600
        SKIP_RETURN_CODE 77
        ENVIRONMENT "ELVER_SOURCE_DIR=${PROJECT_SOURCE_DIR};ELVER_BIN=${PROJECT_BINARY_DIR}/elver;UBSAN_OPTIONS=print_stacktrace=1")
endfunction()

# fuzz targets only: libFuzzer's objects do not link into ordinary programs
if(ELVER_FUZZ)
    file(GLOB fuzz_sources CONFIGURE_DEPENDS tests/fuzz_*.c)
    foreach(source ${fuzz_sources})
        cmake_path(GET source STEM name)
        elver_internal_program(${name} ${source} fuzz)
        target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    endforeach()
    return()
endif()

# studies of accuracy, slow under sanitizers: there they run in check-more (check-long)
set(long_tests
    actuation_drones cli_reproduce columns conjugate_modal finite flagellum free_flight
    implicit_stability locomotion_playback motion pcs_chain power_balance projection reach rkmk_order
    rkmk_reference rkmk_table shoot_branch snake_convergence statics_projective stewart
    strong_failure swimmer swimmer_strong work)
file(GLOB test_sources CONFIGURE_DEPENDS tests/test_*.c)
foreach(source ${test_sources})
    cmake_path(GET source STEM name)
    elver_internal_program(${name} ${source} tests)
    target_link_libraries(${name} PRIVATE PkgConfig::CMOCKA)
    string(REPLACE "test_" "" stem ${name})
    elver_add_test(${stem} ${name})
    if(stem IN_LIST long_tests)
        set_tests_properties(${stem} PROPERTIES LABELS long)
    endif()
endforeach()

file(GLOB bench_sources CONFIGURE_DEPENDS bench/bench_*.c)
foreach(source ${bench_sources})
    cmake_path(GET source STEM name)
    elver_internal_program(${name} ${source} bench)
endforeach()

# checks on the tree
set(tools ${PROJECT_SOURCE_DIR}/tools)
elver_add_test(check_tools ${Python3_EXECUTABLE} ${tools}/test_checks.py)
elver_add_test(check_layers ${Python3_EXECUTABLE} ${tools}/check_layers.py)
elver_add_test(check_headers ${Python3_EXECUTABLE} ${tools}/check_headers.py
    --cc ${CMAKE_C_COMPILER} --include ${PROJECT_BINARY_DIR}/include)
file(GLOB paper_map CONFIGURE_DEPENDS docs/paper_map.md)
if(paper_map)
    elver_add_test(check_paper_map ${Python3_EXECUTABLE} ${tools}/check_paper_map.py)
endif()

# an instrumented library would ask the same instrumentation of the programs that use it
if(NOT ELVER_SANITIZE AND NOT ELVER_COVERAGE)
    elver_add_test(install ${tools}/test_install.sh ${PROJECT_BINARY_DIR} ${CMAKE_C_COMPILER})
    elver_add_test(check_readme ${Python3_EXECUTABLE} ${tools}/check_readme.py ${PROJECT_BINARY_DIR}
        --cc ${CMAKE_C_COMPILER})
endif()
