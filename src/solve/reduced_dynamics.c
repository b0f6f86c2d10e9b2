// SPDX-License-Identifier: Apache-2.0
// Accelerations under constraints and the reactions of these (reduced.h): the reduced dynamics of
// what is free [ALI (3.65)-(3.69)], and the smallest forces that explain the motion
// ("distributive", [ALI (7.1)-(7.3)]).
//
// Unknowns z of a device obey laws of their own: no moment about a contact, the effort of a spring
// along a joint. These are D z + e = 0, with solutions z = z_e + N lambda; lambda are the open
// reactions. Wrenches are measured about the point where they act, moments against the size of the
// robot, those of contacts of rods too.
#include "linalg/block_product.h"
#include "linalg/cholesky.h"
#include "solve/reduced.h"

#include <math.h>
#include <string.h>

/// Of reactions, directions below this have no effect; rows are scaled.
static const double NO_EFFECT = 1e-9;

static double dot(int n, const double* a, const double* b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

// ---- the laws of a device's unknowns

// z (n_z) from y, whose wrench is about the point of the device, with moments in sizes of the robot
static void
to_unknowns(const ElvReduced* r, const ElvDevice* device, const ElvData* data, double* y) {
    for (int k = 0; k < device->n_z && !device->ops->point && device->ops->is_turn; k++) {
        y[k] *= device->ops->is_turn(device, k) ? r->model->size : 1.0;
    }
    if (!device->ops->point) {
        return;
    }
    ElvVec3 arm = elv_vec3_add(data->origin, device->ops->point(device, data));
    ElvVec3 force = elv_vec3(y[3], y[4], y[5]);
    ElvVec3 moment = elv_vec3_scale(r->model->size, elv_vec3(y[0], y[1], y[2]));
    moment = elv_vec3_add(moment, elv_vec3_cross(arm, force));
    y[0] = moment.x;
    y[1] = moment.y;
    y[2] = moment.z;
}

// Factors of D of a device in y, after elv_reduced_rows on the same configuration; returns the
// number of laws
static int
factor_laws(ElvReduced* r, ElvData* data, const ElvState* state, const ElvDevice* device) {
    const ElvModel* model = r->model;
    ElvBorderRule rule = {.is_motion = true};
    ElvScene scene = {model, data, state, &rule};
    int n = device->n_z - device->n_place;
    int m = 0;
    memset(r->d_z, 0, (size_t)model->nz * sizeof *r->d_z);
    memset(r->d_nu, 0, (size_t)model->nv * sizeof *r->d_nu);
    memset(data->x, 0, (size_t)model->n_port * ELV_N_VARIATION * sizeof *data->x);
    for (int k = 0; k < n; k++) {
        double* z = r->d_z + device->i_z;
        z[k] = 1.0;
        to_unknowns(r, device, data, z);
        device->ops->row(device, &scene, r->d_nu, r->d_z, r->d_c + device->i_z);
        memset(z, 0, (size_t)device->n_z * sizeof *z);
        m = 0;
        for (int i = 0; i < device->n_z; i++) {
            if (!model->is_held[device->i_z + i]) {
                r->D[(size_t)m++ * (size_t)n + (size_t)k] = r->d_c[device->i_z + i];
            }
        }
    }
    r->block.n = n;
    return elv_row_space_factor(&r->block, m, r->D, NULL, NO_EFFECT) ? m : -1;
}

// how many reactions of a device its laws leave open
static int count_open(const ElvModel* model, const ElvDevice* device) {
    int n = 0;
    for (int k = device->i_z; k < device->i_z + device->n_z && device->ops->motion; k++) {
        n += model->is_held[k] - model->is_place[k];
    }
    return n;
}

void elv_reduced_efforts(ElvReduced* reduced, ElvData* data, ElvState* state) {
    const ElvModel* model = reduced->model;
    elv_device_release(model, state->z);
    elv_border_motion(model, data, state, 2, 0.0, reduced->c);
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        double* value = reduced->y;
        bool acts = false;
        int m = 0;
        for (int k = device->i_z; k < device->i_z + device->n_z && device->ops->motion; k++) {
            if (!model->is_held[k]) {
                value[m++] = -reduced->c[k];
                acts = acts || reduced->c[k] != 0.0;
            }
        }
        if (acts && factor_laws(reduced, data, state, device) >= 0) {
            double* y = reduced->y + reduced->n_most;
            elv_row_space_solve(&reduced->block, value, y);
            to_unknowns(reduced, device, data, y);
            size_t n = (size_t)(device->n_z - device->n_place);
            memcpy(state->z + device->i_z, y, n * sizeof *y);
        }
    }
}

// ---- accelerations

// M of free components, scaled on both sides, into S (n x n)
static void scale_mass(const ElvReduced* r, const double* M, double* S) {
    size_t nv = (size_t)r->model->nv;
    for (int i = 0; i < r->n; i++) {
        size_t i_v = (size_t)r->coordinate[i];
        for (int k = 0; k < r->n; k++) {
            size_t k_v = (size_t)r->coordinate[k];
            S[(size_t)i * (size_t)r->n + (size_t)k] =
                r->scale[i_v] * M[i_v * nv + k_v] * r->scale[k_v];
        }
    }
}

const char* elv_reduced_owner(const ElvReduced* reduced, int i) {
    const ElvReduced* r = reduced;
    const double* h = r->H + (size_t)i * (size_t)r->n;
    int most = 0;
    const char* name = "";
    for (int k = 0; k < r->n; k++) {
        most = fabs(h[k]) > fabs(h[most]) ? k : most;
    }
    for (int j = 0; j < r->model->n_node; j++) {
        const ElvNode* node = &r->model->node[j];
        bool is_owner = r->n > 0 && node->i_v <= r->coordinate[most] && node->joint->n_v > 0;
        name = is_owner ? node->name : name;
    }
    return name;
}

int elv_reduced_factor(ElvReduced* reduced, const double* M) {
    ElvReduced* r = reduced;
    int n = r->n, m = r->n_kernel;
    if (m == 0) {
        return -1;
    }
    // H M, then the columns of H in place of M
    scale_mass(r, M, r->HT);
    memset(r->MH, 0, (size_t)n * (size_t)m * sizeof(double));
    elv_block_add_product(m, n, n, r->H, n, 1, r->HT, n, r->MH, n);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < m; k++) {
            r->HT[(size_t)i * (size_t)m + (size_t)k] = r->H[(size_t)k * (size_t)n + (size_t)i];
        }
    }
    memset(r->HMH, 0, (size_t)m * (size_t)m * sizeof(double));
    elv_block_add_product(m, n, m, r->MH, n, 1, r->HT, m, r->HMH, m);
    return elv_cholesky_factor(m, r->HMH);
}

double elv_reduced_balance(ElvReduced* reduced, const double* residual, double* x) {
    ElvReduced* r = reduced;
    double* y = r->step;
    double change = 0.0;
    for (int i = 0; i < r->n_kernel; i++) {
        y[i] = 0.0;
        for (int k = 0; k < r->n; k++) {
            int i_v = r->coordinate[k];
            y[i] -= r->H[(size_t)i * (size_t)r->n + (size_t)k] * r->scale[i_v] * residual[i_v];
        }
    }
    elv_cholesky_solve(r->n_kernel, r->HMH, y);
    for (int k = 0; k < r->n; k++) {
        int i_v = r->coordinate[k];
        double sum = 0.0;
        for (int i = 0; i < r->n_kernel; i++) {
            sum += r->H[(size_t)i * (size_t)r->n + (size_t)k] * y[i];
        }
        x[i_v] += r->scale[i_v] * sum;
        change = isfinite(sum) ? fmax(change, fabs(sum)) : INFINITY;
    }
    return change;
}

// accelerations along the kernel: H^T M H a_r = -H^T R, R at those of the state
//                                                                          [ALI (3.67)-(3.69)]
static ElvStatus reduce(ElvReduced* r, ElvData* data, ElvState* state, ElvError* error) {
    elv_kinematics(r->model, data, state);
    elv_reduced_efforts(r, data, state);
    elv_residual(r->model, data, state, r->residual);
    elv_composite_free_pass(r->model, data, data->M);
    int bad = elv_reduced_factor(r, data->M);
    if (bad >= 0) {
        const char* name = elv_reduced_owner(r, bad);
        return elv_error_set(error, ELV_ERROR_SINGULAR, name, "",
                             "no inertia resists a motion of '%s' that the constraints leave free "
                             "(t = %.9g): give it mass, or one constraint more",
                             name, state->t);
    }
    (void)elv_reduced_balance(r, r->residual, state->a);
    // once more: of hundreds of modes the shortest are far lighter than the longest
    elv_residual(r->model, data, state, r->residual);
    (void)elv_reduced_balance(r, r->residual, state->a);
    return ELV_OK;
}

ElvStatus
elv_reduced_acceleration(ElvReduced* reduced, ElvData* data, ElvState* state, ElvError* error) {
    ElvReduced* r = reduced;
    ElvStatus status = ELV_OK;
    (void)elv_device_follow(r->model, data, state);
    // the particular solution: J a = -c_2                                      [ALI (3.46), (3.65)]
    memset(state->a, 0, (size_t)state->nv * sizeof *state->a);
    elv_state_impose(r->model, state);
    elv_reduced_second(r, data, state, r->defect);
    elv_row_space_solve(&r->space, r->defect, r->step);
    for (int k = 0; k < r->n; k++) {
        int i_v = r->coordinate[k];
        state->a[i_v] = -r->scale[i_v] * r->step[k];
    }
    (void)elv_reduced_limit(r, data, state);
    if (r->n_kernel > 0) {
        status = reduce(r, data, state, error);
    }
    for (int i = 0; i < state->nv && status == ELV_OK; i++) {
        if (!isfinite(state->a[i])) {
            status = elv_error_set(error, ELV_ERROR_NUMERIC, "", "",
                                   "an acceleration is not finite at t = %.9g", state->t);
        }
    }
    return status;
}

// ---- reactions

// Columns of a device's unknowns: efforts on coordinates per unit of each, into B (n_z x nv)
static void
set_columns(ElvReduced* r, ElvData* data, const ElvState* state, const ElvDevice* device) {
    const ElvModel* model = r->model;
    ElvBorderRule rule = {.is_motion = true};
    ElvScene scene = {model, data, state, &rule};
    size_t nv = (size_t)model->nv;
    for (int k = 0; k < device->n_z - device->n_place; k++) {
        double* B = r->B + (size_t)k * nv;
        memset(data->e, 0, (size_t)model->n_port * 6 * sizeof *data->e);
        memset(B, 0, nv * sizeof *B);
        device->ops->column(device, &scene, k, B);
        elv_project_free(model, data, B);
    }
}

// open reactions of all devices, in N, and what they do to free coordinates, in BN
//                                                                               [ALI (3.42), (7.2)]
static bool set_reactions(ElvReduced* r, ElvData* data, const ElvState* state) {
    const ElvModel* model = r->model;
    int n_open = 0;
    elv_screw_free_pass(model, data);
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        if (!device->ops->motion || device->n_z == 0) {
            continue;
        }
        int n = device->n_z - device->n_place;
        bool has_laws = count_open(model, device) < n;
        if (has_laws && factor_laws(r, data, state, device) < 0) {
            return false;
        }
        set_columns(r, data, state, device);
        for (int k = 0; k < count_open(model, device); k++, n_open++) {
            double* N = r->N + (size_t)n_open * (size_t)r->n_most;
            memset(N, 0, (size_t)r->n_most * sizeof *N);
            if (has_laws) {
                elv_row_space_kernel(&r->block, k, N);
            } else {
                N[k] = 1.0;
            }
            to_unknowns(r, device, data, N);
            for (int i_c = 0; i_c < r->n; i_c++) {
                int i_v = r->coordinate[i_c];
                double sum = 0.0;
                for (int j = 0; j < n; j++) {
                    sum += r->B[(size_t)j * (size_t)model->nv + (size_t)i_v] * N[j];
                }
                r->BN[(size_t)i_c * (size_t)r->n_force + (size_t)n_open] = r->scale[i_v] * sum;
            }
        }
    }
    return true;
}

// reactions that are wanted beside, in the order of open ones; returns their size
static double want_preload(ElvReduced* r, double t) {
    const ElvModel* model = r->model;
    double sum = 0.0;
    int n_open = 0;
    r->preloaded = NULL;
    memset(r->preload, 0, (size_t)r->n_force * sizeof *r->preload);
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        int n = count_open(model, device);
        if (n > 0 && device->ops->preload && device->ops->preload(device, t, r->y)) {
            memcpy(r->preload + n_open, r->y, (size_t)n * sizeof *r->y);
            r->preloaded = r->preloaded ? r->preloaded : device->name;
            sum = hypot(sum, sqrt(dot(n, r->y, r->y)));
        }
        n_open += n;
    }
    return sum;
}

// keep of the preload what does nothing to free coordinates:
// lambda_stat = (1 - (B N)^+ B N) preload                                               [ALI (7.3)]
static void balance_preload(ElvReduced* r, double t) {
    double* rest = r->lambda + r->n;
    double size = want_preload(r, t);
    r->preload_share = 1.0;
    if (!r->preloaded) {
        return;
    }
    for (int k = 0; k < r->n; k++) {
        r->lambda[k] = dot(r->n_force, r->BN + (size_t)k * (size_t)r->n_force, r->preload);
    }
    elv_row_space_solve(&r->reaction, r->lambda, rest);
    for (int k = 0; k < r->n_force; k++) {
        r->preload[k] -= rest[k];
    }
    r->preload_share = sqrt(dot(r->n_force, r->preload, r->preload)) / size;
}

ElvStatus elv_reduced_check_preload(const ElvReduced* reduced, ElvError* error) {
    if (!reduced->preloaded || reduced->preload_share > NO_EFFECT) {
        return ELV_OK;
    }
    return elv_error_set(error, ELV_ERROR_INPUT, reduced->preloaded, "preload",
                         "contacts cannot hold the preload of '%s' against each other: the motion "
                         "alone decides on what it acts on; remove it, or add contacts",
                         reduced->preloaded);
}

bool elv_reduced_reaction(ElvReduced* reduced, ElvData* data, ElvState* state) {
    ElvReduced* r = reduced;
    const ElvModel* model = r->model;
    double* lambda = r->lambda + r->n;
    int n_open = 0;
    elv_kinematics(model, data, state);
    elv_reduced_efforts(r, data, state);
    elv_residual(model, data, state, r->residual);
    if (!set_reactions(r, data, state) ||
        !elv_row_space_factor(&r->reaction, r->n, r->BN, NULL, NO_EFFECT)) {
        return false;
    }
    balance_preload(r, state->t);
    // B N lambda = -R                                                                   [ALI (7.3)]
    for (int k = 0; k < r->n; k++) {
        int i_v = r->coordinate[k];
        r->lambda[k] = -r->scale[i_v] * r->residual[i_v];
    }
    elv_row_space_solve(&r->reaction, r->lambda, lambda);
    bool is_finite = true;
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        for (int k = 0; k < count_open(model, device); k++, n_open++) {
            const double* N = r->N + (size_t)n_open * (size_t)r->n_most;
            for (int j = 0; j < device->n_z - device->n_place; j++) {
                state->z[device->i_z + j] += N[j] * (lambda[n_open] + r->preload[n_open]);
            }
        }
    }
    for (int k = 0; k < state->nz; k++) {
        is_finite = is_finite && isfinite(state->z[k]);
    }
    return is_finite;
}
