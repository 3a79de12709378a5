/* SPDX-License-Identifier: MIT
 * Random tiles with a copy of what they should hold. Boundaries are followed step by
 * step, by their definition. */
#include "tests/hit/launch/scene.h"

#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "hit/data/ndcopy.h"
#include "hit/data/sig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

hit_index pick(scene *s, hit_index low, hit_index high)
{
    return hit_random_index(&s->random, low, high);
}

const char *pick_layout(scene *s, int dims)
{
    static const char *const any[] = {"block", "single", "cyclic", "block:dims=0"};
    static const char *const flat[] = {"blockcyclic:block=3"};

    if (dims == 1 && pick(s, 0, 3) == 0) return flat[0];
    if (dims == 0) return pick(s, 0, 1) ? "single" : "block";
    return any[pick(s, 0, 3)];
}

hit_index at(const hit_domain *domain, const hit_index x[])
{
    hit_index offset = 0;

    for (int d = 0; d < domain->dims; d++) {
        offset = offset * hit_sig_count(domain->sig[d]) +
                 hit_sig_position(domain->sig[d], x[d]);
    }
    return offset;
}

/* Where index x of one dimension comes from, by definition: step by step back into the
 * tile. */
static hit_index inside(hit_sig sig, hit_boundary boundary, hit_index x)
{
    while (x < sig.begin || x > sig.end) {
        const hit_index n = sig.end - sig.begin + 1;

        if (boundary == HIT_BOUNDARY_PERIODIC) {
            x += x < sig.begin ? n : -n;
        } else if (boundary == HIT_BOUNDARY_CLAMP || n == 1) {
            x = x < sig.begin ? sig.begin : sig.end;
        } else {
            x = x < sig.begin ? 2 * sig.begin - x : 2 * sig.end - x;
        }
    }
    return x;
}

enum {
    CONSTANT = 77
};

int64_t want(const field *f, const hit_index x[])
{
    hit_index y[HIT_MAX_DIMS] = {0};

    for (int d = 0; d < f->domain.dims; d++) {
        const bool out = x[d] < f->domain.sig[d].begin || x[d] > f->domain.sig[d].end;

        if (out && f->boundary[d] == HIT_BOUNDARY_CONSTANT) return f->constant;
        y[d] = out ? inside(f->domain.sig[d], f->boundary[d], x[d]) : x[d];
    }
    return f->want[at(&f->domain, y)];
}

void set_boundaries(field *f, const hit_boundary boundary[])
{
    for (int d = 0; d < f->domain.dims; d++) {
        f->boundary[d] = boundary[d];
        HIT_MUST(hit_tile_set_boundary(f->tile, d, boundary[d], &f->constant));
    }
}

static field fill_field(scene *s, hit_domain domain)
{
    field f = {
        .domain = domain, .constant = CONSTANT, .count = hit_domain_count(&domain)};

    f.want = calloc((size_t)f.count + 1, sizeof(int64_t));
    for (hit_index k = 0; k < f.count; k++) {
        f.want[k] = hit_random_index(&s->random, -50, 50);
    }
    return f;
}

field make_field(scene *s, hit_domain domain, hit_boundary boundary, const char *layout)
{
    const hit_boundary all[] = {boundary, boundary, boundary, boundary};
    field f = fill_field(s, domain);
    hit_layout *over = NULL;

    HIT_MUST(hit_layout_create(s->hit, domain, layout, &over));
    HIT_MUST(hit_tile_create(over, HIT_INT64, "field", &f.tile));
    hit_layout_destroy(&over);
    set_boundaries(&f, all);
    HIT_MUST(hit_tile_scatter(f.tile, 0, f.want));
    return f;
}

/* The elements that are in the array when it is adopted. */
static void fill_own(field *f)
{
    const hit_view want_view = hit_view_make(&f->domain, sizeof(int64_t), f->want);
    const hit_ndcopy copy =
        hit_ndcopy_make(&want_view, &f->own.view, &f->own.owned, NULL);

    if (f->own.memory == NULL) return;
    hit_ndcopy_run(&copy, f->want, f->own.view.data);
}

field adopt_field(scene *s, hit_domain domain, const char *layout, hit_index ghosts)
{
    field f = fill_field(s, domain);
    hit_random random = {s->random.state + (uint64_t)hit_rank(s->hit)};
    hit_layout *over = NULL;

    HIT_MUST(hit_layout_create(s->hit, domain, layout, &over));
    if (own_array_may(over)) {
        f.own = own_array_make(over, hit_rank(s->hit), sizeof(int64_t), ghosts, &random);
        fill_own(&f);
        HIT_MUST(own_array_adopt(&f.own, over, HIT_INT64, "field", &f.tile));
        f.adopted = true;
    } else {
        HIT_MUST(hit_tile_create(over, HIT_INT64, "field", &f.tile));
        HIT_MUST(hit_tile_scatter(f.tile, 0, f.want));
    }
    hit_layout_destroy(&over);
    return f;
}

/* On each process. */
static void check_own(scene *s, field *f)
{
    const hit_view want_view = hit_view_make(&f->domain, sizeof(int64_t), f->want);
    hit_index x[HIT_MAX_DIMS];

    if (!own_array_is_intact(&f->own) && s->good) {
        s->good = false;
        snprintf(s->text, sizeof(s->text), "bytes beside an array were written");
    }
    for (bool go = f->own.memory != NULL && hit_domain_first(&f->own.owned, x); go;
         go = hit_domain_next(&f->own.owned, x)) {
        const int64_t found = *(int64_t *)hit_view_at(&f->own.view, x);
        const int64_t expected = *(int64_t *)hit_view_at(&want_view, x);

        if (found == expected || !s->good) continue;
        s->good = false;
        snprintf(s->text, sizeof(s->text), "an array holds %lld, expected %lld",
                 (long long)found, (long long)expected);
    }
    own_array_free(&f->own);
}

/* Compare on process 0, where the whole tile is gathered; then all know. */
void drop_field(scene *s, field *f)
{
    int64_t *found = calloc((size_t)f->count + 1, sizeof(int64_t));
    const hit_status status = hit_tile_gather(f->tile, 0, found);

    note(s, status, "hit_tile_gather()");
    s->told = s->told || status != HIT_OK;
    for (hit_index k = 0; k < f->count && hit_rank(s->hit) == 0 && s->good; k++) {
        if (found[k] == f->want[k]) continue;
        s->good = false;
        snprintf(s->text + strlen(s->text), sizeof(s->text) - strlen(s->text),
                 ": element %lld is %lld, expected %lld", (long long)k,
                 (long long)found[k], (long long)f->want[k]);
    }
    free(found);
    hit_tile_destroy(&f->tile);
    check_own(s, f);
    free(f->want);
}

hit_domain random_box(scene *s, int dims, hit_index most)
{
    hit_index begin[HIT_MAX_DIMS];
    hit_index end[HIT_MAX_DIMS];

    for (int d = 0; d < dims; d++) {
        begin[d] = pick(s, -4, 4);
        end[d] = begin[d] + pick(s, 0, most - 1);
    }
    return hit_domain_box(dims, begin, end);
}

hit_domain random_part(scene *s, const hit_domain *box)
{
    hit_domain part = *box;

    for (int d = 0; d < box->dims; d++) {
        const hit_index a = pick(s, box->sig[d].begin, box->sig[d].end);
        const hit_index b = pick(s, box->sig[d].begin, box->sig[d].end);

        part.sig[d] = hit_sig_make(a < b ? a : b, a < b ? b : a, pick(s, 1, 2));
    }
    return part;
}

hit_boundary pick_boundary(scene *s)
{
    return (hit_boundary)pick(s, HIT_BOUNDARY_CONSTANT, HIT_BOUNDARY_MIRROR);
}

void note(scene *s, hit_status status, const char *what)
{
    if (status == HIT_OK || !s->good) return;
    s->good = false;
    (void)snprintf(s->text, sizeof(s->text), "%s: %s", what, hit_status_text());
}

bool agree_in_scene(scene *s)
{
    uint64_t wrong = !s->good;

    HIT_MUST(hit_comm_max_u64(s->hit->comm, &wrong, 1));
    if (wrong && s->good) snprintf(s->text, sizeof(s->text), "see other processes");
    return !wrong;
}
