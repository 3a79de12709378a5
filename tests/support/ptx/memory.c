/* SPDX-License-Identifier: MIT
 * Every access of a thread: is it inside of memory that the thread may use, aligned, of
 * elements that somebody wrote, and does no other thread of the grid write there? */
#include "tests/support/fake_cuda/fake_streams.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx.h"

enum {
    BLOCKS = 4096
};

/* Per byte, the last access of this kind: the epoch of its grid, and which thread. */
typedef struct shadow {
    fake_memory of;
    uint64_t *writer;
    uint64_t *reader;
} shadow;

/* tests have no context to hang this on */
static shadow shadows[BLOCKS];
static ptx_complain *told;

static const uint64_t many = UINT32_MAX; /* threads have read there */
static const uint64_t by_read_only_path = (uint64_t)1 << 63;

void ptx_on_fault(ptx_complain *complain)
{
    told = complain;
}

void ptx_fault(const ptx_warp *warp, int lane, const ptx_instruction *one, uint64_t at,
               const char *what)
{
    char text[1400];

    snprintf(text, sizeof(text),
             "%s: line %d of the PTX, thread (%u, %u, %u) of block (%u, %u, %u): address "
             "%#llx, %s",
             warp->entry->name, one->line, (unsigned)warp->row[PTX_TID][lane],
             (unsigned)warp->row[PTX_TID + 1][lane],
             (unsigned)warp->row[PTX_TID + 2][lane], (unsigned)warp->row[PTX_CTAID][lane],
             (unsigned)warp->row[PTX_CTAID + 1][lane],
             (unsigned)warp->row[PTX_CTAID + 2][lane], (unsigned long long)at, what);
    if (told != NULL) {
        told(text);
        return;
    }
    fprintf(stderr, "%s\n", text);
    abort();
}

static bool inside(uint64_t at, size_t size_bytes, const char *begin, size_t room)
{
    const uint64_t first = (uint64_t)(uintptr_t)begin;

    return begin != NULL && at >= first && at + size_bytes <= first + room;
}

static bool is_there(const shadow *s)
{
    fake_memory memory;

    return s->writer != NULL && fake_find(s->of.begin, s->of.size_bytes, &memory) &&
           memory.begin == s->of.begin && memory.size_bytes == s->of.size_bytes;
}

/* The one of this memory, or one of memory that was freed; old epochs in it are not those
 * of this grid. */
static shadow *shadow_of(const fake_memory *memory)
{
    shadow *s = NULL;

    for (int k = 0; k < BLOCKS && s == NULL; k++) {
        if (shadows[k].writer == NULL || shadows[k].of.begin == memory->begin ||
            !is_there(&shadows[k])) {
            s = &shadows[k];
        }
    }
    if (s == NULL) abort();
    if (s->writer == NULL || s->of.size_bytes != memory->size_bytes) {
        free(s->writer);
        free(s->reader);
        s->writer = calloc(memory->size_bytes, sizeof(*s->writer));
        s->reader = calloc(memory->size_bytes, sizeof(*s->reader));
        if (s->writer == NULL || s->reader == NULL) abort();
    }
    s->of = *memory;
    return s;
}

static shadow *find(const ptx_warp *warp, ptx_instruction *one, uint64_t at,
                    size_t size_bytes)
{
    const shadow *seen = one->seen;
    fake_memory memory;

    if (one->seen_epoch == warp->epoch && seen != NULL &&
        inside(at, size_bytes, seen->of.begin, seen->of.size_bytes)) {
        return (shadow *)(uintptr_t)seen;
    }
    if (!fake_find((const void *)(uintptr_t)at, size_bytes, &memory)) return NULL;
    one->seen = shadow_of(&memory);
    one->seen_epoch = warp->epoch;
    return (shadow *)(uintptr_t)one->seen;
}

/* What another access of the grid makes wrong about this one; NULL: nothing. */
static const char *race(const shadow *s, size_t byte, uint64_t stamp, bool writes)
{
    const uint64_t w = s->writer[byte];
    const uint64_t r = s->reader[byte] & ~by_read_only_path;
    const uint64_t me = stamp & ~by_read_only_path;

    if (w >> 32 == me >> 32 && w != me) {
        return writes ? "two threads write there" : "another thread writes there";
    }
    if (writes && r >> 32 == me >> 32 && r != me) return "another thread reads there";
    if (writes && s->reader[byte] == (me | by_read_only_path)) {
        return "it was read by the read-only path";
    }
    if (!writes && stamp != me && w == me) {
        return "the read-only path reads what it wrote";
    }
    return NULL;
}

static const char *watch(shadow *s, size_t byte, int size_bytes, uint64_t stamp,
                         bool writes)
{
    const uint64_t grid = stamp >> 32 << 32;

    for (int k = 0; k < size_bytes; k++, byte++) {
        const char *wrong = race(s, byte, stamp, writes);
        uint64_t *r = &s->reader[byte];
        if (wrong != NULL) return wrong;
        if (writes) {
            s->writer[byte] = stamp;
        } else if ((*r ^ stamp) << 1 >> 33 == 0 && *r << 32 != stamp << 32) {
            *r = grid | many;
        } else {
            *r = stamp;
        }
    }
    return NULL;
}

/* A copy within the GPU may take along what nobody wrote and nobody will use. */
static bool is_copy(const ptx_entry *e)
{
    return strstr(e->name, "move_grid") != NULL;
}

static const char *check_memory(const ptx_warp *warp, int lane, ptx_instruction *one,
                                uint64_t at, bool writes)
{
    const int size = one->bytes * one->count;
    shadow *s = find(warp, one, at, (size_t)size);
    uint64_t stamp = warp->epoch << 32 | (uint32_t)(warp->first_thread + (unsigned)lane);
    size_t byte;

    if (s == NULL) return "outside of the GPU's and of pinned memory";
    byte = (size_t)(at - (uint64_t)(uintptr_t)s->of.begin);
    for (int k = 0; s->of.known != NULL && k < size; k++) {
        if (writes) s->of.known[byte + (size_t)k] = 1;
        if (!s->of.known[byte + (size_t)k] && !is_copy(warp->entry)) {
            return "nobody has written there";
        }
    }
    if (one->space == PTX_READ_ONLY) stamp |= by_read_only_path;
    return watch(s, byte, size, stamp, writes);
}

/* Memory of a thread or a block has what an earlier one left there. */
static const char *check_own(char *known, size_t size_bytes, bool writes)
{
    if (writes) memset(known, 1, size_bytes);
    return memchr(known, 0, size_bytes) == NULL ? NULL : "nobody has written there";
}

bool ptx_may_access(const ptx_warp *warp, int lane, ptx_instruction *one, uint64_t at,
                    bool writes)
{
    const size_t size = (size_t)one->bytes * (size_t)one->count;
    const ptx_entry *e = warp->entry;
    const uint64_t local = at - (uint64_t)(uintptr_t)warp->local;
    const uint64_t shared = at - (uint64_t)(uintptr_t)warp->shared;
    const char *wrong = NULL;

    if (at % size != 0) {
        wrong = "misaligned";
    } else if (inside(at, size, warp->param, e->param_bytes)) { /* is it a store? */
        if (writes) wrong = "a parameter is written";
    } else if (inside(at, size, warp->local + (size_t)lane * e->local_bytes,
                      e->local_bytes)) {
        wrong = check_own(warp->local_known + local, size, writes);
    } else if (inside(at, size, warp->shared, e->shared_bytes)) {
        wrong = check_own(warp->shared_known + shared, size, writes);
    } else if (one->space == PTX_PARAM || one->space == PTX_LOCAL ||
               one->space == PTX_SHARED) {
        wrong = "outside of the parameters, or of the thread's or the block's memory";
    } else {
        wrong = check_memory(warp, lane, one, at, writes);
    }
    if (wrong != NULL) ptx_fault(warp, lane, one, at, wrong);
    return wrong == NULL;
}
