// SPDX-License-Identifier: Apache-2.0
// Elements of the page in one call.

const icons = {
    play: 'M7 4.5v15l12-7.5z',
    pause: 'M6.5 4.5h4v15h-4zM13.5 4.5h4v15h-4z',
    loop: 'M17 3l4 4-4 4V8.2H8a3.8 3.8 0 0 0-3.8 3.8H2.6A5.4 5.4 0 0 1 8 6.6h9zM7 21l-4-4 4-4v2.8h9a3.8 3.8 0 0 0 3.8-3.8h1.6a5.4 5.4 0 0 1-5.4 5.4H7z',
    layers: 'M12 3l9.5 5.2L12 13.4 2.5 8.2zM5.6 11.4L12 14.9l6.4-3.5 3.1 1.7L12 18.3l-9.5-5.2z',
    plot: 'M3.2 3v17.8H21v-1.7H4.9V3zM7 15.4l4-5 3.2 2.7L19 6.6l1.3 1-5.8 7.9-3.2-2.7-2.9 3.7z',
    save: 'M11.1 3h1.8v9.2l3-3 1.3 1.3L12 15.7l-5.2-5.2 1.3-1.3 3 3zM4 17h1.8v2.2h12.4V17H20v4H4z',
    theme: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 1.700a7.300 7.300 0 0 1 0 14.600z',
    help: 'M12 2.8a9.2 9.2 0 1 0 0 18.4 9.2 9.2 0 0 0 0-18.4zm-1 14.7v-2.1h2.1v2.1zm.1-3.4c0-3 2.8-2.8 2.8-4.7 0-1-.8-1.6-1.9-1.6s-2 .6-2.4 1.7l-1.7-.7C8.500 7.100 10 6 12 6c2.200 0 3.800 1.200 3.800 3.200 0 2.800-2.800 2.900-2.800 4.900z',
    fit: 'M4 9V4h5v1.700H5.700V9zM15 4h5v5h-1.700V5.700H15zM4 15h1.700v3.300H9V20H4zM18.300 15H20v5h-5v-1.700h3.300zM9 9h6v6H9z',
    sliders: 'M4 6.200h8.200a2.600 2.600 0 0 1 5 0H20v1.700h-2.800a2.600 2.600 0 0 1-5 0H4zM4 16.200h2.800a2.600 2.600 0 0 1 5 0H20v1.700h-8.200a2.600 2.600 0 0 1-5 0H4z',
    step: 'M5 4.500v15l9-7.500zM15.500 4.500h3v15h-3z',
    reset: 'M12 5V2L7 6.500 12 11V7.700a5.700 5.700 0 1 1-5.700 5.700H3.600A8.400 8.400 0 1 0 12 5z',
    hand: 'M11 3.500a1.300 1.300 0 0 1 2.600 0V11h.7V5a1.300 1.300 0 0 1 2.600 0v7.500h.6V8a1.200 1.200 0 0 1 2.500 0v7.500c0 3.600-2.500 5.500-5.700 5.500-3.400 0-4.800-1.500-6.200-4l-2.700-4.600c-.8-1.400 1-2.500 2-1.300l2 2.400V6a1.200 1.200 0 0 1 1.600-1.100z',
    close: 'M6.300 5L12 10.700 17.700 5 19 6.300 13.300 12l5.700 5.700-1.300 1.300L12 13.300 6.300 19 5 17.700l5.700-5.700L5 6.300z',
};

/** Element with attributes; on... are listeners, children are elements or texts. */
export function h(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (name.startsWith('on')) {
            element.addEventListener(name.slice(2), value);
        } else if (value === true) {
            element.setAttribute(name, '');
        } else if (value !== false && value !== null && value !== undefined) {
            element.setAttribute(name, value);
        }
    }
    element.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return element;
}

/** Picture of a button. */
export function icon(name) {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('viewBox', '0 0 24 24');
    svg.setAttribute('aria-hidden', 'true');
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    path.setAttribute('d', icons[name]);
    path.setAttribute('fill-rule', 'evenodd');
    svg.append(path);
    return svg;
}

export function setIcon(button, name) {
    button.querySelector('svg').replaceWith(icon(name));
}

/** Button with a picture; the label is for tooltips and screen readers, `text` is shown beside it. */
export function iconButton(name, label, onclick, text = '') {
    const button = h('button', { type: 'button', class: 'icon', 'aria-label': label, title: label, onclick }, icon(name));
    if (text) {
        button.append(h('span', {}, text));
    }
    return button;
}

/** Switch with a label. */
export function toggle(label, value, onchange, dot = null) {
    const input = h('input', { type: 'checkbox', onchange: () => onchange(input.checked) });
    input.checked = value;
    const mark = dot ? h('i', { class: 'dot', style: `background:${dot}` }) : null;
    return h('label', { class: 'toggle' }, input, h('b', { class: 'knob' }), mark, h('span', {}, label));
}

/** Choice from a list of [value, text]. */
export function choice(label, options, value, onchange) {
    const select = h(
        'select',
        { 'aria-label': label, onchange: () => onchange(select.value) },
        options.map(([v, text]) => h('option', { value: v }, text)),
    );
    select.value = value;
    return select;
}

/** A number in few characters. */
export function short(x, digits = 3) {
    if (!Number.isFinite(x)) {
        return '-';
    }
    const size = Math.abs(x);
    if (size !== 0 && (size >= 1e5 || size < 1e-3)) {
        return Number(x.toPrecision(digits)).toExponential().replace('e+', 'e').replaceAll('-', '\u2212');
    }
    return String(Number(x.toPrecision(digits))).replace('-', '\u2212');
}
