// SPDX-License-Identifier: Apache-2.0
// One line of text for people: "file:line:column: element: message", without the parts that are
// not known. Editors and terminals know this form and jump to the place.
#include "elver/io.h"

#include <stdio.h>

void elv_error_format(const ElvError* error, char* text, size_t size) {
    char place[ELV_SIZE_FILE + 32] = "";
    if (error->line > 0) {
        (void)snprintf(place, sizeof place, "%s:%d:%d: ", error->file[0] ? error->file : "model",
                       error->line, error->column);
    } else if (error->file[0]) {
        (void)snprintf(place, sizeof place, "%s: ", error->file);
    }
    const char* message = error->message[0] ? error->message : elv_status_text(error->status);
    (void)snprintf(text, size, "%s%s%s%s", place, error->element, error->element[0] ? ": " : "",
                   message);
}
