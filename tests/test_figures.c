// SPDX-License-Identifier: Apache-2.0
// The tables of figures behind `elver reproduce`: every figure and table of the papers has its entry, names are unique,
// texts are there, every run loads with the values of its figure, every signal that a panel draws exists in its model, and what
// is drawn is where it should be.
#include "figure.h"

#include "check.h"

// ---- the inventory: figures and tables that the papers number

static void check_entry(const char* format, int n) {
    char id[64];
    snprintf(id, sizeof id, format, n);
    if (!figure_find(id)) {
        print_error("no entry for %s\n", id);
        fail();
    }
}

static void test_inventory(void** state) {
    (void)state;
    static const struct {
        const char* format;
        int n; // last number
    } inventory[] = {{"p23-fig%d", 17},   {"p23-table%d", 2},   {"p20-fig%d", 15},
                     {"p20-table%d", 1},  {"ocp-fig%d", 7},     {"ocp-table%d", 3},
                     {"rkmk-fig%d", 5},   {"rkmk-table%d", 4},  {"ali-fig4.%d", 12},
                     {"ali-fig6.%d", 24}, {"ali-table6.%d", 1}, {"ali-fig8.%d", 16}};
    int n = 0;
    for (size_t i = 0; i < sizeof inventory / sizeof inventory[0]; i++) {
        for (int k = 1; k <= inventory[i].n; k++, n++) {
            check_entry(inventory[i].format, k);
        }
    }
    assert_int_equal(figure_count(), n);
}

// the name says the paper and the number
static void check_name(const Figure* figure) {
    static const char* const roman[] = {"", "I", "II", "III", "IV"};
    char id[64] = "";
    char word[8];
    char number[16];
    assert_int_equal(sscanf(figure->number, "%7s %15s", word, number), 2);
    for (int i = 1; i <= 4; i++) {
        if (strcmp(number, roman[i]) == 0) {
            snprintf(number, sizeof number, "%d", i);
        }
    }
    snprintf(id, sizeof id, "%s-%s%s", figure->paper, word, number);
    for (char* c = id; *c; c++) {
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c + 32) : *c;
    }
    assert_string_equal(figure->id, id);
}

static void test_names_are_unique(void** state) {
    (void)state;
    for (int i = 0; i < figure_count(); i++) {
        assert_ptr_equal(figure_find(figure_at(i)->id), figure_at(i));
        check_name(figure_at(i));
    }
    assert_null(figure_at(figure_count()));
    assert_null(figure_find("p23-fig18"));
}

// ---- texts

static void check_texts(const Figure* figure) {
    assert_non_null(figure->title);
    bool is_line = figure->kind == FIGURE_DRAWING || figure->kind == FIGURE_MISSING;
    if (is_line) {
        // a line that says why there is nothing
        assert_non_null(figure->lacks);
        assert_true(strlen(figure->lacks) > 10);
        assert_int_equal(figure_n_run(figure), 0);
        assert_int_equal(figure_n_panel(figure), 0);
        return;
    }
    assert_non_null(figure->facts);
    if (figure->kind == FIGURE_TABLE) {
        assert_true(figure->row[0] || figure->study);
        return;
    }
    assert_true(figure_n_run(figure) > 0);
    assert_true(figure_n_panel(figure) > 0);
}

static void test_texts(void** state) {
    (void)state;
    for (int i = 0; i < figure_count(); i++) {
        print_message("%s\n", figure_at(i)->id);
        check_texts(figure_at(i));
    }
}

// every panel has a run, and what its kind needs
static void test_panels(void** state) {
    (void)state;
    for (int i = 0; i < figure_count(); i++) {
        const Figure* figure = figure_at(i);
        int used = 0;
        for (int k = 0; k < figure_n_panel(figure); k++) {
            const FigurePanel* panel = &figure->panel[k];
            int n = panel->n_run > 0 ? panel->n_run : 1;
            assert_true(panel->run >= 0 && panel->run + n <= figure_n_run(figure));
            for (int r = panel->run; r < panel->run + n; r++) {
                used |= 1 << r;
            }
            assert_true(panel->kind != PANEL_CURVES || panel->curve[0].y);
            assert_true(panel->kind != PANEL_PROFILE ||
                        (panel->field && strchr(panel->field, '*')));
            assert_true(panel->kind != PANEL_BARS || panel->line);
            assert_true(panel->kind != PANEL_SHAPES ||
                        (panel->view && (panel->line || panel->path)));
        }
        assert_int_equal(used, (1 << figure_n_run(figure)) - 1);
    }
}

// tables have rows of one length
static void test_rows(void** state) {
    (void)state;
    for (int i = 0; i < figure_count(); i++) {
        const Figure* figure = figure_at(i);
        int n = 0;
        for (int k = 0; k < FIGURE_ROWS && figure->row[k]; k++) {
            int n_bar = 0;
            for (const char* c = figure->row[k]; *c; c++) {
                n_bar += *c == '|';
            }
            n = k == 0 ? n_bar : n;
            assert_true(n > 0);
            assert_int_equal(n_bar, n);
        }
    }
}

// ---- runs

static void test_signals_resolve(void** state) {
    (void)state;
    for (int i = 0; i < figure_count(); i++) {
        for (int k = 0; k < figure_n_run(figure_at(i)); k++) {
            int code = figure_check(figure_at(i), k);
            if (code != CLI_DONE) {
                print_error("%s, run %d\n", figure_at(i)->id, k);
            }
            assert_int_equal(code, CLI_DONE);
        }
    }
}

// a figure that asks for what its model does not have, or its run does not reach, is refused
static void test_bad_figure(void** state) {
    (void)state;
    static const Figure bad = {.id = "bad",
                               .run = {{.model = "@rollup", .is_static = true}},
                               .panel = {{.title = "a", .curve = {{.y = "rod.tip.place.x"}}}}};
    static const Figure wide = {.id = "wide",
                                .run = {{.model = "@rollup", .is_static = true}},
                                .panel = {{.title = "a", .curve = {{.y = "rod.tip.velocity"}}}}};
    static const Figure lost = {.id = "lost",
                                .run = {{.model = "@rollup", .set = {"rod.colour=1"}}},
                                .panel = {{.title = "a", .curve = {{.y = "rod.tip.position.x"}}}}};
    static const Figure late = {.id = "late",
                                .run = {{.model = "@rollup", .set = {"simulate.duration=2"}}},
                                .panel = {{.kind = PANEL_SHAPES,
                                           .title = "a",
                                           .line = "rod",
                                           .view = "x,z",
                                           .step = 0.5,
                                           .n_time = 6}}};
    assert_int_not_equal(figure_check(&late, 0), CLI_DONE);
    assert_int_not_equal(figure_check(&bad, 0), CLI_DONE);
    assert_int_not_equal(figure_check(&wide, 0), CLI_DONE);
    assert_int_not_equal(figure_check(&lost, 0), CLI_DONE);
}

// ---- what is drawn

static void test_view(void** state) {
    (void)state;
    double row[2][3];
    static const double side[6] = {0, 1, 0, -1, 0, 0};
    assert_false(figure_view("y,-x", row));
    CHECK_ARRAY_NEAR(row[0], side, 6, 0.0);

    // in space the axes to the right and upwards are normal to each other, and the last one goes straight up
    assert_true(figure_view("x,y,z", row));
    double dot = 0.0, right = 0.0, up = 0.0;
    for (int k = 0; k < 3; k++) {
        dot += row[0][k] * row[1][k];
        right += row[0][k] * row[0][k];
        up += row[1][k] * row[1][k];
    }
    CHECK_NEAR(dot, 0.0, 1e-15);
    CHECK_NEAR(right, 1.0, 1e-15);
    CHECK_NEAR(up, 1.0, 1e-15);
    CHECK_NEAR(row[0][2], 0.0, 0.0);
    CHECK_TRUE(row[1][2] > 0.9);
}

// an arc of curvature C/EI, rolled up in the plane normal to the torque: all points of the shape are on it
static void test_rollup_is_an_arc(void** state) {
    (void)state;
    const Figure* figure = figure_find("p20-fig1");
    FigureData data[FIGURE_RUNS] = {{.n_record = 0}};
    FigureDrawing drawing = {.n = 0};
    assert_int_equal(figure_run(figure, 0, NULL, &data[0]), CLI_DONE);
    assert_int_equal(data[0].n_record, 5);
    assert_true(figure_build(figure, data, &drawing));
    int n = 0;
    for (int i = 0; i < drawing.n; i++) {
        const FigureSeries* series = &drawing.series[i];
        if (series->panel != 1) {
            continue;
        }
        n++;
        assert_int_equal(series->n, FIGURE_STATIONS);
        // EI = E pi r^4/4; x-z: the plane is tilted by 45 degrees, z is - 1/sqrt(2) of the deflection
        double k = n / (1e8 * 3.14159265358979323846 * 1e-8 / 4.0);
        for (int p = 0; p < series->n; p++) {
            double s = (double)p / (FIGURE_STATIONS - 1);
            CHECK_NEAR(series->x[p], sin(k * s) / k, 1e-8);
            CHECK_NEAR(series->y[p], -(1.0 - cos(k * s)) / k / sqrt(2.0), 1e-8);
        }
    }
    assert_int_equal(n, 5);
    figure_drawing_free(&drawing);
    figure_data_free(&data[0]);
}

// relaxation of a step of the torque: the rate of each curvature is dC/(sqrt(2) EI mu) exp(-t/mu), here with C in steps of 1 N m.
// BDF2 starts with a step of first order, in error by (dt/mu)^2/2 of the value that falls; what is compared lies between mu/2 and 3 mu
static void test_relaxation(void** state) {
    (void)state;
    const Figure* figure = figure_find("p20-fig2");
    FigureData data[FIGURE_RUNS] = {{.n_record = 0}};
    assert_int_equal(figure_run(figure, 0, NULL, &data[0]), CLI_DONE);
    double mu = 1e-3;
    double first = 1.0 / (sqrt(2.0) * 0.785398163397448310 * mu);
    int column = figure_column(&data[0], "rod.v.0");
    int n = 0;
    for (int i = 0; i < data[0].n_record; i++) {
        const double* row = data[0].value + (size_t)i * figure_width(&data[0]);
        double t = fmod(row[0] + 1e-9, 0.02);
        if (t > 0.5 * mu && t < 3.0 * mu) {
            CHECK_NEAR(row[column], first * exp(-t / mu), 0.01 * first * exp(-t / mu));
            n++;
        }
    }
    CHECK_TRUE(n > 5 * 20);
    figure_data_free(&data[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inventory),
        cmocka_unit_test(test_names_are_unique),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_panels),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_signals_resolve),
        cmocka_unit_test(test_bad_figure),
        cmocka_unit_test(test_view),
        cmocka_unit_test(test_rollup_is_an_arc),
        cmocka_unit_test(test_relaxation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
