/* SPDX-License-Identifier: MIT
 * Internal: what an exchange sent, or lost, so that what is still there is not sent
 * again.
 */
#ifndef HIT_COMM_CONTENTS_H
#define HIT_COMM_CONTENTS_H

#include <stdbool.h>
#include <stdint.h>

/** What a gather gives, if it stays with the users: version @p version of tile @p tile,
 * in memory number @p memory of those that the exchange is for. */
typedef struct hit_content {
    uint64_t memory; /**< from 1 */
    uint64_t tile;
    uint64_t version;
} hit_content;

enum {
    HIT_CONTENTS = 4 /* programs swap two or three tiles */
};

/** {0}: nothing yet. */
typedef struct hit_contents {
    hit_content seen[HIT_CONTENTS]; /**< by the peers, last in each memory */
    int oldest;
    uint64_t
        missing[HIT_CONTENTS]; /**< memories without what the peers have sent, or 0 */
} hit_contents;

/** Was this content sent before? Remembers it otherwise; NULL: it does not stay. */
bool hit_contents_seen(hit_contents *contents, const hit_content *content);
void hit_contents_forget(hit_contents *contents);
/** What came for a memory was dropped, so that it lacks what the peers take for sent. 0:
 * nothing of it stays. */
void hit_contents_miss(hit_contents *contents, uint64_t memory);
bool hit_contents_misses(const hit_contents *contents, uint64_t memory);
/** All of it came. */
void hit_contents_complete(hit_contents *contents, uint64_t memory);

#endif
