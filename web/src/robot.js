// SPDX-License-Identifier: Apache-2.0
// All that is drawn of one trajectory: rods, bodies, cords, arrows, frames. Ghosts have neither arrows nor frames, and
// one colour.
import {
    BufferAttribute, BufferGeometry, DataTexture, DoubleSide, DynamicDrawUsage, Group, LinearFilter, Mesh,
    MeshMatcapMaterial, MeshStandardMaterial, SRGBColorSpace,
} from 'three';
import { Arrows } from './arrows.js';
import { Bodies } from './bodies.js';
import { colorTable, pathMaps } from './colormap.js';
import { Cords } from './cords.js';
import { Frames } from './frames.js';
import { Tubes } from './tube.js';

const GREY = [176, 181, 188];

function dataTexture(data, width, height) {
    const texture = new DataTexture(data, width, height);
    texture.magFilter = LinearFilter;
    texture.minFilter = LinearFilter;
    texture.needsUpdate = true;
    return texture;
}

// tables of 256 colours, one below the other
function mapTexture(tables) {
    const data = new Uint8Array(tables.length * 256 * 4);
    tables.forEach((table, row) => data.set(table, row * 256 * 4));
    const texture = dataTexture(data, 256, tables.length);
    texture.colorSpace = SRGBColorSpace;
    return texture;
}

// what has no value
const greyTable = () => Uint8Array.from({ length: 256 * 4 }, (_, i) => [...GREY, 255][i % 4]);

// full light on what faces the camera, less towards the rim: shape without a change of colour
function rimTexture() {
    const n = 64;
    const data = new Uint8Array(4 * n * n).fill(255);
    for (let i = 0; i < n * n; i++) {
        const r = Math.hypot((i % n) - 0.5 * (n - 1), Math.floor(i / n) - 0.5 * (n - 1)) / (0.5 * n);
        const u = Math.min(1, Math.max(0, (r - 0.7) / 0.3));
        data.fill(Math.round(255 * (1 - 0.45 * u * u)), 4 * i, 4 * i + 3);
    }
    return dataTexture(data, n, n);
}

// cords have the colours of their legend, whatever the light
function cordMaterialOf(ghost) {
    if (ghost) {
        return new MeshStandardMaterial({ color: ghost, roughness: 0.5, transparent: true });
    }
    const map = mapTexture(Object.values(pathMaps).map(colorTable));
    return new MeshMatcapMaterial({ map, matcap: rimTexture(), toneMapped: false, transparent: true });
}

// a mesh over arrays that others write
function sweptMesh(arrays, material) {
    const geometry = new BufferGeometry();
    for (const [name, array, n] of [['position', arrays.position, 3], ['normal', arrays.normal, 3], ['uv', arrays.uv, 2]]) {
        geometry.setAttribute(name, new BufferAttribute(array, n).setUsage(DynamicDrawUsage));
    }
    geometry.setIndex(new BufferAttribute(arrays.index, 1));
    const mesh = new Mesh(geometry, material);
    mesh.frustumCulled = false;
    mesh.castShadow = true;
    mesh.receiveShadow = true;
    return mesh;
}

function markChanged(mesh) {
    const { position, normal, uv } = mesh.geometry.attributes;
    position.needsUpdate = true;
    normal.needsUpdate = true;
    uv.needsUpdate = true;
}

export class Robot {
    /** ghost: colour of a ghost, or null. */
    constructor(scene, ghost = null) {
        this.scene = scene;
        this.isGhost = ghost !== null;
        this.group = new Group();
        this.rodMaterial = new MeshStandardMaterial({ color: ghost ?? '#e2724c', roughness: 0.42, side: DoubleSide });
        this.bodyMaterial = new MeshStandardMaterial({ color: ghost ?? '#8d99a8', roughness: 0.38 });
        this.tubes = new Tubes(scene.rods);
        this.rods = sweptMesh(this.tubes, this.rodMaterial);
        this.wheelMaterial = new MeshStandardMaterial({ color: ghost ?? '#56606d', roughness: 0.7 });
        this.plateMaterial = new MeshStandardMaterial({
            color: ghost ?? '#8d99a8', roughness: 0.38, transparent: true, opacity: 0.45, side: DoubleSide, depthWrite: false,
        });
        this.bodies = new Bodies(scene, this.bodyMaterial, this.wheelMaterial, this.plateMaterial);
        this.cordMaterial = cordMaterialOf(ghost);
        this.cords = new Cords(scene.paths, scene.size);
        this.paths = sweptMesh(this.cords, this.cordMaterial);
        // after the rods that they run in, and after ghosts
        this.paths.renderOrder = 3;
        this.group.add(this.rods, this.bodies.group, this.paths);
        if (this.isGhost) {
            this.fade();
            return;
        }
        this.fieldMap = mapTexture([colorTable('lagoon'), greyTable()]);
        this.arrows = new Arrows(scene.arrows, scene.size);
        this.frames = new Frames(scene);
        this.group.add(this.arrows.group, this.frames.group);
    }

    // ghosts let through what is behind them, and leave no shadow; where they coincide with the robot it is the robot
    // that is seen
    fade() {
        for (const material of [this.rodMaterial, this.bodyMaterial, this.wheelMaterial, this.plateMaterial]) {
            Object.assign(material, { transparent: true, opacity: 0.3, depthWrite: false });
            Object.assign(material, { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 8 });
        }
        this.rodMaterial.side = 0;
        // cords lie within rods, and are to be seen through them
        Object.assign(this.cordMaterial, { opacity: 0.55, depthWrite: false });
        this.group.traverse((node) => {
            node.castShadow = false;
            // the order of a group would come before that of all that is in it
            node.renderOrder = node.isGroup ? 0 : 2;
        });
    }

    /** Take over what is to be seen (display.js). */
    show(display) {
        this.rods.visible = display.rods;
        this.bodies.group.visible = display.bodies;
        this.paths.visible = display.paths;
        if (this.isGhost) {
            return;
        }
        this.frames.group.visible = display.frames;
        this.arrows.group.visible = this.scene.arrows.length > 0;
        const material = this.rodMaterial;
        const map = display.field === null ? null : this.fieldMap;
        if (material.map !== map || material.transparent !== display.seeThrough) {
            // coloured rods shine a little by themselves, so that the colours are those of the legend
            material.map = map;
            material.emissiveMap = map;
            material.emissive.set(map ? '#ffffff' : '#000000');
            material.emissiveIntensity = 0.35;
            material.color.set(map ? '#b4b4b4' : '#e2724c');
            material.transparent = display.seeThrough;
            material.opacity = display.seeThrough ? (map ? 0.7 : 0.45) : 1;
            // what is seen through a rod has the colours of its legend
            material.depthWrite = !display.seeThrough;
            material.needsUpdate = true;
        }
    }

    /** Move to the record v. */
    update(v, display) {
        this.tubes.widen = display.widen;
        this.tubes.update(v, this.isGhost ? null : display.field, display.low, display.high);
        markChanged(this.rods);
        this.bodies.update(v);
        if (display.paths && this.scene.paths.length > 0) {
            this.cords.update(v, display.pathRanges);
            markChanged(this.paths);
        }
        if (this.isGhost) {
            return;
        }
        if (this.scene.arrows.length > 0) {
            this.arrows.update(v, display.arrowScales, display.arrows);
        }
        if (display.frames) {
            this.frames.update(v);
        }
    }

    dispose() {
        this.group.removeFromParent();
        this.rods.geometry.dispose();
        this.bodies.dispose();
        this.rodMaterial.dispose();
        this.bodyMaterial.dispose();
        this.wheelMaterial.dispose();
        this.plateMaterial.dispose();
        this.paths.geometry.dispose();
        this.cordMaterial.map?.dispose();
        this.cordMaterial.matcap?.dispose();
        this.cordMaterial.dispose();
        if (!this.isGhost) {
            this.fieldMap.dispose();
            this.arrows.dispose();
            this.frames.dispose();
        }
    }
}
