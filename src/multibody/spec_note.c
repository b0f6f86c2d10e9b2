// SPDX-License-Identifier: Apache-2.0
// Notes of a spec: what people should know of how a file was read.
#include "elver/io.h"
#include "multibody/spec.h"

#include <assert.h>

bool elv_spec_add_note(ElvSpec* spec, const char* text) {
    const char** list = elv_pool_grow(&spec->pool, spec->note, spec->n_note, sizeof *list);
    const char* copy = elv_pool_string(&spec->pool, text);
    if (!list || !copy) {
        return false;
    }
    spec->note = list;
    list[spec->n_note++] = copy;
    return true;
}

int elv_spec_n_note(const ElvSpec* spec) {
    return spec->n_note;
}

const char* elv_spec_note(const ElvSpec* spec, int i) {
    assert(i >= 0 && i < spec->n_note);
    return spec->note[i];
}
