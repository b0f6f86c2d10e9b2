// SPDX-License-Identifier: Apache-2.0
// Rods that are alike share their tables, and nothing else changes: a chain whose rods share them and one whose
// rods cannot (a load of zero acts along each) have the same inverse dynamics, to the bit.
#include "model_case.h"
#include "multibody/model.h"
#include "rod/rod.h"

static const char tree[] = "tree:\n"
                           "  - {rod: a, %s}\n"
                           "  - {rod: b, parent: a.tip, %s}\n"
                           "  - {rod: c, parent: b.tip, pose: {rpy: [0.3, 0, 0]}, %s}\n"
                           "%s";

static const char same[] = "length: 0.3, section: {circle: {radius: \"0.01*(1 - 0.2*s)\"}}, "
                           "material: {density: 1000, young: 1e6}, strain: {kirchhoff: 2}";

static const char loads[] = "loads:\n"
                            "  - {rod: a, distributed: [0, 0, 0, 0, 0, 0]}\n"
                            "  - {rod: b, distributed: [0, 0, 0, 0, 0, 0]}\n"
                            "  - {rod: c, distributed: [0, 0, 0, 0, 0, 0]}\n";

static const ElvRod* rod_of(const ModelCase* c, int i) {
    return (const ElvRod*)c->model->node[i].joint;
}

static void test_same_dynamics(void** unused) {
    (void)unused;
    ModelCase shared = case_open(tree, same, same, same, "");
    ModelCase apart = case_open(tree, same, same, same, loads);
    double tau[2][32];
    CHECK_TRUE(shared.nv == 18 && apart.nv == 18);
    CHECK_TRUE(rod_of(&shared, 1)->segment == rod_of(&shared, 0)->segment);
    CHECK_TRUE(rod_of(&shared, 2)->segment == rod_of(&shared, 0)->segment);
    CHECK_TRUE(rod_of(&apart, 1)->segment != rod_of(&apart, 0)->segment);
    assert_string_equal(elv_model_node(shared.model, 1).name, "b");
    for (uint64_t seed = 1; seed <= 5; seed++) {
        case_randomize(&shared, seed, 1.0);
        case_randomize(&apart, seed, 1.0);
        elv_idm(shared.model, shared.data, shared.state, tau[0]);
        elv_idm(apart.model, apart.data, apart.state, tau[1]);
        CHECK_ARRAY_NEAR(tau[0], tau[1], 18, 0.0);
    }
    case_close(&shared);
    case_close(&apart);
}

// one thing that differs is enough
static void test_not_alike(void** unused) {
    (void)unused;
    static const char* const other[] = {
        "length: 0.31, section: {circle: {radius: \"0.01*(1 - 0.2*s)\"}}, "
        "material: {density: 1000, young: 1e6}, strain: {kirchhoff: 2}",
        "length: 0.3, section: {circle: {radius: \"0.01*(1 - 0.1*s)\"}}, "
        "material: {density: 1000, young: 1e6}, strain: {kirchhoff: 2}",
        "length: 0.3, section: {circle: {radius: \"0.01*(1 - 0.2*s)\"}}, "
        "material: {density: 1000, young: 1e6, damping: 0.1}, strain: {kirchhoff: 2}",
        "length: 0.3, section: {circle: {radius: \"0.01*(1 - 0.2*s)\"}}, "
        "material: {density: 1000, young: 1e6}, strain: {kirchhoff: 2}, basis: monomial",
        "length: 0.3, section: {circle: {radius: \"0.01*(1 - 0.2*s)\"}}, "
        "material: {density: 1000, young: 1e6}, strain: {kirchhoff: 2}, reference: {bend_y: 0.1}",
        "length: 0.3, section: {circle: {radius: \"0.01*(1 - 0.2*s)\"}}, "
        "material: {density: 1000, young: 1e6}, strain: {kirchhoff: 2}, initial: {bend_y: 0.1}",
        "length: 0.3, section: {circle: {radius: \"0.01*(1 - 0.2*s)\"}}, "
        "material: {density: 1000, young: 1e6}, strain: {kirchhoff: 2}, nodes: 9",
    };
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
        ModelCase c = case_open(tree, same, other[i], same, "");
        CHECK_TRUE(rod_of(&c, 1)->segment != rod_of(&c, 0)->segment);
        CHECK_TRUE(rod_of(&c, 2)->segment == rod_of(&c, 0)->segment);
        case_close(&c);
    }
    // a station that carries something
    ModelCase c = case_open(tree, same, same, same, "frames: [{name: eye, on: b.at(0.5)}]\n");
    CHECK_TRUE(rod_of(&c, 1)->segment != rod_of(&c, 0)->segment);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_dynamics),
        cmocka_unit_test(test_not_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
