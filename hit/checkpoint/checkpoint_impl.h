/* SPDX-License-Identifier: MIT
 * Internal: what the files of hit/checkpoint share. */
#ifndef HIT_CHECKPOINT_CHECKPOINT_IMPL_H
#define HIT_CHECKPOINT_CHECKPOINT_IMPL_H

#include "hit/base/status.h"
#include "hit/checkpoint/checkpoint.h"
#include "hit/io/io_impl.h"
#include "hit/tile/tile.h"

#include <stdbool.h>
#include <stdio.h>

/* options.c: what HIT_CHECKPOINT says. */

enum {
    HIT_CHECKPOINT_PATH = 3072 /**< characters of a path, at most */
};

typedef struct hit_checkpoint_options {
    double every_s;        /**< INFINITY: not by time */
    hit_index every_steps; /**< INT64_MAX: not by steps */
    double limit_s;        /**< how long the program may run; INFINITY */
    hit_index keep;        /**< checkpoints that stay */
    bool has_memory;
    size_t memory_bytes; /**< of this process, for what is written behind it */
    unsigned signals;    /**< bit k: entry k of hit_signal_table */
    char format[8];      /**< "hdf5" or "npy" */
    char path[HIT_CHECKPOINT_PATH];
} hit_checkpoint_options;

/** @errors HIT_E_ARG, which begins with HIT_CHECKPOINT */
hit_status hit_checkpoint_options_read(const char *text, hit_checkpoint_options *options);

/* signals.c: signals that ask for a checkpoint. */

enum {
    HIT_SIGNALS = 5
};

extern const struct hit_signal_name {
    const char *name;
    int number;
} hit_signal_table[HIT_SIGNALS];

/** Handle the signals whose bits are in @p mask until as many calls of
 * hit_signals_close(); the first one that comes is noted, and handed to the handler that
 * was there; the next does what it did before.
 * @errors HIT_E_INTERNAL the system refuses */
hit_status hit_signals_open(unsigned mask);
void hit_signals_close(unsigned mask);
/** The signals of @p mask that have come and were not taken. */
unsigned hit_signals_seen(unsigned mask);
/** They were served: the next one of each is a first one again. */
void hit_signals_take(unsigned mask);

/* writer.c: a thread that writes files while the program goes on. What it is given is
 * in memory that it gave, and so much at most as it has room for: then the program waits
 * for it. It calls neither MPI nor HDF5. */

typedef struct hit_writer hit_writer;

/** @p room_bytes: of what is not written yet, at most, but for one stretch; 0: there is
 * no thread, and all is written by the caller.
 * @owner *writer is the caller's: hit_writer_close() @errors HIT_E_NOMEM */
hit_status hit_writer_open(size_t room_bytes, hit_writer **writer);
/** For an array whose elements @p writer is to write. One thread calls its functions, and
 * all below; any thread may ask hit_writer_is_idle() and hit_writer_written().
 * hit_writer_wait() returns a failure; nothing is written after the first one. */
hit_sink hit_writer_sink(hit_writer *writer);
/** Does nothing that was given wait to be carried out? */
bool hit_writer_is_idle(hit_writer *writer);
/** The bytes that are written. */
uint64_t hit_writer_written(hit_writer *writer);
/** Nothing is added any more: memory goes back to the system when it is written. Returns
 * the bytes that were added when there was no room for them. */
uint64_t hit_writer_end(hit_writer *writer);
/** Until all is done. @errors the first failure: HIT_E_IO with the system's reason */
hit_status hit_writer_wait(hit_writer *writer);
/** After all is done. Accepts NULL in *writer; sets it to NULL. */
void hit_writer_close(hit_writer **writer);

/* stored.c: the arrays of a file that its writer makes whole, as a checkpoint is: no
 * draft, no copy of what is there, and checksums of elements that do not depend on who
 * wrote them. They are read back from where they stand, without asking the format. */

enum {
    HIT_STORED_BLOCK = 16 << 20 /**< bytes of an array, in row-major order, that have a
                                   checksum of their own */
};

typedef struct hit_stored {
    const char *path;     /**< of the file. @owner these texts: the caller */
    const char *name;     /**< of the array */
    bool add;             /**< writing: the file is there, and has other arrays */
    uint64_t begin_bytes; /**< where the elements begin; set by writing */
    uint64_t all_bytes;   /**< of the elements of a tile; set by writing */
    hit_index blocks;     /**< hit_sums_blocks() */
    uint64_t *crc;        /**< CRC-32C of each; set by writing. @owner the caller */
} hit_stored;

/** Have @p writer write the elements of @p tile, as an array of the format "hdf5" or
 * "npy". The tile may change then; *stored stays where it is until hit_stored_join().
 * @collective yes @errors HIT_E_IO, HIT_E_ABSENT, HIT_E_NOMEM, HIT_E_PEER */
hit_status hit_stored_write(hit_tile *tile, const char *format, hit_writer *writer,
                            hit_stored *stored);
/** The checksums, when all processes have written. @collective yes */
hit_status hit_stored_join(struct hit_comm *comm, const hit_stored *stored);
/** @collective yes @errors as above; HIT_E_IO on all processes where a checksum differs,
 * with the array's name */
hit_status hit_stored_read(hit_tile *tile, const hit_stored *stored);
/** Compare @p bytes of elements with their checksums, by this process alone.
 * @errors HIT_E_IO, HIT_E_NOMEM */
hit_status hit_stored_check(const hit_stored *stored, uint64_t bytes);
/** One element of at most a block, by this process alone. */
hit_status hit_stored_write_value(const hit_context *context, hit_type type,
                                  const void *value, const char *format,
                                  hit_writer *writer, hit_stored *stored);
hit_status hit_stored_read_value(hit_type type, void *value, const hit_stored *stored);

/* sums.c: checksums of the blocks of an array, of which each process has stretches. */

struct hit_comm;

/** How many checksums an array of so many bytes has. */
hit_index hit_sums_blocks(uint64_t bytes);
/** Add @p size bytes from @p offset on of an array of @p all bytes to what this process
 * knows: @p crc has a number for each block, 0 at the beginning. */
void hit_sums_add(uint64_t crc[], uint64_t all, uint64_t offset, const void *data,
                  size_t size);
/** Join what the processes know: the checksums. @collective yes */
hit_status hit_sums_join(struct hit_comm *comm, uint64_t crc[], uint64_t all);
/** Are these the checksums of *stored? @errors HIT_E_IO the first block that differs */
hit_status hit_sums_check(const hit_stored *stored, const uint64_t crc[]);

/* manifest.c: what a checkpoint holds, as it says itself: the file "checkpoint.json" in
 * its folder, beside the files of its arrays. */

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

/* folder.c: the folder of checkpoints, as process 0 sees it. In it are the folders
 * checkpoint-RUN-STEP, the file "lock", and "ended" after a regular end. */

enum {
    HIT_CHECKPOINT_ROOM = 4096 /**< characters of the path of what is in it */
};

/** Which one: later runs are newer, and later steps of a run. */
typedef struct hit_checkpoint_key {
    hit_index run;
    hit_index step;
} hit_checkpoint_key;

/** Make the folder if it is not there, and keep other runs out of it until *handle is
 * closed. @errors HIT_E_IO the system's reason, or another run is in it */
hit_status hit_checkpoint_lock(const char *folder, int *handle);
void hit_checkpoint_unlock(int *handle);
/** Those in the folder, whole or not, the newest first. @owner *key: free() */
hit_status hit_checkpoint_list(const char *folder, int *count, hit_checkpoint_key **key);
/** The last run that came to its end; 0: none did. */
hit_status hit_checkpoint_ended(const char *folder, hit_index *run);
/** Mark the end of a run. */
hit_status hit_checkpoint_end(const char *folder, hit_index run);
/** Remove all but @p keep up to @p newest, the others behind it, too: those were not
 * whole. */
void hit_checkpoint_clean(const char *folder, hit_checkpoint_key newest, hit_index keep);
/** FOLDER/checkpoint-RUN-STEP, with /@p file behind it unless that is NULL. */
void hit_checkpoint_path(const char *folder, hit_checkpoint_key key, const char *file,
                         char path[HIT_CHECKPOINT_ROOM]);
/** What the checkpoint at @p path says of itself. @owner *text: free()
 * @errors HIT_E_IO, HIT_E_NOMEM */
hit_status hit_checkpoint_text(const char *path, char **text);

/* The checkpoints of a context. */

/** What the program named. */
typedef struct hit_checkpoint_item {
    char name[HIT_CHECKPOINT_NAME];
    hit_tile **tile; /**< borrowed; NULL: a value */
    hit_type type;   /**< of the value */
    void *value;     /**< borrowed */
} hit_checkpoint_item;

/** One that is being written. */
typedef struct hit_checkpoint_saving {
    char draft[HIT_CHECKPOINT_ROOM]; /**< the folder; "": none was made */
    hit_manifest manifest;
    hit_stored *stored; /**< of each array */
    hit_writer *writer;
    bool behind;    /**< while the next steps run */
    double begin_s; /**< when it began */
    double told_s;  /**< when something was said of it, or it began */
} hit_checkpoint_saving;

typedef struct hit_checkpoint {
    hit_context *context; /**< borrowed */
    hit_checkpoint_options options;
    char program[HIT_CHECKPOINT_TEXT];
    size_t count;
    size_t room;
    hit_checkpoint_item *item;
    hit_checkpoint_saving *saving; /**< NULL: none is being written */
    int lock;                      /**< process 0: of the folder; -1 */
    bool begun;                    /**< the first step was */
    hit_checkpoint_key key;        /**< this run, and the steps that are done */
    hit_index saved_step;
    hit_index vote_at;   /**< the step at which processes agree next */
    hit_index vote_step; /**< the one at which they did */
    double vote_s;       /**< when that was */
    double open_s;       /**< when the context was opened */
    double saved_s;      /**< when the last one was written, or the first step began */
    double longest_s;    /**< to write one */
    bool limit_served;
} hit_checkpoint;

/** Read HIT_CHECKPOINT, if it is set. @errors HIT_E_ARG, HIT_E_NOMEM, HIT_E_INTERNAL */
hit_status hit_checkpoint_open(hit_context *context);
/** @p ends: regularly; then the next run begins anew.
 * @errors HIT_E_IO the mark cannot be written */
hit_status hit_checkpoint_close(hit_context *context, bool ends);

/* save.c: writing one. */

/** What a checkpoint of this run at this step says of itself, but for checksums and
 * places. @owner *manifest, also on failure: hit_manifest_clear() @errors HIT_E_NOMEM */
hit_status hit_checkpoint_describe(const hit_checkpoint *c, hit_manifest *manifest);
/** Begin to write one: c->saving, which is NULL before and after a failure. Tiles and
 * values may change then. @p urgent: it is waited for, so nothing is copied.
 * @collective yes @errors of hit_checkpoint_step() */
hit_status hit_checkpoint_save(hit_checkpoint *c, bool urgent);
/** Are the elements of this process on disk, or has that failed? */
bool hit_checkpoint_is_written(const hit_checkpoint *c);
/** Wait until they are on all processes, and make the checkpoint whole; c->saving is NULL
 * then. @collective yes @errors of hit_checkpoint_step() */
hit_status hit_checkpoint_finish(hit_checkpoint *c);
/** Wait, and remove what was written. @collective no; accepts that there is none */
void hit_checkpoint_abandon(hit_checkpoint *c);

/* load.c: going on from one. */

/** Find the newest whole one of a run that did not end, and set tiles, values and c->key.
 * @collective yes @errors of hit_checkpoint_step() */
hit_status hit_checkpoint_load(hit_checkpoint *c);

#endif
