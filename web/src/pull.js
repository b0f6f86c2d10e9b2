// SPDX-License-Identifier: Apache-2.0
// Forces by the mouse: shift-drag takes hold of the nearest body or station of a rod; a spring pulls it towards the
// mouse in the plane of the picture.
import { Vector3 } from 'three';
import { Arrows } from './arrows.js';

const NEAR = 48;

export class Pull {
    /** onforce: called with {element, station, point, force}; onmode: pulling without shift was switched. */
    constructor(stage, run, onforce, onmode) {
        this.stage = stage;
        this.run = run;
        this.onforce = onforce;
        this.onmode = onmode;
        this.strength = 1;
        this.isOn = false;
        this.held = null;
        this.mouse = { x: 0, y: 0 };
        this.from = new Vector3();
        this.to = new Vector3();
        this.at = new Vector3();
        this.record = new Float32Array(6);
        this.arrow = new Arrows([{ kind: 'mouse', index: 0, unit: 'm' }], run.scene.size);
        this.arrow.group.visible = false;
        this.off = new AbortController();
        const on = (name, action) => window.addEventListener(name, action, { capture: true, signal: this.off.signal });
        on('pointerdown', (event) => this.take(event));
        on('pointermove', (event) => this.move(event));
        on('pointerup', (event) => this.release(event));
        on('pointercancel', (event) => this.release(event));
    }

    toggle(isOn = !this.isOn) {
        this.isOn = isOn;
        this.onmode(isOn);
    }

    // the body or station nearest to a place on the canvas: {element, station, at}
    pick(x, y) {
        const { scene, record } = this.run;
        let best = null;
        let least = NEAR;
        const offer = (at, element, station) => {
            this.stage.project(this.at.set(record[at], record[at + 1], record[at + 2]), this.at);
            const distance = Math.hypot(this.at.x - x, this.at.y - y);
            if (distance < least && this.at.z < 1) {
                least = distance;
                best = { at, element, station };
            }
        };
        for (const rod of scene.rods) {
            rod.stations.forEach((s, i) => offer(rod.pose + 7 * i, rod.name, s));
        }
        scene.bodies.forEach((body) => offer(body.pose, body.name, 0));
        return best;
    }

    take(event) {
        if (event.target !== this.stage.canvas || !(event.shiftKey || this.isOn) || event.button > 0) {
            return;
        }
        this.held = this.pick(event.clientX, event.clientY);
        if (this.held) {
            // the camera stays where it is
            event.stopImmediatePropagation();
            event.preventDefault();
            this.pointer = event.pointerId;
            this.arrow.group.visible = true;
            this.move(event);
        }
    }

    move(event) {
        if (this.held && event.pointerId === this.pointer) {
            event.stopImmediatePropagation();
            this.mouse.x = event.clientX;
            this.mouse.y = event.clientY;
            this.update();
        }
    }

    release(event) {
        if (this.held && event.pointerId === this.pointer) {
            const { element, station } = this.held;
            this.onforce({ element, station, point: this.from.toArray(), force: [0, 0, 0] });
            this.held = null;
            this.arrow.group.visible = false;
            this.stage.isDirty = true;
        }
    }

    /** The robot has moved, or the mouse: the force is another. */
    update() {
        if (!this.held) {
            return;
        }
        const { canvas, camera } = this.stage;
        const { at, element, station } = this.held;
        const { record, scene } = this.run;
        this.from.set(record[at], record[at + 1], record[at + 2]);
        // the mouse in the plane of the picture through the point
        this.at.copy(this.from).project(camera);
        this.to.set((2 * this.mouse.x) / canvas.clientWidth - 1, 1 - (2 * this.mouse.y) / canvas.clientHeight, this.at.z).unproject(camera);
        const k = this.strength / scene.size;
        const force = [this.to.x - this.from.x, this.to.y - this.from.y, this.to.z - this.from.z];
        this.record.set([this.from.x, this.from.y, this.from.z, ...force]);
        this.arrow.update(this.record, { m: 1 }, { mouse: true });
        this.stage.isDirty = true;
        this.onforce({ element, station, point: this.from.toArray(), force: force.map((x) => k * x) });
    }

    dispose() {
        this.off.abort();
        this.arrow.group.removeFromParent();
        this.arrow.dispose();
    }
}
