/* SPDX-License-Identifier: MIT
 * Disk as a memory (HIT_DISK="path=/scratch,memory=4GiB"): large parts of tiles lie in a
 * file that is mapped: code with a pointer reads and writes them. Devices copy from and
 * to the file itself, piece after piece. Pages of the file that were copied
 * are dropped behind the copy: the system's cache does not fill with what comes again a
 * step later. docs/device.md, decision 0067. */
#ifndef HIT_DATA_DISK_H
#define HIT_DATA_DISK_H

#include "hit/data/ndcopy.h"

typedef struct hit_disk hit_disk;

/** Read the text of HIT_DISK and make the file, which has no name: it goes with the
 * process, however that ends. NULL or empty text: *disk is NULL, as all functions take it
 * for none. @p planned: no memory is taken, and no file is made.
 * @owner the caller: hit_disk_close()
 * @errors HIT_E_ARG says what was expected; HIT_E_IO no file can be made in path=, with
 * the system's reason; HIT_E_NOMEM */
hit_status hit_disk_open(const char *text, bool planned, hit_disk **disk);
/** Accepts NULL in *disk; sets it to NULL. Where memory is still taken *disk stays, for
 * hit_disk_give() alone, and goes with the last of it. */
void hit_disk_close(hit_disk **disk);
/** What devices of the process may have of the host's memory, in bytes: memory= but for
 * what is under way between it and the file. */
size_t hit_disk_device_bytes(const hit_disk *disk);
/** Does memory of this size belong into the file? What is small does not. */
bool hit_disk_wants(const hit_disk *disk, size_t size_bytes);
/** Cleared memory in the file, with room on the disk. @owner hit_disk_give()
 * @errors HIT_E_IO there is no room, with the system's reason; HIT_E_NOMEM. @p what is
 * named: "tile now" */
hit_status hit_disk_take(hit_disk *disk, size_t size_bytes, const char *what,
                         void **memory);
/** Give back what hit_disk_take() gave; *disk is NULL where it goes with it. A child that
 * was forked gives back its own memory only. False: it is not from there. */
bool hit_disk_give(hit_disk **disk, const void *memory);
/** Does it lie in the file? */
bool hit_disk_holds(hit_disk *disk, const void *memory);

/** Carry out a copy as hit_ndcopy_run() does, from or to the file where one of both lies
 * there. Threads may do so side by side. hit_disk_told() returns a failure. */
void hit_disk_copy(hit_disk *disk, const hit_ndcopy *copy, const void *from, void *to);
/** A copy from there comes soon. @p disk is not NULL. */
void hit_disk_expect(hit_disk *disk, const hit_ndcopy *copy, const void *from);
/** Nobody wants this memory for a while; it may lie elsewhere. */
void hit_disk_behind(hit_disk *disk, const void *memory, size_t size_bytes);
/** The first failure of a copy, now and ever after: elements are lost then. @p disk is
 * not NULL. @errors HIT_E_IO */
hit_status hit_disk_failure(hit_disk *disk);
/** The same, HIT_OK without a disk. Each copy asks. */
static inline hit_status hit_disk_told(hit_disk *disk)
{
    return disk != NULL ? hit_disk_failure(disk) : HIT_OK;
}
/** Bytes that copies have moved so far, read and written. */
void hit_disk_moved(hit_disk *disk, uint64_t moved[2]);

#endif
