// SPDX-License-Identifier: Apache-2.0
// Figures of Ali (2011), chapter 4: discrete locomotion systems.
#include "figure.h"

static const Figure figures[] = {
    {.id = "ali-fig4.1",
     .paper = "ALI",
     .number = "fig 4.1",
     .title = "satellite with rotors and its tree",
     .kind = FIGURE_DRAWING,
     .lacks = "a sketch, nothing to compute; the model is @satellite"},
    {.id = "ali-fig4.2",
     .paper = "ALI",
     .number = "fig 4.2",
     .title = "inertia rotors",
     .kind = FIGURE_DRAWING,
     .lacks = "a photograph, nothing to compute"},
    {.id = "ali-fig4.3",
     .paper = "ALI",
     .number = "fig 4.3",
     .title = "snakeboards",
     .kind = FIGURE_DRAWING,
     .lacks = "photographs, nothing to compute"},
    {.id = "ali-fig4.4",
     .paper = "ALI",
     .number = "fig 4.4",
     .title = "snakeboard and its tree",
     .kind = FIGURE_DRAWING,
     .lacks = "a sketch, nothing to compute; the model is @snakeboard"},
    {.id = "ali-fig4.5",
     .paper = "ALI",
     .number = "fig 4.5",
     .title = "tree of the snake-like robot",
     .kind = FIGURE_DRAWING,
     .lacks = "a sketch, nothing to compute; the model is @snake-wheeled"},
    {.id = "ali-fig4.6",
     .paper = "ALI",
     .number = "fig 4.6",
     .title = "modules of the snake-like robot",
     .kind = FIGURE_DRAWING,
     .lacks = "a sketch, nothing to compute; the model is @snake-wheeled"},
    {.id = "ali-fig4.7",
     .paper = "ALI",
     .number = "fig 4.7",
     .title = "snake-like robot: path of its head",
     .facts = "Ten modules of 0.1 m and 0.3 kg on wheels; joints 1 to 5 follow a_j sin(t + phi_j), "
              "which decides on the "
              "motion of the head; 20 s.",
     .ours = "Half the length of a module is 0.1 m; 0.25 kg of a module are its body, 0.05 kg its "
             "axle; joints 7, 9, ... 19 go "
             "on like the first ones. The picture shows the bodies at some times too.",
     .lacks =
         "inertias, the laws of joints 7, 9, ... 19, and whether 0.1 m is a length or half of it",
     .n_column = 1,
     .run = {{.model = "@snake-wheeled"}},
     .panel = {{.kind = PANEL_SHAPES,
                .title = "head, and bodies every 5 s",
                .path = "b0",
                .line = "b0 b2 b4 b6 b8 b10 b12 b14 b16 b18",
                .view = "x,y",
                .step = 5.0,
                .n_time = 5}}},
    {.id = "ali-fig4.8",
     .paper = "ALI",
     .number = "fig 4.8",
     .title = "snake-like robot: torque of joint 10",
     .facts = "Torque between bodies 8 and 10 over 20 s, by the recursion of (3.83) and (3.85).",
     .ours = "The motion of figure 4.7 and the recursion of the thesis "
             "(elv_locomotion_projective_torques in C), which leaves out the "
             "lateral forces between bodies: such torques miss the balance of power. In "
             "@snake-wheeled itself this joint is passive and its torque "
             "zero: the wheels decide on its angle, which makes forces and torques unique.",
     .lacks = "inertias; with all joints driven ten axles hold three velocities, and how they "
              "share the load is not unique",
     .n_column = 1,
     .run = {{.model = "@snake-wheeled", .is_projective = true}},
     .panel = {{.title = "joint 10, by the recursion of the thesis",
                .y_label = "torque (N m)",
                .curve = {{.y = "b10.effort.0"}}}}},
    {.id = "ali-fig4.9",
     .paper = "ALI",
     .number = "fig 4.9",
     .title = "snake-like robot: all joint torques at 10 s",
     .facts = "Torques of joints 1 to 19 at t = 10 s.",
     .ours = "As figures 4.7 and 4.8. (a) has the torques that drive the model: joints 6, 8, ... "
             "18 are passive there, the wheels decide on them. (b) has "
             "those of the thesis; of the axles, which hand on nothing but their own inertia, both "
             "are the same.",
     .lacks =
         "inertias; the thesis drives all joints, and how the load is shared then is not unique",
     .run = {{.model = "@snake-wheeled", .set = {"simulate.duration=10"}},
             {.model = "@snake-wheeled", .is_projective = true, .set = {"simulate.duration=10"}}},
     .panel = {{.kind = PANEL_BARS,
                .title = "(a) t = 10 s",
                .x_label = "joint",
                .y_label = "torque (N m)",
                .line = "b1.effort.0 b2.effort.0 b3.effort.0 b4.effort.0 b5.effort.0 b6.effort.0 "
                        "b7.effort.0 b8.effort.0 b9.effort.0 b10.effort.0 b11.effort.0 "
                        "b12.effort.0 b13.effort.0 b14.effort.0 b15.effort.0 b16.effort.0 "
                        "b17.effort.0 b18.effort.0 b19.effort.0",
                .first = 1.0,
                .step = 1.0,
                .at = 10.0},
               {.kind = PANEL_BARS,
                .title = "(b) by the recursion of the thesis",
                .run = 1,
                .x_label = "joint",
                .y_label = "torque (N m)",
                .line = "b1.effort.0 b2.effort.0 b3.effort.0 b4.effort.0 b5.effort.0 b6.effort.0 "
                        "b7.effort.0 b8.effort.0 b9.effort.0 b10.effort.0 b11.effort.0 "
                        "b12.effort.0 b13.effort.0 b14.effort.0 b15.effort.0 b16.effort.0 "
                        "b17.effort.0 b18.effort.0 b19.effort.0",
                .first = 1.0,
                .step = 1.0,
                .at = 10.0}}},
    {.id = "ali-fig4.10",
     .paper = "ALI",
     .number = "fig 4.10",
     .title = "arm on a car-like platform",
     .kind = FIGURE_DRAWING,
     .lacks = "a sketch, nothing to compute; the model is @mobile-manipulator"},
    {.id = "ali-fig4.11",
     .paper = "ALI",
     .number = "fig 4.11",
     .title = "car-like platform from above",
     .kind = FIGURE_DRAWING,
     .lacks = "a sketch, nothing to compute; the model is @mobile-manipulator"},
    {.id = "ali-fig4.12",
     .paper = "ALI",
     .number = "fig 4.12",
     .title = "arm on a platform: torque of joint 1, torque of the wheels",
     .facts = "The first three joints follow sin(w_j t), the steering sin(w_b t); torque of joint "
              "1 with the platform at "
              "rest (xi = 0) and moving (xi = 1), torque of the driven wheels with xi = 1.",
     .ours = "w = (1, 2, 3) and w_b = 0.5 rad/s, masses, radii and gravity as in "
             "models/mobile-manipulator.yaml. Both wheels "
             "are drawn: the least forces decide how they share the work, where the thesis gives "
             "them equal torques.",
     .lacks = "frequencies, masses, the radius of the wheels",
     .run = {{.model = "@mobile-manipulator", .label = "xi = 1"},
             {.model = "@mobile-manipulator", .label = "xi = 0", .set = {"xi=0"}}},
     .panel = {{.title = "(a) torque of joint 1",
                .n_run = 2,
                .y_label = "torque (N m)",
                .curve = {{.y = "link_1.effort.0"}}},
               {.title = "(b) torques of the wheels, xi = 1",
                .y_label = "torque (N m)",
                .curve = {{.y = "wheel.right_front.torque", .label = "right"},
                          {.y = "wheel.left_front.torque", .label = "left"}}}}},
};

const FigureList FIGURES_ALI4 = {"ALI, chapter 4", "Ali (2011), discrete locomotion systems",
                                 figures, sizeof figures / sizeof figures[0]};
