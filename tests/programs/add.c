/* SPDX-License-Identifier: MIT
 * What is added to programs that are made: inequalities, and tiles whose numbers say
 * where a launch reads, where it writes, and which of its indices run. It is drawn last,
 * so that programs are otherwise what they were without it. */
#include "hit/data/sig.h"
#include "tests/programs/program.h"
#include "tests/support/random.h"

#include <string.h>

static hit_index pick(hit_random *r, hit_index low, hit_index high)
{
    return hit_random_index(r, low, high);
}

/* Triangles, bands and frames. */
static void pick_bounds(hit_random *r, const program *p, step *s)
{
    s->bounds = (int)pick(r, 1, MOST_BOUNDS);
    for (int b = 0; b < s->bounds; b++) {
        s->bound[b] = (bound){(int)pick(r, -1, s->domain.dims - 1),
                              (int)pick(r, -1, s->domain.dims - 1), pick(r, -5, 8),
                              p->shifts && pick(r, 0, 1), b > 0 && pick(r, 0, 1)};
    }
}

/* Of launches in which each index writes elements of its own. */
static void bound_some(hit_random *r, program *p)
{
    for (int k = 0; k < p->steps; k++) {
        step *s = &p->step[k];

        if (s->kind != LAUNCH || program_reduces(s->use[0].mode)) continue;
        if (pick(r, 0, p->alike ? 5 : 2) == 0) pick_bounds(r, p, s);
    }
}

/* ---- tiles of numbers ---- */

/* What a launch wants of an argument in which numbers stand. */
typedef struct wish {
    hit_sig numbers; /* all of them lie within */
    unsigned follow; /* the indices that lead there, a bit each; 0: any */
    bool distinct;   /* each index has another one */
    bool one;        /* each index touches one element */
} wish;

/* Indices that are followed, in any order. */
static int pick_followed(hit_random *r, const step *s, unsigned follow, int d[])
{
    const int first = s->domain.dims > 0 ? (int)pick(r, 0, s->domain.dims - 1) : 0;
    int count = 0;

    d[0] = -1;
    if (s->domain.dims == 0) return 1;
    if (follow == 0) follow = (unsigned)pick(r, 1, (1 << s->domain.dims) - 1);
    for (int k = 0; k < s->domain.dims; k++) {
        const int one = (first + k) % s->domain.dims;

        if (follow >> one & 1u) d[count++] = one;
    }
    return count;
}

static span pick_span(hit_random *r, const wish *w, int follows)
{
    span made = {.follows = follows, .from = pick(r, -1, 1)};

    made.to = made.from + (w->one ? 0 : pick(r, 0, 2));
    if (follows >= 0 && !w->distinct && pick(r, 0, 5) == 0) made.by = pick(r, 2, 3);
    return made;
}

/* Of some dimensions, of which the first ones follow indices. */
static use pick_use(hit_random *r, const step *s, const wish *w, int *dims)
{
    use u = {.mode = HIT_MODE_IN, .boxes = w->one ? 1 : (int)pick(r, 1, MOST_BOXES)};
    int d[HIT_MAX_DIMS] = {0};

    *dims = pick_followed(r, s, w->follow, d);
    for (int b = 0; b < u.boxes; b++) {
        for (int t = 0; t < *dims; t++) {
            u.box[b][t] = pick_span(r, w, d[t]);
        }
    }
    return u;
}

/* A domain that has what a launch touches, or most of it. */
static hit_domain around(hit_random *r, const step *s, const use *u, int dims)
{
    hit_domain made = {.dims = dims};

    for (int t = 0; t < dims; t++) {
        hit_index begin = INT64_MAX;
        hit_index end = INT64_MIN;

        for (int b = 0; b < u->boxes; b++) {
            const span *one = &u->box[b][t];
            const hit_sig sig =
                one->follows < 0 ? (hit_sig){0, 0, 1} : s->domain.sig[one->follows];
            const hit_index low = program_followed(one, sig.begin) + one->from;
            const hit_index high = program_followed(one, sig.end) + one->to;

            if (low < begin) begin = low;
            if (high > end) end = high;
        }
        made.sig[t] =
            hit_sig_make(begin - (pick(r, 0, 3) == 0), end + (pick(r, 0, 3) == 0), 1);
    }
    return made;
}

/* As many elements as there are numbers. */
static void shorten(hit_domain *domain, hit_index most)
{
    while (hit_domain_count(domain) > most) {
        int longest = 0;

        for (int t = 1; t < domain->dims; t++) {
            if (hit_sig_count(domain->sig[t]) > hit_sig_count(domain->sig[longest])) {
                longest = t;
            }
        }
        domain->sig[longest].end--;
    }
}

static int make_numbers(hit_random *r, program *p, const step *s, const wish *w,
                        const use *u, int dims)
{
    tile *t = &p->tile[p->tiles];

    if (p->tiles == MOST_TILES) return -1;
    *t = (tile){.domain = around(r, s, u, dims),
                .numbers = w->numbers,
                .distinct = w->distinct,
                .near = pick(r, 0, 1) ? -1 : pick(r, 0, 3),
                .ghosts = pick(r, 0, 3) == 0 ? (int)pick(r, 0, 2) : -1};
    if (w->distinct && pick(r, 0, 9) > 0) {
        shorten(&t->domain, hit_sig_count(w->numbers));
    }
    program_pick_layout(r, dims, t->layout);
    return p->tiles++;
}

/* One that is there, and will do. */
static int find_numbers(const program *p, const wish *w, int dims)
{
    for (int k = p->tiles; k-- > 0;) {
        const tile *t = &p->tile[k];

        if (t->numbers.stride == 0 || t->domain.dims != dims) continue;
        if (w->distinct && !t->distinct) continue;
        if (hit_sig_inside(t->numbers, w->numbers)) return k;
    }
    return -1;
}

/* Its number among the arguments of the launch; -1: there can be none. */
static int add_numbers(hit_random *r, program *p, step *s, const wish *w)
{
    const hit_index before = hit_domain_count(&s->domain);
    const int k = s->uses;
    int dims = 0;
    use u = pick_use(r, s, w, &dims);

    if (k == MOST_USES || hit_sig_is_empty(w->numbers)) return -1;
    u.tile = pick(r, 0, 1) ? find_numbers(p, w, dims) : -1;
    if (u.tile < 0) u.tile = make_numbers(r, p, s, w, &u, dims);
    if (u.tile < 0) u.tile = find_numbers(p, w, dims);
    if (u.tile < 0) return -1;
    s->use[s->uses++] = u;
    s->tile_dims[k] = dims;
    s->looks = true;
    program_limit(p, &u, &s->domain);
    return 3 * hit_domain_count(&s->domain) > before ? k : -1;
}

/* The numbers that lead into dimension @p t of a use, with what is added to them. */
static hit_sig leading(const program *p, const use *u, int t, const span *of)
{
    const hit_sig sig =
        u->part.dims > 0 ? u->part.sig[t] : p->tile[u->tile].domain.sig[t];

    return (hit_sig){sig.begin - of->from,
                     sig.end - of->to - (of->shifts ? MOST_SHIFT : 0), 1};
}

/* ---- launches that look ---- */

/* Must an index touch one element of argument @p k, which stands in no data? */
static bool is_asked(const step *s, int k)
{
    bool asked = false;

    for (int t = 0; t < s->tile_dims[0]; t++) {
        asked = asked || s->use[0].box[0][t].looks == k;
    }
    for (int b = 0; b < s->bounds; b++) {
        asked = asked || s->bound[b].less == HIT_MAX_DIMS + k ||
                s->bound[b].more == HIT_MAX_DIMS + k;
    }
    return asked;
}

/* Something is read where numbers say. */
static bool gather(hit_random *r, program *p, step *s)
{
    const int k = (int)pick(r, 1, s->uses);
    const int dims = k < s->uses ? s->tile_dims[k] : 0;
    const int t = dims > 0 ? (int)pick(r, 0, dims - 1) : 0;
    const int b = dims > 0 ? (int)pick(r, 0, s->use[k].boxes - 1) : 0;
    wish w = {.one = pick(r, 0, 1)};
    span *of;

    if (dims == 0 || s->order[0] != 0 || s->use[k].box[b][t].looks > 0) return false;
    if (is_asked(s, k)) return false;
    of = &s->use[k].box[b][t];
    *of =
        (span){.follows = -1, .from = pick(r, -1, 1), .shifts = p->shifts && of->shifts};
    of->to = of->from + pick(r, 0, 2);
    w.numbers = leading(p, &s->use[k], t, of);
    if (pick(r, 0, s->bounds > 0 ? 3 : 20) == 0) w.numbers.end++; /* it may lead out */
    of->looks = add_numbers(r, p, s, &w);
    if (of->looks < 0) return false;
    of->ends = s->use[of->looks].boxes > 1 && pick(r, 0, 1);
    return true;
}

/* Indices that no dimension of what is written follows, but for @p but. */
static unsigned left_out(const step *s, int but)
{
    unsigned left = (1u << s->domain.dims) - 1;

    for (int t = 0; t < s->tile_dims[0]; t++) {
        const int d = s->use[0].box[0][t].follows;

        if (t != but && d >= 0) left &= ~(1u << d);
    }
    return left;
}

static bool scatter(hit_random *r, program *p, step *s)
{
    const int dims = s->tile_dims[0];
    const int t = dims > 0 ? (int)pick(r, 0, dims - 1) : 0;
    use *out = &s->use[0];
    span *of = &out->box[0][t];
    wish w = {.one = true, .distinct = true, .follow = left_out(s, t)};

    if (program_reduces(out->mode) || program_is_scatter(s)) return false;
    if (dims == 0 || s->order[0] != 0) return false;
    for (int b = 0; b < s->bounds; b++) { /* what data leaves is not scattered */
        if (s->bound[b].less >= HIT_MAX_DIMS || s->bound[b].more >= HIT_MAX_DIMS) {
            return false;
        }
    }
    for (int k = 1; k < s->uses; k++) {
        if (s->use[k].tile == out->tile) return false;
    }
    if (pick(r, 0, 3) == 0 && s->domain.dims > 0) {
        w.follow |= 1u << pick(r, 0, s->domain.dims - 1);
    }
    out->mode = HIT_MODE_OUT;
    out->boxes = 1;
    *of =
        (span){.follows = -1, .from = pick(r, -1, 1), .shifts = p->shifts && of->shifts};
    of->to = of->from;
    w.numbers = leading(p, out, t, of);
    if (pick(r, 0, s->bounds > 0 ? 3 : 20) == 0) w.numbers.begin--;
    of->looks = add_numbers(r, p, s, &w);
    return of->looks > 0;
}

/* Land and sea, or rows that end somewhere. */
static bool mask(hit_random *r, program *p, step *s)
{
    const bool rows = pick(r, 0, 2) == 0 && s->domain.dims > 0;
    const int d = rows ? (int)pick(r, 0, s->domain.dims - 1) : -1;
    const wish w = {.one = true,
                    .numbers = rows ? s->domain.sig[d] : (hit_sig){-1, 2, 1}};
    bound *b = &s->bound[s->bounds];
    int k;

    if (program_reduces(s->use[0].mode) && s->tile_dims[0] > 0) return false;
    if (program_is_scatter(s) || s->order[0] != 0) return false;
    if (program_on_gpu != NULL) return false; /* the host asks elements */
    if (s->bounds == MOST_BOUNDS || w.numbers.stride != 1) return false;
    k = add_numbers(r, p, s, &w);
    if (k < 0) return false;
    *b = (bound){.less = HIT_MAX_DIMS + k,
                 .more = d,
                 .apart = pick(r, -1, 1),
                 .shifts = p->shifts && pick(r, 0, 3) == 0,
                 .other = s->bounds > 0 && pick(r, 0, 1)};
    if (pick(r, 0, 1)) {
        b->less = b->more;
        b->more = HIT_MAX_DIMS + k;
    }
    s->bounds++;
    return true;
}

/* ---- other launches ---- */

/* All of its arguments have fixed elements. */
static bool run_once(hit_random *r, program *p, step *s)
{
    if (s->looks || s->order[0] != 0) return false;
    s->domain = hit_domain_scalar();
    s->bounds = 0;
    for (int n = 0; n < s->uses * MOST_BOXES * HIT_MAX_DIMS; n++) {
        use *u = &s->use[n / HIT_MAX_DIMS / MOST_BOXES];
        const int t = n % HIT_MAX_DIMS;
        span *of = &u->box[n / HIT_MAX_DIMS % MOST_BOXES][t];
        const hit_domain *all = u->part.dims > 0 ? &u->part : &p->tile[u->tile].domain;
        hit_index most;

        if (of->follows < 0 || t >= all->dims) continue;
        most = all->sig[t].end - (of->to - of->from) - (of->shifts ? MOST_SHIFT : 0);
        of->follows = -1;
        of->by = 0;
        of->all = most < all->sig[t].begin;
        of->shifts = of->shifts && !of->all;
        of->to -= of->from;
        of->from = of->all ? 0 : pick(r, all->sig[t].begin, most);
        of->to += of->from;
    }
    return true;
}

/* What indices write those after them read. */
static bool put_in_order(hit_random *r, program *p, step *s)
{
    use *u = &s->use[0];

    if (program_reduces(u->mode) || s->looks || s->domain.dims == 0) return false;
    if (program_on_gpu != NULL) return false; /* the host has an order */
    for (int d = 0; d < s->domain.dims; d++) {
        s->order[d] = pick(r, 0, 1) ? 1 : -1;
    }
    if (pick(r, 0, 3) == 0) return true;
    u->mode = HIT_MODE_INOUT;
    u->boxes = 2;
    memcpy(u->box[1], u->box[0], sizeof(u->box[0]));
    for (int t = 0; t < s->tile_dims[0]; t++) {
        span *beside = &u->box[1][t];

        if (beside->follows < 0) continue;
        beside->from += pick(r, -2, 1);
        beside->to = beside->from + pick(r, 0, 2);
    }
    program_limit(p, u, &s->domain);
    return !hit_domain_is_empty(&s->domain);
}

static int find_total(program *p)
{
    int k = 0;

    while (k < p->tiles && p->tile[k].domain.dims > 0) {
        k++;
    }
    if (k < p->tiles || p->tiles == MOST_TILES) return k < p->tiles ? k : -1;
    p->tile[k] = (tile){.domain = hit_domain_scalar(), .layout = "block", .ghosts = -1};
    return p->tiles++;
}

/* It reduces into one element. */
static bool add_up(hit_random *r, program *p, step *s)
{
    const int to = find_total(p);

    if (to < 0 || program_is_scatter(s) || s->order[0] != 0) return false;
    for (int k = 1; k < s->uses; k++) {
        if (s->use[k].tile == to) return false;
    }
    s->use[0] = (use){
        .tile = to, .boxes = 1, .mode = (hit_mode)pick(r, HIT_MODE_SUM, HIT_MODE_MAX)};
    s->tile_dims[0] = 0;
    if (!s->looks && s->domain.dims > 0 && pick(r, 0, 1)) pick_bounds(r, p, s);
    return true;
}

static bool read_total(hit_random *r, program *p, step *s)
{
    const int from = find_total(p);

    (void)r;
    if (from < 0 || s->uses == MOST_USES || s->use[0].tile == from) return false;
    s->use[s->uses] = (use){.tile = from, .boxes = 1, .mode = HIT_MODE_IN};
    s->tile_dims[s->uses++] = 0;
    return true;
}

/* A launch that writes numbers, each index one. */
static void write_numbers(hit_random *r, const program *p, int to, step *s)
{
    const tile *t = &p->tile[to];
    use *u = &s->use[0];

    s->kind = LAUNCH;
    s->domain = t->domain;
    s->uses = 1;
    s->tile_dims[0] = t->domain.dims;
    *u = (use){.tile = to, .mode = pick(r, 0, 2) ? HIT_MODE_OUT : HIT_MODE_INOUT};
    u->boxes = 1;
    for (int d = 0; d < t->domain.dims; d++) {
        u->box[0][d] = (span){.follows = d};
    }
    if (pick(r, 0, 1)) s->domain.sig[0].end -= hit_sig_count(s->domain.sig[0]) / 2;
}

/* Numbers change, or their layout does. */
static void change_numbers(hit_random *r, program *p)
{
    const int at = (int)pick(r, 0, p->steps);
    const int way = (int)pick(r, 0, 4);
    int to = (int)pick(r, 0, p->tiles - 1);
    step *s = &p->step[at];

    while (to < p->tiles && p->tile[to].numbers.stride == 0) {
        to++;
    }
    if (p->steps == MOST_STEPS || to == p->tiles) return;
    memmove(s + 1, s, (size_t)(p->steps - at) * sizeof(*s));
    memset(s, 0, sizeof(*s));
    p->steps++;
    s->kind = way == 0 ? LOOK : way == 1 ? RELAYOUT : NUMBERS;
    s->version = (int)pick(r, 1, 2);
    s->use[0].tile = to;
    program_pick_layout(r, p->tile[to].domain.dims, s->layout);
    if (way == 2) write_numbers(r, p, to, s);
}

void program_add(hit_random *r, program *p)
{
    static bool (*const ways[])(hit_random * r, program * p, step * s) = {
        gather,   gather, gather,       scatter, scatter,   mask,
        run_once, mask,   put_in_order, add_up,  read_total};

    bound_some(r, p);
    if (pick(r, 0, 1)) return;
    if (pick(r, 0, 1)) p->cells = (int)pick(r, 1, 9);
    for (int k = 0; k < p->steps; k++) {
        program tried = *p;
        const int way = (int)pick(r, -2, sizeof(ways) / sizeof(ways[0]) - 1);

        if (way < 0 || p->step[k].kind != LAUNCH) continue;
        if (!ways[way](r, &tried, &tried.step[k])) continue;
        *p = tried;
        k -= pick(r, 0, 1) == 0; /* once more */
    }
    change_numbers(r, p);
    for (int k = 0; k < p->steps; k++) {
        use *u = &p->step[k].use[0];

        u->numbers = p->tile[u->tile].numbers;
    }
}
