// SPDX-License-Identifier: Apache-2.0
// Laying the grid, and the history of a step at its stations                       [RKMK (5)-(6)].
// Stages fall on nodes and, for RK4, on the middles of elements, where the history is interpolated.
#include "strong/finite_grid.h"

#include <math.h>
#include <string.h>

static const ElvRungeTable tables[ELV_N_RUNGE] = {
    [ELV_RUNGE_EULER] = {1, 1, {0.0}, {1.0}, {0}},
    [ELV_RUNGE_RK2] = {2, 1, {0.0, 1.0}, {0.5, 0.5}, {0, 1}},
    [ELV_RUNGE_RK4] =
        {4, 2, {0.0, 0.5, 0.5, 1.0}, {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0}, {0, 1, 1, 2}},
};

void elv_finite_formula(int order, double dt, double past, double c[3]) {
    double ratio = order > 1 && past > 0.0 ? dt / past : 0.0;
    c[0] = (1.0 + 2.0 * ratio) / ((1.0 + ratio) * dt);
    c[1] = -(1.0 + ratio) / dt;
    c[2] = ratio * ratio / ((1.0 + ratio) * dt);
}

// ---- laying

static ElvStatus no_memory(ElvError* error) {
    return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
}

// pieces with their elements, in proportion to their lengths
static void lay_pieces(ElvFiniteGrid* grid) {
    int n_sub = grid->table->n_sub;
    for (int i_rod = 0; i_rod < grid->chain->n_rod; i_rod++) {
        const ElvChainRod* link = &grid->chain->rod[i_rod];
        for (int i = 0; i < link->strong.n_piece; i++) {
            const ElvStrongPiece* part = &link->strong.piece[i];
            long n = lround((part->s1 - part->s0) * (grid->def.nodes - 1));
            int n_element = n < 1 ? 1 : (int)n;
            ElvFinitePiece piece = {link,
                                    i,
                                    n_element,
                                    part->h / n_element,
                                    grid->n_station,
                                    grid->n_node,
                                    i == 0,
                                    i == link->strong.n_piece - 1};
            grid->field[grid->n_piece] = (ElvFieldPiece){i_rod, i, n_element + 1, grid->n_node};
            grid->piece[grid->n_piece++] = piece;
            grid->n_station += n_sub * n_element + 1;
            grid->n_node += n_element + 1;
        }
        grid->length += link->strong.length;
    }
}

static ElvStatus lay_stations(ElvFiniteGrid* grid, ElvPool* pool, ElvError* error) {
    int n_sub = grid->table->n_sub;
    for (int i = 0; i < grid->n_piece; i++) {
        const ElvFinitePiece* piece = &grid->piece[i];
        const ElvStrongPiece* part = &piece->link->strong.piece[piece->i_piece];
        size_t n_fibre = (size_t)piece->link->strong.fields.n_fibre;
        int n = n_sub * piece->n_element;
        for (int k = 0; k <= n; k++) {
            double s = k == n ? part->s1 : part->s0 + (part->s1 - part->s0) * k / n;
            ElvFiniteStation* station = &grid->station[piece->i_station + k];
            ElvFibreNode* fibre = elv_pool_take(pool, n_fibre, sizeof *fibre);
            station->drive.tension = elv_pool_take(pool, n_fibre, sizeof(double));
            if (!fibre || !station->drive.tension) {
                return no_memory(error);
            }
            ElvStatus status = elv_strong_station(&piece->link->strong, piece->i_piece, s, fibre,
                                                  &station->at, error);
            if (status != ELV_OK) {
                return status;
            }
            if (k % n_sub == 0) {
                int i_node = piece->i_node + k / n_sub;
                grid->s[i_node] = s;
                grid->node_station[i_node] = &station->at;
            }
        }
    }
    return ELV_OK;
}

// weight, or a load in world axes
static bool depends_on_poses(const ElvChain* chain) {
    if (chain->model->fluid || chain->model->is_resisted) {
        return true;
    }
    bool depends = elv_vec3_norm(chain->gravity) > 0.0;
    for (int i = 0; i < chain->n_rod; i++) {
        const ElvRodFields* fields = &chain->rod[i].strong.fields;
        for (int k = 0; k < fields->n_distributed; k++) {
            depends = depends || fields->distributed[k].axes == ELV_AXES_WORLD;
        }
    }
    for (int i = 0; i < chain->model->n_point; i++) {
        depends = depends || chain->model->point[i].axes == ELV_AXES_WORLD;
    }
    return depends;
}

ElvStatus elv_finite_grid_init(ElvFiniteGrid* grid,
                               const ElvChain* chain,
                               const ElvFiniteDef* def,
                               ElvPool* pool,
                               ElvError* error) {
    memset(grid, 0, sizeof *grid);
    grid->chain = chain;
    grid->def = *def;
    grid->table = &tables[def->space];
    grid->needs_pose = depends_on_poses(chain);
    size_t n_piece = 0;
    for (int i = 0; i < chain->n_rod; i++) {
        n_piece += (size_t)chain->rod[i].strong.n_piece;
    }
    grid->piece = elv_pool_take(pool, n_piece, sizeof *grid->piece);
    grid->field = elv_pool_take(pool, n_piece, sizeof *grid->field);
    if (!grid->piece || !grid->field) {
        return no_memory(error);
    }
    lay_pieces(grid);
    size_t n_node = (size_t)grid->n_node;
    grid->station = elv_pool_take(pool, (size_t)grid->n_station, sizeof *grid->station);
    grid->s = elv_pool_take(pool, n_node, sizeof *grid->s);
    grid->node_station = elv_pool_take(pool, n_node, sizeof *grid->node_station);
    grid->node_h = elv_pool_take(pool, 2 * n_node, sizeof *grid->node_h);
    if (!grid->station || !grid->s || !grid->node_station || !grid->node_h) {
        return no_memory(error);
    }
    return lay_stations(grid, pool, error);
}

// ---- the history

/// Weights of nodes first, first + 1, ... at the middle of an element.
typedef struct {
    int first, n;
    double weight[4];
} Middle;

static Middle linear_middle(int i_element) {
    return (Middle){i_element, 2, {0.5, 0.5}};
}

// the cubic through the four nearest nodes of n
static Middle cubic_middle(int i_element, int n_node) {
    double s[4];
    Middle middle;
    middle.n = n_node < 4 ? n_node : 4;
    int begin = i_element - 1;
    middle.first = begin < 0 ? 0 : begin > n_node - middle.n ? n_node - middle.n : begin;
    for (int i = 0; i < middle.n; i++) {
        s[i] = (double)(middle.first + i);
    }
    int first;
    (void)elv_field_weights(s, middle.n, i_element + 0.5, &first, middle.weight);
    return middle;
}

// the formula below [RKMK (9)], as printed; the history does not vary beyond the ends
static Middle printed_middle(int i_element, int n_node) {
    Middle middle = {i_element - 1, 4, {-0.125, 0.625, 0.625, -0.125}};
    if (i_element == 0) {
        middle = (Middle){0, 3, {0.5, 0.625, -0.125, 0.0}};
    }
    if (i_element == n_node - 2) {
        middle.n--;
        middle.weight[middle.n - 1] -= 0.125;
    }
    return middle;
}

static ElvTwist mix(const Middle* middle, const ElvTwist* h) {
    ElvTwist sum = elv_twist_zero();
    for (int i = 0; i < middle->n; i++) {
        sum = elv_twist_add_scaled(sum, middle->weight[i], h[middle->first + i]);
    }
    return sum;
}

// D x, as a wrench
static ElvWrench damp(const ElvMat6* D, ElvTwist x) {
    ElvTwist y = elv_mat6_apply(*D, x);
    return elv_wrench(y.ang, y.lin);
}

static void set_middle(const ElvFiniteGrid* grid,
                       const ElvFinitePiece* piece,
                       int i_element,
                       const ElvTwist* xi_h,
                       const ElvTwist* eta_h,
                       ElvFiniteStation* station) {
    Middle linear = linear_middle(i_element);
    Middle middle = linear;
    if (grid->def.interpolation == ELV_HISTORY_CUBIC) {
        middle = grid->def.program.has_printed_cubic
                     ? printed_middle(i_element, piece->n_element + 1)
                     : cubic_middle(i_element, piece->n_element + 1);
    }
    station->xi_h = mix(&middle, xi_h);
    station->eta_h = mix(&middle, eta_h);
    station->law_h = station->xi_h;
    station->shift = elv_wrench_zero();
    if (grid->def.program.has_printed_cubic) {
        // its strain follows the chord of the history, in the element
        station->law_h = mix(&linear, xi_h);
        station->shift = damp(&station->at.D, elv_twist_sub(station->xi_h, station->law_h));
    }
}

static void set_history(ElvFiniteGrid* grid, const ElvFinitePiece* piece) {
    const ElvTwist* xi_h = grid->node_h + piece->i_node;
    const ElvTwist* eta_h = xi_h + grid->n_node;
    int n_sub = grid->table->n_sub;
    for (int k = 0; k <= n_sub * piece->n_element; k++) {
        ElvFiniteStation* station = &grid->station[piece->i_station + k];
        if (k % n_sub == 0) {
            station->xi_h = station->law_h = xi_h[k / n_sub];
            station->eta_h = eta_h[k / n_sub];
            station->shift = elv_wrench_zero();
        } else {
            set_middle(grid, piece, k / n_sub, xi_h, eta_h, station);
        }
    }
}

// ---- what acts

static ElvStatus set_station(ElvFiniteGrid* grid,
                             const ElvStrongRod* strong,
                             ElvFiniteStation* station,
                             ElvError* error) {
    elv_strong_drive(strong, &station->at, &grid->in, station->drive.tension, &station->drive);
    if (grid->def.program.adds_distributed) {
        station->drive.dead = elv_wrench_scale(-1.0, station->drive.dead);
        station->drive.follower = elv_wrench_scale(-1.0, station->drive.follower);
    }
    if (!strong->is_linear) {
        return ELV_OK;
    }
    station->xi_0 = station->at.xi_o;
    ElvStatus status = elv_strong_strain(strong, &station->at, &station->drive, elv_wrench_zero(),
                                         grid->c_0, station->law_h, &station->xi_0, &station->C);
    return status == ELV_OK ? ELV_OK : elv_strong_strain_error(strong, &station->at, status, error);
}

ElvStatus elv_finite_grid_begin(ElvFiniteGrid* grid,
                                double t,
                                const double c[3],
                                const ElvFieldNode* now,
                                const ElvFieldNode* past,
                                ElvError* error) {
    grid->c_0 = c[0];
    grid->in = elv_chain_input(grid->chain, t, 1.0, false);
    for (int i = 0; i < grid->n_node; i++) {
        grid->node_h[i] = elv_twist_add_scaled(elv_twist_scale(c[1], now[i].xi), c[2], past[i].xi);
        grid->node_h[grid->n_node + i] =
            elv_twist_add_scaled(elv_twist_scale(c[1], now[i].eta), c[2], past[i].eta);
    }
    for (int i = 0; i < grid->n_piece; i++) {
        const ElvFinitePiece* piece = &grid->piece[i];
        set_history(grid, piece);
        for (int k = 0; k <= grid->table->n_sub * piece->n_element; k++) {
            ElvStatus status = set_station(grid, &piece->link->strong,
                                           &grid->station[piece->i_station + k], error);
            if (status != ELV_OK) {
                return status;
            }
        }
    }
    return ELV_OK;
}
