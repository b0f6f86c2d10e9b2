// SPDX-License-Identifier: Apache-2.0
// libFuzzer target of the URDF reader: any bytes are a robot, or are refused with a place.
#include "elver/io.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    ElvModel* model = NULL;
    ElvError error;
    ElvStatus status =
        elv_model_read_text((const char*)bytes, size, "fuzz.urdf", NULL, 0, &model, &error);
    bool is_told = status == ELV_ERROR_INPUT && error.line >= 1 && error.message[0] != '\0';
    if (status != ELV_OK && !is_told) {
        abort();
    }
    elv_model_free(model);
    return 0;
}
