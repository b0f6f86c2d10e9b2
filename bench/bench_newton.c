// SPDX-License-Identifier: Apache-2.0
// CPU time of the parts of a Newton iteration: residual, tangent, factorisation and solution of the tree,
// for chains of rods with 9 modes each. All of them are linear in the number of rods; `ratio` is to the
// line before, divided by the growth of the chain.
//     bench_newton                 table
//     bench_newton RODS CALLS      tangent, factorisation and solution alone, for valgrind --tool=callgrind
#include "bench.h"

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

static BenchCase open_chain(int n) {
    ElvSpec* spec = NULL;
    ElvModel* model = NULL;
    ElvError error;
    bench_check(elv_spec_create("chain", &spec, &error), &error);
    elv_spec_set_gravity(spec, elv_vec3(0.0, 0.0, -9.81));
    for (int i = 0; i < n; i++) {
        add_rod(spec, i);
    }
    bench_check(elv_spec_compile(spec, &model, &error), &error);
    elv_spec_free(spec);
    return bench_prepare(model);
}

static void residual(BenchCase* c, double* out) {
    elv_residual(c->model, c->data, c->state, out);
}

// Newmark with dt = 0.01; the chart of a rod starts anywhere
static void tangent(BenchCase* c, double* out) {
    (void)out;
    elv_tidm_pass(c->model, c->data, c->state, c->state->q, 200.0, 40000.0);
}

static void factor(BenchCase* c, double* out) {
    (void)out;
    (void)elv_tree_factor(c->model, c->data);
}

static void solve(BenchCase* c, double* out) {
    elv_tree_solve(c->model, c->data, out, out + c->state->nv);
}

static void iterate(BenchCase* c, double* out) {
    tangent(c, out);
    factor(c, out);
    solve(c, out);
}

static double* open_out(BenchCase* c) {
    double* out = calloc(2 * (size_t)c->state->nv + 1, sizeof *out);
    if (!out) {
        exit(1);
    }
    residual(c, out);
    iterate(c, out);
    return out;
}

static void table(void) {
    static const BenchCall call[] = {residual, tangent, factor, solve};
    double last = 0.0;
    int n_last = 0;
    printf("%-16s %5s %10s %10s %10s %10s %10s %7s\n", "us per call", "nv", "residual", "tangent",
           "factor", "solve", "sum", "ratio");
    for (int n = 1; n <= 512; n *= 2) {
        BenchCase c = open_chain(n);
        double* out = open_out(&c);
        double us[4], sum = 0.0;
        for (int i = 0; i < 4; i++) {
            us[i] = 1e6 * bench_time(call[i], &c, out);
            sum += us[i];
            residual(&c, out);
        }
        printf("chain of %3d rods %4d %10.2f %10.2f %10.2f %10.2f %10.2f %7.3f\n", n, c.state->nv,
               us[0], us[1], us[2], us[3], sum,
               n_last > 0 ? sum / last * (double)n_last / (double)n : 1.0);
        fflush(stdout);
        last = sum;
        n_last = n;
        free(out);
        bench_close(&c);
    }
}

int main(int argc, char** argv) {
    if (argc < 3) {
        table();
        return 0;
    }
    BenchCase c = open_chain(atoi(argv[1]));
    double* out = open_out(&c);
    for (long i = atol(argv[2]); i > 0; i--) {
        iterate(&c, out);
    }
    free(out);
    bench_close(&c);
    return 0;
}
