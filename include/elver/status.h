// SPDX-License-Identifier: Apache-2.0
// Status codes, located errors, the caller's stop and attributes shared by the whole public API.
#ifndef ELVER_STATUS_H
#define ELVER_STATUS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ELV_API          __attribute__((visibility("default")))
#define ELV_NODISCARD    __attribute__((warn_unused_result))
#define ELV_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define ELV_API
#define ELV_NODISCARD
#define ELV_PRINTF(f, a)
#endif

/// One list of codes and texts: the enum and elv_status_text are both made from it.
#define ELV_STATUS_LIST(X)                                                                         \
    X(ELV_OK, "ok")                                                                                \
    X(ELV_ERROR_INPUT, "bad input")                                                                \
    X(ELV_ERROR_MEMORY, "out of memory")                                                           \
    X(ELV_ERROR_FILE, "file cannot be read or written")                                            \
    X(ELV_ERROR_NUMERIC, "numerical failure")                                                      \
    X(ELV_ERROR_SINGULAR, "singular: nothing resists a motion")                                    \
    X(ELV_ERROR_STEP, "time step failed")                                                          \
    X(ELV_ERROR_CANCELLED, "cancelled by the caller")

typedef enum {
#define ELV_STATUS_ENUM(code, text) code,
    ELV_STATUS_LIST(ELV_STATUS_ENUM)
#undef ELV_STATUS_ENUM
} ElvStatus;

enum { ELV_SIZE_MESSAGE = 512, ELV_SIZE_NAME = 96, ELV_SIZE_FILE = 256 };

/// Detail of a failure. Every function that takes an ElvError* accepts NULL.
/// element and field name the part of the model at fault ("arm", "section.circle.diameter"); a
/// model reader turns them into file, line and column (1-based, 0 when unknown).
typedef struct {
    ElvStatus status;
    int line;
    int column;
    char file[ELV_SIZE_FILE];
    char element[ELV_SIZE_NAME];
    char field[ELV_SIZE_NAME];
    char message[ELV_SIZE_MESSAGE];
} ElvError;

/// Short English text of a status code; never NULL.
ELV_API const char* elv_status_text(ElvStatus status);

/// Clear an error to ELV_OK. NULL is allowed.
ELV_API void elv_error_clear(ElvError* error);

/// Fill error (if not NULL) with a formatted message and return status, so that callers can write
/// `return elv_error_set(error, ELV_ERROR_INPUT, "arm", "length", "length must be …")`.
ELV_API ElvStatus elv_error_set(ElvError* error,
                                ElvStatus status,
                                const char* element,
                                const char* field,
                                const char* format,
                                ...) ELV_PRINTF(5, 6);

/// How a caller ends a long computation before its end: Ctrl-C, a time limit, a button. Asked between Newton
/// iterations, shots, steps in time and candidates of a search, by the thread that computes, so that it should be
/// quick; once it has answered true the computation ends as soon as it can, with ELV_ERROR_CANCELLED, and leaves all as
/// any other failure would: what was recorded is kept, states are the last good ones, and solvers can go on. is_stopped
/// NULL: never.
typedef struct {
    bool (*is_stopped)(void* user);
    void* user;
} ElvStop;

/// Candidate nearest to word, or NULL when none is near. Distance counts insertions, deletions,
/// substitutions and swaps of neighbours, letter case ignored; near means at most a third of the
/// length of word (1 at least, 3 at most) and some letter in common. The first of equals wins.
/// NULL candidates are skipped. Allocates nothing.
ELV_API const char* elv_suggest(const char* word, const char* const* candidates, size_t n);

#ifdef __cplusplus
}
#endif

#endif
