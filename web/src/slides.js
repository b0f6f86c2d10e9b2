// SPDX-License-Identifier: Apache-2.0
// Joints that slide along an axis: a thin stick from where the parent has the joint to where the body has it.
import { CylinderGeometry } from 'three';
import { instancesAlong, placeAlong } from './instances.js';

const types = ['prismatic', 'helical', 'cylindrical'];

/** The point p of the body with the pose at a, in the world, into out from number k on. */
export function putPoint(v, a, p, out, k) {
    // x + q p q^-1
    const px = p[0];
    const py = p[1];
    const pz = p[2];
    const w = v[a + 3];
    const x = v[a + 4];
    const y = v[a + 5];
    const z = v[a + 6];
    const tx = 2 * (y * pz - z * py);
    const ty = 2 * (z * px - x * pz);
    const tz = 2 * (x * py - y * px);
    out[k] = v[a] + px + w * tx + y * tz - z * ty;
    out[k + 1] = v[a + 1] + py + w * ty + z * tx - x * tz;
    out[k + 2] = v[a + 2] + pz + w * tz + x * ty - y * tx;
}

export class Slides {
    constructor(bodies, unit, material) {
        this.links = bodies.filter(({ parent, hinge }) => Number.isInteger(parent) && types.includes(hinge?.type));
        this.radius = 0.7 * unit;
        this.mesh = instancesAlong(new CylinderGeometry(1, 1, 1, 10), material, this.links.length);
        this.mesh.castShadow = true;
        this.mesh.visible = this.links.length > 0;
        this.record = new Float32Array(6);
    }

    update(v) {
        const r = this.record;
        this.links.forEach(({ pose, parent, joint, hinge }, i) => {
            putPoint(v, parent, joint, r, 0);
            putPoint(v, pose, hinge.place, r, 3);
            for (let d = 0; d < 3; d++) {
                r[d + 3] -= r[d];
            }
            const length = Math.hypot(r[3], r[4], r[5]);
            placeAlong(this.mesh, i, r, 0, length, 0, length, this.radius);
        });
        this.mesh.instanceMatrix.needsUpdate = true;
    }

    dispose() {
        this.mesh.geometry.dispose();
        this.mesh.dispose();
    }
}
