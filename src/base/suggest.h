// SPDX-License-Identifier: Apache-2.0
// The nearest known name to a misspelt word, for messages that end in "did you mean …?".
#ifndef ELVER_BASE_SUGGEST_H
#define ELVER_BASE_SUGGEST_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Candidate nearest to word, or NULL when none is near. Distance counts insertions, deletions,
/// substitutions and swaps of neighbours, letter case ignored; near means at most a third of the
/// length of word (1 at least, 3 at most) and some letter in common. The first of equals wins.
/// NULL candidates are skipped. Allocates nothing.
const char* elv_suggest(const char* word, const char* const* candidates, size_t n);

#ifdef __cplusplus
}
#endif

#endif
