/* SPDX-License-Identifier: MIT
 * Internal: the arrays of a file that its writer makes whole, as a checkpoint is: no
 * draft, no copy of what is there, and checksums of elements that do not depend on who
 * wrote them. They are read back from where they stand, without asking the format. */
#ifndef HIT_CHECKPOINT_STORED_H
#define HIT_CHECKPOINT_STORED_H

#include "hit/checkpoint/writer.h"
#include "hit/tile/tile.h"

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

#endif
