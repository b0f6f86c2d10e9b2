// SPDX-License-Identifier: Apache-2.0
// All that is drawn of one trajectory: rods, bodies, cords, arrows, frames. Ghosts have rods and bodies alone.
import {
    BufferAttribute, BufferGeometry, DataTexture, DoubleSide, DynamicDrawUsage, Group, LinearFilter, Mesh,
    MeshStandardMaterial, SRGBColorSpace,
} from 'three';
import { Arrows } from './arrows.js';
import { Bodies, Frames } from './bodies.js';
import { colorTable } from './colormap.js';
import { Cords } from './cords.js';
import { Tubes } from './tube.js';

const GREY = [176, 181, 188];

// colours of a map, and a second row of grey for what has no value
function mapTexture(name) {
    const data = new Uint8Array(2 * 256 * 4).fill(255);
    data.set(colorTable(name));
    for (let i = 256; i < 512; i++) {
        data.set(GREY, 4 * i);
    }
    const texture = new DataTexture(data, 256, 2);
    texture.colorSpace = SRGBColorSpace;
    texture.magFilter = LinearFilter;
    texture.minFilter = LinearFilter;
    texture.needsUpdate = true;
    return texture;
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
        this.group.add(this.rods, this.bodies.group);
        if (this.isGhost) {
            this.fade();
            return;
        }
        this.fieldMap = mapTexture('lagoon');
        this.cordMaterial = new MeshStandardMaterial({ map: mapTexture('tide'), roughness: 0.5 });
        this.cords = new Cords(scene.paths, scene.size);
        this.paths = sweptMesh(this.cords, this.cordMaterial);
        this.arrows = new Arrows(scene.arrows, scene.size);
        this.frames = new Frames(scene.frames, scene.size);
        this.group.add(this.paths, this.arrows.group, this.frames.group);
    }

    // ghosts let through what is behind them, and leave no shadow
    fade() {
        for (const material of [this.rodMaterial, this.bodyMaterial, this.wheelMaterial, this.plateMaterial]) {
            Object.assign(material, { transparent: true, opacity: 0.3, depthWrite: false });
        }
        this.rodMaterial.side = 0;
        this.group.traverse((node) => {
            node.castShadow = false;
            node.renderOrder = 2;
        });
    }

    /** Take over what is to be seen (display.js). */
    show(display) {
        this.rods.visible = display.rods;
        this.bodies.group.visible = display.bodies;
        if (this.isGhost) {
            return;
        }
        this.paths.visible = display.paths;
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
            material.needsUpdate = true;
        }
    }

    /** Move to the record v. */
    update(v, display) {
        this.tubes.widen = display.widen;
        this.tubes.update(v, this.isGhost ? null : display.field, display.low, display.high);
        markChanged(this.rods);
        this.bodies.update(v);
        if (this.isGhost) {
            return;
        }
        if (display.paths && this.scene.paths.length > 0) {
            this.cords.update(v, display.pathRanges);
            markChanged(this.paths);
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
        if (!this.isGhost) {
            this.paths.geometry.dispose();
            this.fieldMap.dispose();
            this.cordMaterial.map.dispose();
            this.cordMaterial.dispose();
            this.arrows.dispose();
            this.frames.dispose();
        }
    }
}
