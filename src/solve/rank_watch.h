// SPDX-License-Identifier: Apache-2.0
// Postures in which constraints on velocities lose a direction, along a run: those that the motion
// goes through are noted, and it is stopped where it would have to go through a pole
// (reduced_rank.c).
#ifndef ELVER_SOLVE_RANK_WATCH_H
#define ELVER_SOLVE_RANK_WATCH_H

#include "elver/integrate.h"
#include "solve/reduced.h"

typedef struct ElvRankWatch {
    ElvReduced* reduced; // of its own
    ElvData* data;
    ElvState* from; // the last state
    ElvState* at;   // where rows are looked at
    ElvState* kept; // what the caller's state was before a step
    double* memory;
    double* rate[2]; // of coordinates, at both ends of a step                 (nq)
    ElvLost lost[3]; // at the last state, at this one, and between
    int rank;        // of rows so far
    double least;    // the nearest to zero that one more came before it counted,
    double t_least;  // and when
    ElvRankLossReport report;
} ElvRankWatch;

/// NULL where there is nothing to watch: no constraints that imposed motions meet, or some on
/// positions.
ELV_NODISCARD ElvStatus elv_rank_watch_create(const ElvModel* model,
                                              ElvRankWatch** watch,
                                              ElvError* error);
void elv_rank_watch_free(ElvRankWatch* watch);

/// Begin at a state, or go on from one at which laws jump: they are seen from its right.
void elv_rank_watch_start(ElvRankWatch* watch, const ElvState* state);
void elv_rank_watch_jump(ElvRankWatch* watch, const ElvState* state);

/// The end of a step. ELV_ERROR_NUMERIC names the constraint that would have had to slip within it.
ELV_NODISCARD ElvStatus elv_rank_watch_step(ElvRankWatch* watch,
                                            const ElvState* state,
                                            ElvError* error);

/// No step could be made from the last state. ELV_ERROR_NUMERIC where constraints are to blame: they
/// are about to lose a direction that imposed motions need. ELV_OK: they are not.
ELV_NODISCARD ElvStatus elv_rank_watch_blame(ElvRankWatch* watch, ElvError* error);

#endif
