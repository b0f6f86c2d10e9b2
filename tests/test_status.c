// SPDX-License-Identifier: Apache-2.0
// Status texts and error filling: every field, cutting of long text, NULL, arguments that alias.
#include "check.h"

static void test_texts(void** state) {
    (void)state;
    CHECK_TRUE(strcmp(elv_status_text(ELV_OK), "ok") == 0);
    CHECK_TRUE(strcmp(elv_status_text(ELV_ERROR_CANCELLED), "cancelled by the caller") == 0);

    // beyond the list there is still a text
    CHECK_TRUE(strcmp(elv_status_text((ElvStatus)1000), "unknown status") == 0);
    CHECK_TRUE(strcmp(elv_status_text((ElvStatus)-1), "unknown status") == 0);
}

static void test_set_fills_and_clears(void** state) {
    (void)state;
    ElvError error;
    memset(&error, 0xFF, sizeof error);
    ElvStatus status =
        elv_error_set(&error, ELV_ERROR_INPUT, "arm", "length", "length is %d, not %s", -2, "> 0");
    CHECK_TRUE(status == ELV_ERROR_INPUT && error.status == ELV_ERROR_INPUT);
    CHECK_TRUE(error.line == 0 && error.column == 0 && error.file[0] == '\0');
    CHECK_TRUE(strcmp(error.element, "arm") == 0);
    CHECK_TRUE(strcmp(error.field, "length") == 0);
    CHECK_TRUE(strcmp(error.message, "length is -2, not > 0") == 0);

    elv_error_clear(&error);
    CHECK_TRUE(error.status == ELV_OK && error.message[0] == '\0' && error.element[0] == '\0');
}

static void test_null_is_allowed(void** state) {
    (void)state;
    elv_error_clear(NULL);
    CHECK_TRUE(elv_error_set(NULL, ELV_ERROR_STEP, "a", "b", "%d", 1) == ELV_ERROR_STEP);
    ElvError error;
    CHECK_TRUE(elv_error_set(&error, ELV_ERROR_FILE, NULL, NULL, "x") == ELV_ERROR_FILE);
    CHECK_TRUE(error.element[0] == '\0' && error.field[0] == '\0');
}

static void test_long_text_is_cut(void** state) {
    (void)state;
    char text[2000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    ElvError error;
    CHECK_TRUE(elv_error_set(&error, ELV_ERROR_INPUT, text, text, "%s", text) == ELV_ERROR_INPUT);
    CHECK_TRUE(strlen(error.message) == ELV_SIZE_MESSAGE - 1);
    CHECK_TRUE(strlen(error.element) == ELV_SIZE_NAME - 1);
    CHECK_TRUE(strlen(error.field) == ELV_SIZE_NAME - 1);
}

static void test_own_fields_as_arguments(void** state) {
    (void)state;
    ElvError error;
    CHECK_TRUE(elv_error_set(&error, ELV_ERROR_INPUT, "arm", "law", "inner") == ELV_ERROR_INPUT);
    CHECK_TRUE(elv_error_set(&error, ELV_ERROR_FILE, error.element, error.field, "outer: %s",
                             error.message) == ELV_ERROR_FILE);
    CHECK_TRUE(strcmp(error.message, "outer: inner") == 0);
    CHECK_TRUE(strcmp(error.element, "arm") == 0 && strcmp(error.field, "law") == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_set_fills_and_clears),
        cmocka_unit_test(test_null_is_allowed),
        cmocka_unit_test(test_long_text_is_cut),
        cmocka_unit_test(test_own_fields_as_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
