/* SPDX-License-Identifier: MIT
 * Random chains over processes, with looks at random places and on one process only,
 * against one launch after the other: equal to the bit. HIT_CHAINS=10000 tries that many,
 * HIT_SEED begins elsewhere. */
#include "hit/base/context.h"
#include "hit/data/hash.h"
#include "hit/launch/launcher.h"
#include "tests/hit/run/chains_scene.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const hit_kernel weighted, kick, drift, upwind, source, border_row, keep_row,
    corners, turned, total;

static hit_context *base; /* keeps MPI open */

enum {
    MOST_OPS = 4, /* launches of a step */
    PHASES = 3,   /* of a program, each with launches of its own */
    MARGIN = 3,   /* no pattern reaches further */
    RECORDS = 16,
    MOST_EXTENT = 70
};

typedef enum op_kind {
    STAR,
    CORNERS,
    KICK,
    UPWIND,
    SOURCE,
    WEIGHTED,
    BORDER,
    KEEP,
    RECORD, /* into a tile of another layout */
    TURNED,
    TOTAL,
    KINDS
} op_kind;

typedef struct op {
    op_kind kind;
    int tile[3];
    hit_domain domain;
    int every; /* steps */
} op;

/* What happens between steps. */
typedef enum event {
    NOTHING,
    LOOK, /* of one process */
    LOOK_OF_ALL,
    WRITE, /* by all processes */
    FILL,
    WAIT,
    RELAYOUT,
    FEWER, /* launches of a chain */
    EVENTS
} event;

typedef struct made {
    uint64_t seed;
    hit_index extent;
    const char *layout;
    size_t memory_bytes; /* of each device; 0: they work in place */
    int devices;         /* of each process, where they have memories */
    hit_boundary boundary[2];
    int ops;
    op op[MOST_OPS];
    int swap[2]; /* tiles after each step; equal: none */
    int steps;
    int calm; /* one in so many steps has an event */
} made;

static int pick(hit_random *random, int low, int high)
{
    return (int)hit_random_index(random, low, high);
}

static hit_domain pick_domain(hit_random *random, const made *m)
{
    const hit_domain all = hit_domain_of(m->extent, m->extent);
    hit_domain some = hit_domain_grow(all, -MARGIN);

    if (m->boundary[0] != HIT_BOUNDARY_NONE && pick(random, 0, 2) > 0) return all;
    if (pick(random, 0, 3) > 0) return some;
    for (int d = 0; d < 2; d++) {
        const hit_sig sig = some.sig[d];
        const hit_index begin = hit_random_index(random, sig.begin, sig.end);

        some.sig[d] = hit_sig_make(begin, hit_random_index(random, begin, sig.end), 1);
    }
    return some;
}

/* Most launches can be in chains; one in 10 is any. */
static op pick_op(hit_random *random, const made *m)
{
    op made_op = {.every = 1};

    made_op.kind = (op_kind)pick(random, 0, pick(random, 0, 9) > 0 ? WEIGHTED : TOTAL);
    if (pick(random, 0, 7) == 0) made_op.kind = RECORD;
    if (made_op.kind >= WEIGHTED && pick(random, 0, 1) > 0) {
        made_op.every = pick(random, 2, 9);
    }
    made_op.tile[0] = pick(random, 0, 2);
    made_op.tile[1] = (made_op.tile[0] + pick(random, 1, 2)) % 3;
    made_op.tile[2] = 3 - made_op.tile[0] - made_op.tile[1];
    made_op.domain = pick_domain(random, m);
    if (made_op.kind >= WEIGHTED) {
        made_op.domain = hit_domain_grow(hit_domain_of(m->extent, m->extent), -MARGIN);
    }
    return made_op;
}

/* Other launches on the same tiles. */
static void set_phase(hit_random *random, made *m)
{
    m->ops = pick(random, 1, MOST_OPS);
    for (int k = 0; k < m->ops; k++) {
        m->op[k] = pick_op(random, m);
    }
    m->swap[0] = pick(random, 0, 2);
    m->swap[1] = pick(random, 0, 2);
    m->steps = pick(random, 6, 40);
    m->calm = pick(random, 2, 20);
}

static made make(uint64_t seed)
{
    static const char *const layout[] = {"block", "block", "block:dims=0", "block:dims=1",
                                         "cyclic"};
    static const hit_boundary boundary[] = {HIT_BOUNDARY_NONE, HIT_BOUNDARY_CONSTANT,
                                            HIT_BOUNDARY_CLAMP, HIT_BOUNDARY_MIRROR,
                                            HIT_BOUNDARY_PERIODIC};
    hit_random random = {seed};
    made m = {.seed = seed};

    m.extent = hit_random_index(&random, 24, MOST_EXTENT);
    m.layout = layout[pick(&random, 0, pick(&random, 0, 9) > 0 ? 3 : 4)];
    if (pick(&random, 0, 1) > 0) {
        for (int d = 0; d < 2; d++) {
            m.boundary[d] = boundary[pick(&random, 1, pick(&random, 0, 2) > 0 ? 3 : 4)];
        }
    }
    if (pick(&random, 0, 2) == 0) {
        m.memory_bytes = ((size_t)pick(&random, 4, 40) << 10) / (size_t)hit_size(base);
        m.devices = pick(&random, 1, 3);
        m.memory_bytes /= (size_t)m.devices;
        if (m.memory_bytes < 2048) m.memory_bytes = 2048;
    }
    set_phase(&random, &m);
    return m;
}

/* What a program has besides the tiles of its scene. */
typedef struct extra {
    hit_tile *sum;
    hit_tile *rows; /* cut as columns of the tiles are by "block:dims=1" */
} extra;

static void launch(chains_scene *s, const made *m, const op *o, int t, const extra *x)
{
    hit_tile *a = s->tile[o->tile[0]];
    hit_tile *b = s->tile[o->tile[1]];
    hit_tile *c = s->tile[o->tile[2]];
    const hit_index last = m->extent - 1;
    const hit_arg value = HIT_VALUE((float)(t % 7) / 8);

    switch (o->kind) {
    case STAR:
        HIT_MUST(hit_launch(s->hit, &star, o->domain, a, b, value));
        break;
    case CORNERS:
        HIT_MUST(hit_launch(s->hit, &corners, o->domain, a, b));
        break;
    case KICK:
        HIT_MUST(hit_launch(s->hit, &kick, o->domain, a, b));
        break;
    case UPWIND:
        HIT_MUST(hit_launch(s->hit, &upwind, o->domain, a, b));
        break;
    case SOURCE:
        HIT_MUST(hit_launch(s->hit, &source, o->domain, a, value));
        break;
    case WEIGHTED:
        HIT_MUST(hit_launch(s->hit, &weighted, o->domain, a, b, c));
        break;
    case BORDER:
        HIT_MUST(hit_launch(s->hit, &border_row, hit_domain_of(m->extent), a, b));
        break;
    case KEEP:
        HIT_MUST(
            hit_launch(s->hit, &keep_row, hit_box_of(t % last, t % last, 0, last), a, b));
        break;
    case RECORD:
        HIT_MUST(hit_launch(s->hit, &keep_row,
                            hit_box_of(t % RECORDS, t % RECORDS, 0, last), x->rows, a));
        break;
    case TURNED:
        HIT_MUST(hit_launch(s->hit, &turned, o->domain, a, b));
        break;
    default:
        HIT_MUST(hit_launch(s->hit, &total, o->domain, x->sum, a));
        break;
    }
}

static void read_at(hit_tile *tile)
{
    hit_view view;

    if (hit_tile_pieces(tile) > 0) HIT_MUST(hit_tile_map(tile, 0, HIT_READ, &view));
}

static void write_all(hit_tile *tile, int t)
{
    for (int k = 0; k < hit_tile_pieces(tile); k++) {
        hit_index at[HIT_MAX_DIMS];
        hit_view view;

        HIT_MUST(hit_tile_map(tile, k, HIT_READ_WRITE, &view));
        for (bool more = hit_domain_first(&view.domain, at); more;
             more = hit_domain_next(&view.domain, at)) {
            if ((at[0] + 3 * at[1]) % 11 == t % 11) *(float *)hit_view_at(&view, at) += 1;
        }
    }
}

/* The same on all processes, but for who looks. */
static void happen(chains_scene *s, hit_random *random, int t)
{
    const event what = (event)pick(random, LOOK, EVENTS - 1);
    const int process = pick(random, 0, hit_size(base) - 1);
    hit_tile *tile = s->tile[pick(random, 0, 2)];
    float found;

    switch (what) {
    case LOOK:
        if (hit_rank(base) == process) read_at(tile);
        break;
    case LOOK_OF_ALL:
        HIT_MUST(hit_tile_get(tile, (hit_index[]){t % 20, t % 17}, &found));
        break;
    case WRITE:
        write_all(tile, t);
        break;
    case FILL:
        HIT_MUST(hit_tile_fill(tile, &(float){(float)t}));
        break;
    case RELAYOUT:
        HIT_MUST(hit_tile_relayout(tile, hit_tile_layout(tile)));
        break;
    case WAIT:
        if (hit_rank(base) == process) HIT_MUST(hit_wait(s->hit));
        break;
    default:
        HIT_MUST(hit_chain(s->hit, pick(random, 0, 1) == 0 ? pick(random, 0, 20)
                                                           : HIT_CHAIN_ANY));
        break;
    }
}

/* Process 0: a hash of what was recorded. A sum by the library would differ: its terms
 * are ordered as they lie on devices. */
static uint64_t hash_of(hit_tile *rows)
{
    static float found[RECORDS * MOST_EXTENT];

    memset(found, 0, sizeof(found));
    HIT_MUST(hit_tile_gather(rows, 0, found));
    return hit_hash(HIT_HASH_START, found, sizeof(found));
}

static uint64_t run(chains_scene *s, const made *m)
{
    const hit_domain records = hit_domain_of(RECORDS, m->extent);
    hit_random random = {m->seed + 77};
    extra x = {NULL, NULL};
    uint64_t recorded;

    HIT_MUST(
        hit_tile_make(s->hit, hit_domain_scalar(), "single", HIT_FLOAT, "sum", &x.sum));
    HIT_MUST(hit_tile_make(s->hit, records, "block:dims=1", HIT_FLOAT, "rows", &x.rows));
    HIT_MUST(hit_tile_fill(x.rows, &(float){0}));
    for (int k = 0; k < CHAINS_TILES; k++) {
        for (int d = 0; d < 2; d++) {
            HIT_MUST(hit_tile_set_boundary(s->tile[k], d, m->boundary[d],
                                           &(float){1.5f + (float)m->steps}));
        }
    }
    for (int t = 0; t < m->steps; t++) {
        for (int k = 0; k < m->ops; k++) {
            if (t % m->op[k].every == 0) launch(s, m, &m->op[k], t, &x);
        }
        hit_tile_swap(&s->tile[m->swap[0]], &s->tile[m->swap[1]]);
        if (pick(&random, 1, m->calm) == 1) happen(s, &random, t);
    }
    HIT_MUST(hit_launch(s->hit, &total, records, x.sum, x.rows));
    recorded = hash_of(x.rows);
    hit_tile_destroy(&x.sum);
    hit_tile_destroy(&x.rows);
    return recorded;
}

/* In place, on one device, on two, or on some that are unlike. */
static chains_scene open_in_place(const made *m, const hit_choice *choice, int threads)
{
    chains_scene s;

    if (m->seed / 3 % 2 == 0) {
        return chains_open_over(choice, threads, m->layout, m->extent);
    }
    if (m->seed / 6 % 2 == 0) {
        s = chains_open_on(choice, "host:threads=2+host:threads=1", m->layout, m->extent);
    } else {
        s = chains_open_unlike(m->seed, 2, 0, 1, m->layout, m->extent);
        s.hit->launcher->chain_choice = choice;
    }
    HIT_MUST(hit_chain(s.hit, HIT_CHAIN_ANY));
    return s;
}

/* On devices with memories. */
static chains_scene open_staged(const made *m, int threads)
{
    chains_scene s;

    if (m->devices == 1) {
        return chains_open_over_staged(m->memory_bytes, threads, m->layout, m->extent);
    }
    s = m->seed % 2 == 0 ? chains_open_several(m->devices, m->memory_bytes, threads,
                                               m->layout, m->extent)
                         : chains_open_unlike(m->seed, m->devices, m->memory_bytes,
                                              threads, m->layout, m->extent);
    HIT_MUST(hit_chain(s.hit, HIT_CHAIN_ANY));
    return s;
}

static uint64_t compare(const made *m)
{
    const hit_choice choice = {.steps = 5, .width = {7, 9}};
    const bool forced = m->seed % 2 == 0;
    hit_random random = {m->seed + 99};
    const int threads = 1 + (int)(m->seed % 3);
    chains_scene one = m->memory_bytes > 0
                           ? open_staged(m, threads)
                           : open_in_place(m, forced ? &choice : NULL, threads);
    chains_scene other = chains_open_over(NULL, 1, m->layout, m->extent);
    uint64_t chained;
    uint64_t recorded;
    uint64_t plain;
    char name[64];

    other.hit->launcher->chain_most = other.hit->launcher->chain_room = 0;
    for (int phase = 0; phase < PHASES; phase++) {
        made now = *m;

        now.seed += (uint64_t)phase;
        if (phase > 0) set_phase(&random, &now);
        recorded = run(&one, &now);
        plain = run(&other, &now);
        ck_assert_msg(recorded == plain, "seed %llu, phase %d: what is recorded differs",
                      (unsigned long long)m->seed, phase);
    }
    (void)snprintf(name, sizeof(name), "seed %llu", (unsigned long long)m->seed);
    chains_expect_equal(&one, &other, name);
    chained = chains_chained(&one);
    ck_assert_int_eq((int)chains_chained(&other), 0);
    chains_close(&one);
    chains_close(&other);
    return chained;
}

static bool is_periodic(const made *m)
{
    return m->boundary[0] == HIT_BOUNDARY_PERIODIC ||
           m->boundary[1] == HIT_BOUNDARY_PERIODIC;
}

START_TEST(random_chains_give_the_bits_of_one_launch_after_the_other)
{
    const uint64_t first = hit_random_start(5000000).state;
    const int count = chains_cases(60);
    uint64_t chained[] = {0, 0, 0}; /* in place, on a device with memory, on several */
    uint64_t periodic = 0;

    for (int k = 0; k < count; k++) {
        const made m = make(first + (uint64_t)k);
        const uint64_t found = compare(&m);

        chained[m.memory_bytes == 0 ? 0 : m.devices == 1 ? 1 : 2] += found;
        if (is_periodic(&m)) periodic += found;
    }
    if (hit_rank(base) == 0) {
        printf("%d chains, launches in blocks: %llu in place, %llu on a device with "
               "memory, %llu on several, %llu of programs with periodic boundaries\n",
               count, (unsigned long long)chained[0], (unsigned long long)chained[1],
               (unsigned long long)chained[2], (unsigned long long)periodic);
    }
    ck_assert_int_gt((int)chained[0], 5 * count);
    ck_assert_int_gt((int)chained[1], 0);
    /* thin parts seldom do, and parts often fit some of devices that are unlike */
    if ((hit_size(base) <= 4 && count >= 60) || count >= 240) {
        ck_assert_int_gt((int)chained[2], 0);
    }
    if (hit_size(base) > 1) ck_assert_int_gt((int)periodic, count / 2);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("random chains over processes");
    TCase *tc = tcase_create("chains");

    tcase_set_timeout(tc, 0);
    tcase_add_test(tc, random_chains_give_the_bits_of_one_launch_after_the_other);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
