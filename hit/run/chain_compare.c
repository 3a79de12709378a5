/* SPDX-License-Identifier: MIT
 * HIT_COMPARE=chain: the launches of a block run once more, on copies of its tiles, one
 * after the other. */
#include "hit/base/kind.h"
#include "hit/run/run_impl.h"
#include "patterns/kernel_impl.h"

enum {
    TERMS = 48 /* of a launch whose kernel is not strict */
};

/* One launch after the other, on one thread and the tiles' own memory. */
static hit_status run_again(const hit_chains *chains, int count)
{
    for (int l = 0; l < count; l++) {
        const hit_chain_record *one = &chains->record[l];

        if (one->kernel->host == NULL) {
            return HIT_FAIL(HIT_E_ABSENT,
                            "kernel %s cannot be compared: it has no implementation for "
                            "host devices",
                            one->kernel->name);
        }
        HIT_TRY(hit_kernel_call(one->kernel, one->kernel->host, one->run));
    }
    return HIT_OK;
}

static bool writes(const hit_chain_launch *launch, int storage, const hit_index at[])
{
    for (int u = 0; u < launch->uses; u++) {
        const hit_chain_use *use = &launch->use[u];

        if (!use->writes || use->storage != storage) continue;
        if (hit_domain_has(&use->cover, at)) return true;
    }
    return false;
}

/* The last launch that writes the element is named. */
static hit_status tell_difference(const hit_chains *chains, int count,
                                  const hit_redo_piece *piece, const hit_index at[])
{
    const int dims = piece->view.domain.dims;
    int last = count - 1;
    char place[100];
    char chained[64];
    char alone[64];

    while (last > 0 && !writes(chains->launch[last], piece->of, at)) {
        last--;
    }
    hit_replica_print_index(dims, at, place, sizeof(place));
    hit_type_print(piece->type, hit_redo_other(piece, at), chained, sizeof(chained));
    hit_type_print(piece->type, hit_view_at(&piece->view, at), alone, sizeof(alone));
    return HIT_FAIL(HIT_E_CHECK,
                    "kernel %s, tile %s: element %s is %s after a chain of %d launches, "
                    "but %s after one launch after the other; launch %d of the chain "
                    "writes it last",
                    chains->record[last].kernel->name, chains->storage[piece->of]->name,
                    place, chained, count, alone, last + 1);
}

/* How far results may be apart, in units in the last place. */
static double terms_of(const hit_chains *chains, int count)
{
    bool strict = true;

    for (int l = 0; l < count; l++) {
        const hit_chain_record *one = &chains->record[l];

        strict = strict && (one->indices == 0 || one->kernel->strict); /* or a rim */
    }
    return strict ? 0 : (double)TERMS * count;
}

static hit_status evict(const hit_chains *chains)
{
    for (int d = 0; chains->pieces != NULL && d < chains->stations->count; d++) {
        HIT_TRY(hit_residents_evict(&chains->stations->station[d].residents));
    }
    return HIT_OK;
}

/* Results that the next launch overwrites may stay on the device: they do not matter. */
hit_status hit_chain_compare_keep(const hit_chains *chains, hit_redo *redo)
{
    HIT_TRY(evict(chains));
    for (int s = 0; s < chains->storages; s++) {
        const hit_storage *storage = chains->storage[s];

        for (int p = 0; p < storage->pieces; p++) {
            HIT_TRY(hit_redo_keep(redo, &storage->view[p], storage->type, s,
                                  &chains->dead[s]));
        }
    }
    return HIT_OK;
}

hit_status hit_chain_compare(const hit_chains *chains, int count, hit_redo *redo)
{
    const hit_redo_piece *found;
    hit_index at[HIT_MAX_DIMS];
    hit_status status;

    HIT_TRY(evict(chains));
    hit_redo_swap(redo);
    status = run_again(chains, count);
    if (status != HIT_OK) { /* what the block wrote stands */
        hit_redo_swap(redo);
        return status;
    }
    found = hit_redo_find(redo, terms_of(chains, count), at);
    return found == NULL ? HIT_OK : tell_difference(chains, count, found, at);
}
