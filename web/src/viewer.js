// SPDX-License-Identifier: Apache-2.0
// The picture: robots on the stage, panels around it, and the loop that draws. Where records come from, a file or a
// running simulation, is the source's affair (file_source.js, live_source.js).
import { Vector3 } from 'three';
import { firstDisplay } from './display.js';
import { arrowCorners, arrowScales, ballAround, boundsOf, cornersOf, fieldRange, groundHeight, pathRanges } from './extent.js';
import { Ground } from './ground.js';
import { Layout } from './layout.js';
import { Robot } from './robot.js';
import { putPoint } from './slides.js';
import { Stage } from './stage.js';
import { Stats } from './stats.js';
import { Theme } from './theme.js';

const ORIGIN = [[0, 0, 0]];

export const ghostColors = ['#4f8fdb', '#5bb98c', '#b07fd6', '#c9a13b', '#d66f9f'];

export class Viewer {
    constructor(canvas, ui, options) {
        this.stage = new Stage(canvas);
        this.stats = new Stats();
        this.layout = new Layout(this, ui);
        this.runs = [];
        this.point = new Float64Array(3);
        this.robots = [];
        this.isStale = true;
        this.before = new Vector3();
        this.after = new Vector3();
        this.theme = new Theme((colors) => this.paint(colors), options.theme ?? null);
        new ResizeObserver(() => this.stage.resize()).observe(canvas);
        this.tick = this.tick.bind(this);
    }

    /** Show these runs, {scene, record, ranges, history, color, title}; the first is the robot, others are ghosts. */
    show(runs, source) {
        const isAgain = this.runs.length > 0;
        this.robots.forEach((robot) => robot.dispose());
        this.ground?.dispose();
        this.runs = runs;
        this.source = source;
        const { scene, record } = runs[0];
        this.up = upOf(scene);
        this.display = isAgain ? this.display : firstDisplay(scene, runs.length - 1);
        this.robots = runs.map((run, k) => new Robot(run.scene, k > 0 ? run.color : null));
        this.robot = this.robots[0];
        this.stage.scene.add(...this.robots.map(({ group }) => group));
        this.ground = new Ground(scene.size || 1, this.stage.up.clone().set(...this.up));
        this.stage.scene.add(this.ground.group);
        this.first = record.slice();
        if (!isAgain) {
            const { center, radius } = this.ballNow();
            this.stage.begin(center, radius, new Vector3(...this.up));
        }
        this.rangeKey = '';
        this.layout.build();
        this.rangesChanged();
        this.paint(this.theme.colors);
        if (!isAgain) {
            this.look(4);
            const run = boundsOf(scene, runs[0].ranges.min, runs[0].ranges.max);
            // what goes far away is followed
            this.display.follow = run.radius > 2.2 * boundsOf(scene, record, record).radius ? 'm' : '';
        }
        this.displayChanged(this.display.follow ? 'follow' : '');
    }

    get fileName() {
        return (this.runs[0].scene.name || 'elver').replace(/[^\w.-]+/g, '-');
    }

    start() {
        this.last = performance.now();
        requestAnimationFrame(this.tick);
    }

    paint(colors) {
        this.stage.paint(colors);
        this.ground?.paint(colors.grid, colors.water, colors.shadow);
        this.isStale = true;
    }

    /** Ranges of the run have grown: colours, arrows and the ground go along. */
    rangesChanged() {
        const { display } = this;
        const { scene, ranges } = this.runs[0];
        if (display.field !== null && !display.isManual) {
            [display.low, display.high] = fieldRange(scene, ranges, display.field);
        }
        display.pathRanges = pathRanges(scene, ranges);
        display.arrowScales = arrowScales(scene, ranges, display.arrowFactor);
        const height = groundHeight(scene, this.first, ranges, this.up);
        const key = JSON.stringify([display.low, display.high, display.pathRanges, display.arrowScales, height]);
        if (key === this.rangeKey) {
            return;
        }
        this.rangeKey = key;
        this.ground.place(height, scene.surface);
        this.ground.show(display);
        this.layout.rangesChanged();
        this.isStale = true;
    }

    displayChanged(name) {
        const { display } = this;
        if (name === 'field' || name === 'isManual' || name === 'arrowFactor') {
            this.rangesChanged();
        }
        if (name === 'follow' && display.follow) {
            this.followPoint(this.before);
            this.stage.carry(this.stage.controls.target, this.before);
        }
        this.robots.forEach((robot, k) => {
            robot.show(display);
            robot.group.visible = k === 0 || display.ghosts[k - 1];
        });
        this.ground.show(display);
        this.layout.displayChanged();
        this.isStale = true;
    }

    /** Switch following on or off. */
    follow() {
        this.display.follow = this.display.follow ? '' : 'm';
        this.displayChanged('follow');
    }

    // the robots that are to be seen
    get shown() {
        return this.runs.filter((_, k) => k === 0 || this.display.ghosts[k - 1]);
    }

    // ball around them as they are
    ballNow() {
        return ballAround(this.shown.map(({ scene, record }) => boundsOf(scene, record, record)));
    }

    // least and greatest values of all that they do; of a running simulation what it did of late
    runRanges() {
        return this.shown.map(({ scene, ranges, recent }) => ({ scene, ...(recent?.all ?? ranges) }));
    }

    /** Look from direction 1 to 4, or from where the camera is (null), at the robots as they are now, or at what the
     * run covers if it stays about there. */
    look(number) {
        const now = this.ballNow();
        const all = this.runRanges();
        const run = ballAround(all.map(({ scene, min, max }) => boundsOf(scene, min, max)));
        const isRun = run.radius < 2.2 * now.radius && !this.display.follow;
        const { center, radius } = isRun ? run : now;
        const corners = [];
        if (isRun) {
            all.forEach(({ scene, min, max }) => cornersOf(scene, min, max, corners));
        } else {
            this.shown.forEach(({ scene, record }) => cornersOf(scene, record, record, corners));
        }
        // arrows are in the picture as well
        const { scene, record } = this.runs[0];
        const [{ min, max }] = isRun ? all : [{ min: record, max: record }];
        const nRobot = corners.length;
        arrowCorners(scene, min, max, all[0], this.display, corners);
        let reach = radius;
        for (let i = nRobot; i < corners.length; i += 4) {
            reach = Math.max(reach, Math.hypot(...center.map((c, d) => corners[i + d] - c)));
        }
        // where nobody knows what comes, with some room
        const room = this.source.isLive ? 1.3 : 1;
        const wider = corners.map((x, i) => (i % 4 < 3 ? center[i % 4] + room * (x - center[i % 4]) : room * x));
        this.stage.look(number, this.after.set(...center), room * radius, wider, room * reach);
    }

    // place of what the camera follows
    followPoint(out) {
        const { scene, record } = this.runs[0];
        const key = this.display.follow;
        const i = Number(key.slice(1));
        const rod = scene.rods[i];
        if (key === 'm') {
            return this.middle(out);
        }
        const at = key[0] === 'b' ? scene.bodies[i].pose : rod.pose + 7 * (rod.stations.length - 1);
        return out.set(record[at], record[at + 1], record[at + 2]);
    }

    // middle of the robot, for light and grid
    middle(out) {
        const { scene, record } = this.runs[0];
        let n = 0;
        out.set(0, 0, 0);
        for (const { pose, stations } of scene.rods) {
            for (let i = 0; i < stations.length; i++, n++) {
                const at = pose + 7 * i;
                out.x += record[at];
                out.y += record[at + 1];
                out.z += record[at + 2];
            }
        }
        for (const { pose, sticks } of n > 0 ? [] : scene.bodies) {
            for (const point of sticks?.length > 0 ? sticks : ORIGIN) {
                putPoint(record, pose, point, this.point, 0);
                out.x += this.point[0];
                out.y += this.point[1];
                out.z += this.point[2];
                n++;
            }
        }
        return out.multiplyScalar(1 / Math.max(1, n));
    }

    // bring all to the records at hand
    redraw() {
        const { display } = this;
        for (let k = 0; k < this.robots.length; k++) {
            if (k === 0 || display.ghosts[k - 1]) {
                this.robots[k].update(this.runs[k].record, display);
            }
        }
        if (display.follow) {
            this.followPoint(this.after);
            this.stage.carry(this.before, this.after);
            this.before.copy(this.after);
        }
        this.middle(this.after);
        this.stage.lightOn(this.after);
        this.ground.follow(this.after);
        this.stage.isDirty = true;
        this.isStale = false;
    }

    /** All of a frame but the drawing itself; true if the robot has moved. */
    work(seconds) {
        const hasMoved = this.source.advance(seconds);
        if (hasMoved || this.isStale) {
            this.redraw();
        }
        this.layout.update();
        this.stage.controls.update();
        return hasMoved;
    }

    tick(now) {
        requestAnimationFrame(this.tick);
        const begin = performance.now();
        const seconds = Math.min(0.1, Math.max(0, now - this.last) / 1000);
        this.last = now;
        const hasMoved = this.work(seconds);
        const middle = performance.now();
        if (this.stage.isDirty) {
            this.stage.render();
            this.source.drawn();
            this.stage.adapt(now);
            this.stats.add(middle - begin, performance.now() - middle, hasMoved);
        }
    }
}

/** Against gravity; z where there is none. */
export function upOf({ gravity }) {
    const norm = gravity ? Math.hypot(...gravity) : 0;
    return norm > 0 ? gravity.map((g) => -g / norm) : [0, 0, 1];
}
