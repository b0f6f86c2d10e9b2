// SPDX-License-Identifier: Apache-2.0
// Figures and tables of the papers that have a file of their own. Each prints itself and returns an exit code.
#ifndef ELVER_CLI_REPRODUCE_H
#define ELVER_CLI_REPRODUCE_H

#include "cli.h"

/// Errors of six schemes of finite differences.                                   [RKMK table III]
int reproduce_rkmk_table3(void);

#endif
