// SPDX-License-Identifier: Apache-2.0
// Coordinates from fields: those of a field made of modes come back, and what has none says why.
#include "model_case.h"

#include "strong/mode_project.h"

#include <math.h>

static const char CHAIN[] =
    "tree:\n"
    "  - {rod: one, length: 0.5, section: {circle: {diameter: 0.03}}, material: {density: 900, "
    "young: 1e6}, strain: {reissner: 3}}\n"
    "  - {rod: two, parent: one.tip, length: 0.3, section: {circle: {diameter: 0.03}}, material: "
    "{density: 900, young: 1e6}, strain: {bend_y: 2, bend_z: 4}, reference: {bend_y: "
    "2}}\n";

typedef struct {
    const ModelCase* c;
    const ElvChain* chain;
} Field;

static ElvTwist field_at(void* owner, int i_rod, double s) {
    const Field* field = owner;
    const ElvChainRod* link = &field->chain->rod[i_rod];
    const ElvNode* node = &field->c->model->node[link->i_node];
    ElvTwist xi = elv_rod_strain_rate_at(link->strong.rod, field->c->state->q + node->i_q, s);
    return xi;
}

static void test_coordinates_come_back(void** state) {
    (void)state;
    ModelCase c = case_open("%s", CHAIN);
    ElvChain chain;
    ElvPool pool = {0};
    ElvError error;
    double** gram = NULL;
    double x[64];
    CHECK_STATUS(elv_chain_create(c.model, &chain, &error), &error);
    CHECK_STATUS(elv_mode_grams(&chain, &pool, &gram, &error), &error);
    case_randomize(&c, 7, 1.0);
    Field field = {.c = &c, .chain = &chain};
    for (int i = 0; i < chain.n_rod; i++) {
        const ElvNode* node = &c.model->node[chain.rod[i].i_node];
        elv_mode_project(&chain, gram, i, field_at, &field, x);
        // rounding, times the condition of three or four polynomials
        CHECK_ARRAY_NEAR(x, c.state->q + node->i_q, (size_t)node->joint->n_v, 1e-12);
    }
    elv_pool_free(&pool);
    elv_chain_free(&chain);
    case_close(&c);
}

static void test_dependent_modes_are_no_lack_of_memory(void** state) {
    (void)state;
    ModelCase c = case_open("%s", CHAIN);
    ElvChain chain;
    ElvPool pool = {0};
    ElvError error;
    double** gram = NULL;
    CHECK_STATUS(elv_chain_create(c.model, &chain, &error), &error);
    // a quadrature that sees nothing of the second rod
    ElvRod* rod = (ElvRod*)c.model->node[chain.rod[1].i_node].joint;
    memset((double*)rod->weight, 0, (size_t)rod->n_node * sizeof *rod->weight);
    CHECK_TRUE(elv_mode_grams(&chain, &pool, &gram, &error) == ELV_ERROR_SINGULAR);
    CHECK_TRUE(strcmp(error.element, "two") == 0);
    elv_pool_free(&pool);
    elv_chain_free(&chain);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coordinates_come_back),
        cmocka_unit_test(test_dependent_modes_are_no_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
