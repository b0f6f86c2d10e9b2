// SPDX-License-Identifier: Apache-2.0
// Parts of the page of `elver reproduce all`: its texts and its cards, one a figure or table.
#ifndef ELVER_CLI_FIGURE_CARD_H
#define ELVER_CLI_FIGURE_CARD_H

#include "figure.h"

/// What stands before the first heading: the style of the page, for light and dark, for wide and narrow screens.
/// Pieces, the last one NULL.
extern const char* const FIGURE_HEAD[];

/// A text with the signs that HTML takes for itself written out.
void figure_put(FILE* stream, const char* text);

/// A text whose @examples lead to the first figure that runs them, and whose docs/NAME.md to the site, if it is around the
/// folder.
void figure_put_prose(FILE* stream, const char* text, const char* folder);

/// Whether an entry only says why there is nothing.
bool figure_is_line(const Figure* figure);

/// All that the page says of a figure.
void figure_put_card(FILE* stream, const Figure* figure, const char* folder);

#endif
