/* SPDX-License-Identifier: MIT
 * Internal: what a checkpoint holds, as it says itself: the file "checkpoint.json" in its
 * folder, beside the files of its arrays. */
#ifndef HIT_CHECKPOINT_MANIFEST_H
#define HIT_CHECKPOINT_MANIFEST_H

#include "hit/checkpoint/stored.h"

#include <stdbool.h>
#include <stdio.h>

enum {
    HIT_CHECKPOINT_NAME = 64,  /**< characters of a name, with the final zero */
    HIT_CHECKPOINT_TEXT = 256, /**< of a program's name, of a layout */
    HIT_CHECKPOINT_FILE = 80   /**< of the name of an array's file */
};

#define HIT_CHECKPOINT_JSON "checkpoint.json"

/** A tile, or a value: one element. */
typedef struct hit_checkpoint_array {
    char name[HIT_CHECKPOINT_NAME];
    char file[HIT_CHECKPOINT_FILE];
    char layout[HIT_CHECKPOINT_TEXT]; /**< as it was; for people */
    bool is_value;
    hit_type type;
    hit_domain domain; /**< of a value: no dimension */
    uint64_t begin_bytes;
    hit_index blocks;
    uint64_t *crc;
} hit_checkpoint_array;

typedef struct hit_manifest {
    char program[HIT_CHECKPOINT_TEXT];
    hit_index run;     /**< of those that began anew in the folder, from 1 */
    hit_index step;    /**< that many are done */
    hit_index written; /**< seconds since 1970 */
    hit_index processes;
    int count;
    hit_checkpoint_array *array;
} hit_manifest;

/** Room for the arrays, and for the checksums of one whose type and domain are set.
 * @owner of both *manifest: hit_manifest_clear() @errors HIT_E_NOMEM */
hit_status hit_manifest_make(int count, hit_manifest *manifest);
hit_status hit_manifest_size(hit_checkpoint_array *array);
/** Of the elements of an array. */
uint64_t hit_manifest_bytes(const hit_checkpoint_array *array);
void hit_manifest_clear(hit_manifest *manifest);

/** The text, which ends with a checksum of itself. @owner *text: free()
 * @errors HIT_E_NOMEM */
hit_status hit_manifest_print(const hit_manifest *manifest, char **text);
/** @p name: of the file. @owner *manifest, also on failure: hit_manifest_clear()
 * @errors HIT_E_IO it is damaged, or no such text; HIT_E_NOMEM */
hit_status hit_manifest_read(const char *name, const char *text, hit_manifest *manifest);

#endif
