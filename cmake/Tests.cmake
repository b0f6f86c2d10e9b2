# SPDX-License-Identifier: Apache-2.0
# Tests, fuzz targets and benchmarks, each found by its name:
#   tests/test_<stem>.c    a cmocka program, run by CTest as <stem>
#   tests/test_<stem>.py   a script that runs `elver`, with Python's standard library alone
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

# the time of a test goes by in the library: its own code is compiled quickly
function(elver_test_program name source)
    elver_internal_program(${name} ${source} tests)
    target_compile_options(${name} PRIVATE $<IF:$<CONFIG:Debug>,-O0,-O1>)
    target_link_libraries(${name} PRIVATE PkgConfig::CMOCKA)
endfunction()

# a test with the label, long or slow, of the list that it is in
function(elver_add_test name)
    add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
    set_tests_properties(${name} PROPERTIES
        TIMEOUT 600
        SKIP_RETURN_CODE 77
        ENVIRONMENT "ELVER_SOURCE_DIR=${PROJECT_SOURCE_DIR};ELVER_BIN=${PROJECT_BINARY_DIR}/elver;UBSAN_OPTIONS=print_stacktrace=1")
    # these wait more than they compute: they begin first, beside the others
    if(name IN_LIST waiting_tests)
        set_tests_properties(${name} PROPERTIES COST 1000)
    endif()
    if(name IN_LIST long_tests)
        set_tests_properties(${name} PROPERTIES LABELS long)
    elseif(name IN_LIST slow_tests)
        set_tests_properties(${name} PROPERTIES LABELS slow)
    endif()
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
    actuation_drones actuation_failure cli_figures cli_fluid cli_gait cli_inverse_rods cli_reproduce cli_start
    cli_strong columns data finite flagellum implicit_recovery implicit_stability inverse_playback inverse_strains
    locomotion_continuous locomotion_playback motion motion_error motion_tangent mounting pcs_chain power_balance
    projection python_docs python_examples python_view python_worked reach reference riccati_motion rkmk_order
    rkmk_reference rkmk_table rod_motion_run rod_point rod_point_force shoot_branch shoot_chain slider
    snake_convergence spectral_run statics_projective stewart stop_motion stop_statics strong_failure swimmer
    swimmer_pattern swimmer_riccati swimmer_tail swimmer_work twist_push view_live view_page work)
# studies that take minutes: check-more runs them with the release build (check-slow), and nothing else does
set(slow_tests cli_gallery conjugate_modal free_flight locomotion_forward locomotion_playback_turn swimmer_strong)
set(waiting_tests view_live view_server cli_progress)
file(GLOB test_sources CONFIGURE_DEPENDS tests/test_*.c)
foreach(source ${test_sources})
    cmake_path(GET source STEM name)
    elver_test_program(${name} ${source})
    string(REPLACE "test_" "" stem ${name})
    # the tables of figures are the program's own
    if(stem STREQUAL "figures" AND TARGET elver_cli_objects)
        target_sources(${name} PRIVATE $<TARGET_OBJECTS:elver_cli_objects>)
        target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/cli)
        target_link_libraries(${name} PRIVATE elver_cli_dependencies m)
    endif()
    elver_add_test(${stem} ${name})
endforeach()

file(GLOB test_scripts CONFIGURE_DEPENDS tests/test_*.py)
foreach(script ${test_scripts})
    cmake_path(GET script STEM name)
    string(REPLACE "test_" "" stem ${name})
    elver_add_test(${stem} ${Python3_EXECUTABLE} -B ${script})
endforeach()

file(GLOB bench_sources CONFIGURE_DEPENDS bench/bench_*.c)
foreach(source ${bench_sources})
    cmake_path(GET source STEM name)
    elver_internal_program(${name} ${source} bench)
endforeach()

# the Python package, one test a file; under sanitizers their runtime must be there before Python
if(ELVER_PYTHON)
    set(python_environment PYTHONPATH=${PROJECT_BINARY_DIR}/python PYTHONDONTWRITEBYTECODE=1)
    if(ELVER_SANITIZE)
        execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libasan.so
            OUTPUT_VARIABLE asan OUTPUT_STRIP_TRAILING_WHITESPACE)
        # what Python itself never frees is no leak of ours: python/tests/test_memory.py counts instead
        list(APPEND python_environment LD_PRELOAD=${asan} ASAN_OPTIONS=detect_leaks=0)
    endif()
    file(GLOB python_tests CONFIGURE_DEPENDS python/tests/test_*.py)
    foreach(source ${python_tests})
        cmake_path(GET source STEM name)
        string(REPLACE "test_" "python_" name ${name})
        elver_add_test(${name} ${Python3_EXECUTABLE} -m pytest -q -p no:cacheprovider ${source})
        set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT ${python_environment})
        # what sanitizers hold back after it was freed would count as growth
        if(ELVER_SANITIZE AND name STREQUAL "python_memory")
            set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=1)
        endif()
    endforeach()
endif()

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
    elver_add_test(check_docs ${Python3_EXECUTABLE} ${tools}/check_docs.py ${PROJECT_BINARY_DIR} --cc ${CMAKE_C_COMPILER})
endif()
