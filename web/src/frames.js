// SPDX-License-Identifier: Apache-2.0
// Frames as triads, red, green and blue along x, y and z: those that have a name in the model, and smaller ones of
// bodies, roots and tips of rods. Nothing hides them.
import { CylinderGeometry, DynamicDrawUsage, Float32BufferAttribute, Group, InstancedMesh, Matrix4, MeshBasicMaterial, Vector3 } from 'three';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import { poseMatrix } from './bodies.js';

// r, g, b of the axes, as three.js adds light
export const axisColors = [[0.82, 0.1, 0.13], [0.13, 0.5, 0.1], [0.08, 0.22, 0.8]];

const SMALL = 0.7;

/** Frames to draw: {name, pose, scale}. */
export function framesOf(scene) {
    const tip = ({ pose, stations }) => pose + 7 * (stations.length - 1);
    return [
        ...scene.frames.map(({ name, pose }) => ({ name, pose, scale: 1 })),
        ...scene.bodies.map(({ name, pose }) => ({ name, pose, scale: SMALL })),
        ...scene.rods.map(({ name, pose }) => ({ name: `${name}, root`, pose, scale: SMALL })),
        ...scene.rods.map((rod) => ({ name: `${rod.name}, tip`, pose: tip(rod), scale: SMALL })),
    ];
}

// three thin bars along the axes
function triad(length) {
    const radius = 0.045 * length;
    const bars = [0, 1, 2].map((d) => {
        const bar = new CylinderGeometry(radius, radius, length, 8).translate(0, 0.5 * length, 0);
        // from y to the axis
        if (d === 0) {
            bar.rotateZ(-Math.PI / 2);
        } else if (d === 2) {
            bar.rotateX(Math.PI / 2);
        }
        const n = bar.attributes.position.count;
        return bar.setAttribute('color', new Float32BufferAttribute(Array.from({ length: n }, () => axisColors[d]).flat(), 3));
    });
    return mergeGeometries(bars);
}

export class Frames {
    constructor(scene) {
        this.group = new Group();
        this.items = framesOf(scene);
        this.material = new MeshBasicMaterial({
            vertexColors: true, depthTest: false, depthWrite: false, transparent: true, toneMapped: false,
        });
        this.mesh = new InstancedMesh(triad(0.08 * (scene.size || 1)), this.material, this.items.length);
        this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = 5;
        this.group.add(this.mesh);
        this.matrix = new Matrix4();
        this.scale = new Vector3();
    }

    update(v) {
        this.items.forEach(({ pose, scale }, i) => {
            poseMatrix(v, pose, this.matrix).scale(this.scale.setScalar(scale));
            this.mesh.setMatrixAt(i, this.matrix);
        });
        this.mesh.instanceMatrix.needsUpdate = true;
    }

    dispose() {
        this.mesh.geometry.dispose();
        this.mesh.dispose();
        this.material.dispose();
    }
}
