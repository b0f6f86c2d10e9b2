// SPDX-License-Identifier: Apache-2.0
// The clock of the picture.

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5, 10];

export class Player {
    constructor(begin, end) {
        this.begin = begin;
        this.end = end;
        this.t = begin;
        this.speed = 1;
        this.isPlaying = false;
        this.isLooping = true;
        this.onstate = () => {};
    }

    play(isPlaying = !this.isPlaying) {
        // at the end, play means again
        if (isPlaying && !this.isLooping && this.t >= this.end) {
            this.t = this.begin;
        }
        this.isPlaying = isPlaying && this.end > this.begin;
        this.onstate();
    }

    seek(t) {
        this.t = Math.min(this.end, Math.max(this.begin, t));
    }

    setSpeed(speed) {
        this.speed = speed;
        this.onstate();
    }

    /** Seconds of real time have passed. */
    advance(seconds) {
        const t = this.t + seconds * this.speed;
        if (t <= this.end) {
            this.t = t;
        } else if (this.isLooping) {
            this.t = this.begin + ((t - this.begin) % (this.end - this.begin));
        } else {
            this.t = this.end;
            this.play(false);
        }
    }
}
