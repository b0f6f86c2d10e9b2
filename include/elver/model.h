// SPDX-License-Identifier: Apache-2.0
// The compiled model (immutable), the state (small) and the workspace (recomputable).
#ifndef ELVER_MODEL_H
#define ELVER_MODEL_H

#include "elver/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

ELV_API void elv_model_free(ElvModel* model);

ELV_API const char* elv_model_name(const ElvModel* model);
ELV_API ElvVec3 elv_model_gravity(const ElvModel* model);
ELV_API int elv_model_nq(const ElvModel* model); ///< configuration coordinates
ELV_API int elv_model_nv(const ElvModel* model); ///< velocity components (degrees of freedom)
ELV_API int elv_model_nz(const ElvModel* model); ///< unknowns of devices: tensions, integrals
ELV_API int elv_model_n_node(const ElvModel* model);
ELV_API ElvSimulateDef elv_model_simulate(const ElvModel* model);
ELV_API ElvStaticsDef elv_model_statics(const ElvModel* model);
ELV_API ElvInverseDef elv_model_inverse(const ElvModel* model);
ELV_API ElvRecordDef elv_model_record(const ElvModel* model);
ELV_API double elv_model_mass(const ElvModel* model); ///< of all bodies and rods, kg

/// One node of the tree, for listings: a body with its lumped joint, or a rod.
typedef struct {
    const char* name;
    const char* parent; // name of the antecedent frame
    bool is_rod;
    ElvJointType joint;      // lumped nodes
    ElvDrive drive;          // lumped nodes
    bool has_servo;          // lumped nodes: a controller with gains leads a coordinate
    int i_q, n_q;            // its slice of the configuration
    int i_v, n_v;            // its slice of the velocities
    double mass;             // kg
    double length;           // rods, m
    int n_segment;           // rods: smooth pieces with quadrature nodes of their own
    int n_quadrature;        // rods: quadrature nodes in all
    int modes[ELV_N_STRAIN]; // rods: modes per strain over all elements
    bool is_imposed;         // rods: some strain follows a motion
    // rods: how far the modes of an imposed strain miss its law, relative to its size, a tenth of that for its
    // rate or a hundredth for its acceleration if that is more; -1 for strains that are not imposed
    double motion_error[ELV_N_STRAIN];
} ElvNodeInfo;

ELV_API ElvNodeInfo elv_model_node(const ElvModel* model, int i_node);

/// The fluid of a model at an instant, for listings. Density 0: there is none.
typedef struct {
    double density;  // kg/m^3
    ElvVec3 current; // at the world's origin, m/s
    bool is_field;   // the current varies in place: by laws of x, y, z, or by a callback
    bool has_surface;
    double surface; // its height, m
} ElvFluidInfo;

ELV_API ElvFluidInfo elv_model_fluid(const ElvModel* model, double t);

/// What a node of the tree feels of it, for listings.
typedef struct {
    bool is_felt;
    bool is_buoyant, has_drag, has_lift, is_resisted, is_slender;
    double displaced; // mass of the fluid in its place, under water, kg; 0: it is not buoyant
    ElvVec3 added;    // added mass along its axes, of a rod summed up along it as if straight, kg
} ElvFluidFelt;

ELV_API ElvFluidFelt elv_model_fluid_felt(const ElvModel* model, int i_node);

/// One device, for listings: a tendon, chamber, muscle, pattern or controller.
typedef struct {
    const char* kind; // as signals spell it: "tendon"
    const char* name;
    int i_z, n_z;         // its slice of the unknowns
    bool is_differential; // they are integrated; else they follow from the motion
    int n_row;            // constraints on the motion, of contacts that do not act too
} ElvDeviceInfo;

ELV_API int elv_model_n_device(const ElvModel* model);
ELV_API ElvDeviceInfo elv_model_device(const ElvModel* model, int i_device);

/// Times in ]t_begin, t_end] at which a law of the model or its derivative jumps, sorted and distinct;
/// writes at most capacity of them. Returns their number, or capacity + 1 if there may be more than
/// were written: search a shorter interval then.
ELV_API size_t elv_model_breakpoints(
    const ElvModel* model, double t_begin, double t_end, double* out, size_t capacity);

// ---- frames

/// A frame fixed to a body or to a section of a rod.
typedef struct {
    int port;     // index of the body or section that carries it
    ElvPose pose; // in the port's frame
} ElvFrame;

/// Resolve a frame reference ("arm.tip", "gripper", "arm.at(0.5)", a named frame, "world").
/// Stations of a rod must be known to the model: its ends, and stations used by a child, a frame,
/// a load or a recorded signal.
ELV_API ELV_NODISCARD ElvStatus elv_model_frame(const ElvModel* model,
                                                const char* reference,
                                                ElvFrame* frame,
                                                ElvError* error);

// ---- state

/// Accounts of energy that a run keeps when it is asked to (ElvSimulateDef.keeps_work): time integrals of ElvPowers
/// since they were opened, J.
typedef struct {
    bool is_kept;
    double actuators, loads, dissipated, fluid;
    double stored; // kinetic, elastic and gravity energy when they were opened
} ElvWork;

/// Everything that changes in time. Copy it to make a checkpoint.
typedef struct {
    double t;       // s
    double* q;      // configuration            (nq)
    double* v;      // velocity                 (nv)
    double* a;      // acceleration             (nv)
    double* z;      // unknowns of devices: tensions, integrals (nz)
    double* z_rate; // their rates, of those that have one      (nz)
    int nq, nv, nz;
    // what an implicit integrator remembers, in the chart of the step (elver/integrate.h)
    double* aux;      // auxiliary acceleration            (nv)
    double* nu_past;  // increment of the last step        (nv)
    double* w_past;   // rates before the last step        (nv)
    double* effort;   // largest efforts met so far        (nv + nz)
    double aux_lead;  // time from t to that which aux stands for, s
    double step_past; // length of the last step, s; 0: no step yet
    double step_next; // length to try next, s; 0: the one of the options
    int n_calm;       // steps since the last start; below 0: steps of recovery still to come
    ElvWork work;     // accounts of energy; closed at a reset
} ElvState;

/// The state at t = 0 as the model file gives it (accelerations zero).
ELV_API ELV_NODISCARD ElvStatus elv_state_create(const ElvModel* model,
                                                 ElvState** state,
                                                 ElvError* error);
ELV_API void elv_state_free(ElvState* state);
ELV_API void elv_state_copy(ElvState* to, const ElvState* from);

/// Back to the initial state.
ELV_API void elv_state_reset(const ElvModel* model, ElvState* state);

/// Set the coordinates, velocities and accelerations of motion-driven joints to their laws at
/// state->t, and make quaternions of unit length.
ELV_API void elv_state_impose(const ElvModel* model, ElvState* state);

/// q_dot of the configuration from the velocities: quaternion rates for spherical and free joints.
ELV_API void elv_state_rate(const ElvModel* model, const ElvState* state, double* q_dot);

/// The configuration q_end (nq) that a displacement d (nv) leads to: what constant velocities d do in a unit of time.
/// Coordinates add; spherical joints turn by exp(d), free joints move by exp(d) on SE(3), d in their own axes. q_end
/// may be q.
ELV_API void
elv_configuration_integrate(const ElvModel* model, const double* q, const double* d, double* q_end);

/// The displacement d (nv) from q to q_end, the shortest turn for joints with a quaternion.
ELV_API void elv_configuration_difference(const ElvModel* model,
                                          const double* q,
                                          const double* q_end,
                                          double* d);

/// Whether velocity component i follows an imposed motion.
ELV_API bool elv_model_is_driven(const ElvModel* model, int i_v);

// ---- workspace

typedef struct ElvData ElvData;

ELV_API size_t elv_data_memsize(const ElvModel* model);

/// One block for every buffer of a computation; one per thread.
ELV_API ELV_NODISCARD ElvStatus elv_data_create(const ElvModel* model,
                                                ElvData** data,
                                                ElvError* error);
ELV_API void elv_data_free(ElvData* data);

#ifdef __cplusplus
}
#endif

#endif
