# SPDX-License-Identifier: Apache-2.0
# A file as a C array, which the library carries with it. As a module it gives
#   elver_embed(TARGET FILE HEADER NAME)   NAME_word (uint64_t []) and NAME_size (size_t), declared in HEADER
# and as a script (cmake -P) it writes that source. Words of eight bytes compile some ten times faster than bytes.
if(CMAKE_SCRIPT_MODE_FILE)
    file(READ ${INPUT} bytes HEX)
    file(SIZE ${INPUT} size)
    # at least one byte of zero behind the end
    math(EXPR n_pad "16 - (2 * ${size}) % 16")
    string(REPEAT "0" ${n_pad} pad)
    string(APPEND bytes "${pad}")
    if(BYTE_ORDER STREQUAL "BIG_ENDIAN")
        set(word "0x\\1\\2\\3\\4\\5\\6\\7\\8U,\n")
    else()
        set(word "0x\\8\\7\\6\\5\\4\\3\\2\\1U,\n")
    endif()
    string(REGEX REPLACE "(..)(..)(..)(..)(..)(..)(..)(..)" "${word}" words "${bytes}")
    file(WRITE ${OUTPUT}.new
        "#include \"${HEADER}\"\n\nconst size_t ${NAME}_size = ${size};\nconst uint64_t ${NAME}_word[] = {\n${words}};\n")
    file(RENAME ${OUTPUT}.new ${OUTPUT})
    return()
endif()

set(ELVER_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(elver_embed target file header name)
    set(output ${PROJECT_BINARY_DIR}/embed/${name}.c)
    add_custom_command(
        OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -DINPUT=${file} -DOUTPUT=${output} -DHEADER=${header} -DNAME=${name}
            -DBYTE_ORDER=${CMAKE_C_BYTE_ORDER} -P ${ELVER_EMBED_SCRIPT}
        DEPENDS ${file} ${ELVER_EMBED_SCRIPT}
        COMMENT "Embedding ${file}"
        VERBATIM)
    target_sources(${target} PRIVATE ${output})
endfunction()
