/* SPDX-License-Identifier: MIT
 * Boxes: what each rank owns is given, box by box (hit/topo/layout_boxes.c writes it).
 * An owner is found among the boxes sorted by where they begin in the first dimension. */
#include "hit/base/containers.h"
#include "hit/base/input.h"
#include "hit/base/memory.h"
#include "hit/topo/layout_impl.h"
#include "layouts/layouts.h"

#include <stdlib.h>

/** A box and the rank that owns it. */
typedef struct owned {
    hit_domain box;
    int rank;
} owned;

typedef struct boxes {
    int count;
    owned *sorted; /**< by begin of dimension 0 */
    int ranks;
    hit_region part[]; /**< one per rank */
} boxes;

/* ---- reading ---- */

/** Read "0:9" or "0:9:3"; NULL: it is not that, else where it ends. */
static const char *read_sig(const char *text, hit_sig *sig)
{
    hit_index begin;
    hit_index end;
    hit_index stride = 1;

    if (!hit_number_next(&text, -HIT_INDEX_LIMIT, HIT_INDEX_LIMIT, &begin) ||
        *text++ != ':' || !hit_number_next(&text, begin, HIT_INDEX_LIMIT, &end)) {
        return NULL;
    }
    if (*text == ':') {
        text++;
        if (!hit_number_next(&text, 1, INT64_MAX, &stride)) return NULL;
    }
    *sig = hit_sig_make(begin, end, stride);
    return text;
}

static const char *read_box(const char *text, int dims, hit_domain *box)
{
    *box = hit_domain_scalar();
    box->dims = dims;
    if (dims == 0) return hit_text_skip(&text, "()") ? text : NULL;
    for (int d = 0; d < dims && text != NULL; d++) {
        if (d > 0 && *text++ != 'x') return NULL;
        text = read_sig(text, &box->sig[d]);
    }
    return text;
}

/** Read the boxes of a rank; as read_sig(). */
static hit_status read_part(int dims, hit_region *part, const char **text)
{
    const char *at = *text;

    if (hit_text_skip(text, HIT_BOXES_NONE)) return HIT_OK;
    for (bool more = true; more; at++) {
        hit_domain box;

        at = read_box(at, dims, &box);
        if (at == NULL) {
            *text = NULL;
            return HIT_OK;
        }
        HIT_TRY(hit_region_append(part, &box));
        *text = at;
        more = *at == ',';
    }
    return HIT_OK;
}

static hit_status read_options(const hit_layout_spec *spec, boxes *b)
{
    const char *at = hit_layout_option(spec, "own", "");

    for (int rank = 0; rank < spec->ranks; rank++) {
        const char *end = at;

        HIT_TRY(read_part(spec->domain.dims, &b->part[rank], &end));
        if (end == NULL || *end != (rank + 1 < spec->ranks ? ';' : '\0')) {
            return HIT_LAYOUT_FAIL(
                spec,
                "expected own= the boxes of %d ranks with ';' "
                "between them, each as 0:9x0:4 with ',' between them, or "
                "\"none\", but found \"%.40s\" for rank %d",
                spec->ranks, at, rank);
        }
        b->count += b->part[rank].count;
        at = end + 1;
    }
    return HIT_OK;
}

/* ---- checks ---- */

static hit_index begin_of(const hit_domain *box)
{
    return box->dims > 0 ? box->sig[0].begin : 0;
}

static int compare(const void *one, const void *other)
{
    const hit_index a = begin_of(&((const owned *)one)->box);
    const hit_index b = begin_of(&((const owned *)other)->box);

    return (a > b) - (a < b);
}

static hit_status check_apart(const owned *a, const owned *b)
{
    char one[128];
    char other[128];

    if (!hit_domain_meets(&a->box, &b->box)) return HIT_OK;
    hit_domain_print(&a->box, one, sizeof one);
    hit_domain_print(&b->box, other, sizeof other);
    return HIT_FAIL(
        HIT_E_ARG,
        "layout boxes: expected boxes without common elements but found %s of "
        "rank %d and %s of rank %d",
        one, a->rank, other, b->rank);
}

static hit_status check_inside(const hit_layout_spec *spec, const owned *a)
{
    char box[128];
    char domain[128];

    if (hit_domain_inside(&a->box, &spec->domain)) return HIT_OK;
    hit_domain_print(&a->box, box, sizeof box);
    hit_domain_print(&spec->domain, domain, sizeof domain);
    return HIT_LAYOUT_FAIL(spec, "expected boxes in %s but found %s of rank %d", domain,
                           box, a->rank);
}

/* Disjoint boxes of the domain are all of it if they have as many elements. */
static hit_status check(const hit_layout_spec *spec, const boxes *b)
{
    uint64_t found = 0;

    for (int k = 0; k < b->count; k++) {
        const owned *a = &b->sorted[k];

        HIT_TRY(check_inside(spec, a));
        for (int j = k + 1; j < b->count; j++) {
            const hit_domain *next = &b->sorted[j].box;

            if (next->dims > 0 && next->sig[0].begin > a->box.sig[0].end) break;
            HIT_TRY(check_apart(a, &b->sorted[j]));
        }
        found += (uint64_t)hit_domain_count(&a->box);
    }
    if (found == (uint64_t)hit_domain_count(&spec->domain)) return HIT_OK;
    return HIT_LAYOUT_FAIL(spec,
                           "expected boxes that have all %lld elements of the "
                           "domain together but found %llu",
                           (long long)hit_domain_count(&spec->domain),
                           (unsigned long long)found);
}

static hit_status sort(boxes *b)
{
    owned *at;

    HIT_TRY(hit_memory_zeroed((size_t)b->count, sizeof *b->sorted, &b->sorted));
    at = b->sorted;
    for (int rank = 0; rank < b->ranks; rank++) {
        for (int k = 0; k < b->part[rank].count; k++) {
            *at++ = (owned){b->part[rank].part[k], rank};
        }
    }
    if (b->count > 0) qsort(b->sorted, (size_t)b->count, sizeof *b->sorted, compare);
    return HIT_OK;
}

/* ---- the layout ---- */

static void destroy(void *state)
{
    boxes *b = state;

    for (int rank = 0; rank < b->ranks; rank++) {
        hit_region_clear(&b->part[rank]);
    }
    free(b->sorted);
    free(b);
}

static hit_status create(const hit_layout_spec *spec, void **state)
{
    boxes *made;

    HIT_TRY(hit_memory_zeroed(
        1, sizeof *made + (size_t)spec->ranks * sizeof made->part[0], &made));
    made->ranks = spec->ranks;
    *state = made;
    HIT_TRY(read_options(spec, made));
    HIT_TRY(sort(made));
    return check(spec, made);
}

static hit_status part(const hit_layout_spec *spec, const void *state, int rank,
                       hit_region *part)
{
    (void)spec;
    return hit_region_copy(&((const boxes *)state)->part[rank], part);
}

/** The box with an element of the domain: of those that do not begin behind it. */
static const owned *find(const boxes *b, const hit_domain *domain,
                         const hit_index index[])
{
    int low = 0;
    int high = b->count;

    if (domain->dims > 0) {
        HIT_BISECT(k, low, high, b->sorted[k].box.sig[0].begin > index[0]);
    }
    for (int k = high - 1; k > 0; k--) {
        if (hit_domain_has(&b->sorted[k].box, index)) return &b->sorted[k];
    }
    return &b->sorted[0];
}

static int owner(const hit_layout_spec *spec, const void *state, const hit_index index[])
{
    return find(state, &spec->domain, index)->rank;
}

static void box(const hit_layout_spec *spec, const void *state, const hit_index index[],
                hit_domain *box)
{
    *box = find(state, &spec->domain, index)->box;
}

static bool splits(const hit_layout_spec *spec, const void *state, int dim)
{
    const boxes *b = state;

    for (int k = 0; k < b->count; k++) {
        if (!hit_sig_equal(b->sorted[k].box.sig[dim], spec->domain.sig[dim])) return true;
    }
    return false;
}

const hit_layout_ops hit_layout_boxes_ops = {
    .name = "boxes",
    .options = (const char *const[]){"own", NULL},
    .help = "own=BOX,BOX,...;BOX,...;... (the boxes of each rank, such as 0:4x0:9 or "
            "0:9:3x0:4, or none)",
    .create = create,
    .destroy = destroy,
    .part = part,
    .owner = owner,
    .box = box,
    .splits = splits,
};
