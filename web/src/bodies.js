// SPDX-License-Identifier: Apache-2.0
// Rigid bodies: shapes of the description, moved by their poses.
import {
    BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, CylinderGeometry, Group, LineBasicMaterial,
    LineSegments, Matrix4, Mesh, Quaternion, SphereGeometry, Vector3,
} from 'three';
import { anchorGeometry, bones, outriggers, stickRadius, wheelGeometry } from './bones.js';
import { Slides } from './slides.js';

// cylinders of three.js stand along y, ours lie along x
const lie = (geometry) => geometry.rotateZ(-Math.PI / 2);

const shapes = {
    sphere: ([r]) => new SphereGeometry(r, 48, 32),
    box: ([x, y, z]) => new BoxGeometry(x, y, z),
    cylinder: ([r, length]) => lie(new CylinderGeometry(r, r, length, 48)),
    capsule: ([r, length]) => lie(new CapsuleGeometry(r, length, 16, 40)),
    ellipsoid: ([x, y, z]) => new SphereGeometry(1, 48, 32).scale(x, y, z),
};

/** Radius of a ball about the shape's centre that holds it. */
export function reachOf({ shape, size }) {
    const s = [size].flat();
    switch (shape) {
        case 'sphere':
            return s[0];
        case 'box':
            return 0.5 * Math.hypot(...s);
        case 'cylinder':
            return Math.hypot(s[0], 0.5 * s[1]);
        case 'capsule':
            return s[0] + 0.5 * s[1];
        case 'ellipsoid':
            return Math.max(...s);
        default:
            return 0;
    }
}

const place = new Vector3();
const turn = new Quaternion();
const one = new Vector3(1, 1, 1);

/** Matrix of the pose at number k of v. */
export function poseMatrix(v, k, matrix) {
    place.set(v[k], v[k + 1], v[k + 2]);
    turn.set(v[k + 4], v[k + 5], v[k + 6], v[k + 3]);
    return matrix.compose(place, turn, one);
}

// three short lines along the axes
function axesGeometry(length) {
    const position = new Float32Array([0, 0, 0, length, 0, 0, 0, 0, 0, 0, length, 0, 0, 0, 0, 0, 0, length]);
    const red = [0.82, 0.1, 0.13];
    const green = [0.13, 0.5, 0.1];
    const blue = [0.08, 0.22, 0.8];
    const color = new Float32Array([...red, ...red, ...green, ...green, ...blue, ...blue]);
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(position, 3));
    geometry.setAttribute('color', new BufferAttribute(color, 3));
    return geometry;
}

export class Bodies {
    constructor({ bodies, wheels = [], anchors = [], size }, material, wheelMaterial, plateMaterial) {
        this.group = new Group();
        this.items = [];
        this.material = material;
        this.plateMaterial = plateMaterial;
        this.unit = stickRadius(bodies, wheels, size);
        this.slides = new Slides(bodies, this.unit, material);
        this.group.add(this.slides.mesh);
        bodies.forEach((body) => this.addBody(body, size, wheels));
        wheels.forEach((wheel) => this.add(wheel.name, wheelGeometry(wheel), wheelMaterial, wheel.pose));
        // they stay where they are
        this.anchors = new Mesh(anchorGeometry(anchors, this.unit), wheelMaterial);
        this.anchors.visible = anchors.length > 0;
        this.anchors.receiveShadow = true;
        this.group.add(this.anchors);
    }

    add(name, geometry, material, pose, local = new Matrix4()) {
        const mesh = new Mesh(geometry, material);
        mesh.name = name;
        mesh.matrixAutoUpdate = false;
        mesh.castShadow = true;
        mesh.receiveShadow = true;
        this.group.add(mesh);
        this.items.push({ mesh, local, pose });
        return mesh;
    }

    addBody(body, size, wheels) {
        const make = shapes[body.shape];
        if (make) {
            const local = body.place ? poseMatrix(body.place, 0, new Matrix4()) : new Matrix4();
            this.add(body.name, make([body.size].flat()), this.material, body.pose, local);
            const more = outriggers(body, reachOf(body), this.unit);
            if (more) {
                this.add(body.name, more, this.material, body.pose);
            }
            return;
        }
        const hasWheel = wheels.some(({ pose }) => pose === body.pose);
        const { geometry, plate } = bones(hasWheel ? { ...body, spread: [] } : body, this.unit);
        const mesh = this.add(body.name, geometry, this.material, body.pose);
        if (plate) {
            this.add(body.name, plate, this.plateMaterial, body.pose).receiveShadow = false;
        }
        // a mere point has axes
        if ((body.sticks ?? []).length < 2 && !hasWheel) {
            this.axes ??= axesGeometry(0.06 * size);
            this.axesMaterial ??= new LineBasicMaterial({ vertexColors: true });
            const lines = new LineSegments(this.axes, this.axesMaterial);
            geometry.computeBoundingSphere();
            lines.scale.setScalar(Math.max(1, (1.3 * geometry.boundingSphere.radius) / (0.06 * size)));
            mesh.add(lines);
        }
    }

    update(v) {
        for (const { mesh, local, pose } of this.items) {
            poseMatrix(v, pose, mesh.matrix).multiply(local);
            mesh.matrixWorldNeedsUpdate = true;
        }
        this.slides.update(v);
    }

    dispose() {
        this.slides.dispose();
        this.items.forEach(({ mesh }) => mesh.geometry.dispose());
        this.anchors.geometry.dispose();
        this.axes?.dispose();
        this.axesMaterial?.dispose();
    }
}
