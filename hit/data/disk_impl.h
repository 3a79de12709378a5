/* SPDX-License-Identifier: MIT
 * Internal to hit/data: the file that large parts of tiles lie in, and what of it lies
 * where in memory. */
#ifndef HIT_DATA_DISK_IMPL_H
#define HIT_DATA_DISK_IMPL_H

#include "hit/base/status_impl.h"
#include "hit/data/disk.h"

#include <pthread.h>
#include <sys/types.h>

enum {
    HIT_DISK_PAGE = 4096,  /* bytes; shorter runs are copied through the mapping */
    HIT_DISK_UNDER_WAY = 8 /* pieces on their way to the disk */
};

/* Memory that was taken. */
typedef struct hit_disk_region {
    const char *begin;
    size_t bytes;
    uint64_t at; /* in the file */
} hit_disk_region;

/* Of the file. */
typedef struct hit_disk_range {
    uint64_t begin;
    uint64_t end;
} hit_disk_range;

struct hit_disk {
    char *path;
    int file;
    size_t memory_bytes;
    size_t piece_bytes; /* copied at a time */
    bool closed;
    pid_t process;         /* that opened it */
    pthread_mutex_t mutex; /* of all that follows */
    hit_disk_region *region;
    size_t regions;
    size_t room;
    uint64_t end; /* of the file */
    hit_disk_range under_way[HIT_DISK_UNDER_WAY];
    unsigned next;
    uint64_t moved[2];
    hit_first failure;
};

/** Where @p memory lies in the file; false: it does not, or there is no disk. */
bool hit_disk_place(hit_disk *disk, const void *memory, uint64_t *at);

#endif
