// SPDX-License-Identifier: Apache-2.0
// Central pattern generator: a chain of phase oscillators, each pulled towards its place behind the one
// before, with amplitudes that follow a law and phases that feel the body:
//     phi_i' = 2 pi f + w sin(phi_(i-1) - phi_i - lag) + w sin(phi_(i+1) - phi_i + lag) + g x_i sin(phi_i)
//     r_i'   = rate (amplitude - r_i),      x_i = sum of weight L / sum of L over the muscles of oscillator i
// z = (phi_0 ..., r_0 ...). A muscle is activated by r (1 + cos(phi + phase)) / 2, from 0 to r.
#include "multibody/pattern.h"

#include "base/number_text.h"
#include "multibody/device_command.h"

#include <math.h>
#include <string.h>

static const double TWO_PI = 6.283185307179586476925;

static const ElvPattern* as_pattern(const ElvDevice* device) {
    return (const ElvPattern*)device;
}

static double activation(const ElvPatternDrive* drive, const double* phase, const double* r) {
    return 0.5 * r[drive->i_oscillator] * (1.0 + cos(phase[drive->i_oscillator] + drive->phase));
}

static void initial(const ElvDevice* device, double* z) {
    const ElvPattern* pattern = as_pattern(device);
    for (int i = 0; i < pattern->n_oscillator; i++) {
        z[i] = -i * pattern->lag;
        z[pattern->n_oscillator + i] = 0.0;
    }
}

static void input(const ElvDevice* device, const ElvScene* scene) {
    const ElvPattern* pattern = as_pattern(device);
    const double* phase = scene->state->z + device->i_z;
    for (int i = 0; i < pattern->n_drive; i++) {
        const ElvPatternDrive* drive = &pattern->drive[i];
        scene->data->u[drive->i_channel] =
            scene->data->load * activation(drive, phase, phase + pattern->n_oscillator);
    }
}

// ---- feedback

/// What an oscillator feels: x, and one variation of it.
typedef struct {
    double x, d_x;
} Sense;

// variation of the length of a muscle
static double vary_length(const ElvPatternDrive* drive, const ElvScene* scene, const double* d_nu) {
    const ElvNode* node = &scene->model->node[drive->i_node];
    const double* d_value = scene->data->channel[drive->i_channel].d_value;
    double sum = 0.0;
    for (int k = 0; k < node->joint->n_v; k++) {
        sum += elv_joint_is_driven(node->joint, k) ? 0.0 : d_value[k] * d_nu[node->i_v + k];
    }
    return scene->data->unknown[drive->i_node].c * sum;
}

// d_nu NULL: x alone
static Sense
feel(const ElvPattern* pattern, const ElvScene* scene, int i_oscillator, const double* d_nu) {
    double length = 0.0;
    double d_length = 0.0;
    Sense sum = {0.0, 0.0};
    for (int i = 0; i < pattern->n_drive; i++) {
        const ElvPatternDrive* drive = &pattern->drive[i];
        if (drive->i_oscillator == i_oscillator) {
            double L = scene->data->channel[drive->i_channel].value;
            double d_L = d_nu ? vary_length(drive, scene, d_nu) : 0.0;
            length += L;
            d_length += d_L;
            sum.x += drive->weight * L;
            sum.d_x += drive->weight * d_L;
        }
    }
    if (!(length > 0.0)) {
        return (Sense){0.0, 0.0};
    }
    double x = sum.x / length;
    return (Sense){x, (sum.d_x - x * d_length) / length};
}

// ---- equations

static void equation(const ElvDevice* device, const ElvScene* scene, double* c, double* size) {
    const ElvPattern* pattern = as_pattern(device);
    int n = pattern->n_oscillator;
    const double* phase = scene->state->z + device->i_z;
    double speed = TWO_PI * elv_law_value(pattern->frequency, scene->state->t, 0.0);
    double wanted = elv_law_value(pattern->amplitude, scene->state->t, 0.0);
    for (int i = 0; i < n; i++) {
        double before = i > 0 ? sin(phase[i - 1] - phase[i] - pattern->lag) : 0.0;
        double after = i + 1 < n ? sin(phase[i + 1] - phase[i] + pattern->lag) : 0.0;
        c[i] = speed + pattern->coupling * (before + after);
        size[i] = fabs(speed) + pattern->coupling;
        if (pattern->feedback != 0.0) {
            double felt = pattern->feedback * feel(pattern, scene, i, NULL).x * sin(phase[i]);
            c[i] += felt;
            size[i] += fabs(felt);
        }
        c[n + i] = pattern->rate * (wanted - phase[n + i]);
        size[n + i] = pattern->rate * (fabs(wanted) + fabs(phase[n + i]));
    }
}

// effort of the muscles of one oscillator per unit of its phase, or of its amplitude
static void column(const ElvDevice* device, const ElvScene* scene, int k, double* residual) {
    const ElvPattern* pattern = as_pattern(device);
    int n = pattern->n_oscillator;
    int i_oscillator = k % n;
    double phase = scene->state->z[device->i_z + i_oscillator];
    double r = scene->state->z[device->i_z + n + i_oscillator];
    for (int i = 0; i < pattern->n_drive; i++) {
        const ElvPatternDrive* drive = &pattern->drive[i];
        if (drive->i_oscillator != i_oscillator) {
            continue;
        }
        double angle = phase + drive->phase;
        double slope =
            scene->data->load * (k < n ? -0.5 * r * sin(angle) : 0.5 * (1.0 + cos(angle)));
        const ElvNode* node = &scene->model->node[drive->i_node];
        const double* effort = scene->data->channel[drive->i_channel].effort;
        for (int j = 0; j < node->joint->n_v; j++) {
            residual[node->i_v + j] -= slope * effort[j];
        }
    }
}

static void row(const ElvDevice* device,
                const ElvScene* scene,
                const double* d_nu,
                const double* d_z,
                double* d_c) {
    const ElvPattern* pattern = as_pattern(device);
    int n = pattern->n_oscillator;
    const double* phase = scene->state->z + device->i_z;
    const double* d = d_z + device->i_z;
    for (int i = 0; i < n; i++) {
        d_c[i] = 0.0;
        if (i > 0) {
            d_c[i] += cos(phase[i - 1] - phase[i] - pattern->lag) * (d[i - 1] - d[i]);
        }
        if (i + 1 < n) {
            d_c[i] += cos(phase[i + 1] - phase[i] + pattern->lag) * (d[i + 1] - d[i]);
        }
        d_c[i] *= pattern->coupling;
        if (pattern->feedback != 0.0) {
            Sense sense = feel(pattern, scene, i, d_nu);
            d_c[i] +=
                pattern->feedback * (sense.d_x * sin(phase[i]) + sense.x * cos(phase[i]) * d[i]);
        }
        d_c[n + i] = -pattern->rate * d[n + i];
    }
}

static ElvStatus check(const ElvDevice* device, double t, ElvError* error) {
    char when[ELV_NUMBER_TEXT];
    const ElvPattern* pattern = as_pattern(device);
    double frequency = elv_law_value(pattern->frequency, t, 0.0);
    double amplitude = elv_law_value(pattern->amplitude, t, 0.0);
    if (!isfinite(frequency)) {
        return elv_error_set(error, ELV_ERROR_NUMERIC, device->name, "frequency",
                             "the frequency of pattern '%s' is not a number %s", device->name,
                             elv_time_text(t, when));
    }
    if (!(amplitude >= 0.0 && amplitude <= 1.0)) {
        return elv_error_set(error, ELV_ERROR_NUMERIC, device->name, "amplitude",
                             "the amplitude of pattern '%s' is %.6g %s: it must lie "
                             "between 0 and 1",
                             device->name, amplitude, elv_time_text(t, when));
    }
    return ELV_OK;
}

static const char* const unit_phase[] = {"rad"};
static const char* const unit_amplitude[] = {"-"};

static const ElvDeviceQuantity quantities[] = {
    {"phase", 0, NULL, unit_phase},
    {"amplitude", 0, NULL, unit_amplitude},
};

// one for each oscillator
static int count(const ElvDevice* device, int i) {
    (void)i;
    return as_pattern(device)->n_oscillator;
}

static void measure(const ElvDevice* device, const ElvScene* scene, int i, double* value) {
    int n = as_pattern(device)->n_oscillator;
    memcpy(value, scene->state->z + device->i_z + i * n, (size_t)n * sizeof *value);
}

const ElvDeviceOps ELV_PATTERN_OPS = {
    .kind = "pattern",
    .quantity = quantities,
    .n_quantity = 2,
    .measure = measure,
    .count = count,
    .initial = initial,
    .input = input,
    .equation = equation,
    .column = column,
    .row = row,
    .check = check,
    .commands = &ELV_PATTERN_COMMANDS,
};
