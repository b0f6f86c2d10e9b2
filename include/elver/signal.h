// SPDX-License-Identifier: Apache-2.0
// Signals: named quantities of a model, as columns of numbers with units.
//
//   FRAME.position            x, y, z                    m     world axes
//   FRAME.orientation         w, x, y, z                 -     unit quaternion
//   FRAME.velocity            x, y, z                    m/s   of the origin, world axes
//   FRAME.angular_velocity    x, y, z                    rad/s world axes
//   FRAME.acceleration        x, y, z                    m/s^2 of the origin, world axes
//   FRAME.twist               six, body axes
//   NODE.q NODE.v NODE.a      coordinates of a joint or rod: NODE.q.0, NODE.q.1, …
//   NODE.effort               effort of a joint's drive, or of a rod's imposed modes
//                             (elv_drive_efforts): NODE.effort.0, …
//   NODE.effort_projective    effort of a joint by the projective recursion, for comparison: wrong
//                             but for leaves (elv_locomotion_projective_torques); bodies alone
//   NODE.power                power that it puts in        W
//   ROD.strain(S)             twist, bend_y, bend_z, stretch, shear_y, shear_z at station S
//   ROD.stress(S)             internal wrench Lambda at station S, section frame
//   ROD.actuation(S)          its part that elasticity and damping do not give (elv_rod_actuation)
//   energy                    kinetic, elastic, gravity, total     J
//   momentum                  linear.x … z (kg m/s), angular.x … z (kg m^2/s), world origin
//   com                       x, y, z                    m
//   power                     of the drives of all joints and rods   W
//   power.ACCOUNT             actuators, loads, dissipated, fluid (elv_powers)   W
//   work                      actuators, loads, dissipated, fluid: integrals of these; error   J
//
// and what devices measure, by kind and name:
//   tendon.NAME.length        m                          tendon.NAME.rate       m/s
//   tendon.NAME.tension       N, where it is pulled
//   tendon.NAME.gradient      of the length by the velocity components of the model: .0, .1, …
//   chamber.NAME.volume       m^3                        chamber.NAME.pressure  Pa
//   muscle.NAME.length        m                          muscle.NAME.rate       m/s
//   muscle.NAME.activation    0 to 1, of muscles with a pattern
//   pattern.NAME.phase        rad, of each oscillator: .0, .1, …
//   pattern.NAME.amplitude    of each oscillator: .0, .1, …
//   control.NAME.error        angular.x … linear.z       rad/s, m/s
//   control.NAME.integral     angular.x … linear.z       rad, m
//   control.NAME.wrench       moment.x … force.z         N m, N
//   wheel.NAME.angle          rad                        wheel.NAME.rate        rad/s
//   wheel.NAME.torque         N m, of its motor          wheel.NAME.power       W
//   wheel.NAME.force          side, ahead: N             wheel.NAME.slip        side, ahead: m/s
//   integral.NODE.value       of a joint's controller    -     first component with an integral gain
//
// FRAME is any frame reference; a one-component name such as "energy.kinetic" or
// "arm.tip.position.x" selects a single column.
#ifndef ELVER_SIGNAL_H
#define ELVER_SIGNAL_H

#include "elver/dynamics.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A list of signals resolved against a model, with a scratch buffer: one per thread.
typedef struct ElvSignals ElvSignals;

/// error->element is "record" and error->field "signals[i]" for a bad name.
ELV_API ELV_NODISCARD ElvStatus elv_signals_create(const ElvModel* model,
                                                   const char* const* name,
                                                   int n_name,
                                                   ElvSignals** signals,
                                                   ElvError* error);
ELV_API void elv_signals_free(ElvSignals* signals);

/// For methods whose rods have no coordinates: ELV_ERROR_INPUT for the first signal that needs them
/// (q, v and a of a rod, the gradient of a tendon), with element and field as for a bad name.
/// method: its name in model files.
ELV_API ELV_NODISCARD ElvStatus elv_signals_refuse_modal(const ElvSignals* signals,
                                                         const char* method,
                                                         ElvError* error);

ELV_API int elv_signals_n_column(const ElvSignals* signals);
ELV_API const char* elv_signals_column_name(const ElvSignals* signals, int i);
ELV_API const char* elv_signals_column_unit(const ElvSignals* signals, int i);

/// Append a column of the caller's own: elv_signals_eval leaves its value alone.
ELV_API ELV_NODISCARD ElvStatus elv_signals_append(ElvSignals* signals,
                                                   const char* name,
                                                   const char* unit,
                                                   ElvError* error);

/// Values of every column; call it after elv_idm on the same state, or in a record of elv_simulate.
/// Allocates nothing.
ELV_API void elv_signals_eval(ElvSignals* signals,
                              const ElvModel* model,
                              ElvData* data,
                              const ElvState* state,
                              double* value);

#ifdef __cplusplus
}
#endif

#endif
