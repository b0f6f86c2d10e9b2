// SPDX-License-Identifier: Apache-2.0
// What is said of bad loops and constraints in model files: line, column, element and a message that
// says what to write. The rod "arm" and the body "box" end on line 6; lists begin on line 7, their items
// on line 8 of the texts.
#include "bad_file.h"

#define ROD_BOX                                                                                    \
    HEAD "  - {rod: arm, length: 1, section: {circle: {diameter: 0.1}},\n"                         \
         "     material: {density: 1000, young: 1e6}, strain: {kirchhoff: 2}}\n"                   \
         "  - {body: box, mass: 1, inertia: [1, 1, 1],\n"                                          \
         "     joint: {revolute: {axis: z}}}\n"
#define LOOP(text)       ROD_BOX "loops:\n" text
#define CONSTRAINT(text) ROD_BOX "constraints:\n" text

static void test_keys(void** state) {
    (void)state;
    const BadFile files[] = {
        {LOOP("  - {lop: a, rod: arm}\n"), 8, 6,
         "x.yaml:8:6: loops[0]: unknown key 'lop', did you mean 'loop'?"},
        {LOOP("  - {slidr: a, point: box, rod: arm}\n"), 8, 6, "did you mean 'slider'?"},
        {LOOP("  - {rod: arm}\n"), 8, 5, "an item of the loops is a joint between two frames"},
        {LOOP("  - apex\n"), 8, 5, "expected a loop {between: [...], joint: ...}"},
        {LOOP("  - {loop: a, slider: b}\n"), 8, 15,
         "one of 'loop' and 'slider', not both: begin another item"},
        {LOOP("  - {loop: a, joint: fixed}\n"), 8, 5,
         "a: missing key 'between' (the two frames that the loop joins)"},
        {LOOP("  - {loop: a, between: box}\n"), 8, 24,
         "a: 'between': expected two frames, such as [world, arm.tip], found 'box'"},
        {LOOP("  - {between: [world, box, arm.tip]}\n"), 8, 15,
         "loop1: 'between': expected two frames, such as [world, arm.tip], found a list of 3"},
        {LOOP("  - {between: [world, [box]]}\n"), 8, 23, "expected text"},
        {LOOP("  - {loop: a, betwen: [world, box], joint: fixed}\n"), 8, 15,
         "a: unknown key 'betwen', did you mean 'between'?"},
        {LOOP("  - {between: [world, box], joint: revolut}\n"), 8, 36,
         "unknown joint type 'revolut', did you mean 'revolute'?"},
        {LOOP("  - {between: [world, box], joint: {revolute: {dampin: 1}}}\n"), 8, 48,
         "did you mean 'damping'?"},
        {LOOP("  - {between: [world, box], joint: revolute, damping: 1}\n"), 8, 46,
         "'damping' belongs to the joint of the loop: write 'joint: {TYPE: {damping: ...}}'"},
        {LOOP("  - {between: [world, box], joint: revolute, torque: 1}\n"), 8, 46,
         "write 'joint: {TYPE: {force: ...}}'"},
        {LOOP("  - {between: [world, box], joint: fixed, axis: z}\n"), 8, 43,
         "a fixed joint has no 'axis'"},
        {LOOP("  - {between: [world, box], joint: revolute, axis2: z}\n"), 8, 46,
         "a revolute joint has no 'axis2'"},
        {LOOP("  - {between: [world, box], joint: {revolute: {}}, axis: z}\n"), 8, 52,
         "write 'joint: {revolute: {axis: ...}}'"},
        {LOOP("  - {between: [world, box], joint: revolute, axis: w}\n"), 8, 52,
         "an axis: x, y, z, -x, -y, -z or [x, y, z]"},
        {LOOP("  - {between: [world, box], pose: {quaternion: [1, 0, 0, 0]}}\n"), 8, 36,
         "unknown key 'quaternion', expected xyz or rpy"},
        {LOOP("  - {between: [world, box], closure: exct}\n"), 8, 38,
         "unknown closure 'exct', did you mean 'exact'?"},
        {LOOP("  - {slider: a, rod: arm}\n"), 8, 5,
         "a: missing key 'point' (the frame that slides)"},
        {LOOP("  - {slider: a, point: box}\n"), 8, 5, "a: missing key 'rod'"},
        {LOOP("  - {slider: a, point: box, rod: arm, statoin: 0}\n"), 8, 39,
         "did you mean 'station'?"},
        {LOOP("  - {slider: a, point: box, rod: arm, drive: 0, station: 0}\n"), 8, 49,
         "'drive' gives the station at t = 0: remove 'station'"},
    };
    CHECK_BAD_FILES(files);
}

static void test_values(void** state) {
    (void)state;
    const BadFile files[] = {
        {LOOP("  - {between: [world, box], pose: {xyz: [0, 0]}}\n"), 8, 41,
         "expected a list of 3 numbers or laws"},
        {LOOP("  - {between: [world, box], pose: {xyz: [0, s, 0]}}\n"), 8, 45,
         "'xyz[1]' may not depend on s, only on t"},
        {LOOP("  - {between: [world, box], pose: {xyz: [0, 5 mm, 0]}}\n"), 8, 45,
         "write 0.005 instead of '5 mm'"},
        {LOOP("  - {between: [world, box], pose: {rpy: [0, 90 deg, 0]}}\n"), 8, 45,
         "write 1.5707963267949 instead of '90 deg'"},
        {LOOP("  - {between: [world, box], closure: penalty, penalty: 5 N/m}\n"), 8, 56,
         "write 5 instead of '5 N/m'"},
        {LOOP("  - {between: [world, box], closure: penalty, penalty: [1, 2, 3]}\n"), 8, 56,
         "expected a list of 2 numbers"},
        {LOOP("  - {loop: a, between: [world, box], closure: penalty, penalty: -1}\n"), 8, 65,
         "a: penalty must be positive and finite, got -1; give it in N m/rad and N/m"},
        {LOOP("  - {loop: a, between: [world, box], closure: augmented}\n"), 8, 5,
         "the springs of the loop have no stiffness: give 'penalty'"},
        {LOOP("  - {loop: a, between: [world, box], penalty: 1}\n"), 8, 47,
         "'penalty' has no effect on an exact loop: take it away"},
        {LOOP("  - {loop: a, between: [world, box], joint: helical}\n"), 8, 45,
         "a helical joint cannot close a loop: put that joint into the tree"},
        {LOOP("  - {loop: a, between: [world, box], joint: free}\n"), 8, 45,
         "a free joint cannot close a loop: it ties nothing"},
        {LOOP("  - {between: [world, box], joint: {revolute: {friction: 1}}}\n"), 8, 58,
         "loop1: a joint that closes a loop has no friction: put that joint into the tree and cut "
         "the loop elsewhere"},
        {LOOP("  - {between: [world, box], joint: {revolute: {position: 1}}}\n"), 8, 58,
         "has no position"},
        {LOOP("  - {between: [world, box], joint: {revolute: {kp: 1, target: 1}}}\n"), 8, 52,
         "has no kp"},
        {LOOP("  - {between: [world, box], joint: {revolute: {damping: -1}}}\n"), 8, 57,
         "joint.damping must not be negative"},
        {LOOP("  - {between: [world, box], joint: revolute, axis: [0, 0, 0]}\n"), 8, 52,
         "joint.axis (0, 0, 0) has no direction"},
        {LOOP("  - {between: [world, box], joint: universal, axis: x, axis2: -x}\n"), 8, 63,
         "must not be parallel"},
        {LOOP("  - {between: [world, box]}\n  - {between: [world, box], joint: {revolute: {axis: "
              "[0, 0, 0]}}}\n"),
         9, 54, "x.yaml:9:54: loop2: joint.axis"},
        {LOOP("  - {slider: a, point: box, rod: arm, station: 2}\n"), 8, 48,
         "a: 'station' must be a station of the rod, from 0 to 1, got 2"},
        {LOOP("  - {slider: a, point: box, rod: arm, damping: -1}\n"), 8, 48,
         "damping must not be negative"},
        {LOOP("  - {slider: a, point: box, rod: arm, force: 1, drive: 0.5}\n"), 8, 46,
         "take 'force' or 'drive' away"},
        {LOOP("  - {slider: a, point: box, rod: arm, drive: 1.5}\n"), 8, 46,
         "from 0 to 1, got 1.5"},
        {LOOP("  - {slider: a, point: box, rod: arm, drive: s}\n"), 8, 46, "may not depend on s"},
    };
    CHECK_BAD_FILES(files);
}

static void test_references(void** state) {
    (void)state;
    const BadFile files[] = {
        {LOOP("  - {loop: a.b, between: [world, box]}\n"), 8, 12, "'a.b' is not a name"},
        {LOOP("  - {loop: arm, between: [world, box]}\n"), 8, 12, "'arm' is already a rod"},
        {LOOP("  - {loop: loop2, between: [world, box]}\n  - {between: [world, arm.tip]}\n"), 9, 5,
         "loop2: names must be unique: 'loop2' is already a loop"},
        {LOOP("  - {between: [world, world]}\n"), 8, 23,
         "loop1: a constraint is between two frames, but both are 'world': name another one"},
        {LOOP("  - {between: [arm.at(2), box]}\n"), 8, 16,
         "'arm.at(2)' is no frame: expected 'world'"},
        {LOOP("  - {between: [world, bx]}\n"), 8, 23,
         "loop1: no body, rod or frame is named 'bx', did you mean 'box'?"},
        {LOOP("  - {between: [arm, box]}\n"), 8, 16,
         "'arm' is a rod: say where on it, e.g. 'arm.tip'"},
        {LOOP("  - {between: [world, box.tip]}\n"), 8, 23,
         "'box' is not a rod and has no stations"},
        {LOOP("  - {slider: a, point: bx, rod: arm}\n"), 8, 24,
         "no body, rod or frame is named 'bx'"},
        {LOOP("  - {slider: a, point: box, rod: arm.tip}\n"), 8, 34,
         "'arm.tip' is not the name of a rod: give the name alone"},
        {LOOP("  - {slider: a, point: arm.tip, rod: arm}\n"), 8, 24,
         "'a' joins 'arm' to itself: 'arm.tip' is a section of that rod"},
        {LOOP("  - {slider: a, point: arm.at(0.5), rod: arm}\n"), 8, 24, "joins 'arm' to itself"},
    };
    CHECK_BAD_FILES(files);
}

static void test_constraint_keys(void** state) {
    (void)state;
    const BadFile files[] = {
        {CONSTRAINT("  - {velocty: a, at: box}\n"), 8, 6,
         "x.yaml:8:6: constraints[0]: unknown key 'velocty', did you mean 'velocity'?"},
        {CONSTRAINT("  - {loop: a, between: [world, box]}\n"), 8, 6,
         "'loop' belongs to the list 'loops' of the file"},
        {CONSTRAINT("  - {at: box}\n"), 8, 5,
         "a constraint begins with 'velocity: NAME', 'rolling: NAME', 'wheel: NAME', 'contact: "
         "NAME' or 'coupling: "
         "NAME'"},
        {CONSTRAINT("  - blade\n"), 8, 5, "expected a constraint {velocity: NAME, at: ...}"},
        {CONSTRAINT("  - {velocity: a, rolling: b}\n"), 8, 19,
         "one of 'velocity' and 'rolling', not both"},
        {CONSTRAINT("  - {velocity: [a], at: box}\n"), 8, 16, "expected text"},
        {CONSTRAINT("  - {velocity: a, direction: y}\n"), 8, 5,
         "a: missing key 'at' (the frame that is constrained)"},
        {CONSTRAINT("  - {velocity: a, at: box}\n"), 8, 5,
         "a velocity constraint needs one of the keys direction or rows"},
        {CONSTRAINT("  - {velocity: a, at: box, direction: y, rows: [[1, 0, 0, 0, 0, 0]]}\n"), 8,
         42, "not both"},
        {CONSTRAINT("  - {velocity: a, at: box, dirction: y}\n"), 8, 28,
         "did you mean 'direction'?"},
        {CONSTRAINT("  - {velocity: a, at: box, rows: 3}\n"), 8, 34,
         "expected a list of 1 to 5 rows"},
        {CONSTRAINT("  - {velocity: a, at: box, rows: [[1, 0, 0]]}\n"), 8, 35,
         "expected a list of 6 numbers"},
        {CONSTRAINT("  - {rolling: a, at: box}\n"), 8, 5,
         "a: missing key 'radius' (of the wheel, m)"},
        {CONSTRAINT("  - {rolling: a, at: box, radius: 1, sideways: fre}\n"), 8, 48,
         "did you mean 'free'?"},
        {CONSTRAINT("  - {rolling: a, at: box, raduis: 1}\n"), 8, 27, "did you mean 'radius'?"},
        {CONSTRAINT("  - {coupling: a}\n"), 8, 5, "a: missing key 'joints'"},
        {CONSTRAINT("  - {coupling: a, joints: box}\n"), 8, 27, "expected a list of 1 to 8 joints"},
        {CONSTRAINT("  - {coupling: a, joints: []}\n"), 8, 27, "expected a list of 1 to 8 joints"},
        {CONSTRAINT("  - {coupling: a, joints: [box]}\n"), 8, 28,
         "expected a joint {joint: NAME, factor: ...}, found 'box'"},
        {CONSTRAINT("  - {coupling: a, joints: [{factor: 2}]}\n"), 8, 28,
         "missing key 'joint' (the body or rod whose joint it is)"},
        {CONSTRAINT("  - {coupling: a, joints: [{joint: box, facter: 2}]}\n"), 8, 41,
         "did you mean 'factor'?"},
        {CONSTRAINT("  - {coupling: a, joints: [{joint: box, component: 1.5}]}\n"), 8, 52,
         "expected a whole number from 0 to 5"},
    };
    CHECK_BAD_FILES(files);
}

static void test_constraint_values(void** state) {
    (void)state;
    const BadFile files[] = {
        {CONSTRAINT("  - {velocity: a, at: box, direction: [0, 0, 0]}\n"), 8, 39,
         "a: 'direction' is zero: give the direction of the velocity"},
        {CONSTRAINT("  - {velocity: a, at: box, direction: y, equals: 3 m/s}\n"), 8, 50,
         "write 3 instead of '3 m/s'"},
        {CONSTRAINT("  - {velocity: a, at: box, direction: y, equals: [1, 2]}\n"), 8, 50,
         "expected a list of 1 numbers or laws"},
        {CONSTRAINT("  - {velocity: a, at: box, rows: [[1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]]}\n"),
         8, 55, "row 2 is zero and constrains nothing"},
        {CONSTRAINT("  - {velocity: a, at: box, rows: [[1, 0, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0]]}\n"),
         8, 55, "row 2 is a combination of those before it: take it away"},
        {CONSTRAINT("  - {velocity: a, at: box, on: box, direction: y}\n"), 8, 32,
         "both are 'box': name another one"},
        {CONSTRAINT("  - {velocity: a, at: bx, direction: y}\n"), 8, 23,
         "a: no body, rod or frame is named 'bx'"},
        {CONSTRAINT("  - {velocity: a, at: box, on: arm, direction: y}\n"), 8, 32,
         "'arm' is a rod: say where on it"},
        {CONSTRAINT("  - {velocity: box, at: box, direction: y}\n"), 8, 16,
         "'box' is already a body"},
        {CONSTRAINT("  - {rolling: a, at: box, radius: 0}\n"), 8, 35,
         "radius must be positive and finite, got 0; give it in m"},
        {CONSTRAINT("  - {rolling: a, at: box, radius: 10 cm}\n"), 8, 35,
         "write 0.1 instead of '10 cm'"},
        {CONSTRAINT("  - {rolling: a, at: box, radius: 1, axis: [0, 0, 0]}\n"), 8, 44,
         "axis (0, 0, 0) has no direction"},
        {CONSTRAINT("  - {rolling: a, at: box, radius: 1, on: bx}\n"), 8, 42,
         "no body, rod or frame is named 'bx', did you mean 'box'?"},
        {CONSTRAINT("  - {coupling: a, joints: [{joint: box, factor: 0}]}\n"), 8, 49,
         "a factor of 0 couples nothing: take 'box' away"},
        {CONSTRAINT("  - {coupling: a, joints: [{joint: box}, {joint: box}]}\n"), 8, 50,
         "coordinate 0 of 'box' is there twice: add its factors"},
        {CONSTRAINT("  - {coupling: a, joints: [{joint: arm.tip}]}\n"), 8, 36,
         "'arm.tip' is not the name of a body or rod"},
        {CONSTRAINT("  - {coupling: a, joints: [{joint: box}], equals: s}\n"), 8, 51,
         "may not depend on s"},
    };
    CHECK_BAD_FILES(files);
}

static void test_options(void** state) {
    (void)state;
    const BadFile files[] = {
        {ROD_BOX "simulate: {velocities: yes}\n", 7, 24,
         "simulate: unknown treatment of velocities 'yes', expected free or project"},
        {ROD_BOX "simulate: {method: explicit, velocities: project}\n", 7, 30,
         "'velocities' does not belong to the method explicit: it is used by newmark"},
        {ROD_BOX "statics: {method: projectiv}\n", 7, 19, "did you mean 'projective'?"},
        {ROD_BOX "statics: {method: projective, gain: 0}\n", 7, 37,
         "statics: gain must be positive and finite, got 0; give it in 1/s"},
        {ROD_BOX "statics: {method: projective, gain: 5 Hz}\n", 7, 37,
         "'gain' is a number in 1/s, found '5 Hz'"},
        {ROD_BOX "loops: {between: [world, box]}\n", 7, 8, "expected a list, found a map"},
        {ROD_BOX "constraints: 3\n", 7, 14, "expected a list"},
        {ROD_BOX "loop: []\n", 7, 1, "unknown key 'loop', did you mean 'loops'?"},
        {ROD_BOX "constraint: []\n", 7, 1, "unknown key 'constraint', did you mean 'constraints'?"},
    };
    CHECK_BAD_FILES(files);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_references),
        cmocka_unit_test(test_constraint_keys),
        cmocka_unit_test(test_constraint_values),
        cmocka_unit_test(test_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
