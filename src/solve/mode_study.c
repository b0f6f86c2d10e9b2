// SPDX-License-Identifier: Apache-2.0
// How many modes are enough: the distance between the solutions with n and with n + 1 modes  [P20 (61)]
//     eps(n + 1 / n) = 1/t_f  integral over t and s of (K^(n+1) - K^(n))^2
// for each strain of each rod. The first solution leaves its strains at stations of a composite Gauss
// rule, the second is compared with them record by record; time is integrated by trapezoids. In statics
// the mean over the loads takes the place of that over time.
#include "elver/analysis.h"
#include "linalg/quadrature.h"
#include "multibody/model.h"
#include "multibody/spec_refine.h"
#include "rod/rod.h"
#include "solve/statics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Stations: the rod in pieces of equal length, Gauss nodes on each.
enum { N_PIECE = 32, N_GAUSS = 3, N_STATION = N_PIECE * N_GAUSS };

typedef struct {
    ElvModeStudy* study;
    bool is_static;
    bool is_second;               // compare; else keep
    ElvProgressCallback progress; // may be NULL
    void* user;
    int* node; // of each rod                                              (n_rod)
    double s[N_STATION], w[N_STATION];
    double* kept; // t, then strains                         (n_room x (1 + 6 N_STATION n_rod))
    size_t n_kept, n_room;
    size_t i_record;
    double* rest;      // strains at rest                              (6 N_STATION n_rod)
    ElvStatus failure; // no memory, or records that do not match
} Study;

static size_t row_size(const Study* s) {
    return 1 + (size_t)ELV_N_STRAIN * N_STATION * (size_t)s->study->n_rod;
}

static void set_stations(Study* s) {
    double x[N_GAUSS];
    double w[N_GAUSS];
    elv_gauss_legendre(N_GAUSS, x, w);
    for (int i = 0; i < N_STATION; i++) {
        int piece = i / N_GAUSS;
        s->s[i] = (piece + x[i % N_GAUSS]) / N_PIECE;
        s->w[i] = w[i % N_GAUSS] / N_PIECE;
    }
}

static void read_strains(
    const Study* s, const ElvModel* model, ElvData* data, const ElvState* state, double* row) {
    row[0] = state->t;
    for (int r = 0; r < s->study->n_rod; r++) {
        for (int i = 0; i < N_STATION; i++) {
            ElvTwist strain;
            elv_rod_section(model, data, state, s->node[r], s->s[i], NULL, &strain, NULL);
            elv_twist_to_array(strain, row + 1 + (r * N_STATION + i) * ELV_N_STRAIN);
        }
    }
}

static bool keep(Study* s, const ElvModel* model, ElvData* data, const ElvState* state) {
    if (s->n_kept == s->n_room) {
        size_t n_room = s->n_room > 0 ? 2 * s->n_room : 64;
        double* grown = realloc(s->kept, n_room * row_size(s) * sizeof *grown);
        if (!grown) {
            s->failure = ELV_ERROR_MEMORY;
            return false;
        }
        s->kept = grown;
        s->n_room = n_room;
    }
    read_strains(s, model, data, state, s->kept + row_size(s) * s->n_kept++);
    return true;
}

// integrals over s of (second - first)^2 and (second - rest)^2, with the weight of the record
static void compare(Study* s, const double* first, const double* second, double weight) {
    for (int r = 0; r < s->study->n_rod; r++) {
        ElvModeStudyRod* rod = &s->study->rod[r];
        for (int i = 0; i < N_STATION; i++) {
            for (int k = 0; k < ELV_N_STRAIN; k++) {
                size_t at = 1 + (size_t)((r * N_STATION + i) * ELV_N_STRAIN + k);
                double off = second[at] - first[at];
                double size = second[at] - s->rest[at - 1];
                rod->error[k] += weight * s->w[i] * off * off;
                rod->size[k] += weight * s->w[i] * size * size;
            }
        }
    }
}

// share of record i in the mean
static double weight_of(const Study* s, size_t i) {
    size_t last = s->n_kept - 1;
    double t_first = s->kept[0];
    double t_last = s->kept[last * row_size(s)];
    if (s->is_static || last == 0 || !(t_last > t_first)) {
        return 1.0 / (double)s->n_kept;
    }
    double before = s->kept[(i > 0 ? i - 1 : 0) * row_size(s)];
    double after = s->kept[(i < last ? i + 1 : last) * row_size(s)];
    return 0.5 * (after - before) / (t_last - t_first);
}

static bool on_record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Study* s = user;
    if (!s->is_second) {
        return keep(s, model, data, state);
    }
    double* row = s->kept + s->n_kept * row_size(s);
    const double* first = s->kept + s->i_record * row_size(s);
    read_strains(s, model, data, state, row);
    if (s->i_record >= s->n_kept || fabs(first[0] - row[0]) > 1e-9 * (1.0 + fabs(row[0]))) {
        s->failure = ELV_ERROR_NUMERIC;
        return false;
    }
    compare(s, first, row, weight_of(s, s->i_record++));
    return true;
}

static void read_rest(Study* s, const ElvModel* model) {
    for (int r = 0; r < s->study->n_rod; r++) {
        const ElvRod* rod = (const ElvRod*)model->node[s->node[r]].joint;
        for (int i = 0; i < N_STATION; i++) {
            for (int k = 0; k < ELV_N_STRAIN; k++) {
                s->rest[(r * N_STATION + i) * ELV_N_STRAIN + k] =
                    elv_law_value(rod->reference[k], 0.0, s->s[i]);
            }
        }
    }
}

// the rods of a model, which are the same in both
static ElvStatus list_rods(Study* s, const ElvModel* model, ElvError* error) {
    int n_node = elv_model_n_node(model);
    s->study->rod = calloc((size_t)n_node + 1, sizeof *s->study->rod);
    s->node = calloc((size_t)n_node + 1, sizeof *s->node);
    if (!s->study->rod || !s->node) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    for (int i = 0; i < n_node; i++) {
        ElvNodeInfo info = elv_model_node(model, i);
        if (!info.is_rod) {
            continue;
        }
        ElvModeStudyRod* rod = &s->study->rod[s->study->n_rod];
        s->node[s->study->n_rod++] = i;
        snprintf(rod->name, sizeof rod->name, "%.*s", (int)sizeof rod->name - 1, info.name);
        for (int k = 0; k < ELV_N_STRAIN; k++) {
            rod->is_active[k] = info.modes[k] > 0;
        }
    }
    if (s->study->n_rod == 0) {
        return elv_error_set(error, ELV_ERROR_INPUT, "", "", "the model has no rod");
    }
    s->rest = calloc(row_size(s), sizeof *s->rest);
    if (!s->rest) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    read_rest(s, model);
    return ELV_OK;
}

static bool on_progress(void* user, double t, const ElvIntegratorReport* report) {
    const Study* s = user;
    return !s->progress || s->progress(s->user, t, report);
}

static ElvStatus solve(Study* s, const ElvModel* model, ElvError* error) {
    ElvState* state = NULL;
    ElvStatus status = elv_state_create(model, &state, error);
    if (status == ELV_OK && s->is_static) {
        ElvStaticsOptions options = elv_statics_options_default(model);
        options.record = on_record;
        options.user = s;
        status = elv_statics_run_modes(model, state, &options, NULL, error);
    } else if (status == ELV_OK) {
        ElvSimulateOptions options = elv_simulate_options_default(model, state);
        options.record = on_record;
        options.progress = on_progress;
        options.user = s;
        status = elv_simulate(model, state, &options, NULL, error);
    }
    elv_state_free(state);
    if (s->failure == ELV_ERROR_MEMORY) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    bool is_short = s->is_second && status == ELV_OK && s->i_record != s->n_kept;
    if (s->failure != ELV_OK || is_short) {
        return elv_error_set(error, ELV_ERROR_NUMERIC, "", "",
                             "the two solutions do not have the same records");
    }
    return status;
}

static ElvStatus run_study(Study* s, const ElvSpec* spec, ElvError* error) {
    ElvModel* model = NULL;
    ElvStatus status = elv_spec_compile(spec, &model, error);
    status = status == ELV_OK ? list_rods(s, model, error) : status;
    status = status == ELV_OK ? solve(s, model, error) : status;
    elv_model_free(model);
    model = NULL;
    if (status != ELV_OK) {
        return status;
    }
    // room for one row more
    double* grown = realloc(s->kept, (s->n_kept + 1) * row_size(s) * sizeof *grown);
    if (!grown) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    s->kept = grown;
    s->is_second = true;
    status = elv_spec_compile_refined(spec, &model, error);
    status = status == ELV_OK ? solve(s, model, error) : status;
    elv_model_free(model);
    return status;
}

ElvStatus elv_mode_study_create(const ElvSpec* spec,
                                bool is_static,
                                ElvProgressCallback progress,
                                void* user,
                                ElvModeStudy** study,
                                ElvError* error) {
    *study = NULL;
    elv_error_clear(error);
    Study* s = calloc(1, sizeof *s);
    ElvModeStudy* made = calloc(1, sizeof *made);
    ElvStatus status = ELV_OK;
    if (!s || !made) {
        status = elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    } else {
        s->study = made;
        s->is_static = is_static;
        s->progress = progress;
        s->user = user;
        set_stations(s);
        status = run_study(s, spec, error);
    }
    if (s) {
        free(s->node);
        free(s->rest);
        free(s->kept);
    }
    free(s);
    if (status != ELV_OK) {
        elv_mode_study_free(made);
        return status;
    }
    *study = made;
    return ELV_OK;
}

void elv_mode_study_free(ElvModeStudy* study) {
    if (study) {
        free(study->rod);
        free(study);
    }
}
