/* SPDX-License-Identifier: MIT
 * Making programs. Launches are made so that most of them are allowed: written elements
 * are written once, and what is touched lies in the tile or the tile has a boundary. */
#include "hit/data/sig.h"
#include "tests/programs/program.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <string.h>

bool program_reduces(hit_mode mode)
{
    return mode == HIT_MODE_SUM || mode == HIT_MODE_MIN || mode == HIT_MODE_MAX;
}

hit_index program_followed(const span *s, hit_index x)
{
    if (s->by > 0) return hit_index_floor_div(x, s->by);
    return s->by < 0 ? x + hit_index_floor_div(x, -s->by) * s->by : x;
}

const char *const program_index[HIT_MAX_DIMS] = {"i", "j", "k", "l"};
const char *const program_name[MOST_USES] = {"a", "b", "c", "d", "e"};

static hit_index pick(hit_random *r, hit_index low, hit_index high)
{
    return hit_random_index(r, low, high);
}

void program_pick_layout(hit_random *r, int dims, char *text)
{
    static const char *const any[] = {"block", "single", "cyclic", "block:dims=0",
                                      "blockcyclic:block=3"};

    snprintf(text, TEXT, "%s", any[pick(r, 0, dims == 1 ? 4 : 3)]);
}

static void pick_gpu(hit_random *r, char *text)
{
    switch (pick(r, 0, 4)) {
    case 0:
        snprintf(text, TEXT, "cuda:0:memory=1MiB");
        break;
    case 1:
        snprintf(text, TEXT, "cuda:0:memory=%d+host:threads=1", (int)pick(r, 300, 3000));
        break;
    case 2:
        snprintf(text, TEXT, "cuda:0:share=auto:memory=64KiB+host:threads=2");
        break;
    default:
        snprintf(text, TEXT, "cuda:0:memory=%d", (int)pick(r, 300, 3000));
        break;
    }
}

/* Chains take processes of one device, or of several that are alike. */
static void pick_devices(hit_random *r, bool one, char *text)
{
    if (program_on_gpu != NULL) {
        pick_gpu(r, text);
        return;
    }
    switch (one ? pick(r, -6, 2) : pick(r, 0, 9)) {
    case -3:
        snprintf(text, TEXT, "host:threads=1:memory=%d * 4", (int)pick(r, 1000, 6000));
        break;
    case -2:
        snprintf(text, TEXT, "host:threads=1:memory=%d+host:threads=2:memory=%d",
                 (int)pick(r, 1000, 6000), (int)pick(r, 1000, 6000));
        break;
    case -1:
        snprintf(text, TEXT, "host:threads=1+host:threads=2");
        break;
    case 0:
        snprintf(text, TEXT, "host:threads=3");
        break;
    case 1:
        snprintf(text, TEXT, "host:threads=1:staged:memory=64KiB");
        break;
    case 2:
        snprintf(text, TEXT, "host:threads=2:staged:memory=%d", (int)pick(r, 300, 3000));
        break;
    case 3:
        snprintf(text, TEXT, "host:threads=1:share=auto+host:threads=2:memory=64KiB");
        break;
    case 4:
        snprintf(text, TEXT, "host:threads=1:memory=%d+host:threads=1:memory=%d",
                 (int)pick(r, 300, 3000), (int)pick(r, 300, 3000));
        break;
    case 5:
        snprintf(text, TEXT, "host:memory=64KiB+host:threads=1+host:memory=%d:share=%d",
                 (int)pick(r, 300, 3000), (int)pick(r, 1, 4));
        break;
    case 6:
        snprintf(text, TEXT, "host:threads=%d+host:threads=1", (int)pick(r, 1, 2));
        break;
    case 7: /* in rectangles, where that needs fewer bytes */
        snprintf(text, TEXT, "host:threads=1:memory=%d * 4", (int)pick(r, 300, 3000));
        break;
    case 8:
        snprintf(text, TEXT, "host:threads=1:memory=64KiB * %d", (int)pick(r, 4, 6));
        break;
    default:
        snprintf(text, TEXT, "host:threads=1");
        break;
    }
}

/* None, one, or unlike ones. */
static void pick_boundaries(hit_random *r, tile *t)
{
    const hit_boundary one =
        (hit_boundary)pick(r, HIT_BOUNDARY_CONSTANT, HIT_BOUNDARY_MIRROR);
    const hit_index how = pick(r, 0, 3);

    for (int d = 0; d < t->domain.dims; d++) {
        t->boundary[d] = how > 1 ? one : HIT_BOUNDARY_NONE;
        if (how != 1) continue;
        t->boundary[d] = (hit_boundary)pick(r, HIT_BOUNDARY_NONE, HIT_BOUNDARY_MIRROR);
    }
}

static tile make_tile(hit_random *r)
{
    static const hit_index most[] = {0, 40, 12, 6};
    tile t = {.domain = {0}};
    const int dims = (int)pick(r, 1, 3);

    t.domain.dims = dims;
    for (int d = 0; d < dims; d++) {
        const hit_index begin = pick(r, -3, 3);

        t.domain.sig[d] = hit_sig_make(begin, begin + pick(r, 0, most[dims] - 1), 1);
    }
    pick_boundaries(r, &t);
    program_pick_layout(r, dims, t.layout);
    return t;
}

/* A few components in each cell, which are not shared. */
static void add_cell(hit_random *r, program *p)
{
    tile *t = &p->tile[0];
    const int dims = t->domain.dims++;

    p->cell = (int)pick(r, 0, dims);
    memmove(&t->domain.sig[p->cell + 1], &t->domain.sig[p->cell],
            (size_t)(dims - p->cell) * sizeof(t->domain.sig[0]));
    t->domain.sig[p->cell] = hit_sig_make(0, pick(r, 0, 2), 1);
    pick_boundaries(r, t);
    t->boundary[p->cell] = HIT_BOUNDARY_NONE;
    snprintf(t->layout, TEXT, "block:dims=%d", p->cell == 0);
}

/* Often as the one before: then tiles can be swapped. */
static tile make_next_tile(hit_random *r, const program *p, const tile *before)
{
    tile t = make_tile(r);

    if (p->alike) {
        t = *before;
        if (pick(r, 0, 1)) pick_boundaries(r, &t);
        if (p->cell >= 0) t.boundary[p->cell] = HIT_BOUNDARY_NONE;
        return t;
    }
    if (pick(r, 0, 1)) return t;
    t.domain = before->domain;
    memcpy(t.boundary, before->boundary, sizeof(t.boundary));
    program_pick_layout(r, t.domain.dims, t.layout);
    return t;
}

static span fixed(hit_random *r, hit_sig sig)
{
    const hit_index from = pick(r, sig.begin, sig.end);
    const hit_index to = from + pick(r, 0, sig.end - from > 2 ? 2 : sig.end - from);

    if (pick(r, 0, 3) == 0) return (span){.follows = -1, .all = true};
    return (span){.follows = -1, .from = from, .to = to};
}

/* Some launches have a part of a tile, without the boundary of the tile. */
static void select_part(hit_random *r, const program *p, use *u)
{
    const hit_domain *all = &p->tile[u->tile].domain;

    if (pick(r, 0, 7) > 0) return;
    u->part.dims = all->dims;
    for (int t = 0; t < all->dims; t++) {
        const hit_sig sig = all->sig[t];
        const hit_index most = hit_sig_count(sig) / 3;

        u->part.sig[t] = t == p->cell ? sig
                                      : hit_sig_make(sig.begin + pick(r, 0, most),
                                                     sig.end - pick(r, 0, most), 1);
    }
}

/* The lower or the upper half of a tile. */
static void select_half(const program *p, bool upper, use *u)
{
    const int t = p->cell == 0;
    hit_sig *sig = &u->part.sig[t];

    u->part = p->tile[u->tile].domain;
    if (hit_sig_count(*sig) < 2) {
        u->part.dims = 0;
    } else if (upper) {
        sig->begin += hit_sig_count(*sig) / 2;
    } else {
        sig->end = sig->begin + hit_sig_count(*sig) / 2 - 1;
    }
}

static const hit_domain *domain_of(const program *p, const use *u)
{
    return u->part.dims > 0 ? &u->part : &p->tile[u->tile].domain;
}

/* What is written: every index is followed by one dimension of the tile, so that no
 * element is written twice; a sum may also leave indices out. */
static bool make_written(hit_random *r, const program *p, step *s, use *u)
{
    static const hit_mode mode[] = {HIT_MODE_OUT, HIT_MODE_INOUT, HIT_MODE_SUM};
    const hit_domain *domain = domain_of(p, u);
    static const hit_mode reduction[] = {HIT_MODE_SUM, HIT_MODE_SUM, HIT_MODE_MIN,
                                         HIT_MODE_MAX};
    bool taken[HIT_MAX_DIMS] = {false};

    u->mode = mode[pick(r, 0, 2)];
    if (p->alike && pick(r, 0, 7)) u->mode = mode[pick(r, 0, 1)]; /* for chains */
    if (u->mode == HIT_MODE_SUM) u->mode = reduction[pick(r, 0, 3)];
    if (!program_reduces(u->mode) && s->domain.dims > domain->dims) return false;
    u->boxes = 1;
    for (int t = 0; t < domain->dims; t++) {
        u->box[0][t] = fixed(r, domain->sig[t]);
    }
    for (int d = 0; d < s->domain.dims && d < domain->dims; d++) {
        int t = (int)pick(r, 0, domain->dims - 1);

        if (program_reduces(u->mode) && pick(r, 0, 2) == 0) continue;
        while (taken[t]) {
            t = (t + 1) % domain->dims;
        }
        taken[t] = true;
        u->box[0][t] = (span){.follows = d, .from = pick(r, -1, 1)};
        u->box[0][t].to = u->box[0][t].from;
        if (program_reduces(u->mode)) u->box[0][t].to += pick(r, 0, 2);
    }
    return true;
}

/* As in a stencil: dimension by dimension, what is read lies around what is written. */
static void make_near(hit_random *r, const hit_domain *domain, int cell, use *u)
{
    for (int b = 0; b < u->boxes; b++) {
        for (int t = 0; t < domain->dims; t++) {
            const hit_index from = u->mode == HIT_MODE_IN ? pick(r, -2, 1) : 0;
            const int follows = cell >= 0 && t > cell ? t - 1 : t;

            u->box[b][t] = fixed(r, domain->sig[t]);
            if (t == cell) continue;
            u->box[b][t] = (span){.follows = follows, .from = from, .to = from};
            if (u->mode == HIT_MODE_IN) u->box[b][t].to += pick(r, 0, 2);
        }
    }
}

/* An index may read elements beside the one that it writes. */
static void add_own(hit_random *r, const step *s, use *u)
{
    const int t = (int)pick(r, 0, s->tile_dims[0] - 1);
    span *beside = &u->box[1][t];

    if (u->mode != HIT_MODE_INOUT || pick(r, 0, 2) > 0) return;
    memcpy(u->box[1], u->box[0], sizeof(u->box[0]));
    if (beside->follows < 0) return;
    u->boxes = 2;
    beside->from += pick(r, -2, 1);
    beside->to = beside->from + pick(r, 0, 2);
}

static void make_read(hit_random *r, const program *p, const step *s, use *u)
{
    const hit_domain *domain = domain_of(p, u);

    u->mode = HIT_MODE_IN;
    u->boxes = (int)pick(r, 1, MOST_BOXES);
    for (int b = 0; b < u->boxes; b++) {
        for (int t = 0; t < domain->dims; t++) {
            span *one = &u->box[b][t];

            *one = fixed(r, domain->sig[t]);
            if (pick(r, 0, 4) == 0) continue;
            *one = (span){.follows = (int)pick(r, 0, s->domain.dims - 1),
                          .from = pick(r, -2, 1)};
            one->to = one->from + pick(r, 0, 2);
        }
    }
}

/* Some offsets have the value s, which is 0 to MOST_SHIFT. */
static void shift_some(hit_random *r, const program *p, use *u)
{
    const hit_domain *domain = domain_of(p, u);

    for (int b = 0; b < u->boxes; b++) {
        for (int t = 0; t < domain->dims; t++) {
            span *one = &u->box[b][t];
            const bool room =
                one->follows >= 0 || one->to + MOST_SHIFT <= domain->sig[t].end;

            one->shifts = pick(r, 0, 2) == 0 && room && !one->all;
        }
    }
}

/* Some of what is read follows a quotient, or a remainder if all of them lie in the tile.
 */
static void divide_some(hit_random *r, const program *p, use *u)
{
    const hit_domain *domain = domain_of(p, u);

    for (int b = 0; b < u->boxes; b++) {
        for (int t = 0; t < domain->dims; t++) {
            span *one = &u->box[b][t];
            const hit_index by = pick(r, 2, 4);
            const bool room = one->from >= domain->sig[t].begin &&
                              by - 1 + one->to + MOST_SHIFT <= domain->sig[t].end;

            if (one->follows < 0 || pick(r, 0, 9) > 0) continue;
            one->by = room && pick(r, 0, 1) == 0 ? -by : by;
        }
    }
}

/* The indices that keep what a use touches inside its tile. */
void program_limit(const program *p, const use *u, hit_domain *domain)
{
    const tile *t = &p->tile[u->tile];

    for (int b = 0; b < u->boxes; b++) {
        for (int d = 0; d < t->domain.dims; d++) {
            const span *one = &u->box[b][d];
            const hit_sig sig = domain_of(p, u)->sig[d];
            const hit_index by = one->by > 0 ? one->by : 1;
            const bool beyond = u->mode == HIT_MODE_IN && u->part.dims == 0 &&
                                t->boundary[d] != HIT_BOUNDARY_NONE;

            if (one->follows < 0 || beyond) continue;
            if (one->by < 0) continue;
            domain->sig[one->follows] = hit_sig_intersect(
                domain->sig[one->follows],
                hit_sig_make(by * (sig.begin - one->from),
                             by * (sig.end - one->to - (one->shifts ? MOST_SHIFT : 0)) +
                                 by - 1,
                             1));
        }
    }
}

static bool make_launch(hit_random *r, const program *p, step *s)
{
    const bool near = p->alike || pick(r, 0, 2) > 0;
    const int cell = p->cell >= 0 && pick(r, 0, 5) > 0 ? p->cell : -1;
    const bool halves = pick(r, 0, 5) == 0; /* of one tile, of which one is written */

    s->kind = LAUNCH;
    s->domain.dims = near ? p->tile[0].domain.dims - (cell >= 0) : (int)pick(r, 1, 3);
    for (int d = 0; d < s->domain.dims; d++) {
        s->domain.sig[d] = hit_sig_make(-4, s->domain.dims == 1 ? 50 : 14, 1);
    }
    s->uses = (int)pick(r, 1, MOST_READ);
    for (int k = 0; k < s->uses; k++) {
        use *u = &s->use[k];

        u->tile = (int)pick(r, 0, p->tiles - 1);
        if (k > 0 && u->tile == s->use[0].tile) u->tile = (u->tile + 1) % p->tiles;
        select_part(r, p, u);
        if (halves && (k == 0 || pick(r, 0, 1))) {
            u->tile = k == 0 ? u->tile : s->use[0].tile;
            select_half(p, k > 0, u);
        }
        s->tile_dims[k] = p->tile[u->tile].domain.dims;
        if (k == 0 && !make_written(r, p, s, u)) return false;
        if (k > 0) make_read(r, p, s, u);
        if (near && !program_reduces(u->mode) &&
            s->tile_dims[k] == s->domain.dims + (cell >= 0)) {
            make_near(r, domain_of(p, u), cell, u);
        }
        if (k == 0) add_own(r, s, u);
        if (p->shifts) shift_some(r, p, u);
        if (u->mode == HIT_MODE_IN) divide_some(r, p, u);
        program_limit(p, u, &s->domain);
    }
    for (int d = 0; d < s->domain.dims; d++) {
        const hit_sig sig = s->domain.sig[d];
        const hit_index begin = hit_sig_is_empty(sig) ? 0 : pick(r, sig.begin, sig.end);

        if (hit_sig_is_empty(sig)) return false;
        if (s->use[0].boxes > 1 && pick(r, 0, 4)) { /* often enough what is read is not
                                                        written */
            s->domain.sig[d] = hit_sig_make(sig.begin, sig.end, pick(r, 2, 3));
            continue;
        }
        if (p->alike && pick(r, 0, 3)) { /* all, or every second or third one */
            if (pick(r, 0, p->dense) > 0) continue;
            s->domain.sig[d] = hit_sig_make(
                pick(r, sig.begin, sig.begin < sig.end ? sig.begin + 1 : sig.begin),
                sig.end, pick(r, 2, 3));
            continue;
        }
        s->domain.sig[d] = hit_sig_make(begin, pick(r, begin, sig.end),
                                        pick(r, 0, p->alike ? p->dense : 4) ? 1 : 2);
    }
    return true;
}

static bool make_move(hit_random *r, const program *p, step *s)
{
    const int to = (int)pick(r, 0, p->tiles - 1);
    const int from = (int)pick(r, 0, p->tiles - 1);

    s->use[0].tile = to;
    s->use[1].tile = from;
    s->kind = (kind)pick(r, COPY, BOUNDARY);
    program_pick_layout(r, p->tile[to].domain.dims, s->layout);
    s->constant = pick(r, 77, 79);
    /* there is one or none as before */
    for (int d = 0; d < p->tile[to].domain.dims; d++) {
        if (p->tile[to].boundary[d] == HIT_BOUNDARY_NONE) continue;
        s->boundary[d] =
            (hit_boundary)pick(r, HIT_BOUNDARY_CONSTANT, HIT_BOUNDARY_MIRROR);
    }
    if (s->kind != COPY && s->kind != SWAP) return true;
    if (s->kind == SWAP) {
        return hit_domain_equal(&p->tile[to].domain, &p->tile[from].domain) &&
               memcmp(p->tile[to].boundary, p->tile[from].boundary,
                      sizeof(p->tile[to].boundary)) == 0;
    }
    return to != from && p->tile[to].domain.dims == p->tile[from].domain.dims;
}

program program_make(uint64_t seed)
{
    hit_random random = {seed};
    program p = {.seed = seed, .cell = -1};
    int most = MOST_STEPS;

    (void)hit_random_next(&random);
    p.alike = pick(&random, 0, 2) > 0;
    pick_devices(&random, p.alike, p.devices);
    if (p.alike) most = (int)pick(&random, 1, MOST_STEPS);
    p.shifts = program_on_gpu == NULL && pick(&random, 0, 2) == 0;
    p.dense = pick(&random, 0, 2) ? 19 : 1;
    p.tiles = (int)pick(&random, 2, MOST_PLAIN);
    for (int k = 0; k < p.tiles; k++) {
        p.tile[k] =
            k == 0 ? make_tile(&random) : make_next_tile(&random, &p, &p.tile[k - 1]);
        if (k == 0 && p.alike && pick(&random, 0, 4)) {
            snprintf(p.tile[k].layout, TEXT, "block%s",
                     pick(&random, 0, 1) ? "" : ":dims=0");
        }
        if (k == 0 && p.alike && p.tile[0].domain.dims < 3 && pick(&random, 0, 1)) {
            add_cell(&random, &p);
        }
    }
    for (int tries = 0; tries < 20 && p.steps < most; tries++) {
        step *s = &p.step[p.steps];

        memset(s, 0, sizeof(*s));
        if (pick(&random, 0, p.alike ? 9 : 4) == 0) {
            p.steps += make_move(&random, &p, s);
        } else {
            p.steps += make_launch(&random, &p, s);
        }
    }
    p.repeats = (int)pick(&random, 1, p.alike ? 12 : 5);
    p.chain = (const int[]){HIT_CHAIN_OFF, 16, HIT_CHAIN_ANY}[pick(&random, 0, 2)];
    p.chain_steps = (int)pick(&random, 2, 20);
    p.chain_width = (int)pick(&random, 1, 9);
    p.chain_lines = pick(&random, 0, 1) == 1;
    p.counts = pick(&random, 0, 1) == 1;
    for (int k = 0; k < p.tiles; k++) {
        p.tile[k].ghosts = (int)pick(&random, -4, 3);
        if (p.tile[k].ghosts < -1) p.tile[k].ghosts = -1;
    }
    program_add(&random, &p);
    return p;
}
