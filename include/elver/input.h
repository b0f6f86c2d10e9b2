// SPDX-License-Identifier: Apache-2.0
// Inputs of a spec by name: the laws through which a running simulation can be steered from outside, each listed
// with its unit and a range for a slider, and replaced before the spec is compiled, by a callback for instance
// that hands out what its owner wants at that moment.
//
//   NODE.effort.K                     of joints driven by a force           N m or N; NODE is a body, or ROD.joint
//   NODE.motion.K                     of joints with an imposed motion      rad or m
//   NODE.target.K                     of joint controllers                  rad or m
//   tendon.NAME.tension, .pull        N, m
//   chamber.NAME.pressure             Pa
//   muscle.NAME.activation            0 to 1, of muscles without a pattern
//   pattern.NAME.frequency, .amplitude  Hz, 0 to 1
//   control.NAME.linear.z ...         of velocity controllers               rad/s, m/s
//   wheel.NAME.torque, .rotation, .rate  N m, rad, rad/s
//   loop.NAME.effort.K, .motion.K     of joints that close loops
//   loop.NAME.pose.x ...              of an imposed pose (roll, pitch, yaw, x, y, z)  rad, m
//   slider.NAME.force, .station       N, 0 to 1
//   loads[I].force.x ...              of the I-th load; N and N m, a metre where it is spread over a rod
//   actuators[I].stress.bend_y ...    of the I-th actuator, a stress spread over a rod  N m, N
//
// Those that `elver linearize` knows have the same names there.
#ifndef ELVER_INPUT_H
#define ELVER_INPUT_H

#include "elver/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ELV_SIZE_INPUT = 160 };

/// kind: what the input belongs to, in static memory: motor (also one that closes a loop), load, actuator, tendon,
/// chamber, muscle, pattern, control, wheel, loop or slider. The suggested range holds the value and what the law
/// takes on while the simulation lasts.
typedef struct {
    char name[ELV_SIZE_INPUT];
    const char* kind;
    const char* unit;
    double value;    // at t = 0; of a field in the middle of its part of the rod
    double min, max; // suggested range
    bool is_motion;  // an imposed motion: its law needs two true derivatives by time
    bool is_field;   // the law depends on the station of a rod
} ElvInputInfo;

/// Inputs that a spec lists: without components of loads, stresses and poses that are constantly 0, which have
/// names all the same.
ELV_API int elv_spec_n_input(const ElvSpec* spec);

/// The i-th of them. A formula that cannot be read is an error, as in elv_spec_compile.
ELV_API ELV_NODISCARD ElvStatus elv_spec_input(const ElvSpec* spec,
                                               int i,
                                               ElvInputInfo* info,
                                               ElvError* error);

/// The law behind a name, compiled with the parameters of the spec; free with elv_law_free.
/// ELV_ERROR_INPUT: no such input, and the nearest name if one is near.
ELV_API ELV_NODISCARD ElvStatus elv_spec_get_law(const ElvSpec* spec,
                                                 const char* name,
                                                 ElvLaw** law,
                                                 ElvError* error);

/// Put another law behind a name; def is copied. A callback is called by whoever evaluates the model: what it
/// returns may change between two steps, not within one. The spec stays as it is on failure.
ELV_API ELV_NODISCARD ElvStatus elv_spec_set_law(ElvSpec* spec,
                                                 const char* name,
                                                 const ElvLawDef* law,
                                                 ElvError* error);

/// Put a callback in place of the current of the fluid, "fluid.current", which the spec must have.
ELV_API ELV_NODISCARD ElvStatus elv_spec_set_current(ElvSpec* spec,
                                                     ElvCurrentCallback callback,
                                                     void* user,
                                                     ElvError* error);

// ---- parameters

ELV_API int elv_spec_n_parameter(const ElvSpec* spec);

/// The i-th parameter; its name lives as long as the spec.
ELV_API ElvParameter elv_spec_parameter(const ElvSpec* spec, int i);

#ifdef __cplusplus
}
#endif

#endif
