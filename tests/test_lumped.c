// SPDX-License-Identifier: Apache-2.0
// Lumped joints, each type against oracles that do not use its formulas: twists and accelerations
// against first and second differences of the pose alone (error of slope 2), springs against
// differences of their energy, wrenches and inertias against power and kinetic energy, pose maps
// against products of elementary motions.
#include "joint/lumped.h"

#include "lumped_sample.h"

// ---- tests, each for every type

static void test_motion(void** state) {
    ElvJointType type = *(const ElvJointType*)*state;
    for (int trial = 0; trial < N_TRIAL; trial++) {
        Sample c = sample_joint(type, ELV_DRIVE_PASSIVE, trial);
        ElvMotion port = run_forward(&c, root_at(&c, 0.0), c.q, c.v, c.a);
        double e_V[2], e_A[2];
        for (int i = 0; i < 2; i++) {
            ElvPose g[3];
            for (int j = 0; j < 3; j++) {
                double q[7], t = (j - 1) * steps[i];
                coordinates_at(&c, c.v, c.a, t, q);
                g[j] = run_forward(&c, root_at(&c, t), q, c.v, c.a).g;
            }
            pose_errors(g, steps[i], &port, &e_V[i], &e_A[i]);
        }
        check_slope(e_V);
        check_slope(e_A);

        // the joint's frame is where locate says
        ElvPose moving = elv_pose_compose(port.g, elv_pose_inverse(c.lumped.body_pose));
        ElvVec3 p = elv_pose_apply(c.g_root, c.ops->locate(&c.lumped.joint, c.q));
        CHECK_ARRAY_NEAR(&moving.p.x, &p.x, 3, 1e-14);
        sample_free(&c);
    }
}

static void test_screws(void** state) {
    ElvJointType type = *(const ElvJointType*)*state;
    for (int trial = 0; trial < N_TRIAL; trial++) {
        Sample c = sample_joint(type, ELV_DRIVE_PASSIVE, trial);
        ElvTwist screw[6];
        ElvMotion port = run_forward(&c, resting_root(&c), c.q, c.v, c.a);
        c.ops->screws(&c.lumped.joint, c.work, screw);
        for (int k = 0; k < c.n_v; k++) {
            double e[2], unused, unit[6] = {0.0}, zero[6] = {0.0};
            unit[k] = 1.0;
            port.V = screw[k];
            for (int i = 0; i < 2; i++) {
                ElvPose g[3];
                for (int j = 0; j < 3; j++) {
                    double q[7];
                    coordinates_at(&c, unit, zero, (j - 1) * steps[i], q);
                    g[j] = run_forward(&c, resting_root(&c), q, zero, zero).g;
                }
                pose_errors(g, steps[i], &port, &e[i], &unused);
            }
            check_slope(e);
        }
        sample_free(&c);
    }
}

static void test_rate(void** state) {
    ElvJointType type = *(const ElvJointType*)*state;
    for (int trial = 0; trial < N_TRIAL; trial++) {
        Sample c = sample_joint(type, ELV_DRIVE_PASSIVE, trial);
        double q_dot[7], e[2] = {0.0, 0.0};
        c.ops->rate(&c.lumped.joint, c.q, c.v, q_dot);
        for (int i = 0; i < 2; i++) {
            double q[2][7];
            coordinates_at(&c, c.v, c.a, -steps[i], q[0]);
            coordinates_at(&c, c.v, c.a, steps[i], q[1]);
            for (int k = 0; k < c.lumped.joint.n_q; k++) {
                e[i] = fmax(e[i], fabs(0.5 * (q[1][k] - q[0][k]) / steps[i] - q_dot[k]));
            }
        }
        check_slope(e);
        sample_free(&c);
    }
}

// tau v is the power of the wrench on the relative twist, and of the rotors
static void test_power(void** state) {
    ElvJointType type = *(const ElvJointType*)*state;
    for (int trial = 0; trial < N_TRIAL; trial++) {
        Sample c = sample_joint(type, ELV_DRIVE_PASSIVE, trial);
        ElvMotion root = root_at(&c, 0.0);
        ElvMotion port = run_forward(&c, root, c.q, c.v, c.a);
        ElvVec3 moment = random_vec3(&c.random, 10.0);
        ElvWrench W = elv_wrench(moment, random_vec3(&c.random, 10.0)), W_root;
        ElvJointInput in = {.load = 1.0, .t = 0.7, .q = c.q, .v = c.v, .a = c.a};
        double tau[6], power = 0.0;
        c.ops->backward(&c.lumped.joint, c.work, &in, &W, &W_root, tau);
        for (int k = 0; k < c.n_v; k++) {
            power += (tau[k] - c.def.rotor_inertia[k] * c.a[k]) * c.v[k];
        }

        // some hundred watts, summed from a dozen terms
        CHECK_NEAR(power, elv_power(elv_twist_sub(port.V, root.V), W), 1e-12);
        CHECK_ARRAY_NEAR(&W_root.mom.x, &W.mom.x, 3, 0.0);
        CHECK_ARRAY_NEAR(&W_root.frc.x, &W.frc.x, 3, 0.0);
        sample_free(&c);
    }
}

// v^T M w is twice the mixed kinetic energy of the port's inertia and the rotors
static void test_composite(void** state) {
    ElvJointType type = *(const ElvJointType*)*state;
    enum { LD = 9 };
    for (int trial = 0; trial < N_TRIAL; trial++) {
        Sample c = sample_joint(type, ELV_DRIVE_PASSIVE, trial);
        double w[6], M[6 * LD], mixed = 0.0, rotors = 0.0;
        random_array(&c.random, -1.0, 1.0, w);
        ElvMotion port_v = run_forward(&c, resting_root(&c), c.q, c.v, c.a);
        ElvMotion port_w = run_forward(&c, resting_root(&c), c.q, w, c.a);
        ElvInertia I_body =
            elv_inertia_rigid(2.0, random_vec3(&c.random, 0.5), elv_mat3_diag(0.3, 0.4, 0.5));
        ElvInertia I = elv_inertia_transform(port_v.g, I_body), I_root;
        ElvTwist screw[6];
        ElvWrench momentum[6], sum = elv_wrench_zero();
        for (int i = 0; i < 6 * LD; i++) {
            M[i] = 1e9;
        }
        c.ops->screws(&c.lumped.joint, c.work, screw);
        c.ops->composite(&c.lumped.joint, c.work, &I, &I_root, momentum, M, LD);
        for (int i = 0; i < c.n_v; i++) {
            sum = elv_wrench_add_scaled(sum, w[i], momentum[i]);
            rotors += c.v[i] * c.def.rotor_inertia[i] * w[i];
            for (int j = 0; j < c.n_v; j++) {
                mixed += c.v[i] * M[i * LD + j] * w[j];
            }
            CHECK_NEAR(M[i * LD + c.n_v], 1e9, 0.0);
        }

        // about 10 J, from sums of some tens of terms
        ElvWrench expected = elv_inertia_apply(I, port_w.V);
        CHECK_NEAR(mixed, elv_power(port_v.V, expected) + rotors, 1e-12);
        CHECK_ARRAY_NEAR(&sum.mom.x, &expected.mom.x, 3, 1e-12);
        CHECK_ARRAY_NEAR(&sum.frc.x, &expected.frc.x, 3, 1e-12);
        CHECK_TRUE(memcmp(&I_root, &I, sizeof I) == 0);
        sample_free(&c);
    }
}

// spring effort by differences of the energy along each velocity, then dampers and drive
static void test_efforts(void** state) {
    ElvJointType type = *(const ElvJointType*)*state;
    const double t = 0.7;
    for (int trial = 0; trial < N_TRIAL; trial++) {
        Sample c = sample_joint(type, trial % 2 ? ELV_DRIVE_PASSIVE : ELV_DRIVE_FORCE, trial);
        double upsilon[6], effort[6], zero[6] = {0.0};
        ElvJointInput in = {.t = t, .load = 1.0, .q = c.q, .v = c.v, .a = c.a};
        double size[6];
        c.ops->efforts(&c.lumped.joint, c.work, &in, upsilon, size);
        c.ops->drive(&c.lumped.joint, &in, effort);
        for (int k = 0; k < c.n_v; k++) {
            double expected = trial % 2 ? 0.0 : elv_law_value(c.law[k], t, 0.0);
            CHECK_NEAR(effort[k], expected, 0.0);
            double spring = upsilon[k] - expected + c.def.damping[k] * c.v[k];

            // fourth-order difference at h = 1e-3: truncation 1e-12 U^(5)/30, rounding 1e-15/h
            double U[4], unit[6] = {0.0}, h = 1e-3;
            const double time[4] = {-2.0, -1.0, 1.0, 2.0};
            unit[k] = 1.0;
            for (int i = 0; i < 4; i++) {
                double q[7];
                coordinates_at(&c, unit, zero, time[i] * h, q);
                U[i] = energy_at(&c, q);
            }
            CHECK_NEAR(spring, -(8.0 * (U[2] - U[1]) - (U[3] - U[0])) / (12.0 * h), 1e-10);
        }
        sample_free(&c);
    }
}

// pose, v and a of an imposed motion against differences in time
static void test_impose(void** state) {
    ElvJointType type = *(const ElvJointType*)*state;
    const double t = 0.4;
    for (int trial = 0; trial < N_TRIAL; trial++) {
        Sample c = sample_joint(type, ELV_DRIVE_MOTION, trial);
        ElvJoint* joint = &c.lumped.joint;
        CHECK_TRUE(joint->is_motion_driven);
        c.ops->impose(joint, t, c.q, c.v, c.a);
        ElvMotion port = run_forward(&c, resting_root(&c), c.q, c.v, c.a);
        double q_dot[7], e_V[2], e_A[2], e_q[2] = {0.0, 0.0};
        c.ops->rate(joint, c.q, c.v, q_dot);
        for (int i = 0; i < 2; i++) {
            ElvPose g[3];
            double q[3][7];
            for (int j = 0; j < 3; j++) {
                double v[6], a[6];
                c.ops->impose(joint, t + (j - 1) * steps[i], q[j], v, a);
                g[j] = run_forward(&c, resting_root(&c), q[j], v, a).g;
            }
            pose_errors(g, steps[i], &port, &e_V[i], &e_A[i]);
            for (int k = 0; k < joint->n_q; k++) {
                e_q[i] = fmax(e_q[i], fabs(0.5 * (q[2][k] - q[0][k]) / steps[i] - q_dot[k]));
            }
        }
        check_slope(e_V);
        check_slope(e_A);
        check_slope(e_q);
        sample_free(&c);
    }
}

// ---- single tests

// quarter turns and displacements whose outcome can be told by hand
static void test_pose(void** state) {
    (void)state;
    const double turn = 1.5707963267948966;
    const struct {
        ElvJointType type;
        ElvVec3 axis;
        double position[6];
        ElvVec3 x, y, p; // images of the axes x and y, and of the origin
    } cases[] = {
        {ELV_JOINT_FIXED, {0, 0, 0}, {0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}},
        {ELV_JOINT_REVOLUTE, {0, 0, 2}, {turn}, {0, 1, 0}, {-1, 0, 0}, {0, 0, 0}},
        {ELV_JOINT_PRISMATIC, {0, 3, 0}, {0.5}, {1, 0, 0}, {0, 1, 0}, {0, 0.5, 0}},
        {ELV_JOINT_HELICAL, {1, 0, 0}, {turn}, {1, 0, 0}, {0, 0, 1}, {0.2 * turn, 0, 0}},
        {ELV_JOINT_CYLINDRICAL, {0, 1, 0}, {turn, 0.3}, {0, 0, -1}, {0, 1, 0}, {0, 0.3, 0}},
        {ELV_JOINT_UNIVERSAL, {1, 0, 0}, {turn, turn}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}},
        {ELV_JOINT_PLANAR, {0, 0, 1}, {turn, 1, 2}, {0, 1, 0}, {-1, 0, 0}, {1, 2, 0}},
        {ELV_JOINT_PLANAR, {1, 0, 0}, {turn, 1, 2}, {1, 0, 0}, {0, 0, 1}, {0, 1, 2}},
        {ELV_JOINT_PLANAR, {0, 1, 0}, {turn, 1, 2}, {0, 0, -1}, {0, 1, 0}, {2, 0, 1}},
        {ELV_JOINT_SPHERICAL, {0, 0, 0}, {turn, 0, turn}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}},
        {ELV_JOINT_FREE, {0, 0, 0}, {0, turn, turn, 1, 2, 3}, {0, 0, -1}, {-1, 0, 0}, {1, 2, 3}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ElvJointDef def = {.type = cases[i].type, .axis = cases[i].axis, .pitch = 0.2};
        def.axis2 = elv_vec3(0.0, 1.0, 0.0);
        memcpy(def.position, cases[i].position, sizeof def.position);
        ElvLumped lumped;
        ElvError error;
        CHECK_STATUS(elv_lumped_init(&lumped, &def, elv_pose_identity(), NULL, NULL, "b", &error),
                     &error);
        double q[7], v[6];
        lumped.joint.ops->initial(&lumped.joint, q, v);
        ElvPose g = elv_lumped_type(def.type)->pose(&lumped, q);
        ElvVec3 x = elv_mat3_column(g.R, 0), y = elv_mat3_column(g.R, 1);
        CHECK_ARRAY_NEAR(&x.x, &cases[i].x.x, 3, 1e-15);
        CHECK_ARRAY_NEAR(&y.x, &cases[i].y.x, 3, 1e-15);
        CHECK_ARRAY_NEAR(&g.p.x, &cases[i].p.x, 3, 1e-15);
    }
}

// energies and efforts of springs that can be written down
static void test_spring(void** state) {
    (void)state;
    Sample c = sample_joint(ELV_JOINT_PLANAR, ELV_DRIVE_PASSIVE, 0);
    double energy = 0.0;
    for (int k = 0; k < 3; k++) {
        energy += 0.5 * c.def.stiffness[k] * pow(c.def.position[k] - c.def.rest[k], 2.0);
    }
    CHECK_NEAR(energy_at(&c, c.q), energy, 1e-14);
    sample_free(&c);

    // 2.9 rad about y and a displacement along z, with the quaternion of either sign
    c = sample_joint(ELV_JOINT_FREE, ELV_DRIVE_PASSIVE, 0);
    const double* k = c.def.stiffness;
    for (int sign = -1; sign <= 1; sign += 2) {
        double q[7] = {sign * cos(1.45), 0.0, sign * sin(1.45), 0.0, 0.0, 0.0, 0.6};
        double upsilon[6], zero[6] = {0.0};
        ElvJointInput in = {.load = 1.0, .q = q, .v = zero, .a = zero};
        CHECK_NEAR(energy_at(&c, q), 0.5 * k[1] * 2.9 * 2.9 + 0.5 * k[5] * 0.36, 1e-14 * 40.0);
        double size[6];
        c.ops->efforts(&c.lumped.joint, c.work, &in, upsilon, size);
        double expected[6] = {0.0, -k[1] * 2.9,           0.0, k[5] * 0.6 * sin(2.9),
                              0.0, -k[5] * 0.6 * cos(2.9)};
        CHECK_ARRAY_NEAR(upsilon, expected, 6, 1e-14);
    }
    sample_free(&c);
}

// rotation and position of an imposed free motion, also upside down and after several turns
static void test_impose_pose(void** state) {
    (void)state;
    for (int trial = 0; trial < N_TRIAL; trial++) {
        Sample c = sample_joint(ELV_JOINT_FREE, ELV_DRIVE_MOTION, trial);
        double x[6], t = 10.0 * trial;
        ElvError error;
        elv_law_free(c.law[trial % 3]);
        CHECK_STATUS(elv_law_formula("2*t + pi/2", NULL, 0, &c.law[trial % 3], &error), &error);
        c.lumped.law[trial % 3] = c.law[trial % 3];
        for (int k = 0; k < 6; k++) {
            x[k] = elv_law_value(c.law[k], t, 0.0);
        }
        c.ops->impose(&c.lumped.joint, t, c.q, c.v, c.a);
        ElvPose g = c.lumped.type->pose(&c.lumped, c.q);
        ElvMat3 R = elv_so3_from_rpy(x[0], x[1], x[2]);
        CHECK_ARRAY_NEAR(&g.R.m[0][0], &R.m[0][0], 9, 1e-15);
        CHECK_ARRAY_NEAR(&g.p.x, x + 3, 3, 0.0);
        CHECK_NEAR(elv_quat_norm(elv_quat(c.q[0], c.q[1], c.q[2], c.q[3])), 1.0, 4e-16);
        sample_free(&c);
    }
}

// a joint that is not driven keeps its state, and its rotation
static void test_impose_passive(void** state) {
    ElvJointType type = *(const ElvJointType*)*state;
    Sample c = sample_joint(type, ELV_DRIVE_PASSIVE, 0), d = c;
    bool is_quat = type == ELV_JOINT_SPHERICAL || type == ELV_JOINT_FREE;
    for (int k = 0; is_quat && k < 4; k++) {
        d.q[k] *= -3.0;
    }
    d.ops->impose(&d.lumped.joint, 0.5, d.q, d.v, d.a);
    for (int k = 0; is_quat && k < 4; k++) {
        d.q[k] *= -1.0;
    }
    CHECK_ARRAY_NEAR(d.q, c.q, 7, 4e-16);
    CHECK_ARRAY_NEAR(d.v, c.v, 6, 0.0);
    CHECK_ARRAY_NEAR(d.a, c.a, 6, 0.0);
    sample_free(&c);
}

static void check_rejected(ElvJointType type, ElvVec3 axis, ElvVec3 axis2, const char* field) {
    ElvJointDef def = {.type = type, .axis = axis, .axis2 = axis2};
    ElvLumped lumped;
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status =
        elv_lumped_init(&lumped, &def, elv_pose_identity(), NULL, NULL, "arm", &error);
    CHECK_TRUE(status == (field ? ELV_ERROR_INPUT : ELV_OK));
    CHECK_TRUE(elv_lumped_init(&lumped, &def, elv_pose_identity(), NULL, NULL, "arm", NULL) ==
               status);
    if (field) {
        assert_string_equal(error.element, "arm");
        assert_string_equal(error.field, field);
        CHECK_TRUE(strlen(error.message) > 0);
    }
}

static void test_axes(void** state) {
    (void)state;
    ElvVec3 zero = elv_vec3(0.0, 0.0, 0.0), z = elv_vec3(0.0, 0.0, 1.0);
    for (int i = 0; i < ELV_N_JOINT_TYPE; i++) {
        ElvJointType type = (ElvJointType)i;
        bool is_axial =
            type != ELV_JOINT_FIXED && type != ELV_JOINT_SPHERICAL && type != ELV_JOINT_FREE;
        ElvVec3 y = elv_vec3(0.0, 1.0, 0.0);
        check_rejected(type, zero, y, is_axial ? "joint.axis" : NULL);
        check_rejected(type, elv_vec3(NAN, 0.0, 1.0), y, is_axial ? "joint.axis" : NULL);
        check_rejected(type, elv_vec3(0.0, INFINITY, 1.0), y, is_axial ? "joint.axis" : NULL);
        check_rejected(type, elv_vec3(0.0, 1e-300, 1e-300), y, NULL);
        check_rejected(type, elv_vec3(0.0, 1e300, 1e300), y, NULL);
    }
    check_rejected(ELV_JOINT_UNIVERSAL, z, zero, "joint.axis2");
    check_rejected(ELV_JOINT_UNIVERSAL, z, elv_vec3(0.0, 0.0, -2.0), "joint.axis2");
    check_rejected(ELV_JOINT_UNIVERSAL, z, elv_vec3(0.0, 1e-9, 1.0), "joint.axis2");
    check_rejected(ELV_JOINT_UNIVERSAL, z, elv_vec3(0.0, 1e-3, 1.0), NULL);
    check_rejected(ELV_N_JOINT_TYPE, z, z, "joint.type");
    CHECK_TRUE(elv_lumped_type(ELV_N_JOINT_TYPE) == NULL);

    // unit axes, and a right-handed frame on the plane
    for (int trial = 0; trial < 20; trial++) {
        Sample c = sample_joint(ELV_JOINT_PLANAR, ELV_DRIVE_PASSIVE, trial);
        ElvVec3 n = c.lumped.axis, e1 = c.lumped.plane[0], e2 = c.lumped.plane[1];
        ElvVec3 scaled = elv_vec3_scale(1.0 / elv_vec3_norm(c.def.axis), c.def.axis);
        ElvVec3 e12 = elv_vec3_cross(e1, e2);
        CHECK_ARRAY_NEAR(&n.x, &scaled.x, 3, 4e-16);
        CHECK_ARRAY_NEAR(&n.x, &e12.x, 3, 1e-15);
        CHECK_NEAR(elv_vec3_norm(e1), 1.0, 4e-16);
        CHECK_NEAR(elv_vec3_norm(e2), 1.0, 4e-16);
        sample_free(&c);
    }
}

int main(void) {
    static const struct {
        const char* name;
        CMUnitTestFunction run;
    } by_type[] = {
        {"motion", test_motion},       {"screws", test_screws},
        {"rate", test_rate},           {"power", test_power},
        {"composite", test_composite}, {"efforts", test_efforts},
        {"impose", test_impose},       {"impose passive", test_impose_passive},
    };
    enum { N_BY_TYPE = sizeof by_type / sizeof by_type[0] };
    struct CMUnitTest tests[N_BY_TYPE * ELV_N_JOINT_TYPE + 4] = {
        cmocka_unit_test(test_pose),
        cmocka_unit_test(test_spring),
        cmocka_unit_test(test_impose_pose),
        cmocka_unit_test(test_axes),
    };
    char names[N_BY_TYPE * ELV_N_JOINT_TYPE][32];
    ElvJointType types[ELV_N_JOINT_TYPE];
    for (int i = 0; i < ELV_N_JOINT_TYPE; i++) {
        types[i] = (ElvJointType)i;
        for (int j = 0; j < N_BY_TYPE; j++) {
            int n = i * N_BY_TYPE + j;
            snprintf(names[n], sizeof names[n], "%s %s", by_type[j].name,
                     elv_joint_type_name(types[i]));
            tests[4 + n].name = names[n];
            tests[4 + n].test_func = by_type[j].run;
            tests[4 + n].initial_state = &types[i];
        }
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
