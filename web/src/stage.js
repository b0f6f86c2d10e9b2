// SPDX-License-Identifier: Apache-2.0
// Renderer, lights, camera and its controls. Knows nothing of robots but a ball around them.
import {
    CanvasTexture, Color, DirectionalLight, HemisphereLight, NeutralToneMapping, PCFShadowMap, PerspectiveCamera,
    Quaternion, Scene, SRGBColorSpace, Vector3, WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';

// directions from which the camera looks, in axes whose z is up
const VIEWS = { 1: [0, -1, 0.0001], 2: [1, 0, 0.0001], 3: [0, -0.0001, 1], 4: [0.62, -0.75, 0.42] };

// what a slow machine may do without, step by step
const EASE = [
    { ratio: 2, hasShadow: true },
    { ratio: 1, hasShadow: true },
    { ratio: 1, hasShadow: false },
    { ratio: 0.7, hasShadow: false },
];

export class Stage {
    constructor(canvas) {
        this.canvas = canvas;
        this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: false });
        this.renderer.toneMapping = NeutralToneMapping;
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = PCFShadowMap;
        this.scene = new Scene();
        this.camera = new PerspectiveCamera(32, 1, 0.01, 100);
        // the sun with its shadow, and two that fill what it leaves dark
        this.light = new DirectionalLight('#fff6ec', 2.3);
        this.fill = [new DirectionalLight('#e4edff', 1.1), new DirectionalLight('#fff0e2', 0.9)];
        this.light.castShadow = true;
        this.light.shadow.mapSize.set(2048, 2048);
        this.light.shadow.radius = 5;
        this.sky = new HemisphereLight('#f4f7ff', '#a89d92', 2.1);
        this.scene.add(this.light, this.light.target, this.sky, ...this.fill);
        this.up = new Vector3(0, 0, 1);
        this.step = new Vector3();
        this.isDirty = true;
        this.padding = [0, 0, 0];
        this.ease = 0;
        this.nSlow = 0;
        this.lastFrame = 0;
        this.resize();
    }

    /** Set the camera for a ball (center, radius); up: a unit vector. */
    begin(center, radius, up) {
        this.up.copy(up);
        this.turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up);
        this.center = new Vector3(...center);
        this.radius = radius;
        this.camera.up.copy(up);
        this.camera.near = radius / 50;
        this.camera.far = radius * 120;
        if (this.controls) {
            this.controls.dispose();
        }
        this.controls = new OrbitControls(this.camera, this.canvas);
        this.controls.enableDamping = true;
        this.controls.dampingFactor = 0.12;
        this.controls.minDistance = radius * 0.08;
        this.controls.maxDistance = radius * 40;
        this.controls.addEventListener('change', () => {
            this.isDirty = true;
        });
        const { shadow } = this.light;
        Object.assign(shadow.camera, { left: -2 * radius, right: 2 * radius, top: 2 * radius, bottom: -2 * radius });
        Object.assign(shadow.camera, { near: 0.1 * radius, far: 14 * radius });
        shadow.camera.updateProjectionMatrix();
        shadow.normalBias = 0.008 * radius;
        this.fill[0].position.set(-1, -0.3, 0.5).applyQuaternion(this.turn);
        this.fill[1].position.set(0.2, 1, 0.35).applyQuaternion(this.turn);
        this.look(4);
        this.lightOn(this.center);
    }

    /** Look from direction 1 to 4, or from where the camera is (null), all in sight: a ball of radius `far`, or nearer by,
     * the corners in it (x, y, z, radius each). */
    look(number, center = this.center, radius = this.radius, corners = [], far = radius) {
        this.center.copy(center);
        this.radius = radius;
        const direction = number
            ? new Vector3(...VIEWS[number]).applyQuaternion(this.turn)
            : this.camera.position.clone().sub(this.controls.target);
        direction.normalize();
        const half = Math.tan((0.5 * Math.PI * this.camera.fov) / 180);
        const free = Math.max(0.4, 1 - (this.padding[0] + this.padding[1]) / this.canvas.clientWidth);
        const distance = (1.12 * far) / Math.sin(Math.atan(half * Math.min(1, this.camera.aspect * free)));
        this.controls.target.copy(this.center);
        this.camera.position.copy(this.center).addScaledVector(direction, Math.min(distance, this.reach(direction, half, corners)));
        this.controls.update();
        this.isDirty = true;
    }

    // how far away the camera must be for all corners to be in the middle of the picture, clear of title and time line
    reach(direction, half, corners) {
        const free = Math.max(0.2, 1 - (this.padding[0] + this.padding[1]) / this.canvas.clientWidth);
        const right = new Vector3().crossVectors(this.camera.up, direction).normalize();
        const top = new Vector3().crossVectors(direction, right);
        const wide = 0.9 * half * this.camera.aspect * free;
        const high = half * Math.max(0.5, 1 - (190 + this.padding[2]) / this.canvas.clientHeight);
        let distance = 0;
        for (let i = 0; i < corners.length; i += 4) {
            this.step.fromArray(corners, i).sub(this.center);
            const x = Math.abs(this.step.dot(right)) + corners[i + 3];
            const y = Math.abs(this.step.dot(top)) + corners[i + 3];
            distance = Math.max(distance, this.step.dot(direction) + Math.max(x / wide, y / high));
        }
        return distance > 0 ? distance : Infinity;
    }

    /** Panels cover so many pixels at the left, at the right and below: the middle of the picture is between them. */
    pad(...padding) {
        if (padding.some((pixels, k) => pixels !== this.padding[k])) {
            this.padding = padding;
            this.resize();
        }
    }

    /** Move camera and target along with a point that went from `before` to `after`. */
    carry(before, after) {
        this.step.subVectors(after, before);
        this.camera.position.add(this.step);
        this.controls.target.add(this.step);
    }

    /** The light stands above this point. */
    lightOn(point) {
        this.light.target.position.copy(point);
        this.light.position.set(0.45, -0.6, 1.1).normalize().applyQuaternion(this.turn);
        this.light.position.multiplyScalar(7 * this.radius).add(point);
    }

    paint({ top, bottom, sky }) {
        const canvas = document.createElement('canvas');
        canvas.width = 4;
        canvas.height = 256;
        const context = canvas.getContext('2d');
        const gradient = context.createLinearGradient(0, 0, 0, 256);
        gradient.addColorStop(0, top);
        gradient.addColorStop(1, bottom);
        context.fillStyle = gradient;
        context.fillRect(0, 0, 4, 256);
        this.scene.background?.dispose?.();
        this.scene.background = new CanvasTexture(canvas);
        this.scene.background.colorSpace = SRGBColorSpace;
        this.sky.color = new Color(sky);
        this.isDirty = true;
    }

    resize() {
        const { clientWidth: w, clientHeight: h } = this.canvas;
        if (w > 0 && h > 0) {
            this.renderer.setPixelRatio(Math.min(EASE[this.ease].ratio, window.devicePixelRatio));
            this.renderer.setSize(w, h, false);
            this.camera.aspect = w / h;
            this.camera.setViewOffset(w, h, 0.5 * (this.padding[1] - this.padding[0]), 0.5 * this.padding[2], w, h);
            this.isDirty = true;
        }
    }

    /** A frame was drawn at this time (ms): on a slow machine fewer pixels are drawn, then no shadows. */
    adapt(now) {
        const interval = now - this.lastFrame;
        this.lastFrame = now;
        // pauses are not slowness
        this.nSlow = interval > 60 && interval < 2000 ? this.nSlow + 1 : 0;
        if (this.nSlow < 10 || this.ease === EASE.length - 1) {
            return;
        }
        this.nSlow = 0;
        this.ease++;
        this.light.castShadow = EASE[this.ease].hasShadow;
        this.resize();
    }

    render() {
        this.renderer.render(this.scene, this.camera);
        this.isDirty = false;
    }

    /** Place of a point of the world on the canvas, in pixels of the page, into out (z: depth, above 1: behind). */
    project(point, out) {
        out.copy(point).project(this.camera);
        out.x = 0.5 * (out.x + 1) * this.canvas.clientWidth;
        out.y = 0.5 * (1 - out.y) * this.canvas.clientHeight;
        return out;
    }
}
