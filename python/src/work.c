// SPDX-License-Identifier: Apache-2.0
// Threads at work in the library when the interpreter ends. Those that are not joined (daemons) would come back to an
// interpreter that is gone; so the end waits until each has left the library, and they stay where they are.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "module.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

/// How long the end waits for one long step, ms.
enum { PATIENCE = 5000 };

static atomic_int n_working;
static atomic_bool is_ending;
static pthread_t ending; // the thread that ends the interpreter; set before is_ending

bool work_must_end(void) {
    return atomic_load(&is_ending) && !pthread_equal(pthread_self(), ending);
}

void work_enter(void) {
    (void)atomic_fetch_add(&n_working, 1);
}

void work_leave(void) {
    (void)atomic_fetch_sub(&n_working, 1);
    while (work_must_end()) {
        (void)pause();
    }
}

// ()
static PyObject* work_end(PyObject* self, PyObject* unused) {
    (void)self;
    (void)unused;
    ending = pthread_self();
    atomic_store(&is_ending, true);
    Py_BEGIN_ALLOW_THREADS;
    const struct timespec moment = {0, 1000000};
    for (int i = 0; i < PATIENCE && atomic_load(&n_working) > 0; i++) {
        (void)nanosleep(&moment, NULL);
    }
    Py_END_ALLOW_THREADS;
    Py_RETURN_NONE;
}

PyMethodDef WORK_METHODS[] = {{"end", work_end, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL}};
