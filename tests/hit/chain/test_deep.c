/* SPDX-License-Identifier: MIT
 * Chains over processes against brute force: random chains whose launches compute with
 * numbers, on processes with memories of their own. What a process was not sent is
 * poison: with a margin or a depth less than computed, results must be wrong. */
#include "hit/chain/spread.h"
#include "patterns/transform.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <string.h>

enum {
    LAUNCHES = 6,
    FIELDS = 3,
    USES = 3,
    PROCESSES = 3,
    N = 36, /* elements of an axis */
    ELEMENTS = N * 8
};

typedef struct memory {
    uint64_t element[FIELDS][ELEMENTS];
} memory;

/* Axis 0 is shared among processes, axis 1 is not. */
typedef struct chain {
    hit_domain tile;
    int launches;
    hit_domain domain[LAUNCHES];
    hit_deep_launch launch[LAUNCHES];
    hit_deep_use use[LAUNCHES][USES];
    hit_pattern pattern[LAUNCHES][USES];
    hit_deep_field field[FIELDS];
    hit_deep_state state[FIELDS];
} chain;

static const hit_deep_anchor anchor = {.shared = 1, .follows = {0, 1}};

static hit_pattern pick_pattern(hit_random *random, bool point)
{
    const int count = point ? 1 : (int)hit_random_index(random, 1, 2);
    hit_pattern made;

    (void)hit_pattern_init(2, 2, &made);
    for (int k = 0; k < count; k++) {
        hit_access access = {0};

        for (int d = 0; d < 2; d++) {
            const hit_index from = point ? 0 : hit_random_index(random, -2, 2);
            const hit_index to = point ? 0 : from + hit_random_index(random, 0, 1);

            access.range[d] = hit_range_follow(d, from, to);
        }
        (void)hit_pattern_add(&made, &access);
    }
    return made;
}

static hit_domain pick_domain(hit_random *random, const hit_domain *tile)
{
    hit_domain some = hit_domain_grow(*tile, -3);

    if (hit_random_index(random, 0, 2) > 0) return some;
    for (int d = 0; d < 2; d++) {
        const hit_sig sig = some.sig[d];
        const hit_index begin = hit_random_index(random, sig.begin, sig.end);

        some.sig[d] = hit_sig_make(begin, hit_random_index(random, begin, sig.end), 1);
    }
    return some;
}

static void pick_launch(hit_random *random, chain *c, int l)
{
    hit_deep_launch *launch = &c->launch[l];
    char why[200];

    c->domain[l] = pick_domain(random, &c->tile);
    launch->uses = (int)hit_random_index(random, 1, USES);
    launch->use = c->use[l];
    for (int u = 0; u < launch->uses; u++) {
        hit_deep_use *use = &launch->use[u];

        use->field = (int)hit_random_index(random, 0, FIELDS - 1);
        while (u > 0 && use->field == launch->use[0].field) {
            use->field = (int)hit_random_index(random, 0, FIELDS - 1);
        }
        use->writes = u == 0;
        use->reads = u > 0 || hit_random_index(random, 0, 2) == 0;
        c->pattern[l][u] = pick_pattern(random, u == 0);
        use->cover = hit_pattern_cover(&c->pattern[l][u], &c->tile, &c->domain[l]);
        use->whole = use->writes;
        ck_assert(hit_deep_reach(&anchor, &c->pattern[l][u], 0, use, why, sizeof(why)));
    }
}

/* A function of its own: gcc 12 with sanitizers takes all fields for the first one. */
static __attribute__((noinline)) void plan(chain *c)
{
    hit_deep_extend(c->launches, c->launch);
    for (int f = 0; f < FIELDS; f++) {
        hit_deep_set_depth(c->launches, c->launch, f, &c->field[f]);
    }
}

static void make(hit_random *random, chain *c)
{
    memset(c, 0, sizeof(*c));
    c->tile = hit_domain_of(N, 8);
    c->launches = (int)hit_random_index(random, 1, LAUNCHES);
    for (int f = 0; f < FIELDS; f++) {
        c->field[f].changed = hit_domain_empty(2);
    }
    for (int l = 0; l < c->launches; l++) {
        pick_launch(random, c, l);
        for (int u = 0; u < c->launch[l].uses; u++) {
            hit_deep_use *use = &c->launch[l].use[u];
            hit_domain *changed = &c->field[use->field].changed;

            if (use->writes) *changed = hit_domain_cover(changed, &use->cover);
        }
    }
    plan(c);
}

static void clear(chain *c)
{
    for (int l = 0; l < c->launches; l++) {
        for (int u = 0; u < c->launch[l].uses; u++) {
            hit_pattern_clear(&c->pattern[l][u]);
        }
    }
}

/* ---- running ---- */

static void visit(const chain *c, int l, int u, const hit_domain *one, memory *m,
                  uint64_t *value)
{
    const hit_pattern *pattern = &c->pattern[l][u];

    for (int k = 0; k < pattern->count; k++) {
        const hit_domain box = hit_access_apply(&pattern->access[k], &c->tile, one);
        hit_index at[HIT_MAX_DIMS];

        for (bool more = hit_domain_first(&box, at); more;
             more = hit_domain_next(&box, at)) {
            const uint64_t *element =
                &m->element[c->launch[l].use[u].field][at[0] * 8 + at[1]];

            *value = (*value ^ *element) * UINT64_C(0x9E3779B97F4A7C15) + 1;
        }
    }
}

static void run_launch(const chain *c, int l, hit_index from, hit_index to, memory *m)
{
    const hit_deep_launch *launch = &c->launch[l];
    hit_domain box = c->domain[l];
    hit_index x[HIT_MAX_DIMS];

    box.sig[0] = hit_sig_intersect(box.sig[0], hit_sig_make(from, to, 1));
    for (bool more = hit_domain_first(&box, x); more; more = hit_domain_next(&box, x)) {
        const hit_domain one = hit_domain_box(2, x, x);
        uint64_t value = (uint64_t)l + 1;

        for (int u = 0; u < launch->uses; u++) {
            if (launch->use[u].reads) visit(c, l, u, &one, m, &value);
        }
        m->element[launch->use[0].field][x[0] * 8 + x[1]] = value;
    }
}

static bool has(const hit_domain *box, hit_index i, hit_index j)
{
    return !hit_domain_is_empty(box) && hit_sig_has(box->sig[0], i) &&
           hit_sig_has(box->sig[1], j);
}

/* What a process has at the beginning, of a field: its part, what its state says that is
 * right, and what it is sent. */
static void set_field(const chain *c, int f, const memory *right, hit_index from,
                      hit_index to, memory *m)
{
    const hit_deep_field *field = &c->field[f];

    for (hit_index i = 0; i < N; i++) {
        for (hit_index j = 0; j < 8; j++) {
            const hit_margin *known =
                has(&field->changed, i, j) ? &field->inside : &field->outside;
            const bool here = i >= from && i <= to;
            const bool near = i >= from - known->low[0] && i <= to + known->high[0];
            const hit_index k = i * 8 + j;

            m->element[f][k] =
                here || near ? right->element[f][k] : (uint64_t)(i * 1000 + j) ^ 0xdead;
        }
    }
}

static bool is_right(const chain *c, const memory *begin, const memory *end)
{
    for (int p = 0; p < PROCESSES; p++) {
        const hit_index from = p * N / PROCESSES;
        const hit_index to = (p + 1) * N / PROCESSES - 1;
        memory m;

        for (int f = 0; f < FIELDS; f++) {
            set_field(c, f, begin, from, to, &m);
        }
        for (int l = 0; l < c->launches; l++) {
            const hit_margin *extra = &c->launch[l].extra;

            run_launch(c, l, from - extra->low[0], to + extra->high[0], &m);
        }
        for (int f = 0; f < FIELDS; f++) {
            if (memcmp(&m.element[f][from * 8], &end->element[f][from * 8],
                       (size_t)(to - from + 1) * 8 * sizeof(uint64_t)) != 0) {
                return false;
            }
        }
    }
    return true;
}

static void run_whole(const chain *c, memory *begin, memory *end)
{
    for (int f = 0; f < FIELDS; f++) {
        for (int k = 0; k < ELEMENTS; k++) {
            begin->element[f][k] = (uint64_t)(f * ELEMENTS + k) * 77777;
        }
    }
    *end = *begin;
    for (int l = 0; l < c->launches; l++) {
        run_launch(c, l, 0, N - 1, end);
    }
}

START_TEST(processes_compute_what_one_does)
{
    hit_random random = hit_random_start(41);

    for (int k = 0; k < hit_random_cases(3000); k++) {
        memory begin;
        memory end;
        chain c;

        make(&random, &c);
        run_whole(&c, &begin, &end);
        ck_assert_msg(is_right(&c, &begin, &end), "case %d", k);
        clear(&c);
    }
}
END_TEST

/* How many of the values are more than 0, and of these how many cannot be less by 1. */
typedef struct tight {
    int all;
    int needed;
} tight;

static void reduce(const chain *c, const memory *begin, const memory *end,
                   hit_index *value, tight *t)
{
    if (*value == 0) return;
    (*value)--;
    t->all++;
    t->needed += !is_right(c, begin, end);
    (*value)++;
}

/* Small domains hide some: they end before the margin does. */
START_TEST(no_margin_is_larger_than_it_must_be)
{
    hit_random random = hit_random_start(42);
    tight margins = {0};
    tight depths = {0};

    for (int k = 0; k < hit_random_cases(600); k++) {
        memory begin;
        memory end;
        chain c;

        make(&random, &c);
        run_whole(&c, &begin, &end);
        for (int l = 0; l < c.launches; l++) {
            reduce(&c, &begin, &end, &c.launch[l].extra.low[0], &margins);
            reduce(&c, &begin, &end, &c.launch[l].extra.high[0], &margins);
        }
        for (int f = 0; f < FIELDS; f++) {
            reduce(&c, &begin, &end, &c.field[f].inside.low[0], &depths);
            reduce(&c, &begin, &end, &c.field[f].inside.high[0], &depths);
            reduce(&c, &begin, &end, &c.field[f].outside.low[0], &depths);
            reduce(&c, &begin, &end, &c.field[f].outside.high[0], &depths);
        }
        clear(&c);
    }
    printf("margins: %d of %d are needed, depths: %d of %d\n", margins.needed,
           margins.all, depths.needed, depths.all);
    ck_assert_int_gt(margins.all, 20);
    ck_assert_int_gt(depths.all, 20);
    ck_assert_int_gt(margins.needed, margins.all / 3);
    ck_assert_int_gt(depths.needed, depths.all / 3);
}
END_TEST

/* What a state says is right after one chain is so at the beginning of the next one. */
START_TEST(states_say_what_is_right)
{
    hit_deep_state state = {0};
    const hit_domain inner = hit_box_of(1, 34, 1, 6);
    const hit_domain all = hit_domain_of(N, 8);
    const hit_margin two = {.low = {2}, .high = {2}};
    const hit_margin none = {0};
    hit_deep_field field = {.changed = inner, .read = true, .cover = all};

    ck_assert(hit_deep_state_is_bare(&state));
    ck_assert(hit_deep_state_serves(&state, &field));
    field.inside = field.outside = two;
    ck_assert(!hit_deep_state_serves(&state, &field));
    hit_deep_state_expect(&state, &inner);
    hit_deep_state_receive(&state, &field);
    ck_assert(hit_deep_state_serves(&state, &field));
    hit_deep_state_write(&state, &inner, true, &none);
    ck_assert(!hit_deep_state_serves(&state, &field));
    field.inside = none; /* what is written is overwritten before: the rim is there */
    ck_assert(hit_deep_state_serves(&state, &field));
    hit_deep_state_write(&state, &all, true, &none);
    field.changed = all;
    field.inside = two;
    ck_assert(!hit_deep_state_serves(&state, &field));
    hit_deep_state_forget(&state);
    ck_assert(hit_deep_state_is_bare(&state));
}
END_TEST

START_TEST(what_cannot_be_is_said)
{
    hit_deep_use use = {.reads = true};
    hit_access access = {0};
    hit_pattern pattern;
    char why[200] = "";

    access.range[0] = hit_range_follow(1, 0, 0);
    access.range[1] = hit_range_follow(0, 0, 0);
    (void)hit_pattern_init(2, 2, &pattern);
    (void)hit_pattern_add(&pattern, &access);
    ck_assert(!hit_deep_reach(&anchor, &pattern, 0, &use, why, sizeof(why)));
    ck_assert_ptr_nonnull(strstr(why, "dimension 0"));
    hit_pattern_clear(&pattern);
    access.range[0] = hit_range_follow(0, 1, 1);
    access.range[1] = hit_range_follow(1, 0, 0);
    (void)hit_pattern_init(2, 2, &pattern);
    (void)hit_pattern_add(&pattern, &access);
    use.writes = true;
    ck_assert(!hit_deep_reach(&anchor, &pattern, 0, &use, why, sizeof(why)));
    ck_assert_ptr_nonnull(strstr(why, "other processes"));
    use.writes = false; /* and what lies beyond is as near as that on both sides */
    ck_assert(hit_deep_reach(&anchor, &pattern, 1, &use, why, sizeof(why)));
    ck_assert_int_eq((int)use.reach.low[0], 1);
    ck_assert_int_eq((int)use.reach.high[0], 1);
    hit_pattern_clear(&pattern);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("deep halos");
    TCase *tc = tcase_create("deep");

    tcase_set_timeout(tc, 600);
    tcase_add_test(tc, processes_compute_what_one_does);
    tcase_add_test(tc, no_margin_is_larger_than_it_must_be);
    tcase_add_test(tc, states_say_what_is_right);
    tcase_add_test(tc, what_cannot_be_is_said);
    suite_add_tcase(s, tc);
    return s;
}

int main(void)
{
    return check_run(suite());
}
