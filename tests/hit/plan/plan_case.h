/* SPDX-License-Identifier: MIT
 * A launch to plan, for the tests of plans: a request and the patterns it refers to. */
#ifndef TESTS_HIT_PLAN_PLAN_CASE_H
#define TESTS_HIT_PLAN_PLAN_CASE_H

#include "hit/data/extremes.h"
#include "hit/plan/plan.h"
#include "patterns/parse.h"
#include "patterns/transform.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <string.h>

enum {
    MOST_ARGS = 3,
    TEXT = 256
};

typedef struct launch {
    hit_plan_request request;
    hit_plan_arg arg[MOST_ARGS];
    hit_pattern pattern[MOST_ARGS];
    char text[MOST_ARGS][TEXT];
    int sources; /* in which ends of patterns may stand */
    hit_pattern_source source[2];
    hit_extremes *table; /* of them; NULL: there are none */
} launch;

static inline void launch_clear(launch *l)
{
    for (int a = 0; a < l->request.args; a++) {
        hit_pattern_clear(&l->pattern[a]);
    }
    hit_extremes_release(&l->table);
}

/* Arguments are named like the indices. */
static inline void launch_add(launch *l, hit_mode mode, const char *text,
                              size_t size_bytes, const hit_domain *tile)
{
    static const char *const name[] = {"i", "j", "k", "l"};
    int a = l->request.args++;
    hit_pattern *pattern = &l->pattern[a];
    const hit_pattern_names names = {.dims = l->request.index.dims,
                                     .index = name,
                                     .sources = l->sources,
                                     .source = l->source};

    l->request.arg = l->arg;
    (void)snprintf(l->text[a], TEXT, "%s", text);
    ck_assert_msg(hit_pattern_parse_with(text, &names, pattern) == HIT_OK, "%s: %s", text,
                  hit_status_text());
    l->arg[a] = (hit_plan_arg){.name = name[a],
                               .mode = mode,
                               .size_bytes = size_bytes,
                               .pattern = pattern,
                               .tile = *tile,
                               .clip = *tile,
                               .buffers = 1};
}

#endif
