/* SPDX-License-Identifier: MIT
 * Calls that must fail, on all processes together: the right status, a text with what was
 * expected and found, and a context that works right afterwards. What is wrong is kept
 * until the end of the test: a process that left early would leave the others waiting. */
#ifndef TESTS_HIT_LAUNCH_EXPECT_H
#define TESTS_HIT_LAUNCH_EXPECT_H

#include "hit/hit.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <string.h>

/* tests/hit/launch/launch_kernels.k.c: out next "[i]", in now "[i-3:i+2]" */
extern const hit_kernel line;

enum {
    EXPECT_N = 23
};

typedef struct expectations {
    hit_context *hit;
    hit_layout *layout; /* of EXPECT_N elements */
    hit_tile *now;      /* element i is i; periodic */
    hit_tile *next;
    char wrong[1500]; /* the first thing that was not as expected */
} expectations;

static inline void expect_note(expectations *e, const char *what, const char *found)
{
    if (e->wrong[0] != '\0') return;
    snprintf(e->wrong, sizeof(e->wrong), "%s: %s", what, found);
}

static inline void expect_true(expectations *e, bool right, const char *what)
{
    if (!right) expect_note(e, what, "not so");
}

static inline int64_t expect_value(hit_index i)
{
    const hit_index n = EXPECT_N;

    return 3 * ((i - 3 + n) % n) + i - 5 * ((i + 2) % n) + i;
}

/* Does a launch give what it should? */
static inline void expect_usable(expectations *e, const char *after)
{
    const hit_status status =
        hit_launch(e->hit, &line, hit_domain_of(EXPECT_N), e->next, e->now);

    if (status != HIT_OK) expect_note(e, after, hit_status_text());
    for (int k = 0; k < hit_tile_pieces(e->next) && status == HIT_OK; k++) {
        hit_view view;

        HIT_MUST(hit_tile_map(e->next, k, HIT_READ_WRITE, &view));
        for (hit_index i = view.domain.sig[0].begin; i <= view.domain.sig[0].end; i++) {
            const bool right = HIT_AT(view, int64_t, i) == expect_value(i);

            if (!right) expect_note(e, after, "the next launch is wrong");
            HIT_AT(view, int64_t, i) = 0;
        }
    }
}

/* @p words, separated by '|', must all be in the text of the failure. */
static inline void expect_failure(expectations *e, hit_status found, hit_status wanted,
                                  const char *what, const char *words)
{
    char note[1300];

    if (found != wanted) {
        snprintf(note, sizeof(note), "expected %s but found %s: %s",
                 hit_status_name(wanted), hit_status_name(found), hit_status_text());
        expect_note(e, what, note);
    }
    for (const char *word = words; found == wanted && *word != '\0';) {
        const size_t length = strcspn(word, "|");
        char one[200];

        snprintf(one, sizeof(one), "%.*s", (int)length, word);
        if (strstr(hit_status_text(), one) == NULL) {
            snprintf(note, sizeof(note), "expected \"%s\" in \"%s\"", one,
                     hit_status_text());
            expect_note(e, what, note);
        }
        word += length + (word[length] == '|');
    }
    expect_usable(e, what);
}

/* NULL: on the host, in place. */
static inline expectations expect_open(const hit_options *options)
{
    const hit_options host = {.devices = "host", .threads = 1};
    expectations e = {0};

    HIT_MUST(hit_open_with(NULL, NULL, options != NULL ? options : &host, &e.hit));
    HIT_MUST(hit_layout_create(e.hit, hit_domain_of(EXPECT_N), "block", &e.layout));
    HIT_MUST(hit_tile_create(e.layout, HIT_INT64, "now", &e.now));
    HIT_MUST(hit_tile_create(e.layout, HIT_INT64, "next", &e.next));
    HIT_MUST(hit_tile_set_boundary(e.now, 0, HIT_BOUNDARY_PERIODIC, NULL));
    for (int k = 0; k < hit_tile_pieces(e.now); k++) {
        hit_view view;

        HIT_MUST(hit_tile_map(e.now, k, HIT_WRITE, &view));
        for (hit_index i = view.domain.sig[0].begin; i <= view.domain.sig[0].end; i++) {
            HIT_AT(view, int64_t, i) = i;
        }
    }
    expect_usable(&e, "a launch before all failures");
    return e;
}

static inline void expect_close(expectations *e)
{
    hit_tile_destroy(&e->now);
    hit_tile_destroy(&e->next);
    hit_layout_destroy(&e->layout);
    hit_close(&e->hit);
    ck_assert_msg(e->wrong[0] == '\0', "%s", e->wrong);
}

#endif
