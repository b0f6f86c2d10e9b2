// SPDX-License-Identifier: Apache-2.0
// Forces and moments as arrows: two instanced shapes, shafts and heads, placed anew with each record. What is hidden by
// bodies is seen through them, faintly: it is drawn once more where it lies behind.
import { Color, ConeGeometry, CylinderGeometry, GreaterDepth, Group, MeshBasicMaterial, MeshStandardMaterial } from 'three';
import { instancesAlong, placeAlong, sameInstances } from './instances.js';

export const arrowColors = {
    load: '#e0556b',
    contact: '#f0a030',
    wheel: '#8f7ae0',
    loop: '#3fa0d8',
    control: '#43b27a',
    mouse: '#ff5fa2',
};

export class Arrows {
    /** size: length of the robot. */
    constructor(arrows, size) {
        this.arrows = arrows;
        this.size = size;
        this.group = new Group();
        const material = new MeshStandardMaterial({ roughness: 0.5, metalness: 0 });
        this.shaft = instancesAlong(new CylinderGeometry(1, 1, 1, 10), material, arrows.length);
        this.head = instancesAlong(new ConeGeometry(1, 1, 16), material, arrows.length);
        const colour = new Color();
        arrows.forEach((arrow, i) => {
            colour.set(arrowColors[arrow.kind] ?? arrowColors.load);
            this.shaft.setColorAt(i, colour);
            this.head.setColorAt(i, colour);
        });
        // where there is something nearer, and in any light
        this.faint = new MeshBasicMaterial({ transparent: true, opacity: 0.6, depthFunc: GreaterDepth, depthWrite: false, toneMapped: false });
        this.through = [this.shaft, this.head].map((mesh) => sameInstances(mesh, this.faint));
        // after all that could cover them
        this.through.forEach((mesh) => {
            mesh.renderOrder = 4;
        });
        this.group.add(this.shaft, this.head, ...this.through);
    }

    /** scales: metres a unit, by unit; shown: by kind. */
    update(v, scales, shown) {
        const { size } = this;
        this.arrows.forEach((arrow, i) => {
            const k = arrow.index;
            const norm = Math.hypot(v[k + 3], v[k + 4], v[k + 5]);
            const length = shown[arrow.kind] ? norm * (scales[arrow.unit] ?? 0) : 0;
            // arrows too short to see are left out
            const radius = length > 0.004 * size ? Math.min(0.012 * size, 0.12 * length) : 0;
            const headLength = Math.min(4 * radius, 0.6 * length);
            placeAlong(this.shaft, i, v, k, norm, 0, length - headLength, 0.45 * radius);
            placeAlong(this.head, i, v, k, norm, length - headLength, headLength, 1.25 * radius);
        });
        this.shaft.instanceMatrix.needsUpdate = true;
        this.head.instanceMatrix.needsUpdate = true;
    }

    dispose() {
        for (const mesh of [this.shaft, this.head]) {
            mesh.geometry.dispose();
            mesh.material.dispose();
            mesh.dispose();
        }
        this.through.forEach((mesh) => mesh.dispose());
        this.faint.dispose();
    }
}
