// SPDX-License-Identifier: Apache-2.0
// `elver list`: the shipped examples, each with one line on what it is: the first comment of its
// file, or its name.
#include "cli.h"

#include <string.h>

enum { LINE_SIZE = 512 };

static const CliOption options[] = {{CLI_OPTION_JSON, 0, "json", CLI_FLAG}};

// cut the line's end
static void trim_end(char* text) {
    size_t n = strlen(text);
    while (n > 0 && strchr(" \t\r\n", text[n - 1])) {
        text[--n] = '\0';
    }
}

// the value of "KEY: value" at the line's beginning, quotes taken off; or NULL
static char* key_value(char* line, const char* key) {
    size_t n = strlen(key);
    if (strncmp(line, key, n) != 0 || line[n] != ':') {
        return NULL;
    }
    char* value = line + n + 1;
    value += strspn(value, " \t");
    size_t n_value = strlen(value);
    if (n_value >= 2 && strchr("\"'", value[0]) && value[n_value - 1] == value[0]) {
        value[n_value - 1] = '\0';
        value++;
    }
    return value;
}

// description: key, else the first comment, else the name: key
static void describe(const char* path, char text[LINE_SIZE]) {
    text[0] = '\0';
    FILE* stream = fopen(path, "rb");
    if (!stream) {
        return;
    }
    char line[LINE_SIZE];
    bool has_comment = false;
    while (fgets(line, sizeof line, stream)) {
        trim_end(line);
        const char* description = key_value(line, "description");
        if (description) {
            snprintf(text, LINE_SIZE, "%s", description);
            break;
        }
        const char* comment = line + strspn(line, "# \t");
        if (line[0] == '#' && comment[0] != '\0' && !has_comment && !strstr(comment, "SPDX")) {
            snprintf(text, LINE_SIZE, "%s", comment);
            has_comment = true;
        }
        const char* name = key_value(line, "name");
        if (name && !has_comment) {
            snprintf(text, LINE_SIZE, "%s", name);
        }
    }
    fclose(stream);
}

static void print_list(const CliNames* names) {
    int width = 0;
    for (size_t i = 0; i < names->n; i++) {
        int n = (int)strlen(names->name[i]);
        width = n > width ? n : width;
    }
    for (size_t i = 0; i < names->n; i++) {
        char name[CLI_PATH];
        char path[CLI_PATH];
        char text[LINE_SIZE];
        snprintf(name, sizeof name, "@%s", names->name[i]);
        if (cli_model_path("list", name, path)) {
            describe(path, text);
            printf("%-*s  %s\n", width + 1, name, text);
        }
    }
}

static void print_json(const CliNames* names) {
    printf("[");
    for (size_t i = 0; i < names->n; i++) {
        char name[CLI_PATH];
        char path[CLI_PATH];
        char text[LINE_SIZE];
        snprintf(name, sizeof name, "@%s", names->name[i]);
        if (cli_model_path("list", name, path)) {
            describe(path, text);
            printf("%s\n  {\"name\": ", i > 0 ? "," : "");
            cli_json_text(stdout, names->name[i]);
            printf(", \"description\": ");
            cli_json_text(stdout, text);
            printf(", \"file\": ");
            cli_json_text(stdout, path);
            printf("}");
        }
    }
    printf("%s]\n", names->n > 0 ? "\n" : "");
}

static int list_models(bool is_json) {
    CliNames names;
    if (!cli_model_names(&names)) {
        cli_names_free(&names);
        return cli_complain("list", CLI_FAILED, "out of memory");
    }
    if (is_json) {
        print_json(&names);
    } else {
        print_list(&names);
    }
    int code = CLI_DONE;
    if (names.n == 0) {
        code = cli_complain("list", CLI_FAILED,
                            "no examples found; set ELVER_MODELS to the folder that holds them");
    }
    cli_names_free(&names);
    return code;
}

int cli_cmd_list(int argc, char** argv) {
    CliRequest request;
    int code = CLI_DONE;
    if (cli_request("list", options, sizeof options / sizeof options[0], argc, argv, &request,
                    &code)) {
        code = request.model
                   ? cli_complain("list", CLI_USAGE, "'%s': list takes no model", request.model)
                   : list_models(request.is_json);
    }
    cli_overrides_free(&request.overrides);
    return code;
}
