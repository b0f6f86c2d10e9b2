// SPDX-License-Identifier: Apache-2.0
// Making a static shooting: the chain, its units, and the grids with the segments they are cut into.
#include "strong/shoot_statics.h"

#include "multibody/spec_check.h"
#include "strong/mode_project.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// steps of the coarse grid along each rod where the number is free
enum { FIRST_STEPS = 4 };

static ElvStatus no_memory(ElvError* error) {
    return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
}

// the length of the chain, and the moment that bends (stretches, where nothing bends) it by one
static void set_units(ElvShooting* s) {
    double bend = 0.0;
    double stretch = 0.0;
    s->length = 0.0;
    for (int i = 0; i < s->coarse.n_step; i++) {
        const ElvShotStep* step = &s->coarse.step[i];
        const ElvMat6* H = &step->node[0].station.H;
        const ElvStrongPiece* piece = &s->chain.rod[step->i_rod].strong.piece[step->i_piece];
        for (int k = 0; k < piece->n_free; k++) {
            int strain = piece->free[k];
            double softness = step->h / fmax(H->m[strain][strain], 1e-300);
            if (strain < ELV_STRAIN_STRETCH) {
                bend = fmax(bend, softness);
            } else {
                stretch = fmax(stretch, softness);
            }
        }
        s->length += step->h;
    }
    double n = s->coarse.n_step;
    s->moment = bend > 0.0      ? 1.0 / (n * bend)
                : stretch > 0.0 ? s->length * s->length / (n * stretch)
                                : 1.0;
    // without a stiffness the equations have no solution: that is said when they are looked at
    s->moment = isfinite(s->moment) && s->moment > 1e-200 ? s->moment : 1.0;
}

// segments of about equal length that end where coarse steps do
static bool cut_segments(ElvShooting* s) {
    int n = s->coarse.n_step;
    if (n < s->n_segment) {
        return false;
    }
    double at = 0.0;
    int k = 1;
    s->first[0] = 0;
    for (int i = 0; i < n && k < s->n_segment; i++) {
        at += s->coarse.step[i].h;
        bool is_far = at >= s->length * k / s->n_segment - 1e-9 * s->length;
        bool must_end = n - 1 - i == s->n_segment - k;
        if (is_far || must_end) {
            s->first[k++] = 2 * (i + 1);
        }
    }
    s->first[s->n_segment] = 2 * n;
    return k == s->n_segment;
}

// room for the sections of a grid; what was there before stays where there is none
static ElvStatus take_sections(ElvShooting* s, const ElvShotGrid* fine, ElvError* error) {
    if (s->n_section_room >= fine->n_step + 1) {
        return ELV_OK;
    }
    size_t n = (size_t)fine->n_step + 1;
    ElvShootSection* section = elv_pool_take(&s->pool, n, sizeof *section);
    ElvIvpState* start = elv_pool_take(&s->pool, n, sizeof *start);
    if (!section || !start) {
        return no_memory(error);
    }
    s->section = section;
    s->start = start;
    s->n_section_room = fine->n_step + 1;
    return ELV_OK;
}

ElvStatus elv_shoot_build(ElvShooting* s, int times, ElvError* error) {
    ElvShotGrid coarse = {0};
    ElvShotGrid fine = {0};
    ElvStatus status = elv_shot_grid_create(&s->chain, s->steps, 1, times, &coarse, error);
    if (status == ELV_OK) {
        status = elv_shot_grid_create(&s->chain, s->steps, 1, 2 * times, &fine, error);
    }
    if (status == ELV_OK) {
        status = take_sections(s, &fine, error);
    }
    if (status != ELV_OK) {
        elv_shot_grid_free(&coarse);
        elv_shot_grid_free(&fine);
        return status;
    }
    elv_shot_grid_free(&s->coarse);
    elv_shot_grid_free(&s->fine);
    s->coarse = coarse;
    s->fine = fine;
    s->times = times;
    s->report.n_step = fine.n_step;
    return ELV_OK;
}

// grids fine enough for the segments
static ElvStatus build_first(ElvShooting* s, ElvError* error) {
    int asked = s->options.shooting.steps;
    s->steps = asked > 0 ? (asked + 1) / 2 : FIRST_STEPS;
    for (int times = 1;; times *= 2) {
        ElvStatus status = elv_shoot_build(s, times, error);
        if (status != ELV_OK) {
            return status;
        }
        set_units(s);
        if (cut_segments(s)) {
            s->first_times = times;
            return ELV_OK;
        }
    }
}

static bool take_point(ElvShooting* s, ElvShootPoint* x) {
    size_t n = (size_t)s->n_segment;
    x->root = elv_shoot_root(&s->chain);
    x->g = elv_pool_take(&s->pool, n, sizeof *x->g);
    x->lam = elv_pool_take(&s->pool, n, sizeof *x->lam);
    return x->g && x->lam;
}

// nodes of a step between two stations, and one at its end
static bool take_nodes(ElvShooting* s) {
    size_t n_fibre = 0;
    enum { N = ELV_RK8_NODE + 1 };
    for (int i = 0; i < s->chain.n_rod; i++) {
        size_t n = (size_t)s->chain.rod[i].strong.fields.n_fibre;
        n_fibre = n > n_fibre ? n : n_fibre;
    }
    s->node = elv_pool_take(&s->pool, N, sizeof *s->node);
    s->fibre = elv_pool_take(&s->pool, N * n_fibre, sizeof *s->fibre);
    s->tension = elv_pool_take(&s->pool, N * n_fibre, sizeof *s->tension);
    return s->node && s->fibre && s->tension;
}

static ElvStatus set_up(ElvShooting* s, ElvError* error) {
    ElvStatus status = elv_chain_create(s->model, &s->chain, error);
    if (status != ELV_OK) {
        return status;
    }
    s->n_segment = s->report.n_segment = s->options.shooting.segments;
    size_t n = (size_t)s->n_segment;
    s->first = elv_pool_take(&s->pool, n + 1, sizeof *s->first);
    s->end = elv_pool_take(&s->pool, n, sizeof *s->end);
    s->column = elv_pool_take(&s->pool, n, sizeof *s->column);
    if (!s->first || !s->end || !s->column || !take_point(s, &s->now) ||
        !take_point(s, &s->trial) || !take_point(s, &s->kept) || !take_point(s, &s->past) ||
        !take_point(s, &s->last) || !take_nodes(s)) {
        return no_memory(error);
    }
    status = elv_mode_grams(&s->chain, &s->pool, &s->gram, error);
    status = status == ELV_OK ? build_first(s, error) : status;
    if (status != ELV_OK) {
        return status;
    }
    s->problem = elv_shoot_problem(s);
    s->source = elv_shoot_source(s);
    return elv_root_work_create(&s->problem, &s->work, error);
}

ElvStatus elv_shoot_create(const ElvModel* model,
                           const ElvStaticsDef* options,
                           ElvShooting** shooting,
                           ElvError* error) {
    *shooting = NULL;
    elv_error_clear(error);
    ElvStatus status = elv_check_statics(options, error);
    status = status == ELV_OK ? elv_chain_refuse_motion(model, error) : status;
    if (status != ELV_OK) {
        return status;
    }
    ElvShooting* s = calloc(1, sizeof *s);
    if (!s) {
        return no_memory(error);
    }
    s->model = model;
    s->options = *options;
    s->brake = elv_brake(&options->stop);
    status = set_up(s, error);
    if (status != ELV_OK) {
        elv_shoot_free(s);
        return status;
    }
    *shooting = s;
    return ELV_OK;
}

void elv_shoot_free(ElvShooting* shooting) {
    if (!shooting) {
        return;
    }
    elv_root_work_free(&shooting->work);
    elv_shot_grid_free(&shooting->fine);
    elv_shot_grid_free(&shooting->coarse);
    elv_chain_free(&shooting->chain);
    elv_pool_free(&shooting->pool);
    free(shooting);
}

void elv_shoot_hold_tip(ElvShooting* shooting, const ElvPose* pose) {
    shooting->has_tip = pose != NULL;
    shooting->is_pinned = false;
    shooting->tip = pose ? *pose : elv_pose_identity();
}

void elv_shoot_hold_point(ElvShooting* shooting, const ElvVec3* point) {
    elv_shoot_hold_tip(shooting, NULL);
    if (point) {
        shooting->has_tip = shooting->is_pinned = true;
        shooting->tip.p = *point;
    }
}

ElvShootReport elv_shoot_report(const ElvShooting* shooting) {
    return shooting->report;
}
