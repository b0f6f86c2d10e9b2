// SPDX-License-Identifier: Apache-2.0
// A series for ParaView: NAME.pvd lists times and files, the folder NAME beside it holds them, up to three a record: rods
// as lines with sections, strains and stresses; bodies as surfaces; tendons, chambers and muscles as lines. The files
// lie in NAME.part until the series is closed. The list names the blocks that ParaView shows. POSIX: folders.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "view/view_vtk.h"

#include "view/view_file.h"
#include "view/view_parts.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, FILE_SIZE = PATH_SIZE + 64, MAX_FRAME = 9999999 };

typedef struct {
    char path[PATH_SIZE];   // of the list
    char folder[PATH_SIZE]; // of the files, at the end
    char part[FILE_SIZE];   // until then
    ElvMesh* mesh;          // of the bodies      (n_body)
    const ElvView* view;
    long n_frame;
    ElvBytes list; // entries of the list
} Vtk;

static ElvStatus fail_write(const char* path, int code, ElvError* error) {
    return elv_error_set(error, ELV_ERROR_FILE, NULL, NULL, "cannot write '%.400s': %s", path,
                         strerror(code));
}

static const char* file_name(const char* folder, int kind, long i, char name[FILE_SIZE + 32]) {
    snprintf(name, FILE_SIZE + 32, "%s/%s_%07ld.vtp", folder, ELV_VTK_NAMES[kind], i);
    return name;
}

static void vtk_discard(void* writer) {
    Vtk* vtk = writer;
    char name[FILE_SIZE + 32];
    for (long i = 0; i < vtk->n_frame; i++) {
        for (int kind = 0; kind < ELV_N_VTK; kind++) {
            remove(file_name(vtk->part, kind, i, name));
        }
    }
    rmdir(vtk->part);
    for (int i = 0; vtk->mesh && i < vtk->view->n_body; i++) {
        elv_mesh_free(&vtk->mesh[i]);
    }
    free(vtk->mesh);
    elv_bytes_free(&vtk->list);
    free(vtk);
}

// whether a file of a folder has the name of one of a series: rods_0000012.vtp
static bool is_ours(const char* name) {
    for (int kind = 0; kind < ELV_N_VTK; kind++) {
        size_t n = strlen(ELV_VTK_NAMES[kind]);
        if (strncmp(name, ELV_VTK_NAMES[kind], n) == 0 && name[n] == '_') {
            const char* digit = name + n + 1;
            return strspn(digit, "0123456789") == 7 && strcmp(digit + 7, ".vtp") == 0;
        }
    }
    return false;
}

// remove what a program that was killed has left, unless somebody else has put something there; a code of errno
static int empty_folder(const char* folder) {
    int code = 0;
    DIR* stream = opendir(folder);
    if (!stream) {
        return errno;
    }
    for (struct dirent* entry = readdir(stream); entry; entry = readdir(stream)) {
        bool is_dot = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
        code = is_dot || is_ours(entry->d_name) ? code : ENOTEMPTY;
    }
    rewinddir(stream);
    struct dirent* entry = code == 0 ? readdir(stream) : NULL;
    for (; entry; entry = readdir(stream)) {
        char name[FILE_SIZE + 300];
        if (is_ours(entry->d_name)) {
            snprintf(name, sizeof name, "%s/%s", folder, entry->d_name);
            remove(name);
        }
    }
    closedir(stream);
    return code;
}

static ElvStatus vtk_create(const char* path, void** writer, ElvError* error) {
    *writer = NULL;
    Vtk* vtk = calloc(1, sizeof *vtk);
    if (!vtk) {
        return elv_view_no_memory(error);
    }
    int n = snprintf(vtk->path, sizeof vtk->path, "%s", path);
    const char* slash = strrchr(vtk->path, '/');
    // the name without its ending
    bool has_stem = n > 4 && n < PATH_SIZE && (!slash || strlen(slash) > 5);
    snprintf(vtk->folder, sizeof vtk->folder, "%.*s", has_stem ? n - 4 : 0, vtk->path);
    snprintf(vtk->part, sizeof vtk->part, "%s.part", vtk->folder);
    int code = has_stem ? 0 : EINVAL;
    if (code == 0 && mkdir(vtk->part, 0777) != 0 && errno != EEXIST) {
        code = errno;
    }
    int left = code == 0 ? empty_folder(vtk->part) : 0;
    if (code != 0 || left != 0) {
        ElvStatus status = fail_write(left != 0 ? vtk->part : path, left != 0 ? left : code, error);
        free(vtk);
        return status;
    }
    *writer = vtk;
    return ELV_OK;
}

static ElvStatus vtk_begin(void* writer, const ElvView* view, const char* title, ElvError* error) {
    Vtk* vtk = writer;
    (void)title;
    vtk->view = view;
    vtk->mesh = calloc((size_t)view->n_body + 1, sizeof *vtk->mesh);
    bool is_good = vtk->mesh != NULL;
    for (int i = 0; i < view->n_body && is_good; i++) {
        elv_mesh_body(view, &view->body[i], &vtk->mesh[i]);
        is_good = !vtk->mesh[i].is_bad;
    }
    return is_good ? ELV_OK : elv_view_no_memory(error);
}

// the part of a path after its last slash
static const char* last_name(const char* path) {
    const char* slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static ElvStatus vtk_append(void* writer, ElvViewPicture* picture, ElvError* error) {
    Vtk* vtk = writer;
    if (vtk->n_frame > MAX_FRAME) {
        return fail_write(vtk->path, EFBIG, error);
    }
    long i_frame = vtk->n_frame++;
    for (int kind = 0; kind < ELV_N_VTK; kind++) {
        ElvBytes text = {0};
        if (!elv_vtk_describe(vtk->view, kind, vtk->mesh, picture, &text)) {
            continue;
        }
        char name[FILE_SIZE + 32];
        int code = text.is_bad
                       ? ENOMEM
                       : elv_bytes_write(file_name(vtk->part, kind, i_frame, name), &text, 1);
        elv_bytes_free(&text);
        if (code != 0) {
            return fail_write(vtk->path, code, error);
        }
        elv_bytes_print(&vtk->list, "<DataSet timestep=\"");
        elv_bytes_number(&vtk->list, picture->t);
        elv_bytes_print(&vtk->list, "\" part=\"%d\" name=\"%s\" file=\"", kind,
                        ELV_VTK_NAMES[kind]);
        elv_bytes_xml(&vtk->list, last_name(vtk->folder));
        elv_bytes_print(&vtk->list, "/%s_%07ld.vtp\"/>\n", ELV_VTK_NAMES[kind], i_frame);
    }
    return vtk->list.is_bad ? elv_view_no_memory(error) : ELV_OK;
}

// ---- the end

// files to their final places; those of a longer series that was there before go
static int move_files(const Vtk* vtk) {
    char from[FILE_SIZE + 32];
    char to[FILE_SIZE + 32];
    if (mkdir(vtk->folder, 0777) != 0 && errno != EEXIST) {
        return errno;
    }
    for (int kind = 0; kind < ELV_N_VTK; kind++) {
        long i = 0;
        for (; i < vtk->n_frame; i++) {
            file_name(vtk->part, kind, i, from);
            file_name(vtk->folder, kind, i, to);
            if (rename(from, to) != 0) {
                // this kind may have none; then an old one is no part of the series
                if (errno != ENOENT) {
                    return errno;
                }
                remove(to);
            }
        }
        while (remove(file_name(vtk->folder, kind, i, to)) == 0) {
            i++;
        }
    }
    return 0;
}

static int write_list(Vtk* vtk) {
    char part[FILE_SIZE];
    snprintf(part, sizeof part, "%s.part", vtk->path);
    ElvBytes piece[3];
    memset(piece, 0, sizeof piece);
    elv_bytes_print(&piece[0], "<?xml version=\"1.0\"?>\n"
                               "<VTKFile type=\"Collection\" version=\"0.1\" "
                               "byte_order=\"LittleEndian\">\n<Collection>\n");
    elv_bytes_print(&piece[2], "</Collection>\n</VTKFile>\n");
    piece[1] = vtk->list;
    int code = piece[0].is_bad || piece[2].is_bad ? ENOMEM : elv_bytes_write(part, piece, 3);
    elv_bytes_free(&piece[0]);
    elv_bytes_free(&piece[2]);
    if (code == 0 && rename(part, vtk->path) != 0) {
        code = errno;
    }
    if (code != 0) {
        remove(part);
    }
    return code;
}

static ElvStatus vtk_close(void* writer, ElvError* error) {
    Vtk* vtk = writer;
    int code = move_files(vtk);
    code = code == 0 ? write_list(vtk) : code;
    ElvStatus status = code == 0 ? ELV_OK : fail_write(vtk->path, code, error);
    vtk_discard(vtk);
    return status;
}

const ElvViewFileOps ELV_VIEW_VTK = {
    .ending = ".pvd",
    .max_trajectory = 1,
    .create = vtk_create,
    .begin = vtk_begin,
    .append = vtk_append,
    .close = vtk_close,
    .discard = vtk_discard,
};
