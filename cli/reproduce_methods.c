// SPDX-License-Identifier: Apache-2.0
// `elver reproduce methods`: one rod, one load case, six methods, which must converge to one trajectory of the tip.
// All are compared with a seventh run: modes as many as none of them has, and Newmark's steps extrapolated twice.
// Steps are halved; explicit runs, whose steps are those of stability, have more modes instead. Finite
// differences get twice the elements for half the step: what interpolated histories cost grows as steps get shorter.
#include "reproduce_methods.h"

#include <math.h>
#include <string.h>

static const char MODEL[] = "@one-rod";

/// How a method is refined.
typedef struct {
    const char* name;
    const char* space;
    ElvMethod method;
    bool has_accelerations; // of shooting
    int resolution[METHODS_LEVEL];
} Method;

static const Method methods_all[METHODS_N] = {
    {"modal implicit", "modes", ELV_METHOD_NEWMARK, true, {8, 8, 8}},
    {"modal explicit", "modes", ELV_METHOD_EXPLICIT, true, {2, 4, 6}},
    {"shooting", "segments", ELV_METHOD_SHOOTING, true, {4, 4, 4}},
    {"shooting without accelerations", "segments", ELV_METHOD_SHOOTING, false, {4, 4, 4}},
    {"rkmk", "nodes", ELV_METHOD_RKMK, true, {31, 61, 121}},
    {"till", "nodes", ELV_METHOD_TILL, true, {31, 61, 121}},
};

// s
static const double EVERY = 0.01;
static const double STEP = 0.005; // the first, which is halved
static const double STEP_REFERENCE = 0.0005;
static const double DURATION = 0.5;
static const double DURATION_QUICK = 0.2; // until the force has reached four fifths

enum { MODES_REFERENCE = 10, MODES_STRONG = 8 };

// largest distance of any two methods in the limit, over the motion of the tip
static const double ALLOWED = 1e-4;

// ---- runs

static int load(int n_mode, CliModel* loaded) {
    CliOverrides overrides = {0};
    char strain[32];
    snprintf(strain, sizeof strain, "{kirchhoff: %d}", n_mode);
    if (!cli_override(&overrides, NULL, "rod.strain", strain)) {
        return cli_complain("reproduce", CLI_FAILED, "out of memory");
    }
    int code = cli_model_load("reproduce", MODEL, &overrides, loaded);
    cli_overrides_free(&overrides);
    return code;
}

// the tip of the rod with so many modes
static int
trace(int n_mode, const ElvSimulateDef* method, const Methods* methods, ReproducePath* path) {
    CliModel loaded = {0};
    ElvError error;
    elv_error_clear(&error);
    int code = load(n_mode, &loaded);
    if (code != CLI_DONE) {
        return code;
    }
    ElvStatus status = reproduce_trace(loaded.model, method, methods->every, path, &error);
    cli_model_free(&loaded);
    return status == ELV_OK ? CLI_DONE
                            : cli_complain_error("reproduce", cli_exit_code(status), &error);
}

static ElvSimulateDef method_of(const Method* from, const Methods* methods, int level) {
    ElvSimulateDef method = elv_simulate_def_default();
    method.method = from->method;
    method.duration = methods->is_quick ? DURATION_QUICK : DURATION;
    method.step = ldexp(STEP, -level);
    method.has_accelerations = from->has_accelerations;
    if (from->method == ELV_METHOD_EXPLICIT) {
        method.step = 0.0;
        method.order = 5;
        method.rel_tol = 1e-6;
        method.abs_tol = 1e-8;
    } else if (from->method == ELV_METHOD_SHOOTING) {
        method.scheme = ELV_METHOD_NEWMARK;
        method.shooting.segments = from->resolution[level];
    } else if (from->method != ELV_METHOD_NEWMARK) {
        method.finite.nodes = from->resolution[level];
        method.finite.interpolation = ELV_HISTORY_CUBIC;
    }
    return method;
}

// path = fine + (fine - coarse) / (factor - 1): without the error that falls by that factor
static void extrapolate(
    const ReproducePath* coarse, const ReproducePath* fine, double factor, ElvVec3* at, int n) {
    for (int i = 0; i < n; i++) {
        ElvVec3 gain = elv_vec3_sub(fine->at[i], coarse->at[i]);
        at[i] = elv_vec3_add(fine->at[i], elv_vec3_scale(1.0 / (factor - 1.0), gain));
    }
}

// three runs of the trapezoidal rule, whose error is one of even powers of the step
static int find_reference(Methods* methods) {
    ReproducePath path[3] = {{.n = 0}, {.n = 0}, {.n = 0}};
    ElvSimulateDef method = method_of(&methods_all[0], methods, 0);
    method.newton_tol = 1e-12;
    int code = CLI_DONE;
    for (int i = 0; i < 3 && code == CLI_DONE; i++) {
        method.step = ldexp(STEP_REFERENCE, -i);
        code = trace(MODES_REFERENCE, &method, methods, &path[i]);
    }
    if (code == CLI_DONE) {
        extrapolate(&path[0], &path[1], 4.0, path[0].at, path[0].n);
        extrapolate(&path[1], &path[2], 4.0, path[1].at, path[1].n);
        extrapolate(&path[0], &path[1], 16.0, path[1].at, path[1].n);
        methods->reference = path[1];
        for (int i = 0; i < path[1].n; i++) {
            ElvVec3 moved = elv_vec3_sub(path[1].at[i], path[1].at[0]);
            methods->motion = fmax(methods->motion, elv_vec3_norm(moved));
        }
        memset(&path[1], 0, sizeof path[1]);
    }
    for (int i = 0; i < 3; i++) {
        reproduce_path_free(&path[i]);
    }
    return code;
}

static int run_level(const Method* method, Methods* methods, int level, MethodsResult* result) {
    MethodsRun* run = &result->run[level];
    bool is_modal = !elv_method_is_strong(method->method);
    bool is_explicit = method->method == ELV_METHOD_EXPLICIT;
    ElvSimulateDef def = method_of(method, methods, level);
    run->space = method->resolution[level];
    int code = trace(is_modal ? run->space : MODES_STRONG, &def, methods, &run->path);
    if (code != CLI_DONE) {
        return code;
    }
    run->step = is_explicit ? def.duration / (double)run->path.report.n_step : def.step;
    run->error = reproduce_distance(&run->path, &methods->reference);
    run->order = level > 0 && !is_explicit ? log2(run[-1].error / run->error) : NAN;
    return CLI_DONE;
}

// ---- limits

// where the two finest runs lead to
static int find_limit(const Method* method, Methods* methods, MethodsResult* result) {
    const MethodsRun* fine = &result->run[methods->n_level - 1];
    result->is_extrapolated = method->method != ELV_METHOD_EXPLICIT;
    if (!reproduce_path_copy(&fine->path, &result->limit)) {
        return cli_complain("reproduce", CLI_FAILED, "out of memory");
    }
    if (result->is_extrapolated) {
        extrapolate(&fine[-1].path, &fine->path, 4.0, result->limit.at, result->limit.n);
    }
    result->limit_error = reproduce_distance(&result->limit, &methods->reference);
    return CLI_DONE;
}

static void compare_all(Methods* methods) {
    for (int i = 0; i < METHODS_N; i++) {
        for (int k = 0; k < i; k++) {
            const MethodsResult* a = &methods->result[i];
            const MethodsResult* b = &methods->result[k];
            int last = methods->n_level - 1;
            methods->apart =
                fmax(methods->apart, reproduce_distance(&a->run[last].path, &b->run[last].path));
            methods->limits_apart =
                fmax(methods->limits_apart, reproduce_distance(&a->limit, &b->limit));
        }
    }
}

static int run_method(Methods* methods, int i, bool is_json) {
    const Method* method = &methods_all[i];
    MethodsResult* result = &methods->result[i];
    result->name = method->name;
    result->space = method->space;
    int code = CLI_DONE;
    for (int level = 0; level < methods->n_level && code == CLI_DONE; level++) {
        code = run_level(method, methods, level, result);
    }
    code = code == CLI_DONE ? find_limit(method, methods, result) : code;
    if (code == CLI_DONE && !is_json) {
        methods_print_result(methods, result);
    }
    return code;
}

static int run_all(Methods* methods, bool is_json) {
    int code = find_reference(methods);
    if (code == CLI_DONE && !is_json) {
        methods_print_head(methods);
    }
    for (int i = 0; i < METHODS_N && code == CLI_DONE; i++) {
        code = run_method(methods, i, is_json);
    }
    compare_all(methods);
    return code;
}

static void release(Methods* methods) {
    reproduce_path_free(&methods->reference);
    for (int i = 0; i < METHODS_N; i++) {
        reproduce_path_free(&methods->result[i].limit);
        for (int level = 0; level < METHODS_LEVEL; level++) {
            reproduce_path_free(&methods->result[i].run[level].path);
        }
    }
}

// ---- the whole

// files that cannot be written are better known before
static int check_outputs(const ReproduceOptions* options, const char* plot) {
    char path[CLI_PATH];
    if (!cli_model_path("reproduce", MODEL, path)) {
        return CLI_USAGE;
    }
    if (options->out && strcmp(options->out, "-") == 0) {
        return cli_complain("reproduce", CLI_USAGE, "-o needs a file: the table is printed");
    }
    int code = cli_guard_output("reproduce", options->out, path);
    code = code == CLI_DONE ? cli_guard_output("reproduce", plot, path) : code;
    if (code == CLI_DONE && ((options->out && !cli_can_write("reproduce", options->out)) ||
                             (plot && !cli_can_write("reproduce", plot)))) {
        code = CLI_USAGE;
    }
    return code;
}

int reproduce_methods(const ReproduceOptions* options) {
    const char* plot = !options->has_plot ? NULL : options->plot ? options->plot : "methods.svg";
    Methods methods = {.is_quick = options->is_quick,
                       .n_level = options->is_quick ? 2 : METHODS_LEVEL,
                       .every = EVERY};
    int code = check_outputs(options, plot);
    if (code != CLI_DONE) {
        return code;
    }
    code = run_all(&methods, options->is_json);
    if (code == CLI_DONE) {
        (options->is_json ? methods_print_json : methods_print_end)(&methods);
        code = options->out ? methods_write_csv(&methods, options->out) : CLI_DONE;
    }
    if (code == CLI_DONE && plot) {
        code = methods_plot(&methods, plot);
    }
    if (code == CLI_DONE && !(methods.limits_apart < ALLOWED * methods.motion)) {
        code = cli_complain("reproduce", CLI_FAILED,
                            "the methods do not converge to one trajectory: they end %.1e m apart",
                            methods.limits_apart);
    }
    release(&methods);
    return code;
}
