// SPDX-License-Identifier: Apache-2.0
// Elver: robots made of rigid bodies and Cosserat rods. Includes the whole public API.
#ifndef ELVER_ELVER_H
#define ELVER_ELVER_H

#include "elver/analysis.h"
#include "elver/dynamics.h"
#include "elver/fluid.h"
#include "elver/input.h"
#include "elver/integrate.h"
#include "elver/inverse.h"
#include "elver/io.h"
#include "elver/law.h"
#include "elver/law_def.h"
#include "elver/lie.h"
#include "elver/locomotion.h"
#include "elver/model.h"
#include "elver/signal.h"
#include "elver/singular_sweep.h"
#include "elver/spec.h"
#include "elver/statics.h"
#include "elver/status.h"
#include "elver/strong.h"
#include "elver/strong_inverse.h"
#include "elver/vec3.h"
#include "elver/version.h"
#include "elver/view.h"

#endif
