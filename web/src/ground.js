// SPDX-License-Identifier: Apache-2.0
// Ground and water: a grid that fades out with the distance, shadows on it, and a translucent surface.
import {
    Color, DoubleSide, Group, Mesh, PlaneGeometry, Quaternion, ShaderMaterial, ShadowMaterial, Vector2, Vector3,
} from 'three';

const vertexShader = `
varying vec2 place;
void main() {
    place = position.xy;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

const gridShader = `
varying vec2 place;
uniform vec2 center;
uniform float cell, reach;
uniform vec3 line;
float lines(vec2 p, float width) {
    vec2 w = max(fwidth(p), 1e-6);
    vec2 d = abs(fract(p - 0.5) - 0.5) / w;
    vec2 thin = clamp(1.0 - w * 2.0, 0.0, 1.0);
    return max((1.0 - clamp(d.x - width, 0.0, 1.0)) * thin.x, (1.0 - clamp(d.y - width, 0.0, 1.0)) * thin.y);
}
void main() {
    float fine = 0.32 * lines(place / cell, 0.0);
    float coarse = 0.75 * lines(place / (5.0 * cell), 0.2);
    float far = length(place - center) / reach;
    gl_FragColor = vec4(line, max(fine, coarse) * pow(clamp(1.0 - far, 0.0, 1.0), 1.6));
    #include <colorspace_fragment>
}`;

const waterShader = `
varying vec2 place;
uniform vec2 center;
uniform float reach;
uniform vec3 tint;
void main() {
    // a patch with a bright rim
    float far = length(place - center) / reach;
    float edge = fwidth(far);
    float inside = 1.0 - smoothstep(1.0 - edge, 1.0, far);
    float rim = smoothstep(1.0 - 3.0 * edge, 1.0 - 2.0 * edge, far);
    gl_FragColor = vec4(tint, inside * (0.2 + 0.08 * far + 0.4 * rim));
    #include <colorspace_fragment>
}`;

/** A step of 1, 2 or 5 times a power of ten, not above x. */
export function roundStep(x) {
    const power = 10 ** Math.floor(Math.log10(x));
    const rest = x / power;
    return power * (rest >= 5 ? 5 : rest >= 2 ? 2 : 1);
}

export class Ground {
    constructor(size, up) {
        this.group = new Group();
        this.group.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up));
        this.up = up;
        const reach = 14 * size;
        this.cell = roundStep(0.4 * size);
        const center = new Vector2();
        this.center = center;
        this.gridMaterial = new ShaderMaterial({
            vertexShader,
            fragmentShader: gridShader,
            uniforms: { center: { value: center }, cell: { value: this.cell }, reach: { value: reach }, line: { value: new Color() } },
            transparent: true,
            depthWrite: false,
            side: DoubleSide,
        });
        const plane = new PlaneGeometry(80 * size, 80 * size);
        this.grid = new Mesh(plane, this.gridMaterial);
        this.shadow = new Mesh(plane, new ShadowMaterial({ opacity: 0.22, depthWrite: false }));
        this.shadow.receiveShadow = true;
        this.shadow.renderOrder = -2;
        this.grid.renderOrder = -1;
        this.waterMaterial = new ShaderMaterial({
            vertexShader,
            fragmentShader: waterShader,
            uniforms: { center: { value: center }, reach: { value: 1.7 * size }, tint: { value: new Color('#2f8fc4') } },
            transparent: true,
            depthWrite: false,
            side: DoubleSide,
        });
        this.water = new Mesh(new PlaneGeometry(80 * size, 80 * size), this.waterMaterial);
        this.water.renderOrder = 4;
        this.group.add(this.shadow, this.grid, this.water);
        this.rotation = this.group.quaternion.clone().invert();
        this.local = new Vector3();
    }

    /** Heights along up: of the ground, of the water (null: none). */
    place(ground, water) {
        this.grid.position.z = ground;
        this.shadow.position.z = ground - 1e-4 * this.cell;
        this.water.position.z = water ?? 0;
        this.hasWater = water !== null && water !== undefined;
        this.water.visible = this.hasWater;
    }

    show(display) {
        this.grid.visible = display.ground;
        this.shadow.visible = display.ground;
        this.water.visible = this.hasWater && display.water;
    }

    /** The robot is at this point of the world: the grid is brightest there. */
    follow(point) {
        this.local.copy(point).applyQuaternion(this.rotation);
        this.center.set(this.local.x, this.local.y);
    }

    paint(line, water, shadow) {
        this.gridMaterial.uniforms.line.value.set(line);
        this.waterMaterial.uniforms.tint.value.set(water);
        this.shadow.material.opacity = shadow;
    }

    dispose() {
        this.group.removeFromParent();
        for (const mesh of [this.grid, this.shadow, this.water]) {
            mesh.geometry.dispose();
            mesh.material.dispose();
        }
    }
}
