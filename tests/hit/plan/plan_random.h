/* SPDX-License-Identifier: MIT
 * Small random launches to plan: clipped and not, and among their patterns strided,
 * triangular and diagonal ones, and such whose ends stand in data. */
#ifndef TESTS_HIT_PLAN_PLAN_RANDOM_H
#define TESTS_HIT_PLAN_PLAN_RANDOM_H

#include "tests/hit/plan/plan_case.h"

static inline hit_index pick(hit_random *random, hit_index low, hit_index high)
{
    return hit_random_index(random, low, high);
}

static inline void random_range(hit_random *random, int dims, char *text, size_t size)
{
    static const char *const index_name[] = {"i", "j", "k"};
    const char *x = index_name[pick(random, 0, dims - 1)];
    const char *y = index_name[pick(random, 0, dims - 1)];
    int from = (int)pick(random, -2, 2);
    int to = from + (int)pick(random, 0, 3);
    int c = (int)pick(random, 2, 3);

    switch (pick(random, 0, 18)) {
    case 0:
        (void)snprintf(text, size, ":");
        break;
    case 1:
        (void)snprintf(text, size, "0:%s", x);
        break;
    case 2:
        (void)snprintf(text, size, "%s:%d", x, 3 + to);
        break;
    case 3:
        (void)snprintf(text, size, "%s-%d:", x, to + 2);
        break;
    case 4:
        (void)snprintf(text, size, "%d*%s:%d*%s+%d", c, x, c, x, to + 2);
        break;
    case 5:
        (void)snprintf(text, size, "%s+%s", x, y);
        break;
    case 6:
        (void)snprintf(text, size, "%d:%d", from, to);
        break;
    case 7:
        (void)snprintf(text, size, "%s:%s+%d:%d", x, x, 2 * c, c);
        break;
    case 8:
        (void)snprintf(text, size, "%d-%s", to, x);
        break;
    case 15:
        (void)snprintf(text, size, "%s/%d:%s/%d+%d", x, c, x, c, to + 2);
        break;
    case 16:
        (void)snprintf(text, size, "(%s%+d)%%%d", x, from, 3 * c);
        break;
    case 17:
        (void)snprintf(text, size, "%d*%s/%d", c, x, 5 - c);
        break;
    case 9:
        (void)snprintf(text, size, "%s:%s", x, y);
        break;
    default:
        (void)snprintf(text, size, "%s+%d:%s+%d", x, from + 2, x, to + 2);
    }
}

/* Ends that stand in data. */
static inline void random_lookup(hit_random *random, int dims, char *text, size_t size)
{
    static const char *const index_name[] = {"i", "j", "k"};
    const char *x = index_name[pick(random, 0, dims - 1)];
    const char *y = index_name[pick(random, 0, dims - 1)];
    const int c = (int)pick(random, -1, 2);

    switch (pick(random, 0, 5)) {
    case 0:
        (void)snprintf(text, size, "from");
        break;
    case 1:
        (void)snprintf(text, size, "next%+d", c);
        break;
    case 2:
        (void)snprintf(text, size, "from[%s] : from[%s+1]%+d", x, y, c);
        break;
    case 3:
        (void)snprintf(text, size, "from[from[2*%s]]", x);
        break;
    case 4:
        (void)snprintf(text, size, "%s : next[%s-1:%s]", x, y, y);
        break;
    default:
        (void)snprintf(text, size, "from[5] : ");
    }
}

/* Numbers that rise, or any. */
static inline void random_sources(hit_random *random, launch *l)
{
    const hit_domain all = hit_box_of(-60, 200);
    const bool rise = pick(random, 0, 1);
    hit_index number = pick(random, -3, 3);

    HIT_MUST(hit_extremes_create(&all, pick(random, 0, 2) ? 1000 : 40, &l->table));
    HIT_FOR_EACH (at, all) {
        if (at[0] > 0) number += pick(random, 0, 2);
        if (!rise) number = pick(random, -4, 44);
        hit_extremes_note(l->table, at, number);
    }
    hit_extremes_finish(l->table);
    l->sources = 2;
    l->source[0] = (hit_pattern_source){"from", "[i]", 0, l->table, all};
    l->source[1] = (hit_pattern_source){"next", "[from-1:from]", 1, l->table, all};
}

static inline void random_pattern(hit_random *random, const launch *l, int tile_dims,
                                  char *text)
{
    const int dims = l->request.index.dims;

    int boxes = (int)pick(random, 1, 4) / 2 + 1;

    text[0] = '\0';
    if (boxes > 2) boxes = 1;
    for (int b = 0; b < boxes; b++) {
        (void)strcat(text, "[");
        for (int t = 0; t < tile_dims; t++) {
            char range[64];

            if (l->sources > 0 && pick(random, 0, 2) == 0) {
                random_lookup(random, dims, range, sizeof(range));
            } else {
                random_range(random, dims, range, sizeof(range));
            }
            (void)strcat(text, t > 0 ? ", " : "");
            (void)strcat(text, range);
        }
        (void)strcat(text, "]");
    }
}

/* Clipped to the tile, to more, or not at all. */
static inline void random_arg(hit_random *random, launch *l)
{
    static const size_t size[] = {1, 4, 8, 12};
    int tile_dims = (int)pick(random, pick(random, 0, 1), 3);
    hit_domain tile = {.dims = tile_dims};
    hit_plan_arg *arg = &l->arg[l->request.args];
    const hit_mode mode = (hit_mode)pick(random, HIT_MODE_IN, HIT_MODE_MAX);
    hit_domain touched;
    char text[TEXT];

    for (int t = 0; t < tile_dims; t++) {
        hit_index begin = pick(random, -3, 3);
        hit_index stride = pick(random, 0, 3) == 0 ? pick(random, 2, 3) : 1;

        tile.sig[t] = hit_sig_make(begin, begin + pick(random, 0, 40), stride);
    }
    random_pattern(random, l, tile_dims, text);
    if (mode == HIT_MODE_INOUT && pick(random, 0, 1) == 0) {
        char read[TEXT - 8];

        random_pattern(random, l, tile_dims, read);
        (void)snprintf(text + strlen(text), sizeof(text) - strlen(text), " <- %s", read);
    }
    launch_add(l, mode, text, size[pick(random, 0, 3)], &tile);
    arg->buffers = (int)pick(random, 0, 3);
    touched = hit_pattern_cover(arg->pattern, &tile, &l->request.index);
    if (pick(random, 0, 2) == 0) arg->clip = hit_domain_grow(tile, pick(random, 1, 3));
    if (pick(random, 0, 1) == 0) arg->clip = hit_domain_cover(&arg->clip, &touched);
}

static inline void random_launch(hit_random *random, int dims, launch *l)
{
    static const hit_index longest[] = {0, 60, 16, 9};

    *l = (launch){.request = {.kernel = "random", .device = "host0"}};
    l->request.index.dims = dims;
    for (int d = 0; d < dims; d++) {
        hit_index begin = pick(random, -4, 4);
        hit_index stride = pick(random, 0, 3) == 0 ? pick(random, 2, 3) : 1;
        hit_index count = pick(random, 1, longest[dims]);

        l->request.index.sig[d] =
            hit_sig_make(begin, begin + (count - 1) * stride, stride);
        l->request.block[d] = pick(random, 1, 3);
    }
    l->request.in_flight = (int)pick(random, 1, 3);
    l->request.least_bytes = pick(random, 0, 2) == 0;
    l->request.reuse = pick(random, 0, 1) == 0;
    if (pick(random, 0, 2) == 0) random_sources(random, l);
    for (int args = (int)pick(random, 1, MOST_ARGS); args > 0; args--) {
        random_arg(random, l);
    }
}

#endif
