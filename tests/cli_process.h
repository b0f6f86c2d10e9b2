// SPDX-License-Identifier: Apache-2.0
// The program `elver` run by a test: arguments in, exit code and both outputs back. Each test has a
// folder of its own, in which the program runs. The including file defines _POSIX_C_SOURCE.
#ifndef ELVER_TESTS_CLI_PROCESS_H
#define ELVER_TESTS_CLI_PROCESS_H

#include "check.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUTPUT_SIZE = 1 << 20, MAX_WORD = 32 };

typedef struct {
    char folder[64];
    int code; // exit code, or -signal
    char* out;
    char* err;
} Process;

static inline int open_process(void** context) {
    Process* p = calloc(1, sizeof *p);
    p->out = calloc(OUTPUT_SIZE, 1);
    p->err = calloc(OUTPUT_SIZE, 1);
    strcpy(p->folder, "/tmp/elver-cli-XXXXXX");
    assert_non_null(mkdtemp(p->folder));
    *context = p;
    return 0;
}

static inline void remove_tree(const char* folder) {
    pid_t child = fork();
    if (child == 0) {
        execlp("rm", "rm", "-rf", folder, (char*)NULL);
        _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
}

static inline int close_process(void** context) {
    Process* p = *context;
    remove_tree(p->folder);
    free(p->out);
    free(p->err);
    free(p);
    return 0;
}

static inline const char* path_of(const Process* p, const char* name) {
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", p->folder, name);
    return path;
}

static inline bool has_file(const Process* p, const char* name) {
    return access(path_of(p, name), F_OK) == 0;
}

static inline void read_text(const Process* p, const char* name, char* text) {
    FILE* stream = fopen(path_of(p, name), "rb");
    assert_non_null(stream);
    size_t n = fread(text, 1, OUTPUT_SIZE - 1, stream);
    text[n] = '\0';
    fclose(stream);
}

// all of a file, to be freed
static inline char* read_whole(const Process* p, const char* name) {
    char* text = calloc(OUTPUT_SIZE, 1);
    assert_non_null(text);
    read_text(p, name, text);
    return text;
}

static inline void write_text(const Process* p, const char* name, const char* text) {
    FILE* stream = fopen(path_of(p, name), "wb");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
}

// in the child: outputs to files, then the program
static inline void become(const Process* p, char* const* word) {
    if (chdir(p->folder) != 0) {
        _exit(126);
    }
    // a file of that name in the folder is the standard input
    int input = open("stdin", O_RDONLY);
    if (input >= 0) {
        dup2(input, STDIN_FILENO);
    }
    dup2(open("stdout", O_WRONLY | O_CREAT | O_TRUNC, 0666), STDOUT_FILENO);
    dup2(open("stderr", O_WRONLY | O_CREAT | O_TRUNC, 0666), STDERR_FILENO);
    execv(word[0], word);
    _exit(125);
}

// start the program with words separated by spaces; '|' in a word stands for a space
static inline pid_t start(const Process* p, const char* words) {
    static char text[2048];
    char* word[MAX_WORD + 2] = {NULL};
    int n = 0;
    const char* bin = getenv("ELVER_BIN");
    snprintf(text, sizeof text, "%s", words);
    word[n++] = (char*)(bin ? bin : ELVER_BIN);
    for (char* w = strtok(text, " "); w && n <= MAX_WORD; w = strtok(NULL, " ")) {
        word[n++] = w;
        for (char* c = strchr(w, '|'); c; c = strchr(c, '|')) {
            *c = ' ';
        }
    }
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        become(p, word);
    }
    return child;
}

static inline void finish(Process* p, pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    p->code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    read_text(p, "stdout", p->out);
    read_text(p, "stderr", p->err);
}

static inline void run(Process* p, const char* words) {
    finish(p, start(p, words));
}

static inline bool has_gnuplot(void) {
    pid_t child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_WRONLY);
        dup2(null, STDOUT_FILENO);
        execlp("gnuplot", "gnuplot", "--version", (char*)NULL);
        _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static inline void
check_contains_at(const char* text, const char* part, const char* what, int line) {
    if (!strstr(text, part)) {
        print_error("line %d: '%s' is not in %s:\n%s\n", line, part, what, text);
        _fail(__FILE__, line);
    }
}

static inline void check_code_at(const Process* p, int code, int line) {
    if (p->code != code) {
        print_error("line %d: exit code %d, expected %d; stderr:\n%s\n", line, p->code, code,
                    p->err);
        _fail(__FILE__, line);
    }
}

#define CHECK_CODE(p, code) check_code_at((p), (code), __LINE__)
#define CHECK_OUT(p, part)  check_contains_at((p)->out, (part), "stdout", __LINE__)
#define CHECK_ERR(p, part)  check_contains_at((p)->err, (part), "stderr", __LINE__)

// the number after "key": in JSON text
static inline double json_number(const char* text, const char* key) {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char* at = strstr(text, quoted);
    assert_non_null(at);
    return strtod(at + strlen(quoted), NULL);
}

// brackets and quotes of JSON text close as they open, and nothing follows
static inline bool is_balanced_json(const char* text) {
    char open[64];
    int depth = 0;
    bool is_quoted = false;
    const char* c = text;
    for (; *c != '\0'; c++) {
        if (is_quoted) {
            c += *c == '\\' && c[1] != '\0';
            is_quoted = *c != '"';
        } else if (*c == '"') {
            is_quoted = true;
        } else if (*c == '{' || *c == '[') {
            open[depth++ % 64] = *c;
        } else if (*c == '}' || *c == ']') {
            if (depth == 0 || open[--depth % 64] != (*c == '}' ? '{' : '[')) {
                return false;
            }
            if (depth == 0) {
                break;
            }
        }
    }
    return depth == 0 && !is_quoted && strcmp(c + (*c != '\0'), "\n") == 0;
}

#define WITH_PROCESS(test) cmocka_unit_test_setup_teardown(test, open_process, close_process)

#endif
