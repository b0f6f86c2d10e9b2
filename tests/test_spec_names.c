// SPDX-License-Identifier: Apache-2.0
// Names of strains and joint types: the ends of each table, what lies outside, and no repetition.
#include "elver/spec.h"

#include "check.h"

static void test_names(void** state) {
    (void)state;
    assert_string_equal(elv_strain_name(ELV_STRAIN_TWIST), "twist");
    assert_string_equal(elv_strain_name(ELV_STRAIN_SHEAR_Z), "shear_z");
    assert_string_equal(elv_strain_name(ELV_N_STRAIN), "?");
    assert_string_equal(elv_joint_type_name(ELV_JOINT_FIXED), "fixed");
    assert_string_equal(elv_joint_type_name(ELV_JOINT_FREE), "free");
    assert_string_equal(elv_joint_type_name(ELV_N_JOINT_TYPE), "?");
    assert_string_equal(elv_joint_type_name((ElvJointType)-1), "?");
    // none is missing, no two are the same
    for (int i = 0; i < ELV_N_JOINT_TYPE; i++) {
        for (int j = 0; j < i; j++) {
            assert_string_not_equal(elv_joint_type_name((ElvJointType)i),
                                    elv_joint_type_name((ElvJointType)j));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
