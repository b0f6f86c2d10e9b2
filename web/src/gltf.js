// SPDX-License-Identifier: Apache-2.0
// The pose on the screen as binary glTF: rods and cords one mesh each, bodies, y up.
import { BufferAttribute, BufferGeometry, Group, Mesh, MeshStandardMaterial, Quaternion, Vector3 } from 'three';
import { GLTFExporter } from 'three/examples/jsm/exporters/GLTFExporter.js';
import { download } from './export.js';

// the vertices and triangles of one rod or cord out of the arrays of all
function part(arrays, name, first, n, firstIndex, nIndex, material) {
    const geometry = new BufferGeometry();
    const cut = (array, k) => new BufferAttribute(array.slice(k * first, k * (first + n)), k);
    geometry.setAttribute('position', cut(arrays.position, 3));
    geometry.setAttribute('normal', cut(arrays.normal, 3));
    if (material.map) {
        geometry.setAttribute('uv', cut(arrays.uv, 2));
    }
    const index = arrays.index.slice(firstIndex, firstIndex + nIndex).map((i) => i - first);
    geometry.setIndex(new BufferAttribute(index, 1));
    const mesh = new Mesh(geometry, material);
    mesh.name = name;
    return mesh;
}

// a table of colours as an image, which the exporter can write
function withImage(material) {
    // what is not lit here is lit there
    const copy = material.isMeshStandardMaterial
        ? new MeshStandardMaterial().copy(material)
        : new MeshStandardMaterial({ name: material.name, roughness: 0.5 });
    if (material.map) {
        const { data, width, height } = material.map.image;
        const canvas = document.createElement('canvas');
        canvas.width = width;
        canvas.height = height;
        canvas.getContext('2d').putImageData(new ImageData(new Uint8ClampedArray(data), width, height), 0, 0);
        copy.map = material.map.clone();
        copy.map.image = canvas;
        copy.map.isDataTexture = false;
        copy.map.flipY = false;
    }
    return copy;
}

/** A copy of the robot that the exporter understands. */
export function exportable(robot, up) {
    const root = new Group();
    root.name = robot.scene.name || 'elver';
    root.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(...up), new Vector3(0, 1, 0)));
    const rodMaterial = withImage(robot.rodMaterial);
    for (const rod of robot.tubes.rods) {
        root.add(part(robot.tubes, rod.name, rod.firstVertex, rod.n_vertex, rod.firstIndex, rod.n_index, rodMaterial));
    }
    const cordMaterial = withImage(robot.cordMaterial);
    for (const path of robot.paths.visible ? robot.cords.paths : []) {
        root.add(part(robot.cords, path.name, path.first, path.n_vertex, path.firstIndex, path.n_index, cordMaterial));
    }
    for (const { mesh } of robot.bodies.items) {
        const copy = new Mesh(mesh.geometry, mesh.material);
        copy.name = mesh.name;
        mesh.matrix.decompose(copy.position, copy.quaternion, copy.scale);
        root.add(copy);
    }
    return root;
}

export async function saveGltf(viewer) {
    const root = exportable(viewer.robot, viewer.up);
    root.updateMatrixWorld(true);
    const buffer = await new GLTFExporter().parseAsync(root, { binary: true, onlyVisible: false });
    download(new Blob([buffer], { type: 'model/gltf-binary' }), `${viewer.fileName}.glb`);
    return buffer.byteLength;
}
