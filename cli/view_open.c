// SPDX-License-Identifier: Apache-2.0
// The browser of the desktop, by xdg-open, and a place for pages that nobody has named. POSIX: processes.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "view.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

// without a desktop xdg-open would look for a browser in the terminal
static bool has_desktop(void) {
    const char* x11 = getenv("DISPLAY");
    const char* wayland = getenv("WAYLAND_DISPLAY");
    return (x11 && x11[0] != '\0') || (wayland && wayland[0] != '\0');
}

// in a child of its own that nobody waits for, its outputs closed
static void start(const char* address) {
    pid_t child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_RDWR);
        if (setsid() < 0 || null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 ||
            dup2(null, 2) < 0) {
            _exit(127);
        }
        pid_t grandchild = fork();
        if (grandchild == 0) {
            execlp("xdg-open", "xdg-open", address, (char*)NULL);
        }
        _exit(127);
    }
    int status = 0;
    if (child > 0) {
        waitpid(child, &status, 0);
    }
}

void view_open_browser(const ViewOptions* options, const char* address) {
    if (options->is_shut) {
        return;
    }
    if (has_desktop()) {
        start(address);
    } else if (!options->is_quiet) {
        (void)cli_complain(
            "view", CLI_DONE,
            "note: there is no desktop to open it on (DISPLAY, WAYLAND_DISPLAY); open "
            "it in a browser");
    }
}

bool view_temporary(char folder[CLI_PATH], char path[CLI_PATH]) {
    const char* place = getenv("TMPDIR");
    int n = snprintf(folder, CLI_PATH, "%s/elver-view-XXXXXX",
                     place && place[0] != '\0' ? place : "/tmp");
    if (n >= CLI_PATH - 16 || !mkdtemp(folder)) {
        return false;
    }
    return snprintf(path, CLI_PATH, "%s/view.html", folder) < CLI_PATH;
}
