// SPDX-License-Identifier: Apache-2.0
// Runge-Kutta pairs of the explicit method (explicit_pair.h): those of ARKODE up to order 7, and
// for order 8 the pair 8(7)13M of Prince and Dormand (1981), whose coefficients are fractions, good
// to about 1e-17.
//
// That of order 7 is Fehlberg's. Its two solutions are equal where the rate depends on t alone, so
// that errors of this kind are not seen: robots on wheels, whose velocities follow from imposed
// motions, have little else. On smooth flows without laws of time its long steps are the cheapest.
#include "solve/explicit_pair.h"

#include <arkode/arkode.h>
#include <arkode/arkode_erkstep.h>

#include <stdbool.h>
#include <string.h>

static const double DP_A[13][12] = {
    {0.0},
    {1.0 / 18.0},
    {1.0 / 48.0, 1.0 / 16.0},
    {1.0 / 32.0, 0.0, 3.0 / 32.0},
    {5.0 / 16.0, 0.0, -75.0 / 64.0, 75.0 / 64.0},
    {3.0 / 80.0, 0.0, 0.0, 3.0 / 16.0, 3.0 / 20.0},
    {29443841.0 / 614563906.0, 0.0, 0.0, 77736538.0 / 692538347.0, -28693883.0 / 1125000000.0,
     23124283.0 / 1800000000.0},
    {16016141.0 / 946692911.0, 0.0, 0.0, 61564180.0 / 158732637.0, 22789713.0 / 633445777.0,
     545815736.0 / 2771057229.0, -180193667.0 / 1043307555.0},
    {39632708.0 / 573591083.0, 0.0, 0.0, -433636366.0 / 683701615.0, -421739975.0 / 2616292301.0,
     100302831.0 / 723423059.0, 790204164.0 / 839813087.0, 800635310.0 / 3783071287.0},
    {246121993.0 / 1340847787.0, 0.0, 0.0, -37695042795.0 / 15268766246.0,
     -309121744.0 / 1061227803.0, -12992083.0 / 490766935.0, 6005943493.0 / 2108947869.0,
     393006217.0 / 1396673457.0, 123872331.0 / 1001029789.0},
    {-1028468189.0 / 846180014.0, 0.0, 0.0, 8478235783.0 / 508512852.0, 1311729495.0 / 1432422823.0,
     -10304129995.0 / 1701304382.0, -48777925059.0 / 3047939560.0, 15336726248.0 / 1032824649.0,
     -45442868181.0 / 3398467696.0, 3065993473.0 / 597172653.0},
    {185892177.0 / 718116043.0, 0.0, 0.0, -3185094517.0 / 667107341.0, -477755414.0 / 1098053517.0,
     -703635378.0 / 230739211.0, 5731566787.0 / 1027545527.0, 5232866602.0 / 850066563.0,
     -4093664535.0 / 808688257.0, 3962137247.0 / 1805957418.0, 65686358.0 / 487910083.0},
    {403863854.0 / 491063109.0, 0.0, 0.0, -5068492393.0 / 434740067.0, -411421997.0 / 543043805.0,
     652783627.0 / 914296604.0, 11173962825.0 / 925320556.0, -13158990841.0 / 6184727034.0,
     3936647629.0 / 1978049680.0, -160528059.0 / 685178525.0, 248638103.0 / 1413531060.0, 0.0},
};
static const double DP_C[13] = {0.0,
                                1.0 / 18.0,
                                1.0 / 12.0,
                                1.0 / 8.0,
                                5.0 / 16.0,
                                3.0 / 8.0,
                                59.0 / 400.0,
                                93.0 / 200.0,
                                5490023248.0 / 9719169821.0,
                                13.0 / 20.0,
                                1201146811.0 / 1299019798.0,
                                1.0,
                                1.0};
static const double DP_B8[13] = {14005451.0 / 335480064.0,
                                 0.0,
                                 0.0,
                                 0.0,
                                 0.0,
                                 -59238493.0 / 1068277825.0,
                                 181606767.0 / 758867731.0,
                                 561292985.0 / 797845732.0,
                                 -1041891430.0 / 1371343529.0,
                                 760417239.0 / 1151165299.0,
                                 118820643.0 / 751138087.0,
                                 -528747749.0 / 2220607170.0,
                                 1.0 / 4.0};
static const double DP_B7[13] = {13451932.0 / 455176623.0,
                                 0.0,
                                 0.0,
                                 0.0,
                                 0.0,
                                 -808719846.0 / 976000145.0,
                                 1757004468.0 / 5645159321.0,
                                 656045339.0 / 265891186.0,
                                 -3867574721.0 / 1518517206.0,
                                 465885868.0 / 322736535.0,
                                 53011238.0 / 667516719.0,
                                 2.0 / 45.0,
                                 0.0};

static ARKodeButcherTable create_prince_dormand(void) {
    ARKodeButcherTable pair = ARKodeButcherTable_Alloc(13, SUNTRUE);
    if (pair) {
        pair->q = 8;
        pair->p = 7;
        for (int i = 0; i < 13; i++) {
            memcpy(pair->A[i], DP_A[i], sizeof DP_A[i]);
            pair->c[i] = DP_C[i];
            pair->b[i] = DP_B8[i];
            pair->d[i] = DP_B7[i];
        }
    }
    return pair;
}

// the pair of each order
static ARKodeButcherTable create_pair(int order) {
    static const ARKODE_ERKTableID pair[] = {
        [2] = ARKODE_HEUN_EULER_2_1_2, [3] = ARKODE_BOGACKI_SHAMPINE_4_2_3,
        [4] = ARKODE_ZONNEVELD_5_3_4,  [5] = ARKODE_DORMAND_PRINCE_7_4_5,
        [6] = ARKODE_VERNER_8_5_6,     [7] = ARKODE_FEHLBERG_13_7_8,
    };
    if (order == 8) {
        return create_prince_dormand();
    }
    return order >= 2 && order <= 7 ? ARKodeButcherTable_LoadERK(pair[order]) : NULL;
}

// the same method with one stage more, which is the new solution itself
static ARKodeButcherTable append_solution(const struct ARKodeButcherTableMem* pair) {
    int n = pair->stages;
    ARKodeButcherTable longer = ARKodeButcherTable_Alloc(n + 1, SUNTRUE);
    if (longer) {
        longer->q = pair->q;
        longer->p = pair->p;
        for (int i = 0; i < n; i++) {
            memcpy(longer->A[i], pair->A[i], (size_t)n * sizeof(realtype));
            longer->A[n][i] = longer->b[i] = pair->b[i];
            longer->c[i] = pair->c[i];
            longer->d[i] = pair->d[i];
        }
        longer->c[n] = 1.0;
    }
    return longer;
}

// ARKODE takes a last stage at the end of the step for the new solution, and its derivative for the
// first one of the next step; in the pairs of order 2, 6, 7 and 8 that stage is another point, and the
// order would be lost. With the solution appended as a stage the reuse is right and costs nothing.
int elv_explicit_set_pair(void* arkode, int order) {
    ARKodeButcherTable pair = create_pair(order);
    ARKodeButcherTable used = NULL;
    int flag = ARK_MEM_FAIL;
    if (pair) {
        int last = pair->stages - 1;
        bool is_solution = true;
        for (int i = 0; i <= last; i++) {
            is_solution &= pair->A[last][i] == pair->b[i];
        }
        used = pair->c[last] == 1.0 && !is_solution ? append_solution(pair) : pair;
    }
    if (used) {
        flag = ERKStepSetTable(arkode, used);
    }
    if (used != pair) {
        ARKodeButcherTable_Free(used);
    }
    ARKodeButcherTable_Free(pair);
    return flag;
}
