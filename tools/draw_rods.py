#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draw a rod at many times of a simulation, one panel a model, as SVG.

    tools/draw_rods.py                                  docs/images/rods.svg again, the picture of README.md
    tools/draw_rods.py -o FILE.svg MODEL:ROD:DURATION:EVERY:VIEW...
    tools/draw_rods.py -o out.svg rollup-release-2.3:rod:1:0.12:x,y

MODEL is a shipped example; VIEW is the axes that point right and up (x,y or y,-x), or tilt. Early times
are blue, late ones orange. There is no background, and every colour is a middle tone, so that a
picture is legible on white and on black.
"""

import argparse
import csv
import io
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
N_PIECE = 40
HEIGHT, MARGIN, HEAD = 290, 14, 52  # pixels
GREY = "#8b8b8b"
EARLY, MIDDLE, LATE = (58, 123, 213), (176, 98, 168), (230, 126, 34)

# rows of 2 x 3 projections
FLAT = ((1, 0, 0), (0, 1, 0))
TILT = ((1, 0, 0.35), (0, 1, 0.35))
AXES = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1), "-x": (-1, 0, 0), "-y": (0, -1, 0), "-z": (0, 0, -1)}

# the picture of README.md: width, model, rod, title, what it shows, duration, interval, view
README = [
    (290, "rollup-release-5.4", "rod", "released", "a beam that a torque had rolled up", 0.3, 0.025, FLAT),
    (290, "curved-rod", "hook", "falling", "a tapered rod that is curved at rest", 0.5, 0.025, FLAT),
    (420, "flying-rod", "rod", "thrown", "a free rod, pushed and turned at one end", 4, 0.2, TILT),
]


def parse_panel(text):
    """A panel from MODEL:ROD:DURATION:EVERY:VIEW; raises ValueError or KeyError."""
    model, rod, duration, every, view = text.split(":")
    right, up = TILT if view == "tilt" else [AXES[axis] for axis in view.split(",")]
    caption = f"every {every} s up to {duration} s"
    return 320, model, rod, model, caption, float(duration), float(every), (right, up)


def simulate(elver, model, rod, duration, every):
    """Records of a run: (t, points along the rod)."""
    stations = ["root"] + [f"at({i / N_PIECE:g})" for i in range(1, N_PIECE)] + ["tip"]
    command = [elver, "run", f"@{model}", "-o", "-", "-q", "--set", f"{rod}.nodes=3"]
    command += ["--duration", str(duration), "--every", str(every)]
    for station in stations:
        command += ["--signal", f"{rod}.{station}.position"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    for row in list(csv.reader(io.StringIO(text)))[1:]:
        value = [float(x) for x in row]
        yield value[0], [value[i : i + 3] for i in range(1, len(value), 3)]


def colour(fraction):
    a, b, u = (EARLY, MIDDLE, 2 * fraction) if fraction < 0.5 else (MIDDLE, LATE, 2 * fraction - 1)
    return "#" + "".join(f"{round(x + (y - x) * u):02x}" for x, y in zip(a, b))


def project(view, point):
    return [sum(a * x for a, x in zip(row, point)) for row in view]


def panel(elver, x0, width, model, rod, title, text, duration, every, view):
    """SVG lines of one panel whose left edge is x0."""
    records = [(t, [project(view, p) for p in points]) for t, points in simulate(elver, model, rod, duration, every)]
    low = [min(p[k] for _, points in records for p in points) for k in (0, 1)]
    high = [max(p[k] for _, points in records for p in points) for k in (0, 1)]
    inside = [width - 2 * MARGIN, HEIGHT - 2 * MARGIN]
    scale = min(room / (b - a) for room, a, b in zip(inside, low, high))
    middle = [(a + b) / 2 for a, b in zip(low, high)]

    def place(p):
        x = x0 + width / 2 + scale * (p[0] - middle[0])
        y = HEAD + HEIGHT / 2 - scale * (p[1] - middle[1])
        return f"{x:.1f},{y:.1f}"

    yield f'<text x="{x0 + width / 2:g}" y="22" font-size="17" font-weight="bold" fill="{GREY}" stroke="none">{title}</text>'
    yield f'<text x="{x0 + width / 2:g}" y="42" font-size="12.5" fill="{GREY}" stroke="none">{text}</text>'
    for i, (_, points) in enumerate(records):
        fraction = i / (len(records) - 1)
        path = " ".join(place(p) for p in points)
        yield f'<polyline points="{path}" stroke="{colour(fraction)}" stroke-opacity="{0.55 + 0.45 * fraction:.2f}"/>'
        x, y = place(points[-1]).split(",")
        yield f'<circle cx="{x}" cy="{y}" r="3" fill="{colour(fraction)}" stroke="none"/>'


def legend(width, y):
    x = width / 2 - 90
    for i in range(60):
        yield f'<rect x="{x + 3 * i:g}" y="{y}" width="3.2" height="4" fill="{colour(i / 59)}" stroke="none"/>'
    yield f'<text x="{x - 26:g}" y="{y + 7}" font-size="12.5" fill="{GREY}" stroke="none">start</text>'
    yield f'<text x="{x + 204:g}" y="{y + 7}" font-size="12.5" fill="{GREY}" stroke="none">end</text>'


def draw(elver, panels):
    width = sum(entry[0] for entry in panels)
    height = HEAD + HEIGHT + 30
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        "<title>Rods simulated by Elver</title>",
        "<!-- made by tools/draw_rods.py -->",
        '<g font-family="sans-serif" text-anchor="middle" fill="none" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">',
    ]
    x0 = 0
    for entry in panels:
        lines += panel(elver, x0, *entry)
        x0 += entry[0]
    lines += legend(width, height - 18)
    return "\n".join(lines + ["</g>", "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("panel", nargs="*", help="MODEL:ROD:DURATION:EVERY:VIEW")
    parser.add_argument("--elver", default=str(ROOT / "build" / "elver"))
    parser.add_argument("-o", "--out", type=Path, default=ROOT / "docs" / "images" / "rods.svg")
    args = parser.parse_args()
    try:
        panels = [parse_panel(text) for text in args.panel] or README
    except (ValueError, KeyError):
        parser.error("a panel is MODEL:ROD:DURATION:EVERY:VIEW, such as flying-rod:rod:4:0.2:tilt")
    args.out.write_text(draw(args.elver, panels), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
