// SPDX-License-Identifier: Apache-2.0
// The page of the viewer, as cmake/Embed.cmake makes it of web/dist/viewer.html.
#ifndef ELVER_VIEW_VIEW_PAGE_H
#define ELVER_VIEW_VIEW_PAGE_H

#include <stddef.h>
#include <stdint.h>

extern const uint64_t elv_view_page_word[]; // its bytes in memory, then at least one that is 0
extern const size_t elv_view_page_size;     // without these

#endif
