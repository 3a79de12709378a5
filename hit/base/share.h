/* SPDX-License-Identifier: MIT
 * Internal: files that are installed beside the library: machines, the project to copy.
 */
#ifndef HIT_BASE_SHARE_H
#define HIT_BASE_SHARE_H

#include <stdbool.h>
#include <stddef.h>

/** The path of share/hit/@p name beside the bin of the program that runs, else beside the
 * folder of the library, else where the library was to be installed; false: none of them
 * can be read. */
bool hit_share_find(const char *name, char *path, size_t size);

#endif
