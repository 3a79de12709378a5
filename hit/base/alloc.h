/* SPDX-License-Identifier: MIT
 * Memory for elements: aligned, and on huge pages where that pays. */
#ifndef HIT_BASE_ALLOC_H
#define HIT_BASE_ALLOC_H

#include "hit/base/status.h"

#include <stddef.h>

/** Allocate @p size_bytes at a multiple of 64 bytes; large buffers ask for huge pages.
 * Not cleared. A size of 0 gives a valid pointer. @owner the caller: hit_memory_release()
 * @errors HIT_E_NOMEM says how much was asked for and what for (@p what: "tile now") */
hit_status hit_memory_take(size_t size_bytes, const char *what, void **memory);

/** Accepts NULL in *memory; sets it to NULL. */
void hit_memory_release(void **memory);
/** Cleared memory that takes none until it is touched, and may be larger than that of the
 * machine: for a dry run. @owner the caller: hit_memory_unreserve() @errors HIT_E_NOMEM
 */
hit_status hit_memory_reserve(size_t size_bytes, const char *what, void **memory);
/** Of the same size. Accepts NULL in *memory; sets it to NULL. */
void hit_memory_unreserve(void **memory, size_t size_bytes);
/** Nobody wants what lies in this memory any more: give whole pages in it back to the
 * system, where it can. They stay allocated, with any content, and may be written. */
void hit_memory_forget(void *memory, size_t size_bytes);
/** The next multiple of 64 bytes: what lies behind is at one, too. */
static inline size_t hit_memory_padded(size_t size_bytes)
{
    return (size_bytes + 63) / 64 * 64;
}

/** Room for @p count elements in the array that @p array_pointer points to (NULL: none
 * yet), which keeps what it has; what is new is not cleared. It stays as it is on
 * failure.
 * @errors HIT_E_NOMEM says what for */
hit_status hit_memory_resize(size_t count, size_t size_bytes, const char *what,
                             void *array_pointer);
/** The same for twice @p count elements, which *room says then. @errors as
 * hit_memory_resize() */
hit_status hit_memory_double(size_t count, size_t *room, size_t size_bytes,
                             const char *what, void *array_pointer);
/** The same for at least @p count elements, twice as many where *room of them are too
 * few: for arrays that grow one by one. @errors as hit_memory_resize() */
static inline hit_status hit_memory_grow(size_t count, size_t *room, size_t size_bytes,
                                         const char *what, void *array_pointer)
{
    return count <= *room
               ? HIT_OK
               : hit_memory_double(count, room, size_bytes, what, array_pointer);
}
/** The same for one more element of @p array, which has @p count of them and room for
 * @p room: `HIT_TRY(HIT_ONE_MORE(s->box, s->count, s->room, "boxes"));`. */
#define HIT_ONE_MORE(array, count, room, what)                                           \
    hit_memory_grow((size_t)(count) + 1, &(room), sizeof *(array), what, &(array))

/** Cleared arrays that are freed together; {NULL} are none. */
typedef struct hit_arrays {
    void *last;
} hit_arrays;

/** As hit_memory_zeroed(); the array is one of @p arrays. @owner hit_arrays_free()
 * @errors HIT_E_NOMEM: the pointer is NULL */
hit_status hit_arrays_take(hit_arrays *arrays, size_t count, size_t size_bytes,
                           void *array_pointer);
/** The same for @p count elements of the pointer @p array: `HIT_TAKE(&s->arrays, n,
 * box)`. */
#define HIT_TAKE(arrays, count, array)                                                   \
    hit_arrays_take((arrays), (count), sizeof *(array), &(array))
/** All of them, and none is left. */
void hit_arrays_free(hit_arrays *arrays);

/** The largest resident size this process had so far, in bytes; 0 where unknown. */
size_t hit_memory_peak_bytes(void);
/** That which it has now, where the system says so; else the largest so far. */
size_t hit_memory_resident_bytes(void);

/** The memory of this machine in bytes, all of its NUMA nodes; 0 where unknown. */
size_t hit_memory_machine_bytes(void);

/* spare.c: memory that is used again and again for about the same: taking it from the
 * system costs a page fault per page, which is what a short measurement must not spend
 * its time on. */

typedef struct hit_spare hit_spare;

/** @owner the caller: hit_spare_destroy(), after all was given back
 * @errors HIT_E_NOMEM */
hit_status hit_spare_create(hit_spare **spare);
/** Accepts NULL in *spare; sets it to NULL. */
void hit_spare_destroy(hit_spare **spare);
/** As hit_memory_take(); @p spare NULL: just that. What was given back before is taken
 * first; what is unused and too small goes to the system, so that both never stand side
 * by side.
 * @owner hit_spare_give() @errors HIT_E_NOMEM */
hit_status hit_spare_take(hit_spare *spare, size_t size_bytes, const char *what,
                          void **memory);
/** Give back what was taken from the same @p spare. Accepts NULL in *memory; sets it to
 * NULL. */
void hit_spare_give(hit_spare *spare, void **memory);

/* repeat.c: memory that holds one element again and again. */

/** Set @p count elements of @p size_bytes at @p to to @p element, which lies elsewhere.
 */
void hit_memory_repeat(void *to, size_t count, const void *element, size_t size_bytes);

#endif
