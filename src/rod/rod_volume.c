// SPDX-License-Identifier: Apache-2.0
// Sections that keep their volume (rod_volume.h): inertias that follow the stretch, and what their change takes. The
// variation is that of an imposed stretch: as of a resistance (rho J)_dot in each section.
#include "rod/rod_volume.h"

#include "joint/variation.h"

enum { ROW = ELV_N_VARIATION };

bool elv_rod_volume_is_imposed(const ElvRod* rod) {
    bool is_free = false;
    for (int i = 0; i < rod->n_element; i++) {
        is_free = is_free || rod->element[i].basis[ELV_STRAIN_STRETCH].n_mode > 0;
    }
    return rod->motion[ELV_STRAIN_STRETCH] || !is_free;
}

ElvRodVolume* elv_rod_volume_layout(const ElvRod* rod, ElvArena* arena) {
    size_t n = (size_t)rod->n_node;
    if (!rod->keeps_volume) {
        return NULL;
    }
    ElvRodVolume* volume = elv_arena_take(arena, 1, sizeof *volume);
    ElvRodVolume v = {0};
    v.inertia = elv_arena_take(arena, n, sizeof *v.inertia);
    v.rate = elv_arena_take(arena, n, sizeof *v.rate);
    v.pressure = elv_arena_take(arena, n, sizeof *v.pressure);
    if (volume) {
        *volume = v;
    }
    return volume;
}

// what coordinates x add to the stretch at node i of a segment
static double add_stretch(const ElvRodSegment* seg, int i, const double* x) {
    const double* phi = seg->phi + (size_t)i * (size_t)seg->n_col;
    double sum = 0.0;
    for (int k = 0; k < seg->n_col; k++) {
        sum += seg->strain[k] == ELV_STRAIN_STRETCH ? phi[k] * x[seg->col[k]] : 0.0;
    }
    return sum;
}

static ElvInertia rotary(ElvMat3 J) {
    ElvInertia I = elv_inertia_zero();
    I.J = J;
    return I;
}

void elv_rod_volume_set(const ElvRod* rod, ElvRodWork* work, const ElvJointInput* in) {
    for (int i_segment = 0; i_segment < rod->n_segment && rod->keeps_volume; i_segment++) {
        const ElvRodSegment* seg = &rod->segment[i_segment];
        for (int i = 0; i < seg->n_node; i++) {
            int n = seg->i_node + i;
            double rest = seg->gamma_ref[i].x;
            double stretch = rest + add_stretch(seg, i, in->q);
            double moves = in->is_static ? 0.0 : 1.0;
            double rate = moves * add_stretch(seg, i, in->v);
            ElvMat3 J = elv_mat3_scale(rest / stretch, rod->inertia[n].J);
            ElvVec3 Omega = elv_mat3_apply_transpose(work->g[n].R, work->V[n].ang);
            work->volume->inertia[n] = rod->inertia[n];
            work->volume->inertia[n].J = J;
            work->volume->rate[n] = rotary(elv_mat3_scale(-rate / stretch, J));
            work->volume->pressure[n] =
                0.5 * moves * elv_vec3_dot(Omega, elv_mat3_apply(J, Omega)) / stretch;
        }
    }
}

void elv_rod_volume_moments(const ElvRod* rod, const ElvRodWork* work) {
    for (int i = 0; i < rod->n_node && rod->keeps_volume; i++) {
        ElvTwist eta = elv_twist_transform_inv(work->g[i], work->V[i]);
        ElvWrench moment = elv_inertia_apply(work->volume->rate[i], eta);
        work->f[i] = elv_wrench_add(work->f[i], elv_wrench_transform(work->g[i], moment));
    }
}

void elv_rod_volume_efforts(const ElvRod* rod, const ElvRodWork* work, double* tau) {
    for (int i_segment = 0; i_segment < rod->n_segment && rod->keeps_volume; i_segment++) {
        const ElvRodSegment* seg = &rod->segment[i_segment];
        for (int i = 0; i < seg->n_node; i++) {
            const double* phi = seg->phi + (size_t)i * (size_t)seg->n_col;
            double effort = rod->weight[seg->i_node + i] * work->volume->pressure[seg->i_node + i];
            for (int k = 0; k < seg->n_col; k++) {
                tau[seg->col[k]] += seg->strain[k] == ELV_STRAIN_STRETCH ? phi[k] * effort : 0.0;
            }
        }
    }
}

void elv_rod_volume_variations(const ElvRod* rod, const ElvRodWork* work) {
    for (int i = 0; i < rod->n_node && rod->keeps_volume; i++) {
        double K[6 * ROW] = {0.0};
        double* padded = work->K + (size_t)i * 6 * ELV_ROD_K_ROW;
        ElvInertia R = elv_inertia_transform(work->g[i], work->volume->rate[i]);
        elv_variation_resistance(&R, &work->V[i], rod->weight[i], K);
        for (int p = 0; p < 6; p++) {
            for (int k = 0; k < ROW; k++) {
                padded[p * ELV_ROD_K_ROW + k] += K[p * ROW + k];
            }
        }
    }
}
