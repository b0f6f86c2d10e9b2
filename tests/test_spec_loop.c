// SPDX-License-Identifier: Apache-2.0
// What a single loop or slider of a spec may hold: each bad value is refused with the name, the key and
// a word of the message that says what to do.
#include "def_outcome.h"

static ElvLoopDef good_loop(void) {
    ElvLoopDef def = elv_loop_def_default();
    def.name = "apex";
    def.second = "arm.tip";
    def.joint.type = ELV_JOINT_REVOLUTE;
    return def;
}

#define LOOP(change, field, word)                                                                  \
    CHECK_DEF(ElvLoopDef, good_loop(), elv_spec_add_loop, "apex", change, field, word)

static void test_loops(void** state) {
    (void)state;
    LOOP((void)def, NULL, "");
    CHECK_DEF(ElvLoopDef, good_loop(), elv_spec_add_loop, "loops[0]", def.name = NULL, "loop",
              "the loop has no name");
    CHECK_DEF(ElvLoopDef, good_loop(), elv_spec_add_loop, "a.b", def.name = "a.b", "loop",
              "not a name");
    CHECK_DEF(ElvLoopDef, good_loop(), elv_spec_add_loop, "world", def.name = "world", "loop",
              "fixed frame");
    LOOP(def.first = NULL, "between[0]", "empty");
    LOOP(def.second = NULL, "between[1]", "empty");
    LOOP(def.second = "arm.at(2)", "between[1]", "'arm.at(2)' is no frame");
    LOOP(def.first = "arm.middle", "between[0]", "expected 'world', a body, 'ROD.tip'");
    LOOP(def.second = "world", "between[1]", "both are 'world'");
    LOOP((def.first = "arm.tip", def.second = "world"), NULL, "");
    LOOP(def.pose[1].value = NAN, "pose.rpy", "component 2 of 3");
    LOOP(def.pose[5] = elv_law_def_formula(""), "pose.xyz", "component 3 of 3");
    LOOP(def.closure = (ElvClosure)3, "closure", "unknown kind of closure");
}

static void test_penalties(void** state) {
    (void)state;
    LOOP(def.penalty[0] = 1.0, "penalty", "no effect on an exact loop");
    LOOP(def.closure = ELV_CLOSURE_PENALTY, "penalty", "give 'penalty' in N m/rad and N/m");
    LOOP(def.closure = ELV_CLOSURE_AUGMENTED, "penalty", "no stiffness");
    LOOP((def.closure = ELV_CLOSURE_PENALTY, def.penalty[1] = 1.0), "penalty", "positive");
    LOOP((def.closure = ELV_CLOSURE_PENALTY, def.penalty[0] = 1.0), "penalty", "positive");
    LOOP((def.closure = ELV_CLOSURE_PENALTY, def.penalty[0] = def.penalty[1] = NAN), "penalty",
         "finite");
    LOOP((def.closure = ELV_CLOSURE_PENALTY, def.penalty[0] = 1.0, def.penalty[1] = -1.0),
         "penalty", "got -1");
    LOOP((def.closure = ELV_CLOSURE_PENALTY, def.penalty[0] = 1.0, def.penalty[1] = 1.0), NULL, "");
    // which does not resist rotation
    LOOP((def.joint.type = ELV_JOINT_SPHERICAL, def.closure = ELV_CLOSURE_AUGMENTED,
          def.penalty[1] = 1.0),
         NULL, "");
    // but one whose turn is imposed does
    LOOP((def.joint.type = ELV_JOINT_SPHERICAL, def.joint.drive = ELV_DRIVE_MOTION,
          def.closure = ELV_CLOSURE_PENALTY, def.penalty[1] = 1.0),
         "penalty", "positive");
}

static void no_effort(
    void* user, double t, const double* q, const double* v, double* effort, double* K, double* D) {
    (void)user, (void)t, (void)q, (void)v, (void)effort, (void)K, (void)D;
}

static void test_loop_joints(void** state) {
    (void)state;
    const char* remedy = "put that joint into the tree and cut the loop elsewhere";
    for (int type = 0; type < ELV_N_JOINT_TYPE; type++) {
        bool is_refused = type == ELV_JOINT_HELICAL || type == ELV_JOINT_FREE;
        LOOP(def.joint.type = (ElvJointType)type, is_refused ? "joint" : NULL,
             type == ELV_JOINT_HELICAL ? remedy : "a free joint cannot close a loop");
    }
    LOOP(def.joint.type = ELV_N_JOINT_TYPE, "joint", "unknown type");
    LOOP(def.joint.axis = elv_vec3(0.0, 0.0, 0.0), "joint.axis", "no direction");
    LOOP((def.joint.type = ELV_JOINT_UNIVERSAL, def.joint.axis2 = elv_vec3(0.0, 0.0, -2.0)),
         "joint.axis2", "parallel");
    LOOP(def.joint.damping[0] = -1.0, "joint.damping", "negative");
    LOOP(def.joint.stiffness[0] = NAN, "joint.stiffness", "finite");
    LOOP(def.joint.rest[0] = INFINITY, "joint.rest", "finite");
    LOOP((def.joint.drive = ELV_DRIVE_MOTION, def.joint.law[0].value = NAN), "joint.motion",
         "component 1 of 6");
    LOOP((def.joint.drive = ELV_DRIVE_FORCE, def.joint.law[0] = elv_law_def_formula(" ")),
         "joint.force", "empty");
    LOOP((def.joint.type = ELV_JOINT_FIXED, def.joint.drive = ELV_DRIVE_FORCE), "joint.force",
         "nothing to drive");

    // what joints of loops do not have
    LOOP(def.joint.pitch = 1.0, "joint.pitch", remedy);
    LOOP(def.joint.friction[0] = 1.0, "joint.friction", "has no friction: put that joint");
    LOOP(def.joint.friction_speed[1] = 1.0, "joint.friction_speed", remedy);
    LOOP(def.joint.lower[0] = -1.0, "joint.lower", "has no lower");
    LOOP(def.joint.upper[5] = NAN, "joint.upper", remedy);
    LOOP(def.joint.stop_stiffness[0] = 1.0, "joint.stop_stiffness", remedy);
    LOOP(def.joint.stop_damping[0] = 1.0, "joint.stop_damping", remedy);
    LOOP(def.joint.stop_width[0] = 1.0, "joint.stop_width", remedy);
    LOOP(def.joint.gear[0] = 2.0, "joint.gear", remedy);
    LOOP(def.joint.rotor_inertia[0] = 2.0, "joint.rotor_inertia", remedy);
    LOOP(def.joint.kp[0] = 1.0, "joint.kp", remedy);
    LOOP(def.joint.kd[0] = 1.0, "joint.kd", remedy);
    LOOP(def.joint.ki[0] = 1.0, "joint.ki", remedy);
    LOOP(def.joint.max_effort[0] = 1.0, "joint.max_effort", remedy);
    LOOP(def.joint.target[0].value = 1.0, "joint.target", remedy);
    LOOP(def.joint.position[0] = 1.0, "joint.position", remedy);
    LOOP(def.joint.velocity[0] = 1.0, "joint.velocity", remedy);
    LOOP(def.joint.callback = no_effort, "joint", "has no callback");
}

// angles are measured from -pi to pi, lengths without bounds
static void test_rests(void** state) {
    (void)state;
    const double half_turn = 3.141592653589793;
    const char* remedy = "springs over several turns need the joint in the tree";
    LOOP(def.joint.rest[0] = half_turn, NULL, "");
    LOOP(def.joint.rest[0] = -half_turn, NULL, "");
    LOOP(def.joint.rest[0] = 3.1416, "joint.rest", remedy);
    LOOP((def.joint.type = ELV_JOINT_UNIVERSAL, def.joint.axis2 = elv_vec3(1.0, 0.0, 0.0),
          def.joint.rest[1] = -4.0),
         "joint.rest", "got a rest of -4");
    LOOP((def.joint.type = ELV_JOINT_PLANAR, def.joint.rest[0] = 7.0), "joint.rest", remedy);
    LOOP((def.joint.type = ELV_JOINT_PLANAR, def.joint.rest[2] = 7.0), NULL, "");
    LOOP((def.joint.type = ELV_JOINT_CYLINDRICAL, def.joint.rest[0] = 7.0), "joint.rest", remedy);
    LOOP((def.joint.type = ELV_JOINT_CYLINDRICAL, def.joint.rest[1] = 7.0), NULL, "");
    LOOP((def.joint.type = ELV_JOINT_PRISMATIC, def.joint.rest[0] = 7.0), NULL, "");
}

static ElvSliderDef good_slider(void) {
    ElvSliderDef def = elv_slider_def_default();
    def.name = "ring";
    def.point = "bead";
    def.rod = "rail";
    return def;
}

#define SLIDER(change, field, word)                                                                \
    CHECK_DEF(ElvSliderDef, good_slider(), elv_spec_add_slider, "ring", change, field, word)

static void test_sliders(void** state) {
    (void)state;
    SLIDER((void)def, NULL, "");
    CHECK_DEF(ElvSliderDef, good_slider(), elv_spec_add_slider, "loops[0]", def.name = "", "slider",
              "the slider has no name");
    SLIDER(def.point = NULL, "point", "empty");
    SLIDER(def.point = "arm.at(x)", "point", "is no frame");
    SLIDER(def.rod = "", "rod", "empty");
    SLIDER(def.rod = "rail.tip", "rod", "'rail.tip' is not the name of a rod: give the name alone");
    SLIDER(def.station = 1.1, "station", "from 0 to 1, got 1.1");
    SLIDER(def.station = NAN, "station", "from 0 to 1");
    SLIDER((def.station = 0.0, def.force.value = -3.0), NULL, "");
    SLIDER(def.damping = -1.0, "damping", "N s/m");
    SLIDER(def.force.value = NAN, "force", "finite");
    SLIDER(def.drive.value = 0.5, "drive", "set is_driven");
    SLIDER((def.is_driven = true, def.drive.value = 0.5), NULL, "");
    SLIDER((def.is_driven = true, def.drive.value = 1.5), "drive", "got 1.5");
    SLIDER((def.is_driven = true, def.drive = elv_law_def_formula("")), "drive", "empty");
    SLIDER((def.is_driven = true, def.force.value = 1.0), "force", "nothing to push");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loops),       cmocka_unit_test(test_penalties),
        cmocka_unit_test(test_loop_joints), cmocka_unit_test(test_rests),
        cmocka_unit_test(test_sliders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
