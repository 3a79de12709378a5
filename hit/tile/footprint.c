/* SPDX-License-Identifier: MIT
 * What tiles and launches would take on the processes of a dry run. */
#include "hit/tile/footprint.h"

#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/data/disk.h"
#include "hit/tile/tile_impl.h"

#include <stdlib.h>

typedef struct process {
    uint64_t tiles; /* now */
    uint64_t scratch;
    uint64_t tables;
    uint64_t held;
    hit_footprint_bytes peak;
} process;

struct hit_footprint {
    int size; /* of the dry run */
    int processes;
    uint64_t beyond; /* what a process that is not looked at may have more of tiles */
    process of[HIT_FOOTPRINT_MOST];
};

hit_status hit_footprint_create(int processes, hit_footprint **footprint)
{
    hit_footprint *made;

    HIT_TRY(hit_memory_zeroed(1, sizeof *made, &made));
    made->size = processes;
    made->processes = processes < HIT_FOOTPRINT_MOST ? processes : HIT_FOOTPRINT_MOST;
    *footprint = made;
    return HIT_OK;
}

void hit_footprint_destroy(hit_footprint **footprint)
{
    free(*footprint);
    *footprint = NULL;
}

int hit_footprint_processes(const hit_footprint *footprint)
{
    return footprint != NULL ? footprint->processes : 0;
}

int hit_footprint_rank(const hit_footprint *footprint, int k)
{
    if (k == 0) return 0;
    return (int)((int64_t)k * (footprint->size - 1) / (footprint->processes - 1));
}

int hit_footprint_number(const hit_footprint *footprint, int rank)
{
    const int64_t last = footprint->processes - 1;
    int k = 0; /* the first one from the rank on */

    if (footprint->size > 1) {
        k = (int)((rank * last + footprint->size - 2) / (footprint->size - 1));
    }
    return hit_footprint_rank(footprint, k) == rank ? k : -1;
}

static uint64_t sum(hit_footprint_bytes bytes)
{
    return bytes.tiles + bytes.scratch + bytes.held;
}

hit_footprint_bytes hit_footprint_most(const hit_footprint *footprint)
{
    hit_footprint_bytes most = {0};

    for (int k = 0; k < footprint->processes; k++) {
        const hit_footprint_bytes peak = footprint->of[k].peak;

        if (sum(peak) > sum(most)) most = peak;
    }
    return most;
}

static void note_peak(const hit_footprint *footprint, process *of)
{
    const hit_footprint_bytes now = {.tiles = of->tiles + footprint->beyond,
                                     .scratch = of->scratch + of->tables,
                                     .held = of->held};

    if (sum(now) > sum(of->peak)) of->peak = now;
}

void hit_footprint_launch(hit_footprint *footprint, int k, uint64_t scratch_bytes,
                          uint64_t table_bytes)
{
    process *of = &footprint->of[k];

    if (scratch_bytes > of->scratch) of->scratch = scratch_bytes;
    of->tables += table_bytes;
    note_peak(footprint, of);
}

void hit_footprint_hold(void *storage, int rank, int64_t bytes)
{
    hit_footprint *footprint = ((const hit_storage *)storage)->context->footprint;
    const int k = footprint != NULL ? hit_footprint_number(footprint, rank) : -1;

    if (k < 0) return; /* or hit_close() took it along */
    footprint->of[k].held += (uint64_t)bytes;
    note_peak(footprint, &footprint->of[k]);
}

/* ---- tiles ---- */

/* In the host's memory. */
static uint64_t bytes_of(const hit_storage *storage, const hit_domain *box)
{
    const uint64_t bytes = (uint64_t)hit_domain_count(box) * storage->type.size_bytes;

    return hit_disk_wants(storage->context->disk, bytes) ? 0 : bytes;
}

/* The program's array around what a process owns: with as many ghosts as this process
 * has; those of others are not known. */
static hit_domain array_around(const hit_storage *storage, const hit_domain *owned)
{
    hit_domain around = {.dims = owned->dims};

    if (storage->pieces == 0) return *owned;
    for (int d = 0; d < around.dims; d++) {
        const hit_sig *own = &storage->owned[0].sig[d];
        const hit_sig *array = &storage->adopted[0].array.domain.sig[d];

        around.sig[d] = hit_sig_make(owned->sig[d].begin - (own->begin - array->begin),
                                     owned->sig[d].end + (array->end - own->end),
                                     owned->sig[d].stride);
    }
    return around;
}

/* What the library takes for a piece: of a tile in an array of the program's own nothing,
 * until a launch needs more around it than is there. */
static uint64_t taken(const hit_storage *storage, const hit_foreseen *of, int piece)
{
    if (storage->adopted != NULL) {
        const hit_domain array = array_around(storage, &of->owned[piece]);

        if (hit_domain_equal(&array, &of->cover[piece])) return 0;
    }
    return bytes_of(storage, &of->cover[piece]);
}

static void change(hit_storage *storage, int k, int64_t bytes)
{
    hit_footprint *footprint = storage->context->footprint;

    footprint->of[k].tiles += (uint64_t)bytes;
    note_peak(footprint, &footprint->of[k]);
}

static hit_status foresee(const hit_storage *storage, int rank, hit_foreseen *made)
{
    hit_region part = {0};
    size_t room;
    hit_status st;

    HIT_TRY(hit_layout_part(storage->layout, rank, &part));
    room = (size_t)part.count + 1;
    HIT_TRY_GOTO(st, hit_memory_zeroed(2 * room, sizeof(hit_domain), &made->owned), done);
    made->cover = made->owned + room;
    made->pieces = part.count;
    for (int p = 0; p < part.count; p++) {
        made->owned[p] = part.part[p];
        made->cover[p] = part.part[p];
        if (storage->adopted == NULL) continue;
        made->cover[p] = array_around(storage, &part.part[p]);
    }
    st = hit_hulls_make(made->owned, made->pieces, &made->hulls);
done:
    hit_region_clear(&part);
    return st;
}

/* What the largest part of a tile has more than all that are looked at. */
static void add_beyond(hit_footprint *footprint, hit_storage *storage)
{
    const hit_foreseen *seen = storage->foreseen;
    const uint64_t size_bytes = storage->type.size_bytes;
    hit_index most = 0;
    uint64_t beyond;

    for (int k = 0; k < footprint->processes; k++) {
        hit_index own = 0;

        for (int p = 0; p < seen[k].pieces; p++) {
            own += hit_domain_count(&seen[k].owned[p]);
        }
        if (own > most) most = own;
    }
    if (hit_disk_wants(storage->context->disk, (uint64_t)most * size_bytes)) return;
    beyond = (uint64_t)(storage->layout->shape.most - most) * size_bytes;
    storage->foreseen_beyond = beyond;
    footprint->beyond += beyond;
    for (int k = 0; k < footprint->processes && beyond > 0; k++) {
        note_peak(footprint, &footprint->of[k]);
    }
}

hit_status hit_footprint_add(hit_storage *storage)
{
    hit_footprint *footprint = storage->context->footprint;
    hit_foreseen *made = NULL;

    if (footprint == NULL) return HIT_OK;
    HIT_TRY(hit_memory_zeroed((size_t)footprint->processes + 1, sizeof *made, &made));
    storage->foreseen = made;
    for (int k = 0; k < footprint->processes; k++) {
        HIT_TRY(foresee(storage, hit_footprint_rank(footprint, k), &made[k]));
        for (int p = 0; p < made[k].pieces; p++) {
            change(storage, k, (int64_t)taken(storage, &made[k], p));
        }
    }
    if (storage->adopted == NULL) add_beyond(footprint, storage);
    return HIT_OK;
}

/* Also after hit_close(), which took the footprint along. */
void hit_footprint_drop(hit_storage *storage)
{
    const bool counts = storage->context->footprint != NULL;

    for (int k = 0; storage->foreseen != NULL && storage->foreseen[k].owned != NULL;
         k++) {
        hit_foreseen *of = &storage->foreseen[k];

        for (int p = 0; p < of->pieces && counts; p++) {
            change(storage, k, -(int64_t)taken(storage, of, p));
        }
        hit_hulls_clear(&of->hulls);
        free(of->owned);
    }
    if (counts) storage->context->footprint->beyond -= storage->foreseen_beyond;
    storage->foreseen_beyond = 0;
    free(storage->foreseen);
    storage->foreseen = NULL;
}

hit_domain hit_storage_around(const hit_domain *owned, const hit_domain *old,
                              const hit_domain *box)
{
    hit_domain wanted = hit_domain_cover(old, box);

    /* rims are filled row after row: a halo leaves out none between it and its part */
    for (int d = 0; d < wanted.dims && hit_domain_is_dense(owned); d++) {
        wanted.sig[d].stride = 1;
    }
    return wanted;
}

void hit_footprint_cover(hit_storage *storage, int k, int piece, const hit_domain *box)
{
    hit_foreseen *of = &storage->foreseen[k];
    const uint64_t before = taken(storage, of, piece);

    of->cover[piece] = hit_storage_around(&of->owned[piece], &of->cover[piece], box);
    change(storage, k, (int64_t)(taken(storage, of, piece) - before));
}
