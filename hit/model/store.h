/* SPDX-License-Identifier: MIT
 * The store of what was measured: a text file for each model of speed, of a kernel,
 * device and build, and for the tiles of each chain of launches, in
 * $XDG_CACHE_HOME/hit/models (else ~/.cache/hit/models), found again by the next run.
 * Files are replaced whole. Writers wait for each other, but a second at most, since what
 * is here can be measured again: nothing may hang for it. */
#ifndef HIT_MODEL_STORE_H
#define HIT_MODEL_STORE_H

#include "hit/model/fpm.h"

HIT_C_BEGIN

struct hit_clock;

typedef enum hit_store_kind {
    HIT_STORE_SPEED, /**< NAME.fpm: a functional model */
    HIT_STORE_TILES, /**< NAME.tiles: hit/chain/tuner.h */
    HIT_STORE_KINDS
} hit_store_kind;

/** Whose model it is. Each text is one line; models with different texts are different
 * ones. */
typedef struct hit_model_key {
    char kernel[128]; /**< and what shapes its times: "gemm_double *x* k=256" */
    char device[256]; /**< and what runs beside it: "host:slow=2, ..., 4 processes" */
    char build[128];  /**< of library, compiler, BLAS */
} hit_model_key;

/** A file of the store. */
typedef struct hit_model_entry {
    hit_store_kind kind;
    char name[64]; /**< of the file, without the ending */
    hit_model_key key;
} hit_model_entry;

/** The folder of the store; it need not exist. @owner *folder is the caller's: free()
 * @errors HIT_E_IO neither XDG_CACHE_HOME nor HOME is an absolute path; HIT_E_NOMEM */
HIT_API hit_status hit_store_folder(char **folder);
/** The ending of files of a kind: ".fpm". */
HIT_API const char *hit_store_ending(hit_store_kind kind);
/** The name of the file for a key, which begins with the kernel's. @p name has 64 bytes.
 */
HIT_API void hit_store_name(const hit_model_key *key, char name[64]);

/** Find the model of a key.
 * @owner *fpm is the caller's: hit_fpm_destroy(); NULL where there is none
 * @errors HIT_E_ARG what is in the file is not a model, or that of another key; HIT_E_IO;
 * HIT_E_NOMEM */
HIT_API hit_status hit_store_find(const hit_model_key *key, hit_fpm **fpm);
/** Add the points of a functional model to those of a key: where there is one already
 * within 1 % of the units, the new one counts. A file that is not a model is replaced.
 * @p clock: by which it waits; NULL: the system's.
 * @errors HIT_E_IO also where another process writes for more than a second; HIT_E_ARG
 * not functional; HIT_E_NOMEM */
HIT_API hit_status hit_store_add(const struct hit_clock *clock, const hit_model_key *key,
                                 const hit_fpm *measured);

/** Find the tiles of a key, as text.
 * @owner *text is the caller's: free(); NULL where there is none
 * @errors HIT_E_ARG the file does not hold tiles, or those of another key; HIT_E_IO;
 * HIT_E_NOMEM */
HIT_API hit_status hit_store_find_tiles(const hit_model_key *key, char **text);
/** Keep @p lines, which end with a newline, as the tiles of a key, in place of those that
 * were there. @errors HIT_E_ARG the key; else as hit_store_add() */
HIT_API hit_status hit_store_put_tiles(const struct hit_clock *clock,
                                       const hit_model_key *key, const char *lines);

/** Read the model of speed of that name, whatever its key. @errors as hit_store_find();
 * HIT_E_IO also where there is none */
HIT_API hit_status hit_store_read(const char *name, hit_model_entry *entry,
                                  hit_fpm **fpm);
/** The same as text, of any kind: the first of that name. @owner *text: free() */
HIT_API hit_status hit_store_read_text(const char *name, hit_model_entry *entry,
                                       char **text);
/** Remove all files of that name. @errors HIT_E_IO also where there is none */
HIT_API hit_status hit_store_remove(const char *name);

HIT_C_END

#endif
