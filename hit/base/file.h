/* SPDX-License-Identifier: MIT
 * Internal: files that are whole or not there. What is written goes to a draft, a new
 * file of this writer's own in the same folder; the draft takes the place of the file
 * when it is complete, and is removed when something fails. */
#ifndef HIT_BASE_FILE_H
#define HIT_BASE_FILE_H

#include "hit/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct hit_draft {
    const char *name; /**< borrowed: the path that was asked for, for texts */
    char *path;       /**< what is written */
    char *place;  /**< what the draft is to replace, with links followed; NULL: nothing,
                     the file itself is written */
    FILE *stream; /**< open for writing */
    bool spare;   /**< the writer sets it: what can be made again need not be on disk when
                     it takes its place */
} hit_draft;

/** Begin to write @p path; NULL: standard output. What is not a regular file (a device, a
 * pipe, /dev/stdout) is written itself.
 * @owner *draft is the caller's: hit_draft_close(); @p path lives as long
 * @errors HIT_E_IO the system's reason; HIT_E_NOMEM */
hit_status hit_draft_open(const char *path, hit_draft *draft);
/** HIT_OK in @p status, and everything was written: the draft is brought to disk, unless
 * it is spare, and takes its place. Otherwise it is removed, and the file that was there
 * stays.
 * @errors @p status; HIT_E_IO the system's reason, which goes first */
hit_status hit_draft_close(hit_draft *draft, hit_status status);
/** Let the draft begin as a copy of the file that it is to replace, for which there must
 * be one. Room for all of it is taken first, where the file system can.
 * @errors HIT_E_IO the system's reason */
hit_status hit_draft_copy(hit_draft *draft);
/** A new folder in @p folder with the name of a draft. @owner *path: free()
 * @errors HIT_E_IO the system's reason */
hit_status hit_folder_draft(const char *folder, char **path);
/** Let a draft take the place of what is at @p place, in one step where the file system
 * can. @p name: for the text. @errors HIT_E_IO the system's reason */
hit_status hit_folder_place(const char *name, const char *draft, const char *place);
/** The names in a folder are on disk. @errors HIT_E_IO the system's reason */
hit_status hit_folder_sync(const char *path);
/** With all that is in it; links are not followed. */
void hit_folder_remove(const char *path);
/** Let the open file have @p size_bytes, and room for them, before others begin to write
 * it. Where the system cannot tell of room, that is no failure; what is not a regular
 * file stays as it is. @p name: for the text. @errors HIT_E_IO the system's reason */
hit_status hit_file_reserve(int handle, uint64_t size_bytes, const char *name);
/** Write all @p size bytes at place @p at of an open file. Returns 0, or the system's
 * error number. */
int hit_file_put(int handle, const void *data, size_t size, uint64_t at);
/** Read bytes from there, up to the file's end: *found of them. Returns as
 * hit_file_put(). */
int hit_file_fetch(int handle, void *data, size_t size, uint64_t at, size_t *found);
/** Has all that was printed to @p stream been written? @p name: for the text.
 * @errors HIT_E_IO the system's reason */
hit_status hit_file_check(FILE *stream, const char *name);

/* share.c: files that are installed beside the library: machines, the project to copy. */

/** The path of share/hit/@p name beside the bin of the program that runs, else beside the
 * folder of the library, else where the library was to be installed; false: none of them
 * can be read. */
bool hit_share_find(const char *name, char *path, size_t size);

#endif
