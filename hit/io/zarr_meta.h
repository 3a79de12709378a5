/* SPDX-License-Identifier: MIT
 * Internal to hit/io: zarr.json of an array of Zarr, version 3. */
#ifndef HIT_IO_ZARR_META_H
#define HIT_IO_ZARR_META_H

#include "hit/base/input.h"
#include "hit/base/json.h"
#include "hit/io/format.h"

enum {
    HIT_ZARR_DIMS = HIT_MAX_DIMS + 1, /* those of a tile, and time */
    HIT_ZARR_MOST_CHUNK = 1 << 30,    /* bytes */
    HIT_ZARR_PATH = 4096              /* characters */
};

/** What a chunk goes through, after its elements as they lie in memory. */
typedef struct hit_zarr_chain {
    bool zstd;
    bool crc; /**< CRC-32C behind it */
} hit_zarr_chain;

/** An array; no pointers, since process 0 sends it to all. */
typedef struct hit_zarr_meta {
    hit_type type;
    int dims;
    hit_index shape[HIT_ZARR_DIMS];
    hit_index file[HIT_ZARR_DIMS];  /**< elements of a file: a shard, or a chunk */
    hit_index chunk[HIT_ZARR_DIMS]; /**< of a chunk */
    bool sharded;
    bool index_first; /**< of a shard; else it is last */
    bool index_crc;
    hit_zarr_chain chain;
    char separator;
    unsigned char fill[HIT_MAX_NUMBER_BYTES];
    char name[HIT_ZARR_DIMS][64]; /**< of dimensions; "": none */
    char units[128];              /**< "": none */
} hit_zarr_meta;

/** As zarr.json has it. @p key: of the member, or NULL */
void hit_zarr_print(hit_json *json, const char *key, const hit_zarr_meta *meta);
/** Read it for elements of @p type. @p path: for texts.
 * @errors HIT_E_IO it is none, or one that is not known here: expected and found */
hit_status hit_zarr_parse(const char *path, hit_json_value value, hit_type type,
                          hit_zarr_meta *meta);
/** The bytes of a chunk as it lies in memory. */
size_t hit_zarr_chunk_bytes(const hit_zarr_meta *meta);
/** The chunks of a file. */
hit_index hit_zarr_chunks_of_file(const hit_zarr_meta *meta);

#endif
