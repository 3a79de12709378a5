/* SPDX-License-Identifier: MIT
 * Installed files. The whole tree can be moved: the place of the program comes first. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier): readlink */
#include "hit/base/share.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/** The folder of the program that runs, without its last part: PREFIX of PREFIX/bin. */
static bool program_prefix(char *path, size_t size)
{
    const ssize_t length = readlink("/proc/self/exe", path, size - 1);

    if (length <= 0) return false;
    path[length] = '\0';
    for (int k = 0; k < 2; k++) {
        char *slash = strrchr(path, '/');

        if (slash == NULL) return false;
        *slash = '\0';
    }
    return true;
}

static bool is_there(const char *folder, const char *name, char *path, size_t size)
{
    const int length = snprintf(path, size, "%s/%s", folder, name);

    return length > 0 && (size_t)length < size && access(path, R_OK) == 0;
}

bool hit_share_find(const char *name, char *path, size_t size)
{
    static const char folder[] = "/share/hit";
    char prefix[4096];

    if (program_prefix(prefix, sizeof(prefix) - sizeof(folder))) {
        memcpy(prefix + strlen(prefix), folder, sizeof(folder));
        if (is_there(prefix, name, path, size)) return true;
    }
    return is_there(HIT_SHARE_FOLDER, name, path, size);
}
