#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write tests/lie_reference.h: 60-digit values of exp, log and the tangent maps of SE(3).

Everything comes from plain definitions, none of it from the closed forms under test:
  exp(x)    = sum_k hat(x)^k / k!              on 4x4 matrices
  T(x)      = sum_k (-ad_x)^k / (k + 1)!       on 6x6 matrices
  DT(x)[u]  = the same series differentiated term by term, (A^(k+1))' = A' A^k + A (A^k)'
  T^-1      by elimination, D(T^-1)[u] = -T^-1 DT[u] T^-1
The inputs are doubles, taken as exact; the outputs are rounded to doubles once, at the end.

Usage: make_lie_reference.py > tests/lie_reference.h      (needs mpmath; some ten seconds)
"""

import random
import sys

from mpmath import cot, diff, factorial, inverse, matrix, mp, mpf, pi, sqrt

mp.dps = 60

SERIES_LIMIT = 10  # ELV_SERIES_LIMIT of src/lie/coefficients.h: where the two formulas meet


def hat(v):
    return [[mpf(0), -v[2], v[1]], [v[2], mpf(0), -v[0]], [-v[1], v[0], mpf(0)]]


def zeros(n):
    return [[mpf(0)] * n for _ in range(n)]


def identity(n):
    return [[mpf(int(i == j)) for j in range(n)] for i in range(n)]


def mul(a, b):
    columns = list(zip(*b))
    return [[sum((p * q for p, q in zip(row, col) if p and q), mpf(0)) for col in columns]
            for row in a]


def add(a, b, scale=1):
    return [[p + scale * q for p, q in zip(r, s)] for r, s in zip(a, b)]


def scaled(a, scale):
    return [[scale * p for p in row] for row in a]


def norm(a):
    return max(abs(p) for row in a for p in row)


def apply(a, v):
    return [sum((p * q for p, q in zip(row, v)), mpf(0)) for row in a]


def invert(a):
    inv = inverse(matrix(a))
    return [[inv[i, j] for j in range(len(a))] for i in range(len(a))]


def twist_adjoint(x):
    """ad_x = [hat(ang) 0; hat(lin) hat(ang)]"""
    ang, lin = hat(x[:3]), hat(x[3:])
    return [ang[i] + [mpf(0)] * 3 for i in range(3)] + [lin[i] + ang[i] for i in range(3)]


def pose_exp(x):
    """4x4 exponential of a twist."""
    h = hat(x[:3])
    a = [h[i] + [x[3 + i]] for i in range(3)] + [[mpf(0)] * 4]
    total, term, k = identity(4), identity(4), 0
    while norm(term) > mpf(10) ** (-mp.dps - 5):
        k += 1
        term = scaled(mul(term, a), mpf(1) / k)
        total = add(total, term)
    return total


def tangent(x):
    """T(x) = sum_k (-ad_x)^k / (k + 1)!"""
    a = scaled(twist_adjoint(x), -1)
    power, total, k = identity(6), identity(6), 0
    while norm(power) / factorial(k + 1) > mpf(10) ** (-mp.dps - 5):
        k += 1
        power = mul(power, a)
        total = add(total, power, 1 / factorial(k + 1))
    return total


def tangent_along(x, u):
    """Derivative of T(x) along u, term by term."""
    a, da = scaled(twist_adjoint(x), -1), scaled(twist_adjoint(u), -1)
    power, d_power, total, k = identity(6), zeros(6), zeros(6), 0
    while k < 2 or (norm(power) + norm(d_power)) / factorial(k + 1) > mpf(10) ** (-mp.dps - 5):
        k += 1
        d_power = add(mul(da, power), mul(a, d_power))
        power = mul(a, power)
        total = add(total, d_power, 1 / factorial(k + 1))
    return total


def principal_log(x, pose):
    """Twist of angle up to pi with the same exponential: turn back a whole turn, solve for lin."""
    angle = sqrt(sum(c * c for c in x[:3]))
    if angle <= pi:
        return x
    ang = [c * (1 - 2 * pi / angle) for c in x[:3]]
    v = [row[:3] for row in tangent([-c for c in ang] + [mpf(0)] * 3)[:3]]
    return ang + apply(invert(v), [pose[i][3] for i in range(3)])


def blocks(m):
    """The upper left and lower left blocks of [A 0; B A]."""
    for i in range(3):
        for j in range(3):
            assert abs(m[i][j + 3]) < mpf(10) ** -45
            assert abs(m[i][j] - m[i + 3][j + 3]) < mpf(10) ** -40 * (1 + abs(m[i][j]))
    return [m[i][j] for i in range(6) for j in range(3)]


def reference_case(x, x_dot, a):
    exact = [[mpf(c) for c in v] for v in (x, x_dot, a)]
    x, x_dot, a = exact
    pose = pose_exp(x)
    t = tangent(x)
    t_inv = invert(t)
    t_dot = tangent_along(x, x_dot)
    along = [tangent_along(x, row) for row in identity(6)]
    t_inv_a = apply(t_inv, a)
    t_diff = list(zip(*(apply(d, a) for d in along)))
    t_inv_diff = list(zip(*(apply(scaled(t_inv, -1), apply(d, t_inv_a)) for d in along)))
    return [
        ("x", x),
        ("x_dot", x_dot),
        ("a", a),
        ("R", [pose[i][j] for i in range(3) for j in range(3)]),
        ("p", [pose[i][3] for i in range(3)]),
        ("log", principal_log(x, pose)),
        ("T", blocks(t)),
        ("T_inv", blocks(t_inv)),
        ("T_dot", blocks(t_dot)),
        ("T_inv_dot", blocks(scaled(mul(t_inv, mul(t_dot, t_inv)), -1))),
        ("T_diff", blocks(t_diff)),
        ("T_inv_diff", blocks(t_inv_diff)),
    ]


def angles():
    edge = float(sqrt(SERIES_LIMIT))
    half = float(pi)
    return [0.0, 1e-12, 1e-8, 1e-4, 0.01, 0.1, 0.5, 1.0, 2.0, 3.0,
            half - 1e-3, half - 1e-8, half - 1e-12, half, half + 1e-3,
            edge - 1e-9, edge + 1e-9, 4.0, 5.0, 2 * half - 0.5, 2 * half - 0.1]


def inputs():
    """For each angle: a random axis with a long linear part, a coordinate axis with a short one."""
    rng = random.Random(20230601)
    for i, angle in enumerate(angles()):
        axis = [rng.gauss(0, 1) for _ in range(3)]
        length = sum(c * c for c in axis) ** 0.5
        coordinate = [0.0, 0.0, 0.0]
        coordinate[i % 3] = 1.0 if i % 2 == 0 else -1.0
        for unit, size in (([c / length for c in axis], 10.0), (coordinate, 1.0)):
            x = [angle * c for c in unit] + [rng.uniform(-size, size) for _ in range(3)]
            x_dot = [rng.uniform(-2, 2) for _ in range(6)]
            a = [rng.uniform(-2, 2) for _ in range(6)]
            yield angle, x, x_dot, a


def stumpff(s, k, order):
    """Derivative by s of c_k(s) = sum_j (-s)^j / (2j + k)!"""
    total = mpf(0)
    for j in range(order, 120):
        falling = mpf(1)
        for i in range(order):
            falling *= j - i
        total += falling * (-1) ** j * s ** (j - order) / factorial(2 * j + k)
    return total


def cotangent(s, order):
    """Derivative by s of (1 - (x/2) cot(x/2)) / x^2, x^2 = s."""
    if s == 0:
        return [mpf(1) / 12, mpf(1) / 720, mpf(1) / 15120][order]
    saved = mp.dps
    mp.dps = 400
    value = diff(lambda r: (1 - sqrt(r) / 2 * cot(sqrt(r) / 2)) / r, s, order, h=s * mpf(10) ** -60)
    mp.dps = saved
    return +value


def coefficient_rows():
    below = float(SERIES_LIMIT) * (1 - 1e-12)
    above = float(SERIES_LIMIT) * (1 + 1e-12)
    for s in (0.0, 1e-24, 1e-16, 1e-8, 1e-4, 0.01, 0.1, 0.25, 1.0, 2.0, 4.0, 6.0, 8.0, 9.0, 9.8696,
              below, above, 11.0, 13.0, 16.0, 20.0, 25.0, 30.0, 35.0, 38.0):
        r = mpf(s)
        yield [r, stumpff(r, 1, 0)] + [stumpff(r, k, n) for k in (2, 3) for n in range(3)] + [
            cotangent(r, n) for n in range(3)]


def c_array(values):
    return "{" + ", ".join(repr(float(v)) for v in values) + "}"


HEADER = """// SPDX-License-Identifier: Apache-2.0
// Generated by tools/make_lie_reference.py: do not edit. Values of exp, log and the tangent maps of
// SE(3) from their power series with 60 digits, rounded once; the inputs are exact doubles.
// clang-format off
#ifndef ELVER_TESTS_LIE_REFERENCE_H
#define ELVER_TESTS_LIE_REFERENCE_H

// x, x_dot, a: twists. R, p: exp(x). log: the twist of angle up to pi with the same exponential.
// T and the rest: the left half (6x3, row-major) of a matrix [A 0; B A]; T_dot along x_dot,
// T_diff the Jacobian in x of T(x) a.
typedef struct {
    double x[6], x_dot[6], a[6];
    double R[9], p[3], log[6];
    double T[18], T_inv[18];
    double T_dot[18], T_inv_dot[18];
    double T_diff[18], T_inv_diff[18];
} LieReference;

// Coefficients at s = x^2: sin(x)/x; and with their first and second derivatives by s
// (1 - cos(x))/x^2, (x - sin(x))/x^3 and (1 - (x/2) cot(x/2))/x^2.
typedef struct {
    double s, sinc;
    double cosc[3], sinc_rest[3], cot_rest[3];
} CoefficientReference;
"""


def main():
    print(HEADER)
    print("static const CoefficientReference coefficient_reference[] = {")
    for row in coefficient_rows():
        print("    {%r, %r," % (float(row[0]), float(row[1])))
        for i in (2, 5, 8):
            print("     " + c_array(row[i:i + 3]) + ("," if i < 8 else "},"))
    print("};\n")
    print("static const LieReference lie_reference[] = {")
    for angle, x, x_dot, a in inputs():
        print("    // angle %r" % angle)
        fields = reference_case(x, x_dot, a)
        for i, (name, values) in enumerate(fields):
            opening = "    {" if i == 0 else "     "
            rows = [values[j:j + 3] for j in range(0, len(values), 3)]
            text = ",\n      ".join(", ".join(repr(float(v)) for v in row) for row in rows)
            print("%s.%s = {%s}%s" % (opening, name, text, "," if i + 1 < len(fields) else "},"))
        sys.stdout.flush()
    print("};\n")
    print("enum {")
    for name, table in (("N_COEFFICIENT_REFERENCE", "coefficient_reference"),
                        ("N_LIE_REFERENCE", "lie_reference")):
        print("    %s =\n        (int)(sizeof(%s) / sizeof(%s[0]))," % (name, table, table))
    print("};\n\n#endif")


if __name__ == "__main__":
    main()
