// SPDX-License-Identifier: Apache-2.0
// The bar below: play, time, scrub, speed, loop.
import { choice, h, iconButton, setIcon, short } from './dom.js';
import { SPEEDS } from './player.js';

const STEPS = 10000;

export class Timeline {
    /** loadAt: of equilibria, the load at a time; null: a motion. */
    constructor(player, onseek, loadAt = null) {
        this.player = player;
        this.loadAt = loadAt;
        this.playButton = iconButton('play', 'Play (space)', () => player.play());
        this.playButton.classList.add('primary');
        this.slider = h('input', { type: 'range', class: 'scrub', min: 0, max: STEPS, step: 1, value: 0, 'aria-label': 'Time' });
        this.slider.addEventListener('input', () => {
            onseek(player.begin + (this.slider.valueAsNumber / STEPS) * (player.end - player.begin));
        });
        this.time = h('output', { class: 'time' });
        this.digits = Math.max(1, Math.min(4, 3 - Math.floor(Math.log10(player.end - player.begin || 1))));
        const total = h('span', { class: 'total' }, loadAt ? 'load ' : ` / ${player.end.toFixed(this.digits)} s`);
        this.speed = choice('Speed', SPEEDS.map((s) => [s, `${s}\u00d7`]), 1, (value) => player.setSpeed(Number(value)));
        this.loop = iconButton('loop', 'Loop (L)', () => this.toggleLoop());
        this.element = h(
            'div',
            { class: 'timeline', role: 'group', 'aria-label': 'Timeline' },
            this.playButton,
            h('div', { class: 'clock' }, loadAt ? [total, this.time] : [this.time, total]),
            this.slider,
            this.speed,
            this.loop,
        );
        player.onstate = () => this.showState();
        this.showState();
    }

    toggleLoop() {
        this.player.isLooping = !this.player.isLooping;
        this.showState();
    }

    showState() {
        const { player } = this;
        const label = player.isPlaying ? 'Pause (space)' : 'Play (space)';
        setIcon(this.playButton, player.isPlaying ? 'pause' : 'play');
        this.playButton.title = label;
        this.playButton.setAttribute('aria-label', label);
        this.loop.setAttribute('aria-pressed', player.isLooping);
        this.speed.value = player.speed;
    }

    update() {
        const { player } = this;
        const u = (player.t - player.begin) / (player.end - player.begin || 1);
        this.slider.value = Math.round(u * STEPS);
        this.slider.style.setProperty('--done', `${100 * u}%`);
        this.time.textContent = this.loadAt ? short(this.loadAt(player.t), 4) : player.t.toFixed(this.digits);
    }
}
