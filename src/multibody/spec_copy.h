// SPDX-License-Identifier: Apache-2.0
// Deep copies of Defs: a shallow copy is made to own what it points to.
#ifndef ELVER_MULTIBODY_SPEC_COPY_H
#define ELVER_MULTIBODY_SPEC_COPY_H

#include "multibody/spec.h"

/// Replace every string and array that a Def points to by a copy from the pool. Callbacks and
/// their user pointers stay. Returns false when there is no memory left; the Def must have passed
/// its check.
bool elv_law_def_own(ElvPool* pool, ElvLawDef* law);
bool elv_body_def_own(ElvPool* pool, ElvBodyDef* def);
bool elv_rod_def_own(ElvPool* pool, ElvRodDef* def);
bool elv_fluid_def_own(ElvPool* pool, ElvFluidDef* def);
bool elv_frame_def_own(ElvPool* pool, ElvFrameDef* def);
bool elv_wrench_def_own(ElvPool* pool, ElvWrenchDef* def);
bool elv_distributed_def_own(ElvPool* pool, ElvDistributedDef* def);
bool elv_actuator_own(ElvPool* pool, ElvActuator* actuator);
bool elv_constraint_own(ElvPool* pool, ElvConstraint* constraint);
bool elv_statics_def_own(ElvPool* pool, ElvStaticsDef* def);
bool elv_inverse_def_own(ElvPool* pool, ElvInverseDef* def);
bool elv_record_def_own(ElvPool* pool, ElvRecordDef* def);

#endif
