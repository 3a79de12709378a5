/* SPDX-License-Identifier: MIT
 * Installed files. The whole tree can be moved: the places of the program and of the
 * library come first. */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): dladdr, readlink */
#include "hit/base/file.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

static bool is_there(const char *folder, const char *name, char *path, size_t size)
{
    const int length = snprintf(path, size, "%s/%s", folder, name);

    return length > 0 && (size_t)length < size && access(path, R_OK) == 0;
}

/** In share/hit of the @p from-th to the @p to-th folder above @p file. */
static bool is_above(const char *file, int from, int to, const char *name, char *path,
                     size_t size)
{
    static const char share[] = "/share/hit";
    char folder[4096];
    const int length = snprintf(folder, sizeof(folder) - sizeof(share), "%s", file);

    if (length < 0 || (size_t)length >= sizeof(folder) - sizeof(share)) return false;
    for (int k = 1; k <= to; k++) {
        char *slash = strrchr(folder, '/');

        if (slash == NULL) return false;
        *slash = '\0';
        if (k < from) continue;
        memcpy(slash, share, sizeof(share));
        if (is_there(folder, name, path, size)) return true;
        *slash = '\0';
    }
    return false;
}

bool hit_share_find(const char *name, char *path, size_t size)
{
    static const char here; /* in the library, or in a program that has it inside */
    char program[4096];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
    Dl_info library;

    if (length > 0) { /* PREFIX/bin/program */
        program[length] = '\0';
        if (is_above(program, 2, 2, name, path, size)) return true;
    }
    /* PREFIX/lib/libhit.so, PREFIX/lib/x86_64-linux-gnu/libhit.so */
    if (dladdr(&here, &library) != 0 && library.dli_fname != NULL &&
        is_above(library.dli_fname, 2, 3, name, path, size)) {
        return true;
    }
    return is_there(HIT_SHARE_FOLDER, name, path, size);
}
