// SPDX-License-Identifier: Apache-2.0
// Records out of the page itself: recorded trajectories, a clock, a timeline.
import { Decoder } from './decoder.js';
import { Ranges } from './extent.js';
import { History } from './history.js';
import { Player, SPEEDS } from './player.js';
import { scanTrajectory } from './scan.js';
import { Timeline } from './timeline.js';
import { Trajectory } from './trajectory.js';
import { ghostColors } from './viewer.js';

/** Descriptions of all trajectories of the page. */
function readScenes() {
    const scenes = [];
    for (let k = 0; ; k++) {
        const element = document.getElementById(`elver-scene-${k}`);
        if (!element) {
            return scenes;
        }
        scenes.push(JSON.parse(element.textContent));
    }
}

const isGrowing = (list) => list.every((x, i) => i === 0 || x > list[i - 1]);

/** Equilibria of several runs stand beside each other by their loads, where these grow in all of them. */
function alignLoads(trajectories) {
    const [first] = trajectories;
    const { loads } = first.scene;
    const canAlign = trajectories.every(({ scene }) => scene.is_statics && isGrowing(scene.loads));
    if (trajectories.length < 2 || !canAlign || loads.length < 2) {
        return;
    }
    const scale = first.t.at(-1) / (loads.at(-1) - loads[0]);
    for (const { t, scene } of trajectories) {
        scene.loads.forEach((load, i) => {
            t[i] = scale * (load - loads[0]);
        });
    }
}

export class FileSource {
    constructor() {
        this.isLive = false;
        this.panels = {};
        this.scenes = readScenes();
        this.onfilmend = null;
        this.onbroken = () => {};
        this.hasSought = true;
        this.onseek = (t) => this.seek(t);
    }

    /** Titles of runs that are of another model than the first. */
    strangers() {
        const parts = ({ rods, bodies }) => JSON.stringify([rods, bodies].map((list) => list.map(({ name }) => name)));
        const first = parts(this.scenes[0]);
        return this.runs.filter(({ scene }) => parts(scene) !== first).map(({ title }) => title);
    }

    /** Read what the first picture needs: the runs to show. */
    async open() {
        const decoder = new Decoder();
        this.runs = this.scenes.map((scene, k) => ({
            scene,
            trajectory: new Trajectory(scene, k, decoder),
            record: new Float32Array(scene.n_value),
            ranges: new Ranges(scene.n_value),
            history: new History(scene, scene.n_frame),
            color: k > 0 ? ghostColors[(k - 1) % ghostColors.length] : '#e2724c',
            title: scene.title || scene.name || `Run ${k + 1}`,
        }));
        // equal titles are counted
        this.runs.forEach((run, k) => {
            const isTaken = this.scenes.some((scene, i) => i !== k && scene.title === run.scene.title && scene.name === run.scene.name);
            run.title = isTaken ? `${run.title} (${k + 1})` : run.title;
        });
        for (const { trajectory } of this.runs) {
            trajectory.onbroken = (error) => this.onbroken(error);
            await trajectory.open();
        }
        alignLoads(this.runs.map(({ trajectory }) => trajectory));
        for (const run of this.runs) {
            await this.glance(run);
            run.trajectory.onload = () => {
                this.hasSought = true;
            };
        }
        const [first] = this.runs;
        this.loadAt = first.scene.is_statics ? (t) => first.trajectory.loadAt(t) : null;
        const begin = Math.min(...this.runs.map(({ trajectory }) => trajectory.t[0]));
        const end = Math.max(...this.runs.map(({ trajectory }) => trajectory.t.at(-1)));
        this.player = new Player(begin, end);
        this.span = [begin, end];
        this.timeline = new Timeline(this.player, this.onseek, this.loadAt);
        this.bar = this.timeline.element;
        return this.runs;
    }

    // a record of the end, of the middle, the first: enough to know how far it goes and what moves
    async glance({ trajectory, record, ranges }) {
        const { t } = trajectory;
        const last = t.length - 1;
        for (const i of [last, Math.floor(0.37 * last), 0]) {
            await trajectory.load(trajectory.chunkOf(i));
            await trajectory.load(trajectory.chunkOf(Math.min(last, i + 1)));
            if (![i, Math.min(last, i + 1)].some((k) => trajectory.broken.has(trajectory.chunkOf(k)))) {
                trajectory.sample(t[i], record);
                ranges.include(record, record);
            }
        }
    }

    /** Go once through everything in idle time; onrange: the ranges have grown. */
    async scan(onrange) {
        let last = 0;
        for (const run of this.runs) {
            await scanTrajectory(run.trajectory, run.history, run.ranges, (done) => {
                const now = performance.now();
                if (run === this.runs[0] && (done === 1 || now - last > 400)) {
                    last = now;
                    onrange();
                }
            });
        }
        this.isScanned = true;
    }

    get t() {
        return this.player.t;
    }

    seek(t) {
        this.player.seek(t);
        this.hasSought = true;
    }

    /** Records at the time that it is now; true if they are new. */
    advance(seconds) {
        const { player } = this;
        if (player.isPlaying) {
            const before = player.t;
            player.advance(seconds);
            if (!this.sample()) {
                // wait for the chunk
                player.t = before;
                return false;
            }
            this.endFilm(before);
            return true;
        }
        this.endFilm(player.t);
        if (!this.hasSought) {
            return false;
        }
        this.hasSought = !this.sample();
        return !this.hasSought;
    }

    sample() {
        let isReady = true;
        for (let k = 0; k < this.runs.length; k++) {
            const { trajectory, record } = this.runs[k];
            isReady = trajectory.sample(this.player.t, record) && isReady;
        }
        return isReady;
    }

    /** Play from here (from the start if this is the end) to the end; then call back. */
    film(onend) {
        this.player.play(true);
        this.onfilmend = onend;
    }

    endFilm(before) {
        if (this.onfilmend && (!this.player.isPlaying || this.player.t < before)) {
            this.onfilmend();
            this.onfilmend = null;
        }
    }

    drawn() {}

    update() {
        this.timeline.update();
    }

    /** What keys do. */
    keys() {
        const { player } = this;
        const times = this.runs[0].trajectory.t;
        const move = (by, isFar) => {
            player.play(false);
            const i = this.runs[0].trajectory.frameAt(player.t);
            const far = Math.max(1, Math.round(times.length / 10));
            const to = i + by * (isFar ? far : 1);
            this.seek(times[Math.min(times.length - 1, Math.max(0, to))]);
        };
        const change = (by) => {
            const i = SPEEDS.findIndex((speed) => speed >= player.speed);
            player.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, i + by))]);
        };
        return {
            ' ': () => player.play(),
            ArrowLeft: (isFar) => move(-1, isFar),
            ArrowRight: (isFar) => move(1, isFar),
            ArrowUp: () => change(1),
            ArrowDown: () => change(-1),
            Home: () => this.seek(player.begin),
            End: () => this.seek(player.end),
            l: () => this.timeline.toggleLoop(),
        };
    }
}
