// SPDX-License-Identifier: Apache-2.0
// CPU time of the parts of a Newton iteration: residual, tangent, factorisation and solution of the tree,
// for chains of rods with 9 modes each. All of them are linear in the number of rods; `ratio` is to the
// line before, divided by the growth of the chain. Then a chain whose tip a loop holds to the world; `ratio` is
// to the open one.
//     bench_newton                        tables
//     bench_newton RODS CALLS [JOINT]     tangent, factorisation and solution alone, for valgrind
//                                         --tool=callgrind, open or closed by a joint
#include "bench.h"

#include "multibody/border.h"
#include "multibody/tidm.h"

static void add_rod(ElvSpec* spec, int i) {
    char name[16], parent[32] = "world";
    ElvError error;
    ElvRodDef rod = elv_rod_def_default();
    ElvElementDef element = elv_element_def_default();
    snprintf(name, sizeof name, "r%d", i);
    if (i > 0) {
        snprintf(parent, sizeof parent, "r%d.tip", i - 1);
    }
    rod.name = name;
    rod.parent = parent;
    rod.length = 0.1;
    rod.section.kind = ELV_SECTION_CIRCLE;
    rod.section.outer[0] = elv_law_def_value(0.01);
    rod.material.density = 1000.0;
    rod.material.young = 1e7;
    rod.element = &element;
    rod.n_element = 1;
    for (int k = 0; k < 3; k++) {
        element.modes[k] = 3;
    }
    bench_check(elv_spec_add_rod(spec, &rod, &error), &error);
}

static void add_loop(ElvSpec* spec, int n, ElvJointType type) {
    char tip[32];
    ElvError error;
    ElvLoopDef loop = elv_loop_def_default();
    snprintf(tip, sizeof tip, "r%d.tip", n - 1);
    loop.name = "closure";
    loop.second = tip;
    loop.pose[3] = elv_law_def_value(0.08 * n);
    loop.joint.type = type;
    bench_check(elv_spec_add_loop(spec, &loop, &error), &error);
}

// closed by a joint, or ELV_N_JOINT_TYPE: not at all
static BenchCase open_chain(int n, ElvJointType type) {
    ElvSpec* spec = NULL;
    ElvModel* model = NULL;
    ElvError error;
    bench_check(elv_spec_create("chain", &spec, &error), &error);
    elv_spec_set_gravity(spec, elv_vec3(0.0, 0.0, -9.81));
    for (int i = 0; i < n; i++) {
        add_rod(spec, i);
    }
    if (type != ELV_N_JOINT_TYPE) {
        add_loop(spec, n, type);
    }
    bench_check(elv_spec_compile(spec, &model, &error), &error);
    elv_spec_free(spec);
    return bench_prepare(model);
}

// of a step of 0.01; the equations of loops behind those of the tree
static const ElvBorderRule rule = {.step = 0.005};

static void residual(BenchCase* c, double* out) {
    elv_residual(c->model, c->data, c->state, out);
    if (c->state->nz > 0) {
        elv_border_equation(c->model, c->data, c->state, &rule, out + c->state->nv,
                            out + 2 * (c->state->nv + c->state->nz));
    }
}

// Newmark with dt = 0.01; the chart of a rod starts anywhere
static void tangent(BenchCase* c, double* out) {
    (void)out;
    elv_tidm_pass(c->model, c->data, c->state, c->state->q, 200.0, 40000.0);
}

static void factor(BenchCase* c, double* out) {
    (void)out;
    (void)elv_border_factor(c->model, c->data, c->state, &rule);
}

static void solve(BenchCase* c, double* out) {
    int nv = c->state->nv;
    double* step = out + nv + c->state->nz;
    elv_border_solve(c->model, c->data, c->state, &rule, out, out + nv, step, step + nv);
}

static void iterate(BenchCase* c, double* out) {
    tangent(c, out);
    factor(c, out);
    solve(c, out);
}

static double* open_out(BenchCase* c) {
    double* out = calloc(2 * (size_t)c->state->nv + 3 * (size_t)c->state->nz + 1, sizeof *out);
    if (!out) {
        exit(1);
    }
    residual(c, out);
    iterate(c, out);
    return out;
}

static void heading(const char* title) {
    printf("%-16s %5s %10s %10s %10s %10s %10s %7s\n", title, "nv", "residual", "tangent", "factor",
           "solve", "sum", "ratio");
}

// one line; before: the sum that a ratio of 1 would give, or 0
static double line(const char* title, BenchCase* c, double before) {
    static const BenchCall call[] = {residual, tangent, factor, solve};
    double* out = open_out(c);
    double us[4], sum = 0.0;
    for (int i = 0; i < 4; i++) {
        us[i] = 1e6 * bench_time(call[i], c, out);
        sum += us[i];
        residual(c, out);
    }
    printf("%-16s %5d %10.2f %10.2f %10.2f %10.2f %10.2f %7.3f\n", title, c->state->nv, us[0],
           us[1], us[2], us[3], sum, before > 0.0 ? sum / before : 1.0);
    fflush(stdout);
    free(out);
    return sum;
}

static void table(void) {
    char title[32];
    double sum = 0.0;
    heading("us per call");
    for (int n = 1; n <= 512; n *= 2) {
        BenchCase c = open_chain(n, ELV_N_JOINT_TYPE);
        snprintf(title, sizeof title, "chain of %3d rods", n);
        sum = line(title, &c, 2.0 * sum);
        bench_close(&c);
    }
}

// one loop from the tip of a chain to the world, in motion and at rest
static void closed_table(void) {
    static const struct {
        const char* title;
        ElvJointType type;
        bool is_static;
    } row[] = {{"open", ELV_N_JOINT_TYPE, false},
               {"spherical", ELV_JOINT_SPHERICAL, false},
               {"fixed", ELV_JOINT_FIXED, false},
               {"fixed, statics", ELV_JOINT_FIXED, true}};
    double open = 0.0;
    heading("\nchain of 100 rods");
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        BenchCase c = open_chain(100, row[i].type);
        c.data->is_static = row[i].is_static;
        double sum = line(row[i].title, &c, open);
        open = i == 0 ? sum : open;
        bench_close(&c);
    }
}

static ElvJointType joint_named(const char* name) {
    int type = 0;
    while (type < ELV_N_JOINT_TYPE && strcmp(elv_joint_type_name((ElvJointType)type), name) != 0) {
        type++;
    }
    return (ElvJointType)type;
}

int main(int argc, char** argv) {
    if (argc < 3) {
        table();
        closed_table();
        return 0;
    }
    BenchCase c = open_chain(atoi(argv[1]), joint_named(argc > 3 ? argv[3] : ""));
    double* out = open_out(&c);
    for (long i = atol(argv[2]); i > 0; i--) {
        iterate(&c, out);
    }
    free(out);
    bench_close(&c);
    return 0;
}
