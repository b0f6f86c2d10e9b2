// SPDX-License-Identifier: Apache-2.0
// Where points of a body can be, from the least and greatest values of the numbers of its pose: interval arithmetic,
// exact where these are those of one record.

const times = ([a, b], [c, d]) => {
    const all = [a * c, a * d, b * c, b * d];
    return [Math.min(...all), Math.max(...all)];
};
const square = ([a, b]) => [a * b < 0 ? 0 : Math.min(a * a, b * b), Math.max(a * a, b * b)];
const plus = ([a, b], [c, d]) => [a + c, b + d];
const minus = ([a, b], [c, d]) => [a - d, b - c];
const clamp = ([a, b]) => [Math.max(-1, a), Math.min(1, b)];

// 2 (a b + or - c d), and 1 - 2 (a^2 + b^2)
const mixed = (a, b, c, d, sign) => {
    const [first, second] = [times(a, b), times(c, d)];
    const sum = sign > 0 ? plus(first, second) : minus(first, second);
    return clamp([2 * sum[0], 2 * sum[1]]);
};
const straight = (a, b) => {
    const [low, high] = plus(square(a), square(b));
    return clamp([1 - 2 * high, 1 - 2 * low]);
};

/** Intervals of a rotation matrix, by rows, of the pose at k. */
export function turnRange(min, max, k) {
    const [w, x, y, z] = [3, 4, 5, 6].map((d) => [min[k + d], max[k + d]]);
    return [
        [straight(y, z), mixed(x, y, w, z, -1), mixed(x, z, w, y, 1)],
        [mixed(x, y, w, z, 1), straight(x, z), mixed(y, z, w, x, -1)],
        [mixed(x, z, w, y, -1), mixed(y, z, w, x, 1), straight(x, y)],
    ];
}

/** Intervals of x, y, z of a point p of the body with the pose at k; turn: that of its pose. */
export function pointRange(min, max, k, turn, p) {
    return turn.map((row, d) => {
        const far = Math.hypot(...p);
        let sum = [0, 0];
        row.forEach((r, e) => {
            sum = plus(sum, times(r, [p[e], p[e]]));
        });
        return [min[k + d] + Math.max(-far, sum[0]), max[k + d] + Math.min(far, sum[1])];
    });
}
