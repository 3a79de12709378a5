/* SPDX-License-Identifier: MIT
 * Results whose places stand in data, "[place]": no two indices of a launch may have one
 * element, and it must be known which elements it writes, since what lies between them
 * stays. All processes find both out together, when they plan such a launch: each looks
 * at the numbers that it owns, and marks what they lead to. */
#include "hit/base/memory.h"
#include "hit/base/text.h"
#include "hit/data/domain_set.h"
#include "hit/data/extremes.h"
#include "hit/data/marks.h"
#include "hit/data/sig.h"
#include "hit/launch/launcher.h"
#include "patterns/transform.h"

#include <stdlib.h>
#include <string.h>

typedef struct scatter {
    const hit_call *call;
    int arg;
    const hit_where *where;
    const hit_lookup *lookup;
    int dim;           /* of the tile, whose numbers stand in data */
    hit_access others; /* what is touched by its other dimensions */
    hit_domain box;    /* around all that is written */
    void (*visit)(struct scatter *s, const hit_index element[]);
    hit_index number; /* of the element that is looked at now ... */
    uint64_t place;   /* ... and where it stands */
    hit_marks *marks;
    uint64_t hits; /* an element counts as often as it is hit */
    /* one that is hit twice: those from `first` on are counted, then the numbers that
     * lead there are found */
    uint64_t first;
    uint64_t chunk;
    uint64_t *times;
    uint64_t most[2]; /* the greatest place, and the bits of the least one turned round */
} scatter;

/* The indices of the launch that touch element @p at of where numbers stand. */
static bool indices_of(const scatter *s, const hit_index at[], hit_domain *indices)
{
    const hit_pattern *pattern = s->lookup->at;

    *indices = s->call->domain;
    for (int t = 0; t < pattern->tile_dims; t++) {
        const hit_affine *begin = &pattern->access[0].range[t].begin;
        const hit_index x = at[t] - begin->offset;
        int d = 0;

        while (d < indices->dims && begin->coef[d] == 0) {
            d++;
        }
        if (d == indices->dims && x != 0) return false;
        if (d == indices->dims) continue;
        if (!hit_sig_has(indices->sig[d], x)) return false;
        indices->sig[d] = hit_sig_make(x, x, 1);
    }
    return true;
}

static hit_status visit_indices(void *of, const hit_domain *indices)
{
    scatter *s = of;
    const hit_domain *tile = &s->call->args[s->arg].tile->domain;

    HIT_FOR_EACH (x, *indices) {
        const hit_domain index = hit_domain_box(indices->dims, x, x);
        hit_domain touched = hit_access_apply(&s->others, tile, &index);

        touched.sig[s->dim] = hit_sig_make(s->number, s->number, 1);
        HIT_FOR_EACH (element, touched) {
            s->visit(s, element);
        }
    }
    return HIT_OK;
}

static const signed char any_order[HIT_MAX_DIMS] = {0};

static void visit_number(void *of, const hit_index at[], hit_index number)
{
    scatter *s = of;
    hit_domain indices;

    if (!indices_of(s, at, &indices)) return;
    s->number = number + s->lookup->offset;
    s->place = hit_domain_place(&s->lookup->limits, at);
    (void)hit_where_each(s->where, &indices, any_order, NULL, visit_indices, s);
}

static void visit_all(scatter *s, void (*visit)(scatter *s, const hit_index element[]))
{
    s->visit = visit;
    hit_lookups_each(s->call, s->lookup, &s->call->domain, visit_number, s);
}

static void mark(scatter *s, const hit_index element[])
{
    s->hits++;
    hit_marks_add(s->marks, element);
}

/* ---- an index that has no number ---- */

/* What lies beyond a boundary is not reached by data: it says nothing. */
static hit_status check_numbers(void *of, const hit_domain *indices)
{
    const scatter *s = of;
    const hit_kernel *kernel = s->call->kernel;
    const hit_domain *has = &s->lookup->limits;
    hit_domain asked;
    char found[128];
    char expected[128];

    hit_pattern_find_cover(s->lookup->at, has, indices, &asked);
    if (hit_domain_inside(&asked, has)) return HIT_OK;
    hit_domain_print(&asked, found, sizeof(found));
    hit_domain_print(has, expected, sizeof(expected));
    return HIT_FAIL(HIT_E_PATTERN,
                    "kernel %s, argument %s, tile %s: by the pattern \"%s\" elements %s "
                    "of %s say where to write, but it has %s",
                    kernel->name, kernel->arg[s->arg].name,
                    hit_tile_name(s->call->args[s->arg].tile),
                    kernel->arg[s->arg].pattern, found, s->lookup->name, expected);
}

/* ---- an element that is hit twice ---- */

static void count(scatter *s, const hit_index element[])
{
    const uint64_t k = hit_domain_place(&s->box, element) - s->first;

    if (k < s->chunk) s->times[k]++;
}

static void note_number(scatter *s, const hit_index element[])
{
    if (hit_domain_place(&s->box, element) != s->first) return;
    if (s->place > s->most[0]) s->most[0] = s->place;
    if (~s->place > s->most[1]) s->most[1] = ~s->place;
}

/* The first one. All processes have found that there is one. */
static hit_status find_twice(scatter *s)
{
    hit_comm *comm = s->call->context->comm;
    const uint64_t all = (uint64_t)hit_domain_count(&s->box);
    uint64_t k = 0;

    for (s->first = 0; s->first < all; s->first += s->chunk) {
        memset(s->times, 0, (size_t)s->chunk * sizeof(uint64_t));
        visit_all(s, count);
        HIT_TRY(hit_comm_sum_u64(comm, s->times, (int)s->chunk));
        for (k = 0; k < s->chunk && s->times[k] < 2; k++) {
        }
        if (k < s->chunk) break;
    }
    s->first += k;
    visit_all(s, note_number);
    return hit_comm_max_u64(comm, s->most, 2);
}

static void print_place(const hit_domain *domain, uint64_t place, char *text, size_t size)
{
    hit_index at[HIT_MAX_DIMS] = {0};

    hit_domain_at_place(domain, place, at);
    text[0] = '\0';
    hit_text_add_numbers(text, size, ", ", domain->dims, at);
}

static hit_status tell_twice(const scatter *s)
{
    const hit_kernel *kernel = s->call->kernel;
    char one[128];
    char other[128];
    char element[128];

    print_place(&s->lookup->limits, ~s->most[1], one, sizeof(one));
    print_place(&s->lookup->limits, s->most[0], other, sizeof(other));
    print_place(&s->box, s->first, element, sizeof(element));
    return HIT_FAIL(HIT_E_PATTERN,
                    "kernel %s, argument %s, tile %s: by the pattern \"%s\" elements "
                    "[%s] and [%s] of %s both lead to element [%s] of the tile, which "
                    "one index alone may write",
                    kernel->name, kernel->arg[s->arg].name,
                    hit_tile_name(s->call->args[s->arg].tile),
                    kernel->arg[s->arg].pattern, one, other, s->lookup->name, element);
}

static hit_status fail_twice(scatter *s)
{
    const uint64_t all = (uint64_t)hit_domain_count(&s->box);
    hit_status status;

    s->chunk = all / 64 < 1024 ? 1024 : all / 64;
    status = hit_memory_zeroed((size_t)s->chunk, sizeof(uint64_t), &s->times);
    status = hit_comm_agree(s->call->context->comm, status);
    if (status == HIT_OK) status = find_twice(s);
    if (status == HIT_OK) status = tell_twice(s);
    free(s->times);
    return status;
}

/* ---- all ---- */

static hit_status find_marks(scatter *s)
{
    hit_comm *comm = s->call->context->comm;
    uint64_t *words;
    int some;

    HIT_TRY(hit_comm_agree(comm, hit_marks_create(&s->box, &s->marks)));
    visit_all(s, mark);
    words = hit_marks_words(s->marks, &some);
    HIT_TRY(hit_comm_xor_u64(comm, words, some));
    HIT_TRY(hit_comm_sum_u64(comm, &s->hits, 1));
    /* what several of them lead to has one mark of a process, or one or none of several
     */
    return hit_marks_count(s->marks) == s->hits ? HIT_OK : fail_twice(s);
}

static hit_status check_argument(const hit_call *call, const hit_known_kernel *known,
                                 int k)
{
    const hit_pattern *pattern = &known->pattern[k];
    const hit_domain *tile = &call->args[k].tile->domain;
    scatter s = {.call = call,
                 .arg = k,
                 .where = known->where,
                 .others = pattern->access[0],
                 .box = hit_pattern_cover(pattern, tile, &call->domain)};
    hit_status status;

    while (s.others.range[s.dim].low == NULL) {
        s.dim++;
    }
    s.lookup = s.others.range[s.dim].low;
    s.others.range[s.dim].low = s.others.range[s.dim].high = NULL;
    s.others.looks_up = false;
    if (hit_domain_is_empty(&call->domain)) return HIT_OK;
    HIT_TRY(hit_where_each(s.where, &call->domain, any_order, NULL, check_numbers, &s));
    /* else its plan says what leads out of the tile */
    if (hit_domain_is_empty(&s.box) || !hit_domain_inside(&s.box, tile)) return HIT_OK;
    status = find_marks(&s);
    if (status == HIT_OK) call->context->launcher->marks[k] = hit_marks_share(s.marks);
    hit_marks_release(&s.marks);
    return status;
}

/* Plans that were made by an old table do not run again. */
static void drop_old(const hit_launcher *launcher)
{
    for (int k = 0; k < launcher->plans; k++) {
        hit_launch_plan *plan = launcher->plan[k];

        for (int u = 0; u < plan->uses; u++) {
            hit_use *use = &plan->use[u];

            if (use->marks == NULL) continue;
            if (!hit_extremes_is_there(use->pattern->lookups->values)) {
                hit_marks_release(&use->marks);
            }
        }
    }
}

void hit_scatter_forget(hit_launcher *launcher)
{
    for (int k = 0; k < HIT_MAX_ARGS; k++) {
        hit_marks_release(&launcher->marks[k]);
    }
}

hit_status hit_scatter_check(const hit_call *call, const hit_known_kernel *known)
{
    const hit_context *context = call->context;
    bool agreed = context->size == 1;

    hit_scatter_forget(context->launcher);
    for (int k = 0; k < call->count; k++) {
        const hit_pattern *pattern = &known->pattern[k];

        if (call->kernel->arg[k].mode != HIT_MODE_OUT || pattern->lookups == NULL) {
            continue;
        }
        if (hit_comm_is_planned(context->comm)) return HIT_OK; /* nothing is there */
        if (hit_lookups_check_form(call, pattern, k) != HIT_OK) return HIT_OK;
        if (pattern->tile_dims != call->args[k].tile->domain.dims) return HIT_OK;
        if (!agreed) HIT_TRY(hit_lookups_leave(call, hit_call_agree(call, HIT_OK)));
        if (!agreed) drop_old(context->launcher);
        agreed = true;
        HIT_TRY(hit_lookups_leave(call, check_argument(call, known, k)));
    }
    return HIT_OK;
}
