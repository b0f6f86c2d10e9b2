// SPDX-License-Identifier: Apache-2.0
// Pictures and films of what is on the screen.

/** Offer a blob as a file. */
export function download(blob, name) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const blobOf = (canvas) => new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));

/** The 3D picture alone, at twice the pixels of the page or those of the screen. */
export function picture(stage) {
    const { renderer } = stage;
    const ratio = renderer.getPixelRatio();
    renderer.setPixelRatio(Math.max(2, ratio));
    stage.render();
    // drawn and copied in one go: the buffer is not kept
    const copy = document.createElement('canvas');
    copy.width = renderer.domElement.width;
    copy.height = renderer.domElement.height;
    copy.getContext('2d').drawImage(renderer.domElement, 0, 0);
    renderer.setPixelRatio(ratio);
    stage.render();
    return copy;
}

// a panel behind what is drawn next
function drawPlate(context, rect, colors) {
    context.globalAlpha = 0.9;
    context.fillStyle = colors.panel;
    context.beginPath();
    context.roundRect(rect.x, rect.y, rect.width, rect.height, 12);
    context.fill();
    context.globalAlpha = 1;
}

// texts of elements, each where it stands
function drawTexts(context, elements) {
    for (const element of elements) {
        const rect = element.getBoundingClientRect();
        const style = getComputedStyle(element);
        context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
        context.fillStyle = style.color;
        context.textBaseline = 'middle';
        context.textAlign = 'left';
        context.fillText(element.textContent, rect.x, rect.y + 0.5 * rect.height);
    }
}

// canvases, cursors and texts of a panel
function drawParts(context, panel, colors) {
    for (const part of panel.querySelectorAll('canvas')) {
        const { x, y, width, height } = part.getBoundingClientRect();
        if (width > 0) {
            context.drawImage(part, x, y, width, height);
        }
    }
    context.fillStyle = colors.soft;
    for (const cursor of panel.querySelectorAll('.cursor')) {
        const { x, y, height } = cursor.getBoundingClientRect();
        context.fillRect(x, y, 1, height);
    }
    for (const dot of panel.querySelectorAll('.runs .dot')) {
        const { x, y, width } = dot.getBoundingClientRect();
        context.fillStyle = getComputedStyle(dot).backgroundColor;
        context.beginPath();
        context.arc(x + 0.5 * width, y + 0.5 * width, 0.5 * width, 0, 2 * Math.PI);
        context.fill();
    }
    const texts = panel.querySelectorAll('.runs span, .bar span, .bar output, .plot figcaption > span, .plot output');
    drawTexts(context, [...texts].filter((text) => text.offsetParent));
}

// below at the left, where the bar with the clock is on the page
function drawTime(context, clock, isStatics, { clientHeight }) {
    const style = getComputedStyle(clock);
    context.font = `${style.fontSize} ${style.fontFamily}`;
    context.fillStyle = style.color;
    context.textAlign = 'left';
    context.textBaseline = 'middle';
    const now = clock.querySelector('output').textContent;
    context.fillText(isStatics ? `load = ${now}` : `t = ${now} s`, 22, clientHeight - 30);
}

/** The picture with title, legend, curves and time as they stand on the page. */
export function figure(viewer) {
    const canvas = picture(viewer.stage);
    const context = canvas.getContext('2d');
    const ratio = canvas.width / viewer.stage.canvas.clientWidth;
    const { colors } = viewer.theme;
    context.scale(ratio, ratio);
    drawTexts(context, document.querySelectorAll('.title h1, .title p'));
    drawTime(context, document.querySelector('.clock'), Boolean(viewer.source.loadAt), viewer.stage.canvas);
    for (const panel of document.querySelectorAll('.legend, .plot-list')) {
        const rect = panel.getBoundingClientRect();
        if (rect.width > 0) {
            if (panel.className === 'plot-list') {
                drawPlate(context, { x: rect.x - 10, y: rect.y - 8, width: rect.width + 20, height: rect.height + 12 }, colors);
            }
            drawParts(context, panel, colors);
        }
    }
    return canvas;
}

// with its plots, also when their panel is closed
function figureWithPlots(viewer) {
    const { layout } = viewer;
    const isOpened = Boolean(layout.plots) && !layout.open.plots && window.innerWidth >= 760;
    if (isOpened) {
        layout.toggle('plots', true);
        layout.update();
    }
    const canvas = figure(viewer);
    if (isOpened) {
        layout.toggle('plots', false);
    }
    return canvas;
}

export async function savePicture(viewer, isFigure) {
    const canvas = isFigure ? figureWithPlots(viewer) : picture(viewer.stage);
    download(await blobOf(canvas), `${viewer.fileName}.png`);
}

/** Records the canvas from start() to stop(); the film is then offered as a file. */
export class Film {
    constructor(canvas, name) {
        const types = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4'];
        const mimeType = types.find((type) => MediaRecorder.isTypeSupported(type));
        this.recorder = new MediaRecorder(canvas.captureStream(60), { mimeType, videoBitsPerSecond: 12e6 });
        this.parts = [];
        this.recorder.ondataavailable = ({ data }) => this.parts.push(data);
        this.done = new Promise((resolve) => {
            this.recorder.onstop = () => {
                const blob = new Blob(this.parts, { type: mimeType });
                download(blob, `${name}.${mimeType.startsWith('video/mp4') ? 'mp4' : 'webm'}`);
                resolve(blob);
            };
        });
        this.recorder.start(1000);
    }

    stop() {
        if (this.recorder.state !== 'inactive') {
            this.recorder.stop();
        }
    }
}
