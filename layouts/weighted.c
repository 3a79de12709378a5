/* SPDX-License-Identifier: MIT
 * Weighted: one dimension is cut into blocks in proportion to one weight per rank, with
 * the integer shares that minimise the largest share / weight (partition/cpm.h). */
#include "hit/base/memory.h"
#include "layouts/layouts.h"
#include "layouts/partition/cpm.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

typedef struct shares {
    int dim;
    bool cut;          /**< do at least two ranks own something? */
    hit_index first[]; /**< position of the first element of every rank, and the end */
} shares;

/** Read the number from @p text to before @p end, with '.' whatever the locale of the
 * program says. */
static bool read_number(const char *text, const char *end, double *number)
{
    char copy[64];
    size_t length = (size_t)(end - text);
    char *stop;

    if (length == 0 || length >= sizeof copy) return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    stop = strchr(copy, '.');
    if (stop != NULL) *stop = localeconv()->decimal_point[0];
    *number = strtod(copy, &stop);
    return stop == copy + length;
}

/** Option weights=1,2,3; 1 for each rank when it is not given. */
static hit_status read_weights(const hit_layout_spec *spec, double weight[])
{
    const char *at = hit_layout_option(spec, "weights", NULL);
    int found = 0;

    for (int rank = 0; at == NULL && rank < spec->ranks; rank++) {
        weight[rank] = 1.0;
    }
    while (at != NULL) {
        const char *end = at + strcspn(at, ",");
        double number;

        if (!read_number(at, end, &number)) {
            return HIT_FAIL(
                HIT_E_ARG,
                "layout %s: expected weights= numbers with ',' between them but "
                "found \"%.*s\"",
                spec->ops->name, end - at < 40 ? (int)(end - at) : 40, at);
        }
        if (found < spec->ranks) weight[found] = number;
        found++;
        at = *end == ',' ? end + 1 : NULL;
    }
    if (found > 0 && found != spec->ranks) {
        return HIT_FAIL(HIT_E_ARG, "layout %s: expected weights= %d numbers but found %d",
                        spec->ops->name, spec->ranks, found);
    }
    return HIT_OK;
}

/** Fill cut, and first[] with the running sum of the shares. */
static hit_status make_shares(const hit_layout_spec *spec, shares *s)
{
    hit_index count = hit_sig_count(spec->domain.sig[s->dim]);
    double *weight;
    hit_status st;

    HIT_TRY(hit_memory_zeroed((size_t)spec->ranks, sizeof *weight, &weight));
    st = read_weights(spec, weight);
    if (st == HIT_OK) st = hit_partition_cpm(count, spec->ranks, weight, s->first + 1);
    free(weight);
    if (st != HIT_OK) return st;

    for (int rank = 0; rank < spec->ranks; rank++) {
        s->cut = s->cut || (s->first[rank] > 0 && s->first[rank + 1] > 0);
        s->first[rank + 1] += s->first[rank];
    }
    return HIT_OK;
}

static hit_status create(const hit_layout_spec *spec, void **state)
{
    static const char *const known[] = {"weights", "dim", NULL};
    size_t numbers = (size_t)spec->ranks + 1;
    int dim;
    shares *s;
    hit_status st;

    HIT_TRY(hit_layout_only(spec, known));
    HIT_TRY(hit_layout_dim(spec, &dim));
    HIT_TRY(hit_memory_zeroed(1, sizeof *s + numbers * sizeof s->first[0], &s));
    s->dim = dim;
    HIT_TRY_GOTO(st, make_shares(spec, s), free_shares);
    *state = s;
    return HIT_OK;

free_shares:
    free(s);
    return st;
}

static hit_status part(const hit_layout_spec *spec, const void *state, int rank,
                       hit_region *part)
{
    const shares *s = state;
    hit_domain mine = spec->domain;

    if (s->first[rank] == s->first[rank + 1]) return HIT_OK;
    mine.sig[s->dim] =
        hit_sig_slice(mine.sig[s->dim], s->first[rank], s->first[rank + 1] - 1);
    return hit_region_append(part, &mine);
}

/** The last rank whose first element is not after the position: empty parts come out as
 * no owner. */
static int owner(const hit_layout_spec *spec, const void *state, const hit_index index[])
{
    const shares *s = state;
    hit_index position = hit_sig_position(spec->domain.sig[s->dim], index[s->dim]);
    int low = 0;
    int high = spec->ranks - 1;

    while (low < high) {
        int middle = low + (high - low + 1) / 2;

        if (s->first[middle] <= position) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

static bool splits(const hit_layout_spec *spec, const void *state, int dim)
{
    const shares *s = state;
    (void)spec;
    return dim == s->dim && s->cut;
}

const hit_layout_ops hit_layout_weighted = {
    .name = "weighted",
    .help = "weights=W0,W1,... (one number >= 0 per rank; default all 1), "
            "dim=K (the dimension that is cut; default 0)",
    .create = create,
    .destroy = free,
    .part = part,
    .owner = owner,
    .splits = splits,
};
