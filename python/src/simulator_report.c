// SPDX-License-Identifier: Apache-2.0
// What a simulator tells of its steps, and of contacts in its last run.
#include "module.h"

#include <math.h>

// contacts of a run that can only push, and would have to pull
static PyObject* list_pulls(const ElvContactReport* contact) {
    PyObject* list = PyList_New(0);
    for (int i = 0; list && i < contact->n_pull && i < ELV_CONTACT_PULL_MAX; i++) {
        const ElvContactPull* pull = &contact->pull[i];
        PyObject* item = Py_BuildValue("{s:s,s:d,s:d,s:d}", "contact", pull->contact, "t", pull->t,
                                       "worst", pull->worst, "t_worst", pull->t_worst);
        if (!item || PyList_Append(list, item) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(item);
    }
    return list;
}

// smallest share of a preload that contacts balanced, in steps and in the last run; or None
static PyObject* preload_share(const ElvContactReport* steps, const ElvContactReport* run) {
    if (!steps->has_preload && !run->has_preload) {
        return Py_NewRef(Py_None);
    }
    double a = steps->has_preload ? steps->preload_share : HUGE_VAL;
    return PyFloat_FromDouble(run->has_preload ? fmin(a, run->preload_share) : a);
}

PyObject* report_dict(const ElvIntegratorReport* steps, const ElvIntegratorReport* run) {
    return Py_BuildValue(
        "{s:N,s:N,s:l,s:l,s:l,s:l,s:l,s:i,s:d}", "pulls", list_pulls(&run->contact),
        "preload_share", preload_share(&steps->contact, &run->contact), "steps", steps->n_step,
        "rejected", steps->n_reject, "evaluations", steps->n_evaluation, "iterations",
        steps->n_iteration, "tangents", steps->n_jacobian, "last_iterations",
        steps->last_iterations, "last_residual", steps->last_residual);
}
