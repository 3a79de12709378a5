/* SPDX-License-Identifier: MIT
 * Superblock plans whose pieces are looked at one by one, of launches that run some of
 * their indices, by inequalities and by a mask, or whose inner indices come first,
 * against looking at each index: none is missing, what it touches is there, nothing is
 * brought for the others, and the bytes are those that a stream moves. */
#include "hit/data/domain_set.h"
#include "hit/data/extremes.h"
#include "tests/hit/plan/plan_random.h"

/* Mostly of two indices; alternatives in half of the cases. */
static hit_where random_where(hit_random *random, int dims, bool several)
{
    hit_where where = {.count = (int)pick(random, 1, several ? 4 : 2)};

    for (int k = 0; k < where.count; k++) {
        hit_inequality *of = &where.of[k];

        of->alternative = several && k > 0 ? of[-1].alternative + pick(random, 0, 1) : 0;

        of->coef[pick(random, 0, dims - 1)] = pick(random, 0, 3) ? 1 : 2;
        of->coef[pick(random, 0, dims - 1)] = pick(random, 0, 3) ? -1 : -2;
        of->offset = pick(random, -8, 12);
    }
    return where;
}

/* A mask over the indices, of zeros in places and of ones in others. */
typedef struct mask {
    int32_t element[25 * 25 * 25]; /* row by row, of the box around the indices */
    hit_domain all;
    hit_pattern pattern;
    hit_extremes *values;
    hit_slot slot;
} mask;

enum {
    MASK_SIDE = 6 /* of what is alike */
};

static void random_mask(hit_random *random, const hit_domain *index, mask *m)
{
    static const char *const text[] = {"", "[i]", "[i, j]", "[i, j, k]"};
    static const char *const name[] = {"i", "j", "k"};
    const hit_pattern_names names = {.dims = index->dims, .index = name};
    hit_index patch[64];
    hit_index stride = 1;
    hit_index n = 0;

    m->all = *index;
    m->slot = (hit_slot){.dense = 1};
    for (int d = 0; d < index->dims; d++) {
        m->all.sig[d].stride = 1;
    }
    for (int d = index->dims - 1; d >= 0; d--) {
        m->slot.stride[d] = stride;
        m->slot.step[d] = 1;
        m->slot.begin[d] = m->all.sig[d].begin;
        m->slot.end[d] = m->all.sig[d].end;
        stride *= hit_sig_count(m->all.sig[d]);
    }
    ck_assert_int_le(stride, (hit_index)(sizeof(m->element) / sizeof(m->element[0])));
    HIT_MUST(hit_pattern_parse_with(text[index->dims], &names, &m->pattern));
    HIT_MUST(hit_extremes_create(&m->all, pick(random, 0, 1) ? 4000 : 40, &m->values));
    for (int k = 0; k < 64; k++) {
        patch[k] = pick(random, 0, 2) == 0;
    }
    HIT_FOR_EACH (at, m->all) {
        hit_index of = 0;

        for (int d = 0; d < index->dims; d++) {
            of = of * 7 + (at[d] + 64) / MASK_SIDE;
        }
        m->element[n] = (int32_t)patch[of % 64];
        hit_extremes_note(m->values, at, m->element[n]);
        n++;
    }
    hit_extremes_finish(m->values);
    m->slot.base = m->element;
    for (int d = 0; d < index->dims; d++) {
        m->slot.base = (int32_t *)m->slot.base - m->all.sig[d].begin * m->slot.stride[d];
    }
}

static void mask_clear(mask *m)
{
    hit_pattern_clear(&m->pattern);
    hit_extremes_release(&m->values);
}

/* Of each alternative, the indices where the mask is one, or, of the last one, not. */
static void let_mask(hit_random *random, const mask *m, hit_where *where)
{
    const int last = (int)where->of[where->count - 1].alternative;

    where->sources = 1;
    where->source[0] = (hit_where_source){.dims = m->all.dims,
                                          .type = {HIT_KIND_INT32, sizeof(int32_t)},
                                          .at = m->pattern.access[0],
                                          .values = m->values,
                                          .limits = m->all};
    for (int a = last; a >= 0; a--) {
        hit_inequality *of;
        int at = 0;

        if (where->count == HIT_MAX_INEQUALITIES) return;
        while (at < where->count && where->of[at].alternative <= a) {
            at++;
        }
        memmove(&where->of[at + 1], &where->of[at],
                (size_t)(where->count - at) * sizeof(where->of[0]));
        of = &where->of[at];
        *of = (hit_inequality){.alternative = a, .source = 1, .offset = -1};
        if (a == last && pick(random, 0, 1)) {
            of->source = -1;
            of->offset = 0;
        }
        where->count++;
    }
}

static uint64_t bytes_of(const hit_plan_arg *arg, const hit_domain *box)
{
    return (uint64_t)hit_domain_count(box) * arg->size_bytes;
}

/* What a stream moves, piece after piece. */
static void count_bytes(const launch *l, const hit_plan *plan, uint64_t *in,
                        uint64_t *out)
{
    *in = *out = 0;
    for (int a = 0; a < l->request.args; a++) {
        const hit_plan_arg *arg = &l->arg[a];
        hit_domain held = {.dims = -1};
        hit_domain left = {.dims = -1};
        hit_index last = -1;

        for (hit_index k = 0; k < plan->pieces; k++) {
            const hit_domain piece = hit_plan_piece(plan, k);
            const hit_domain need = hit_plan_need(arg, &piece);
            const hit_domain writes = hit_plan_writes(arg, &piece, &need);
            const bool whole = hit_where_holds(l->request.where, &piece) &&
                               hit_pattern_is_exact(arg->pattern, &arg->tile, &piece);
            const bool begins = plan->early > 0 && k >= plan->early && last < plan->early;
            const bool reuse = l->request.reuse && held.dims >= 0 && !begins;
            uint64_t moved = bytes_of(arg, &need);

            if (hit_domain_is_empty(&piece)) continue;
            if (reuse && hit_domain_equal(&held, &need) &&
                hit_domain_equal(&left, &writes)) {
                continue;
            }
            if (reuse && arg->buffers > 1) {
                const hit_domain common = hit_domain_intersect(&held, &need);

                moved -= bytes_of(arg, &common);
            }
            if (arg->mode != HIT_MODE_OUT || !whole) *in += moved;
            if (arg->mode != HIT_MODE_IN) *out += bytes_of(arg, &writes);
            held = need;
            left = writes;
            last = k;
        }
    }
}

/* What index @p at touches is among what its piece needs. */
static void check_index(const launch *l, const hit_domain *piece, const hit_index at[])
{
    const hit_domain one = hit_domain_box(piece->dims, at, at);

    for (int a = 0; a < l->request.args; a++) {
        const hit_domain touched = hit_plan_need(&l->arg[a], &one);
        const hit_domain need = hit_plan_need(&l->arg[a], piece);

        ck_assert(hit_domain_inside(&touched, &need));
    }
}

/* Those that are looked at one by one. */
static hit_index count_remaining(const launch *l, const hit_slot slot[])
{
    const hit_domain *index = &l->request.index;
    hit_index remain = 0;

    HIT_FOR_EACH (at, *index) {
        remain += hit_where_has(l->request.where, slot, at);
    }
    return remain;
}

/* @p slot: of the mask; NULL: there is none. */
static void check_pieces(const launch *l, const hit_plan *plan, size_t limit_bytes,
                         const hit_slot slot[])
{
    const hit_where *where = l->request.where;
    const hit_index known = hit_where_count(where, &l->request.index);
    hit_index next = hit_plan_next(plan, 0);
    hit_index filled = 0;
    hit_index remain = 0;
    hit_index at[HIT_MAX_DIMS] = {0};
    uint64_t in;
    uint64_t out;

    for (hit_index k = 0; k < plan->pieces; k++) {
        const hit_domain piece = hit_plan_piece(plan, k);
        uint64_t need = 0;

        if (hit_domain_is_empty(&piece)) continue;
        ck_assert_int_eq(k, next);
        next = hit_plan_next(plan, k + 1);
        filled++;
        for (int a = 0; a < l->request.args; a++) {
            const hit_domain own = hit_plan_need(&l->arg[a], &piece);
            const int buffers = l->arg[a].buffers > 1 ? l->arg[a].buffers : 1;

            ck_assert_uint_le(bytes_of(&l->arg[a], &own), plan->arg_bytes[a]);
            need += bytes_of(&l->arg[a], &own) * (uint64_t)buffers;
        }
        ck_assert_uint_le(need * (uint64_t)l->request.in_flight, plan->peak_bytes);
        for (bool go = hit_domain_first(&piece, at); go;
             go = hit_domain_next(&piece, at)) {
            if (!hit_where_has(where, slot, at)) continue;
            remain++;
            check_index(l, &piece, at);
        }
    }
    ck_assert_int_eq(next, plan->pieces);
    ck_assert_int_eq(filled, plan->filled);
    ck_assert_int_eq(remain, count_remaining(l, slot));
    ck_assert_int_ge(known, remain);
    if (slot == NULL) ck_assert_int_eq(known, remain);
    ck_assert_uint_le(plan->peak_bytes, limit_bytes);
    count_bytes(l, plan, &in, &out);
    ck_assert_uint_eq(plan->bytes_in, in);
    ck_assert_uint_eq(plan->bytes_out, out);
}

START_TEST(pieces_have_the_indices_that_remain_and_no_bytes_for_others)
{
    const int cases = hit_random_cases(3000);
    hit_random random = hit_random_start(62);
    static mask m;
    int cut = 0;
    int left_out = 0;
    int masked = 0;

    for (int k = 0; k < cases; k++) {
        hit_where where;
        hit_plan whole;
        hit_plan plan;
        launch l;

        random_launch(&random, (int)pick(&random, 1, 3), &l);
        where = random_where(&random, l.request.index.dims, k % 2);
        if (k % 3 == 0) {
            random_mask(&random, &l.request.index, &m);
            let_mask(&random, &m, &where);
        }
        l.request.limit_bytes = SIZE_MAX;
        ck_assert_int_eq(hit_plan_make(&l.request, &whole), HIT_OK);
        l.request.limit_bytes = whole.peak_bytes / (size_t)pick(&random, 1, 12) + 64;
        l.request.where = &where;
        for (int a = 0; a < l.request.args; a++) {
            l.arg[a].where = &where;
        }
        if (hit_plan_make(&l.request, &plan) == HIT_OK) {
            check_pieces(&l, &plan, l.request.limit_bytes, k % 3 ? NULL : &m.slot);
            cut += plan.pieces > 1;
            left_out += plan.filled < plan.pieces;
            masked += k % 3 == 0 && plan.filled < plan.pieces;
        }
        if (k % 3 == 0) mask_clear(&m);
        launch_clear(&l);
    }
    ck_assert_int_gt(cut, cases / 8);
    ck_assert_int_gt(left_out, cases / 30);
    ck_assert_int_gt(masked, cases / 30);
}
END_TEST

/* Where needs and inequalities are differences nothing is brought that no index touches.
 */
START_TEST(needs_of_triangles_are_exact)
{
    hit_where where = {.count = 1, .of = {{.coef = {1, -1}, .offset = 0}}};
    hit_plan_request *request;
    hit_domain tile = hit_domain_of(40, 40);
    hit_plan plan;
    launch l = {.request = {.kernel = "triangle",
                            .device = "host0",
                            .index = tile,
                            .block = {3, 4},
                            .limit_bytes = 200,
                            .in_flight = 1,
                            .where = &where}};

    request = &l.request;
    launch_add(&l, HIT_MODE_IN, "[i-1:i+1, j]", 1, &tile);
    launch_add(&l, HIT_MODE_OUT, "[j, i]", 1, &tile);
    for (int a = 0; a < request->args; a++) {
        l.arg[a].where = &where;
    }
    ck_assert_int_eq(hit_plan_make(request, &plan), HIT_OK);
    ck_assert_int_gt(plan.pieces, plan.filled);
    for (hit_index k = 0; k < plan.pieces; k++) {
        const hit_domain piece = hit_plan_piece(&plan, k);
        hit_domain hull = hit_domain_empty(2);
        hit_index at[HIT_MAX_DIMS] = {0};

        for (bool go = hit_domain_first(&piece, at); go;
             go = hit_domain_next(&piece, at)) {
            const hit_domain one = hit_domain_box(2, at, at);

            if (at[1] > at[0]) continue;
            hull = hit_domain_is_empty(&hull) ? one : hit_domain_cover(&hull, &one);
        }
        ck_assert(hit_domain_equal(&hull, &piece));
    }
    launch_clear(&l);
}
END_TEST

static hit_domain random_inner(hit_random *random, const hit_domain *index)
{
    hit_domain inner = *index;

    for (int d = 0; d < inner.dims; d++) {
        const hit_index count = hit_sig_count(inner.sig[d]);
        const hit_index first = pick(random, 0, 1) * pick(random, 0, count / 4);

        inner.sig[d] = hit_sig_slice(inner.sig[d], first,
                                     count - 1 - pick(random, 0, 1) * (count / 4));
    }
    return inner;
}

/* The inner indices are the first, and no buffer becomes larger. */
static void check_deferred(const launch *l, const hit_plan *plan, const hit_domain *inner,
                           const hit_plan *before)
{
    check_pieces(l, plan, before->peak_bytes, NULL);
    for (hit_index k = 0; k < plan->pieces; k++) {
        const hit_domain piece = hit_plan_piece(plan, k);

        if (hit_domain_is_empty(&piece)) continue;
        ck_assert(k < plan->early ? hit_domain_inside(&piece, inner)
                                  : !hit_domain_meets(&piece, inner));
    }
    for (int a = 0; a < l->request.args; a++) {
        ck_assert_uint_eq(plan->arg_bytes[a], before->arg_bytes[a]);
    }
    ck_assert_uint_le(16 * (plan->bytes_in + plan->bytes_out),
                      17 * (before->bytes_in + before->bytes_out));
}

START_TEST(inner_indices_come_first_if_little_more_is_moved)
{
    const int cases = hit_random_cases(6000);
    hit_random random = hit_random_start(63);
    int deferred = 0;
    int whole = 0;
    int refused = 0;

    for (int k = 0; k < cases; k++) {
        hit_where where;
        hit_domain inner;
        hit_plan before;
        hit_plan plan;
        launch l;

        random_launch(&random, (int)pick(&random, 1, 3), &l);
        where = random_where(&random, l.request.index.dims, false);
        l.request.limit_bytes = SIZE_MAX;
        ck_assert_int_eq(hit_plan_make(&l.request, &before), HIT_OK);
        l.request.limit_bytes = before.peak_bytes / (size_t)pick(&random, 1, 12) + 64;
        if (k % 4 == 0) l.request.where = &where;
        for (int a = 0; a < l.request.args; a++) {
            l.arg[a].where = l.request.where;
        }
        inner = random_inner(&random, &l.request.index);
        if (hit_plan_make(&l.request, &before) == HIT_OK) {
            plan = before;
            if (hit_plan_defer(&l.request, &inner, &plan)) {
                check_deferred(&l, &plan, &inner, &before);
                deferred++;
                whole += plan.whole && plan.early < plan.pieces;
            } else {
                ck_assert_int_eq(plan.early, 0);
                check_pieces(&l, &plan, l.request.limit_bytes, NULL);
                refused++;
            }
        }
        launch_clear(&l);
    }
    ck_assert_int_gt(deferred, cases / 10);
    ck_assert_int_gt(whole, cases / 100);
    ck_assert_int_gt(refused, cases / 10);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("hit/plan/plan_where");
    TCase *tests = tcase_create("where");

    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, pieces_have_the_indices_that_remain_and_no_bytes_for_others);
    tcase_add_test(tests, needs_of_triangles_are_exact);
    tcase_add_test(tests, inner_indices_come_first_if_little_more_is_moved);
    suite_add_tcase(made, tests);
    return made;
}

int main(void)
{
    return check_run(suite());
}
