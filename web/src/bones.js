// SPDX-License-Identifier: Apache-2.0
// Shapes made for what has none: sticks with joints at their ends, plates, wheels, and marks where the world holds.
import { BufferGeometry, CylinderGeometry, ExtrudeGeometry, Float32BufferAttribute, Matrix4, Path, Quaternion, Shape, SphereGeometry, TorusGeometry, Vector3 } from 'three';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import { skeletonOf, spanOf } from './skeleton.js';

const Y = new Vector3(0, 1, 0);

// a shape that stands along y, laid along a direction about a point
function laid(geometry, place, direction) {
    const turn = new Quaternion().setFromUnitVectors(Y, new Vector3(...direction).normalize());
    return geometry.applyQuaternion(turn).translate(...place);
}

function stick(a, b, radius) {
    const along = b.map((x, d) => x - a[d]);
    const middle = a.map((x, d) => 0.5 * (x + b[d]));
    return laid(new CylinderGeometry(radius, radius, Math.hypot(...along), 16), middle, along);
}

const ball = (place, radius) => new SphereGeometry(radius, 24, 16).translate(...place);

// a pin along the axis of a hinge, a sleeve along a slide, a ball else
function joint({ type, place, axis }, unit) {
    if (!axis || Math.hypot(...axis) === 0) {
        return ball(place, type === 'fixed' ? 1.3 * unit : 2.1 * unit);
    }
    const isSlide = type === 'prismatic';
    return laid(new CylinderGeometry(1.9 * unit, 1.9 * unit, (isSlide ? 9 : 5.5) * unit, 28), place, axis);
}

/** Radius of sticks: of the size of the robot, less where all of its bodies or wheels are small. */
export function stickRadius(bodies, wheels, size) {
    const spans = bodies.filter(({ shape }) => shape === 'none').map(({ sticks }) => spanOf(sticks ?? []));
    const most = Math.max(0, ...spans);
    const radii = wheels.map(({ radius }) => 0.4 * radius);
    return Math.min(0.01 * (most > 0 ? Math.min(size, 5 * most) : size), ...radii);
}

const isSame = (a, b, unit) => Math.hypot(...a.map((x, d) => x - b[d])) < 0.1 * unit;

// a mere point: as large as its inertia says, within bounds
function dot({ sticks, spread }, unit) {
    const place = sticks?.[0] ?? [0, 0, 0];
    const least = 1.4 * unit;
    const scale = Math.min(1, (10 * unit) / Math.max(...(spread ?? []), unit));
    const axes = spread?.length === 3 ? spread.map((a) => Math.max(least, scale * a)) : [least, least, least];
    return new SphereGeometry(1, 40, 28).scale(...axes).translate(...place);
}

/** A body without a shape: {geometry, plate: geometry or null}. */
export function bones(body, unit) {
    const { hinge, sticks: points = [] } = body;
    const { sticks: pairs, plate } = skeletonOf(points);
    if (pairs.length === 0) {
        return { geometry: dot(body, unit), plate: null };
    }
    const parts = pairs.filter(([a, b]) => !isSame(a, b, unit)).map(([a, b]) => stick(a, b, unit));
    for (const p of points) {
        const isHinge = hinge && p === points[0] && isSame(p, hinge.place, unit);
        parts.push(isHinge ? joint(hinge, unit) : ball(p, 1.3 * unit));
    }
    if (pairs.length > 1) {
        parts.push(ball(pairs[0][0], 1.3 * unit));
    }
    return { geometry: mergeGeometries(parts), plate: plate && plateGeometry(plate, 0.9 * unit) };
}

// a slab whose middle is the plane of the corners
function plateGeometry({ origin, axes, corners }, thickness) {
    const shape = new Shape(new Path().setFromPoints(corners.map(([x, y]) => ({ x, y }))).getPoints());
    const slab = new ExtrudeGeometry(shape, { depth: thickness, bevelEnabled: false }).translate(0, 0, -0.5 * thickness);
    const basis = new Matrix4().makeBasis(...axes.map((e) => new Vector3(...e)));
    return slab.applyMatrix4(basis.setPosition(...origin));
}

/** Sticks from the middle of a shape to points that it does not reach; null: there is none. */
export function outriggers({ sticks, place, hinge }, reach, unit) {
    const middle = place ? place.slice(0, 3) : [0, 0, 0];
    const far = (sticks ?? []).filter((p) => Math.hypot(...p.map((x, d) => x - middle[d])) > 1.02 * reach + unit);
    const parts = far.map((p) => stick(middle, p, unit));
    for (const p of far) {
        parts.push(hinge && isSame(p, hinge.place, unit) ? joint(hinge, unit) : ball(p, 1.3 * unit));
    }
    return parts.length > 0 ? mergeGeometries(parts) : null;
}

/** A wheel: a tyre about a thin disc, and its nave. */
export function wheelGeometry({ place, axis, radius }) {
    const lie = (geometry) => geometry.rotateX(Math.PI / 2);
    return laid(
        mergeGeometries([
            lie(new TorusGeometry(0.86 * radius, 0.14 * radius, 16, 48)),
            new CylinderGeometry(0.8 * radius, 0.8 * radius, 0.08 * radius, 40),
            new CylinderGeometry(0.2 * radius, 0.2 * radius, 0.3 * radius, 24),
        ]),
        place,
        axis,
    );
}

/** Discs under what the world holds. */
export function anchorGeometry(anchors, unit) {
    const parts = anchors.map(({ place, axis, width }) => {
        const radius = Math.max((width > 0 ? 2 : 2.6) * unit, 0.9 * width);
        const height = 1.4 * unit;
        // a flange: a little of it around what is held
        const middle = place.map((x, d) => x - 0.2 * height * axis[d]);
        return laid(new CylinderGeometry(radius, radius, height, 40), middle, axis);
    });
    return parts.length > 0 ? mergeGeometries(parts) : new BufferGeometry().setAttribute('position', new Float32BufferAttribute([], 3));
}
