// SPDX-License-Identifier: Apache-2.0
// Skeletons: how a body without a shape is drawn from the points that it holds together. Two points are one stick; more
// meet in their middle; where they lie in a plane and are no line there is a plate between them.

const minus = (a, b) => a.map((x, d) => x - b[d]);
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const norm = (a) => Math.hypot(...a);
const unit = (a) => a.map((x) => x / norm(a));

/** Greatest distance between two of the points. */
export function spanOf(points) {
    let most = 0;
    points.forEach((a, i) => {
        for (const b of points.slice(i + 1)) {
            most = Math.max(most, norm(minus(a, b)));
        }
    });
    return most;
}

// corners of the convex hull of points [x, y], counter-clockwise
function hullOf(points) {
    const sorted = [...points].sort(([a, b], [c, d]) => a - c || b - d);
    const half = (list) => {
        const chain = [];
        for (const p of list) {
            while (chain.length > 1) {
                const [a, b] = chain.slice(-2);
                if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) {
                    break;
                }
                chain.pop();
            }
            chain.push(p);
        }
        return chain.slice(0, -1);
    };
    return [...half(sorted), ...half(sorted.reverse())];
}

function areaOf(corners) {
    return 0.5 * corners.reduce((sum, [x, y], i) => {
        const [u, v] = corners[(i + 1) % corners.length];
        return sum + x * v - y * u;
    }, 0);
}

/** The plate between points of a plane: {origin, axes: [e1, e2, normal], corners: [[x, y], ...]}, or null. */
export function plateOf(points) {
    const span = spanOf(points);
    let normal = [0, 0, 0];
    for (const b of points) {
        for (const c of points) {
            const n = cross(minus(b, points[0]), minus(c, points[0]));
            normal = norm(n) > norm(normal) ? n : normal;
        }
    }
    if (points.length < 3 || !(norm(normal) > 1e-3 * span * span)) {
        return null;
    }
    const [origin] = points;
    const e3 = unit(normal);
    if (points.some((p) => Math.abs(dot(e3, minus(p, origin))) > 1e-3 * span)) {
        return null;
    }
    const e1 = unit(minus(points.find((p) => norm(minus(p, origin)) > 1e-3 * span), origin));
    const e2 = cross(e3, e1);
    const corners = hullOf(points.map((p) => [dot(e1, minus(p, origin)), dot(e2, minus(p, origin))]));
    // a narrow triangle is better seen as sticks
    return areaOf(corners) > 0.08 * span * span ? { origin, axes: [e1, e2, e3], corners } : null;
}

/** What to draw between points: {sticks: [[a, b], ...], plate}. */
export function skeletonOf(points) {
    const n = points.length;
    if (n < 2) {
        return { sticks: [], plate: null };
    }
    if (n === 2) {
        return { sticks: [points], plate: null };
    }
    const hub = [0, 1, 2].map((d) => points.reduce((sum, p) => sum + p[d] / n, 0));
    return { sticks: points.map((p) => [hub, p]), plate: plateOf(points) };
}
