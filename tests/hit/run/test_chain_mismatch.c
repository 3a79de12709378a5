/* SPDX-License-Identifier: MIT
 * Programs that asked for chains over processes and do not keep to what they want: one
 * process alone writes a tile. All processes get an error that names the tile, whatever
 * they do next; none waits for ever. */
#include "hit/base/context.h"
#include "hit/deep/deep.h"
#include "hit/run/run_impl.h"
#include "tests/hit/run/chains_scene.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <string.h>

extern const hit_kernel total;

static hit_context *base; /* keeps MPI open */

enum {
    STEPS = 60,
    NEVER = STEPS,
    EXTENT = 64
};

/* What all processes do two steps after the write. */
typedef enum next {
    GO_ON,
    GET,
    BARRIER,
    COPY,
    MAKE,
    REDUCE,
    OTHER, /* a launch, on a tile that no block has used */
    CHAINS_OFF,
    DESTROY, /* a tile of the block; launches of a known kind follow */
    NEXTS
} next;

typedef struct program {
    int who;    /* writes ... */
    int when;   /* ... after this step */
    int others; /* the other processes do after this one; NEVER: not at all */
    next then;
} program;

static hit_status write_one(hit_tile *tile)
{
    hit_view view;

    HIT_TRY(hit_tile_map(tile, 0, HIT_READ_WRITE, &view));
    *(float *)(void *)view.data = 7;
    return HIT_OK;
}

static hit_status do_next(chains_scene *s, next then)
{
    hit_tile *made = NULL;
    float found;

    switch (then) {
    case GET:
        return hit_tile_get(s->tile[2], (hit_index[]){3, 4}, &found);
    case BARRIER:
        return hit_barrier(s->hit);
    case COPY:
        return hit_tile_copy(s->tile[0], s->tile[2]);
    case MAKE:
        HIT_TRY(hit_tile_make(s->hit, s->all, "block", HIT_FLOAT, "made", &made));
        hit_tile_destroy(&made);
        return HIT_OK;
    case REDUCE:
        HIT_TRY(hit_tile_make(s->hit, hit_domain_scalar(), "single", HIT_FLOAT, "sum",
                              &made));
        HIT_TRY(hit_launch(s->hit, &total, s->inner, made, s->tile[0]));
        hit_tile_destroy(&made);
        return HIT_OK;
    case OTHER:
        return hit_launch(s->hit, &star, s->inner, s->tile[2], s->tile[0],
                          HIT_VALUE(0.25f));
    case CHAINS_OFF:
        return hit_chain(s->hit, HIT_CHAIN_OFF);
    case DESTROY:
        hit_tile_destroy(&s->tile[1]);
        s->tile[1] = s->tile[2];
        s->tile[2] = NULL;
        return HIT_OK;
    default:
        return HIT_OK;
    }
}

/* Up to the first call that fails. @p name: of the tile that is written. */
static hit_status run(chains_scene *s, const program *p, char name[8])
{
    for (int t = 0; t < STEPS; t++) {
        const int mine = hit_rank(base) == p->who ? p->when : p->others;

        HIT_TRY(
            hit_launch(s->hit, &star, s->inner, s->tile[1], s->tile[0], HIT_VALUE(0.5f)));
        if (t == p->when) (void)snprintf(name, 8, "%s", hit_tile_name(s->tile[1]));
        if (t == mine) HIT_TRY(write_one(s->tile[1]));
        if (t == p->when + 2) HIT_TRY(do_next(s, p->then));
        hit_tile_swap(&s->tile[0], &s->tile[1]);
    }
    return hit_barrier(s->hit);
}

/* What is wrong is told when the context is closed: else the other processes would wait.
 */
static void expect_error(const program *p)
{
    chains_scene s = chains_open_over(&chains_blocked, 1, "block:dims=0", EXTENT);
    char name[8] = "";
    char expected[16];
    char text[1024];
    hit_status status = run(&s, p, name);
    bool named;

    (void)snprintf(expected, sizeof(expected), "tile %s:", name);
    (void)snprintf(text, sizeof(text), "%s", hit_status_text());
    named = strstr(text, expected) != NULL ||
            (p->then == DESTROY && strstr(text, "tile that is gone") != NULL);
    chains_close(&s);
    ck_assert_msg(status == HIT_E_COMM, "process %d writes after step %d, then %d: %d",
                  p->who, p->when, (int)p->then, (int)status);
    ck_assert_msg(named && strstr(text, "same places") != NULL,
                  "expected %s but found %s", expected, text);
}

/* Before the first block, in blocks, at their ends, and near the end of the program. */
START_TEST(a_write_of_one_process_is_an_error_on_all)
{
    static const int when[] = {1, 2, 3, 8, 20, 21, 22, 30, 34, 35, 36, 57};
    const int size = hit_size(base);

    if (size == 1) return;
    for (size_t k = 0; k < sizeof(when) / sizeof(when[0]); k++) {
        expect_error(&(program){(int)k % size, when[k], NEVER, GO_ON});
    }
}
END_TEST

START_TEST(so_it_is_whatever_follows)
{
    const int size = hit_size(base);

    if (size == 1) return;
    for (int then = 0; then < NEXTS; then++) {
        expect_error(&(program){then % size, 25 + then % 2, NEVER, (next)then});
        expect_error(&(program){(then + 1) % size, 40, NEVER, (next)then});
    }
    for (int when = 16; when < 44; when++) { /* wherever in a block, of two */
        expect_error(&(program){when % size, when, NEVER, DESTROY});
    }
}
END_TEST

/* Its tiles and its context go while the others are in a block, and meet it there. */
START_TEST(a_process_that_closes_alone_is_an_error_on_the_others)
{
    const int size = hit_size(base);

    for (int when = 24; when < 32 && size > 1; when++) {
        chains_scene s = chains_open_over(&chains_blocked, 1, "block:dims=0", EXTENT);
        const bool leaves = hit_rank(base) == when % size;
        hit_status status = HIT_OK;

        for (int t = 0; t < (leaves ? when : STEPS) && status == HIT_OK; t++) {
            status =
                hit_launch(s.hit, &star, s.inner, s.tile[1], s.tile[0], HIT_VALUE(0.5f));
            hit_tile_swap(&s.tile[0], &s.tile[1]);
        }
        if (!leaves && status == HIT_OK) status = hit_barrier(s.hit);
        chains_close(&s);
        ck_assert_int_eq(status, leaves ? HIT_OK : HIT_E_COMM);
    }
}
END_TEST

/* They write it equally often, but not at the same places. */
START_TEST(writes_at_different_places_are_an_error_on_all)
{
    if (hit_size(base) == 1) return;
    expect_error(&(program){0, 20, 22, GO_ON});
    expect_error(&(program){hit_size(base) - 1, 20, 24, GO_ON});
    expect_error(&(program){0, 20, 40, BARRIER});
}
END_TEST

/* Launches that are in the history, and those for which it keeps what they are. */
static void expect_history(const chains_scene *s)
{
    const hit_chains *chains = s->hit->stations->recorded.block;
    const hit_deep *deep = chains->deep;
    int held = 0;

    for (int k = 0; k < HIT_DEEP_HISTORY; k++) {
        held += deep->held[k];
    }
    ck_assert_int_eq(held, deep->recorded < HIT_DEEP_HISTORY ? (int)deep->recorded
                                                             : HIT_DEEP_HISTORY);
}

/* A program that was told can end, or go on without chains; hit_chain() asks for them
 * anew. */
START_TEST(after_the_error_chains_can_be_asked_for_again)
{
    chains_scene s = chains_open_over(&chains_blocked, 1, "block:dims=0", EXTENT);
    const program wrong = {0, 20, NEVER, GO_ON};
    const program right = {0, 20, 20, GO_ON};
    uint64_t chained;
    char name[8];

    if (hit_size(base) > 1) ck_assert_int_eq(run(&s, &wrong, name), HIT_E_COMM);
    chained = chains_chained(&s);
    HIT_MUST(hit_wait(s.hit));
    chains_drop_tiles(&s); /* which processes may have swapped unequally */
    chains_make_tiles(&s, s.all, HIT_FLOAT);
    HIT_MUST(run(&s, &right, name));
    if (hit_size(base) > 1) ck_assert_int_eq((int)chains_chained(&s), (int)chained);
    HIT_MUST(hit_chain(s.hit, HIT_CHAIN_ANY));
    HIT_MUST(run(&s, &right, name));
    ck_assert_int_gt((int)chains_chained(&s), (int)chained + STEPS / 2);
    if (hit_size(base) > 1) expect_history(&s);
    chains_close(&s);
}
END_TEST

/* A block that is full is followed by the next one without a comparison, and by one
 * after two hundred launches. */
START_TEST(blocks_follow_each_other)
{
    chains_scene s = chains_open_over(&chains_blocked, 1, "block:dims=0", EXTENT);
    const program right = {0, NEVER, NEVER, GO_ON};
    const hit_chains *chains;
    char name[8] = "";

    HIT_MUST(run(&s, &right, name));
    chains = s.hit->stations->recorded.block;
    if (hit_size(base) > 1) {
        const uint64_t launches = chains->deep->launches;

        ck_assert_int_gt((int)(launches - chains->deep->compared), STEPS / 2);
        for (int k = 0; k < 5; k++) {
            HIT_MUST(run(&s, &right, name));
        }
        ck_assert_int_gt((int)chains->deep->compared, (int)launches);
    }
    chains_close(&s);
}
END_TEST

/* ---- failures ---- */

static bool fails; /* the next launch that runs here */

static hit_status fail_or_run(const hit_run *run)
{
    if (!fails) return star.host(run);
    fails = false;
    return HIT_FAIL(HIT_E_ARG, "a kernel that fails");
}

static hit_status write_all(hit_tile *tile, bool fill)
{
    hit_view view;

    if (fill) return hit_tile_fill(tile, &(float){3});
    return hit_tile_map(tile, 0, HIT_READ_WRITE, &view);
}

/* All processes write after step @p when; it tells process 0 that a launch failed, and
 * that process may write again. *lost: launches that failed, since they read what was not
 * written. */
static hit_status run_with_failure(chains_scene *s, int when, bool fill, bool again,
                                   int *told, int *lost)
{
    hit_kernel kernel = star;

    *lost = 0;
    kernel.host = fail_or_run;
    for (int t = 0; t < STEPS; t++) {
        const hit_status status = hit_launch(s->hit, &kernel, s->inner, s->tile[1],
                                             s->tile[0], HIT_VALUE(0.5f));

        if (status == HIT_E_COMM) return status;
        *lost += status != HIT_OK;
        if (t == when) {
            fails = hit_rank(base) == 0;
            if (write_all(s->tile[1], fill) != HIT_OK) {
                ++*told;
                if (again) HIT_TRY(write_all(s->tile[1], fill));
            }
            fails = false;
        }
        hit_tile_swap(&s->tile[0], &s->tile[1]);
    }
    return hit_barrier(s->hit);
}

START_TEST(a_write_that_tells_a_failure_is_one)
{
    int told = 0;
    int lost;

    for (int k = 0; k < 16; k++) {
        const int before = told;
        const bool again = k / 2 % 2 > 0 && k % 2 > 0;
        chains_scene s = chains_open_over(&chains_blocked, 1, "block:dims=0", EXTENT);
        const hit_status status =
            run_with_failure(&s, 20 + k / 4, k % 2 > 0, again, &told, &lost);

        ck_assert_msg(status != HIT_E_COMM, "after step %d: %s", 20 + k / 4,
                      hit_status_text());
        lost += status != HIT_OK;
        if (told > before) ck_assert_int_eq(lost > 0, !again && hit_size(base) > 1);
        chains_close(&s);
    }
    if (hit_rank(base) == 0) ck_assert_int_gt(told, 4);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("writes of one process");
    TCase *tc = tcase_create("chains");

    tcase_set_timeout(tc, 0);
    tcase_add_test(tc, a_write_of_one_process_is_an_error_on_all);
    tcase_add_test(tc, so_it_is_whatever_follows);
    tcase_add_test(tc, a_process_that_closes_alone_is_an_error_on_the_others);
    tcase_add_test(tc, writes_at_different_places_are_an_error_on_all);
    tcase_add_test(tc, blocks_follow_each_other);
    tcase_add_test(tc, a_write_that_tells_a_failure_is_one);
    tcase_add_test(tc, after_the_error_chains_can_be_asked_for_again);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
