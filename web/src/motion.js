// SPDX-License-Identifier: Apache-2.0
// Between two records: numbers move on a line, orientations on the arc between them.

/** Indices of all unit quaternions of a record. */
export function quaternionsOf(scene) {
    const at = [];
    for (const rod of scene.rods) {
        rod.stations.forEach((_, i) => at.push(rod.pose + 7 * i + 3));
    }
    for (const item of [...scene.bodies, ...scene.frames]) {
        at.push(item.pose + 3);
    }
    return Int32Array.from(at);
}

// spherical interpolation of the quaternions at i of a and j of b, to k of out
function slerp(a, i, b, j, u, out, k) {
    let cosine = a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2] + a[i + 3] * b[j + 3];
    const sign = cosine < 0 ? -1 : 1;
    cosine *= sign;
    let wa = 1 - u;
    let wb = sign * u;
    // near each other the chord does as well as the arc
    if (cosine < 0.995) {
        const angle = Math.acos(cosine);
        const sine = Math.sin(angle);
        wa = Math.sin((1 - u) * angle) / sine;
        wb = (sign * Math.sin(u * angle)) / sine;
    }
    const w = wa * a[i] + wb * b[j];
    const x = wa * a[i + 1] + wb * b[j + 1];
    const y = wa * a[i + 2] + wb * b[j + 2];
    const z = wa * a[i + 3] + wb * b[j + 3];
    const scale = 1 / (Math.sqrt(w * w + x * x + y * y + z * z) || 1);
    out[k] = w * scale;
    out[k + 1] = x * scale;
    out[k + 2] = y * scale;
    out[k + 3] = z * scale;
}

/** Record at u in [0, 1] from the one at number i of a to the one at number j of b, m numbers each. */
export function interpolate(a, i, b, j, u, m, quaternions, out) {
    for (let c = 0; c < m; c++) {
        out[c] = a[i + c] + u * (b[j + c] - a[i + c]);
    }
    for (let c = 0; c < quaternions.length; c++) {
        const at = quaternions[c];
        slerp(a, i + at, b, j + at, u, out, at);
    }
}
