// SPDX-License-Identifier: Apache-2.0
// Texts of the status codes and filling of located errors. Messages longer than their field are
// cut, never overrun; an unknown status still has a text.
#include "elver/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char* const status_texts[] = {
#define STATUS_TEXT(code, text) text,
    ELV_STATUS_LIST(STATUS_TEXT)
#undef STATUS_TEXT
};

// copy text into a field of the given size, cutting what does not fit
static void copy_field(char* field, size_t size, const char* text) {
    size_t length = 0;
    while (text && length + 1 < size && text[length] != '\0') {
        field[length] = text[length];
        length++;
    }
    field[length] = '\0';
}

const char* elv_status_text(ElvStatus status) {
    size_t n_text = sizeof status_texts / sizeof status_texts[0];
    size_t i_text = (size_t)status;
    return i_text < n_text ? status_texts[i_text] : "unknown status";
}

void elv_error_clear(ElvError* error) {
    if (error) {
        memset(error, 0, sizeof *error);
    }
}

ElvStatus elv_error_set(ElvError* error,
                        ElvStatus status,
                        const char* element,
                        const char* field,
                        const char* format,
                        ...) {
    if (!error) {
        return status;
    }

    // format first: the arguments may point into the error that is being replaced
    char message[ELV_SIZE_MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (written < 0) {
        copy_field(message, sizeof message, elv_status_text(status));
    }

    // element and field may point into the error as well
    char element_name[ELV_SIZE_NAME];
    char field_name[ELV_SIZE_NAME];
    copy_field(element_name, sizeof element_name, element);
    copy_field(field_name, sizeof field_name, field);

    elv_error_clear(error);
    error->status = status;
    copy_field(error->element, sizeof error->element, element_name);
    copy_field(error->field, sizeof error->field, field_name);
    copy_field(error->message, sizeof error->message, message);
    return status;
}
