// SPDX-License-Identifier: Apache-2.0
// Numbers that read back exactly, and the few pieces of JSON that the commands print.
#include "cli.h"

#include <math.h>
#include <stdlib.h>

void cli_print_number(FILE* stream, double value) {
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    fputs(text, stream);
}

void cli_json_text(FILE* stream, const char* text) {
    fputc('"', stream);
    for (const char* c = text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\') {
            fprintf(stream, "\\%c", *c);
        } else if ((unsigned char)*c < 0x20) {
            fprintf(stream, "\\u%04x", (unsigned)*c);
        } else {
            fputc(*c, stream);
        }
    }
    fputc('"', stream);
}

void cli_json_number(FILE* stream, double value) {
    if (isfinite(value)) {
        cli_print_number(stream, value);
    } else {
        fputs("null", stream);
    }
}

void cli_json_numbers(FILE* stream, const double* value, size_t n) {
    fputc('[', stream);
    for (size_t i = 0; i < n; i++) {
        fputs(i > 0 ? ", " : "", stream);
        cli_json_number(stream, value[i]);
    }
    fputc(']', stream);
}

void cli_json_member_number(const char* key, double value) {
    printf(",\n  \"%s\": ", key);
    cli_json_number(stdout, value);
}

void cli_json_member_text(const char* key, const char* text) {
    printf(",\n  \"%s\": ", key);
    if (text) {
        cli_json_text(stdout, text);
    } else {
        printf("null");
    }
}
