// SPDX-License-Identifier: Apache-2.0
// Checks of contacts of rods (spec_check.h): where they are, what they hold, and what they may
// push.
#include "multibody/spec_check.h"

// a ring lets go along its axis: no force there
static bool check_push(const ElvContactDef* def, ElvError* error) {
    const ElvLawDef* along = &def->preload[0];
    bool has_none = along->kind == ELV_LAW_CONSTANT && along->value == 0.0;
    if (def->pushes < -ELV_PUSH_Z || def->pushes > ELV_PUSH_Z) {
        return elv_check_fail(error, def->name, "pushes",
                              "'pushes' is an axis of the section: x, y, z, -x, -y or -z");
    }
    if (def->kind == ELV_CONTACT_RING &&
        (def->pushes == ELV_PUSH_X || def->pushes == -ELV_PUSH_X)) {
        return elv_check_fail(error, def->name, "pushes",
                              "a ring does not push along the rod: take y, -y, z or -z");
    }
    if (def->kind == ELV_CONTACT_RING && !has_none) {
        return elv_check_fail(error, def->name, "preload",
                              "a ring has no force along the rod: the first number of its preload "
                              "is 0");
    }
    return true;
}

bool elv_check_contact(const ElvSpec* spec, const ElvContactDef* def, ElvError* error) {
    if (!elv_check_name(spec, def->name, "contact", error)) {
        return false;
    }
    if (!def->rod || !def->rod[0]) {
        return elv_check_fail(error, def->name, "rod",
                              "'rod' is missing: name the rod that the contact touches");
    }
    if (!def->on || !def->on[0]) {
        return elv_check_fail(error, def->name, "on",
                              "'on' is missing: name the frame of the obstacle, or 'world'");
    }
    if (def->slides && def->kind != ELV_CONTACT_RING) {
        return elv_check_fail(error, def->name, "slides",
                              "an anchor does not slide: give its station as a law of t, or take "
                              "'type: ring'");
    }
    if (def->slides && def->station.kind != ELV_LAW_CONSTANT) {
        return elv_check_fail(error, def->name, "station",
                              "a ring that slides finds its station: give the number that it "
                              "starts from, or remove 'slides'");
    }
    if (def->station.kind == ELV_LAW_CONSTANT &&
        !(def->station.value >= 0.0 && def->station.value <= 1.0)) {
        return elv_check_fail(error, def->name, "station",
                              "'station' is %.9g: stations of a rod go from 0 at its root to 1 at "
                              "its tip",
                              def->station.value);
    }
    return check_push(def, error) &&
           elv_check_laws(def->name, "station", &def->station, 1, error) &&
           elv_check_laws(def->name, "while", &def->when, 1, error) &&
           elv_check_laws(def->name, "preload", def->preload, 3, error);
}
