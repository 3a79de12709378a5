/* SPDX-License-Identifier: MIT
 * Boxes that processes hold of tiles that others own: random launches on boxes of two
 * tiles, between which the program writes them, against plain loops, and their messages
 * against a count by elements. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hit/base/memory.h"
#include "hit/data/domain_set.h"
#include "hit/data/region.h"
#include "hit/hit.h"
#include "tests/hit/run/held_kernels.h"
#include "tests/support/check_main.h"

#include <stdlib.h>
#include <string.h>

extern const hit_kernel blend_boxes, set_or_fail;

static hit_context *base; /* keeps MPI open */

enum {
    N = 96, /* more than a table that each plan keeps */
    BLOCK = 16,
    TILES = 2,
    RANKS = 7,
    BOXES = 4096, /* that are held at a time, at most */
    ALIKE = 6     /* programs of which dry runs count the memory */
};

/* A box of a tile that rank `to` has of rank `from`. */
typedef struct held_box {
    int tile;
    int from;
    int to;
    hit_domain box;
    int writes; /* of the sender to the tile */
} held_box;

typedef enum kind {
    ANY, /* some launches have no promise */
    PROMISED,
    DRY /* the same programs as PROMISED: each draw is made by both */
} kind;

typedef struct program {
    hit_context *hit;
    hit_random random;
    bool promises;
    kind kind;
    hit_tile *tile[TILES];
    int64_t *want[TILES];
    int *owner[TILES]; /* of each element */
    hit_region part[TILES][RANKS];
    bool all_own[TILES]; /* does each process own some? */
    int writes[TILES][RANKS];
    int promise;         /* the number of the one that counts; 0: there is none */
    int said;            /* so many were made */
    int promised[TILES]; /* that of the last launch with the tile */
    int boxes;
    held_box held[BOXES];
    hit_stats stats; /* by the count */
    bool good;
} program;

static void find_owners(program *p, int t, const hit_layout *layout)
{
    p->all_own[t] = true;
    for (int rank = 0; rank < hit_size(p->hit); rank++) {
        hit_region *part = &p->part[t][rank];

        HIT_MUST(hit_layout_part(layout, rank, part));
        p->all_own[t] &= part->count > 0;
        for (int k = 0; k < part->count; k++) {
            HIT_FOR_EACH (x, part->part[k]) {
                p->owner[t][x[0] * N + x[1]] = rank;
            }
        }
    }
}

/* How many pieces of @p box does a process own, and how many elements? */
static int pieces_of(const program *p, int t, int rank, const hit_domain *box,
                     hit_index *elements)
{
    int pieces = 0;

    *elements = 0;
    for (int k = 0; k < p->part[t][rank].count; k++) {
        const hit_domain own = hit_domain_intersect(&p->part[t][rank].part[k], box);

        if (hit_domain_is_empty(&own)) continue;
        *elements += hit_domain_count(&own);
        pieces++;
    }
    return pieces;
}

static void make_tile(program *p, int t)
{
    static const char *const layouts[] = {"blockcyclic:block=16", "block", "block:dims=1",
                                          "single"};
    hit_layout *layout = NULL;

    HIT_MUST(hit_layout_create(p->hit, hit_domain_of(N, N),
                               layouts[hit_random_index(&p->random, 0, 3)], &layout));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, t == 0 ? "m" : "n", &p->tile[t]));
    HIT_MUST(hit_memory_zeroed(N * N, sizeof(int64_t), &p->want[t]));
    HIT_MUST(hit_memory_zeroed(N * N, sizeof(int), &p->owner[t]));
    find_owners(p, t, layout);
    hit_layout_destroy(&layout);
}

/* By whom the elements of @p box are owned: a bit each. */
static unsigned owners_of(const program *p, int t, const hit_domain *box)
{
    unsigned owners = 0;

    HIT_FOR_EACH (x, *box) {
        owners |= 1u << p->owner[t][x[0] * N + x[1]];
    }
    return owners;
}

static held_box *find_held(program *p, int t, int from, int to, const hit_domain *box)
{
    for (int k = 0; k < p->boxes; k++) {
        held_box *one = &p->held[k];

        if (one->tile == t && one->from == from && one->to == to &&
            hit_domain_equal(&one->box, box)) {
            return one;
        }
    }
    return NULL;
}

/* One process needs @p box, which another one owns. */
static void count_box(program *p, int t, int from, int to, const hit_domain *box)
{
    held_box *one = find_held(p, t, from, to, box);
    const bool same = one != NULL && one->writes == p->writes[t][from];

    if (one == NULL) {
        ck_assert_int_lt(p->boxes, BOXES);
        one = &p->held[p->boxes++];
    }
    *one = (held_box){t, from, to, *box, p->writes[t][from]};
    if (same && p->promises && p->all_own[t]) return;
    p->stats.messages_sent++;
    p->stats.messages_empty += same;
    p->stats.message_bytes_sent +=
        same ? 0 : sizeof(int64_t) * (uint64_t)hit_domain_count(box);
}

/* What processes need that write @p written of tile @p of: a box for each piece. Where
 * more than two need the same of one, they get it from each other. */
static void count_argument(program *p, int of, const hit_domain *written, int t,
                           const hit_domain *box)
{
    const unsigned owners = owners_of(p, t, box);

    for (int pair = 0; pair < hit_size(p->hit) * hit_size(p->hit); pair++) {
        const int from = pair / hit_size(p->hit);
        const int to = pair % hit_size(p->hit);
        hit_index count;
        const int pieces = pieces_of(p, of, to, written, &count);
        int alike = 0;

        if (from == to || pieces == 0 || (owners >> from & 1) == 0) continue;
        for (int rank = 0; rank < hit_size(p->hit); rank++) {
            alike += rank != from && pieces_of(p, of, rank, written, &count) == pieces;
        }
        if (owners == 1u << from && pieces == 1 && alike < 3) {
            count_box(p, t, from, to, box);
            continue;
        }
        (void)pieces_of(p, t, from, box, &count);
        p->stats.messages_sent++;
        p->stats.message_bytes_sent += sizeof(int64_t) * (uint64_t)(pieces * count);
    }
}

static void drop_held(program *p, int t, const hit_domain *box)
{
    for (int k = p->boxes - 1; k >= 0; k--) {
        if (p->held[k].tile != t) continue;
        if (box != NULL && !hit_domain_meets(&p->held[k].box, box)) continue;
        p->held[k] = p->held[--p->boxes];
    }
}

/* A launch with a tile begins: what was held by another promise counts no more. */
static void meet(program *p, int t)
{
    if (p->promised[t] != p->promise) drop_held(p, t, NULL);
    p->promised[t] = p->promise;
}

static hit_domain random_box(program *p)
{
    hit_domain box = {.dims = 2};
    const bool block = hit_random_index(&p->random, 0, 3) > 0;

    for (int d = 0; d < 2; d++) {
        const hit_index first = hit_random_index(&p->random, 0, N / BLOCK - 1) * BLOCK;

        box.sig[d] = (hit_sig){first, first + BLOCK - 1, 1};
        if (block) continue;
        box.sig[d].begin += hit_random_index(&p->random, -(first > 0) * 5, 5);
        box.sig[d].end =
            box.sig[d].begin + hit_random_index(&p->random, 0, N - 1 - box.sig[d].begin);
        if (hit_sig_count(box.sig[d]) > 24) box.sig[d].end = box.sig[d].begin + 24;
    }
    return box;
}

static int64_t at(const program *p, int t, hit_index i, hit_index j)
{
    return p->want[t][i * N + j];
}

static void blend_plainly(program *p, int t[3], const hit_domain box[3])
{
    const hit_sig *a = box[1].sig;
    const hit_sig *b = box[2].sig;
    const hit_index rows = hit_sig_count(a[0]);
    const hit_index columns = hit_sig_count(b[1]);

    for (hit_index i = box[0].sig[0].begin; i <= box[0].sig[0].end; i++) {
        for (hit_index j = box[0].sig[1].begin; j <= box[0].sig[1].end; j++) {
            const int64_t of_a = at(p, t[1], a[0].begin + i % rows, a[1].end);
            const int64_t of_b = at(p, t[2], b[0].begin, b[1].begin + j % columns);

            p->want[t[0]][i * N + j] = held_blend(at(p, t[0], i, j), of_a, of_b);
        }
    }
}

/* Boxes of one tile that overlap are a matter of other tests. */
static void launch(program *p)
{
    hit_tile *box_of[3];
    hit_domain box[3];
    int t[3];

    for (int k = 0; k < 3; k++) {
        t[k] = (int)hit_random_index(&p->random, 0, TILES - 1);
        do {
            box[k] = random_box(p);
        } while (k > 0 && t[k] == t[0] && hit_domain_meets(&box[k], &box[0]));
        HIT_MUST(hit_tile_select(p->tile[t[k]], box[k], &box_of[k]));
        meet(p, t[k]);
    }
    for (int k = 1; k < 3; k++) {
        count_argument(p, t[0], &box[0], t[k], &box[k]);
    }
    drop_held(p, t[0], &box[0]);
    HIT_MUST(hit_launch(p->hit, &blend_boxes, box[0], box_of[0], box_of[1], box_of[2]));
    blend_plainly(p, t, box);
    for (int k = 0; k < 3; k++) {
        hit_tile_destroy(&box_of[k]);
    }
}

/* A launch that needs nothing of others, with or without a scheduler. */
static void set_box(program *p)
{
    const int t = (int)hit_random_index(&p->random, 0, TILES - 1);
    const hit_domain box = random_box(p);
    const int64_t value = hit_random_index(&p->random, 0, 100);

    meet(p, t);
    drop_held(p, t, &box);
    HIT_MUST(hit_launch(p->hit, &set_or_fail, box, p->tile[t], HIT_VALUE(value)));
    HIT_FOR_EACH (x, box) {
        p->want[t][x[0] * N + x[1]] = value;
    }
}

/* What process @p rank owns becomes something else. */
static void write_part(program *p, int t, int rank, int64_t more)
{
    for (int k = 0; k < N * N; k++) {
        if (p->owner[t][k] == rank) p->want[t][k] = (p->want[t][k] + more) % 10007;
    }
    if (rank != hit_rank(p->hit)) return;
    for (int piece = 0; piece < hit_tile_pieces(p->tile[t]); piece++) {
        hit_view view;

        HIT_MUST(hit_tile_map(p->tile[t], piece, HIT_READ_WRITE, &view));
        HIT_FOR_EACH (x, view.domain) {
            int64_t *one = (int64_t *)hit_view_at(&view, x);

            *one = (*one + more) % 10007;
        }
    }
}

/* All write their parts, or, without a promise, one does. */
static void write_some(program *p)
{
    const int t = (int)hit_random_index(&p->random, 0, TILES - 1);
    const int only = (int)hit_random_index(&p->random, 0, hit_size(p->hit) - 1);

    for (int rank = 0; rank < hit_size(p->hit); rank++) {
        if (!p->promises && rank != only) continue;
        write_part(p, t, rank, 1 + rank);
        p->writes[t][rank]++;
    }
    if (p->promises && p->all_own[t]) drop_held(p, t, NULL);
}

static void fill(program *p)
{
    const int t = (int)hit_random_index(&p->random, 0, TILES - 1);
    const int64_t value = hit_random_index(&p->random, 0, 100);

    HIT_MUST(hit_tile_fill(p->tile[t], &value));
    for (int k = 0; k < N * N; k++) {
        p->want[t][k] = value;
    }
    for (int rank = 0; rank < RANKS; rank++) {
        p->writes[t][rank]++;
    }
    if (p->promises && p->all_own[t]) drop_held(p, t, NULL);
}

static void say_anew(program *p)
{
    p->promises = hit_random_index(&p->random, 0, 1) == 0 || p->kind != ANY;
    HIT_MUST(hit_chain(p->hit, p->promises ? HIT_CHAIN_ANY : HIT_CHAIN_OFF));
    p->promise = p->promises ? ++p->said : 0;
}

static void compare(program *p)
{
    for (int t = 0; t < TILES; t++) {
        for (int piece = 0; piece < hit_tile_pieces(p->tile[t]) && p->kind != DRY;
             piece++) {
            hit_view view;

            HIT_MUST(hit_tile_map(p->tile[t], piece, HIT_READ, &view));
            HIT_FOR_EACH (x, view.domain) {
                p->good &= *(const int64_t *)hit_view_at(&view, x) ==
                           p->want[t][x[0] * N + x[1]];
            }
        }
    }
}

static void run(program *p, int steps)
{
    for (int k = 0; k < steps; k++) {
        const hit_index what = hit_random_index(&p->random, 0, 39);

        if (what == 0) {
            fill(p);
        } else if (what < 3) {
            write_some(p);
        } else if (what == 3) {
            compare(p);
        } else if (what == 4 && k > 10) {
            say_anew(p);
        } else if (what < 12) {
            set_box(p);
        } else {
            launch(p);
            /* tasks keep boxes that they read */
            if (p->kind == PROMISED) HIT_MUST(hit_wait(p->hit));
        }
    }
}

static void begin(program *p, const hit_options *options, uint64_t seed, kind how)
{
    memset(p, 0, sizeof(*p));
    p->random = (hit_random){seed};
    p->kind = how;
    setenv("HIT_PLAN", how == DRY ? "json" : "0", 1);
    p->good = true;
    HIT_MUST(hit_open_with(NULL, NULL, options, &p->hit));
    for (int t = 0; t < TILES; t++) {
        make_tile(p, t);
    }
    say_anew(p);
}

static void end(program *p)
{
    for (int t = 0; t < TILES; t++) {
        hit_tile_destroy(&p->tile[t]);
        free(p->want[t]);
        free(p->owner[t]);
        for (int rank = 0; rank < RANKS; rank++) {
            hit_region_clear(&p->part[t][rank]);
        }
    }
    hit_close(&p->hit);
}

static void print_sent(const hit_stats *of, uint64_t seed, char text[128])
{
    (void)snprintf(text, 128, "%d messages, %d of them empty, of %d B, seed %llu",
                   (int)of->messages_sent, (int)of->messages_empty,
                   (int)of->message_bytes_sent, (unsigned long long)seed);
}

static void expect_equal(const program *p, const hit_stats *found, uint64_t seed)
{
    char expected[128];
    char had[128];

    print_sent(&p->stats, seed, expected);
    print_sent(found, seed, had);
    ck_assert_msg(p->good, "elements differ: %s", had);
    ck_assert_str_eq(had, expected);
}

/* @p peak, if it is not NULL: the host's memory at most, of each program. */
static void run_programs(const hit_options *options, uint64_t first, int programs,
                         kind how, uint64_t peak[])
{
    static program p;
    const uint64_t seed = hit_random_start(first).state;

    for (int k = 0; k < (hit_random_is_slow() ? programs / 3 : programs); k++) {
        hit_stats found;

        begin(&p, options, seed + (uint64_t)k, how);
        run(&p, 60);
        compare(&p);
        HIT_MUST(hit_context_stats_all(p.hit, &found));
        /* in a dry run, the first process has what it knows of itself */
        if (how != DRY || hit_rank(p.hit) == 0) {
            expect_equal(&p, &found, seed + (uint64_t)k);
        }
        if (peak != NULL) peak[k] = found.host_peak_bytes;
        end(&p);
    }
}

START_TEST(boxes_are_sent_once_until_they_are_written)
{
    run_programs(&(hit_options){.threads = 1}, 1000, 12, ANY, NULL);
    run_programs(&(hit_options){.threads = 3}, 6000, 6, ANY,
                 NULL); /* tasks side by side */
}
END_TEST

START_TEST(so_they_are_for_devices_with_memories_of_their_own)
{
    run_programs(&(hit_options){.threads = 1, .device_memory_bytes = 1 << 20}, 2000, 3,
                 ANY, NULL);
    run_programs(&(hit_options){.threads = 1, .device_memory_bytes = 12000}, 3000, 3, ANY,
                 NULL);
}
END_TEST

/* That is, those that need no message. */
START_TEST(so_they_are_where_a_scheduler_places_launches)
{
    setenv("HIT_SCHED", "mct", 1);
    run_programs(&(hit_options){.devices = "host:threads=1:memory=64KiB+host:threads=1"},
                 5000, 16, ANY, NULL);
    unsetenv("HIT_SCHED");
}
END_TEST

START_TEST(dry_runs_count_them_and_all_memory_alike)
{
    const hit_options options = {.threads = 1};
    uint64_t planned[ALIKE] = {0};
    uint64_t done[ALIKE] = {0};

    run_programs(&options, 4000, ALIKE, DRY, planned);
    run_programs(&options, 4000, ALIKE, PROMISED, done);
    for (int k = 0; k < ALIKE && hit_rank(base) == 0; k++) { /* but for some messages */
        ck_assert_int_le(llabs((long long)(planned[k] - done[k])),
                         (long long)done[k] / 50);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("hit/run/held");
    TCase *tests = tcase_create("held");

    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, boxes_are_sent_once_until_they_are_written);
    tcase_add_test(tests, so_they_are_for_devices_with_memories_of_their_own);
    tcase_add_test(tests, so_they_are_where_a_scheduler_places_launches);
    tcase_add_test(tests, dry_runs_count_them_and_all_memory_alike);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
