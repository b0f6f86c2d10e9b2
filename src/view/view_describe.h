// SPDX-License-Identifier: Apache-2.0
// The description of a view.
#ifndef ELVER_VIEW_VIEW_DESCRIBE_H
#define ELVER_VIEW_VIEW_DESCRIBE_H

#include "view/view.h"
#include "view/view_json.h"

/// The description without its closing brace, so that members can follow. title: may be NULL.
void elv_view_describe_into(ElvBytes* json, const ElvView* view, const char* title);

#endif
