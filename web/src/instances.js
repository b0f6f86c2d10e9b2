// SPDX-License-Identifier: Apache-2.0
// Many copies of a slender shape, each between two points.
import { DynamicDrawUsage, InstancedMesh } from 'three';

/** n copies of a shape that stands along y from -1/2 to 1/2; it is laid along x, from 0 to 1. */
export function instancesAlong(geometry, material, n) {
    const mesh = new InstancedMesh(geometry.rotateZ(-Math.PI / 2).translate(0.5, 0, 0), material, n);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    return mesh;
}

/** The copies of another mesh once more, with another material: they move along. */
export function sameInstances(mesh, material) {
    const same = new InstancedMesh(mesh.geometry, material, mesh.count);
    same.instanceMatrix = mesh.instanceMatrix;
    same.instanceColor = mesh.instanceColor;
    same.frustumCulled = false;
    return same;
}

/** Copy i: along the vector at k + 3 of v, of this norm, from the point at k on; it begins at `begin` and is `length` long. */
export function placeAlong(mesh, i, v, k, norm, begin, length, radius) {
    const e = mesh.instanceMatrix.array;
    const o = 16 * i;
    const s = norm > 0 && radius > 0 ? 1 / norm : 0;
    const x = v[k + 3] * s;
    const y = v[k + 4] * s;
    const z = v[k + 5] * s;
    // a direction across, and the third
    const flat = Math.abs(z) < 0.9;
    let p = flat ? -y : 0;
    let q = flat ? x : -z;
    let r = flat ? 0 : y;
    const t = 1 / (Math.sqrt(p * p + q * q + r * r) || 1);
    p *= t;
    q *= t;
    r *= t;
    e[o] = length * x;
    e[o + 1] = length * y;
    e[o + 2] = length * z;
    e[o + 4] = radius * p;
    e[o + 5] = radius * q;
    e[o + 6] = radius * r;
    e[o + 8] = radius * (y * r - z * q);
    e[o + 9] = radius * (z * p - x * r);
    e[o + 10] = radius * (x * q - y * p);
    e[o + 12] = v[k] + begin * x;
    e[o + 13] = v[k + 1] + begin * y;
    e[o + 14] = v[k + 2] + begin * z;
    e[o + 15] = 1;
}
