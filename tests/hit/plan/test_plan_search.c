/* SPDX-License-Identifier: MIT
 * Superblock plans against exhaustive search: for small random launches every shape is
 * tried and every piece of it evaluated. Half of the launches are clipped; among their
 * patterns are strided, triangular and diagonal ones. */
#include "hit/plan/plan.h"
#include "tests/hit/plan/plan_random.h"

#include <inttypes.h>
#include <math.h>

enum {
    MOST_SHAPES = 4096
};

/* ---- exhaustive search ---- */

typedef struct shape {
    hit_index blocks[HIT_MAX_DIMS];
    hit_index grid[HIT_MAX_DIMS];
    hit_index pieces;
    uint64_t need;
    uint64_t in;
    uint64_t out;
    bool even; /**< no smaller blocks give the same grid */
} shape;

static hit_index blocks_of(const launch *l, int d)
{
    hit_index count = hit_sig_count(l->request.index.sig[d]);

    return (count + l->request.block[d] - 1) / l->request.block[d];
}

static hit_domain need_of(const hit_plan_arg *arg, const hit_domain *piece)
{
    const hit_domain touched = hit_pattern_cover(arg->pattern, &arg->tile, piece);

    return hit_domain_intersect(&touched, &arg->clip);
}

/* What of it goes back. */
static hit_domain written_of(const hit_plan_arg *arg, const hit_domain *piece)
{
    const hit_pattern written = hit_pattern_written(arg->pattern);
    const hit_domain touched = hit_pattern_cover(&written, &arg->tile, piece);

    return hit_domain_intersect(&touched, &arg->clip);
}

/* Is what both pieces need, and what they write, the same? */
static bool same(const hit_plan_arg *arg, const hit_domain *a, const hit_domain *b)
{
    const hit_domain need[] = {need_of(arg, a), need_of(arg, b)};
    const hit_domain written[] = {written_of(arg, a), written_of(arg, b)};

    return hit_domain_equal(&need[0], &need[1]) &&
           hit_domain_equal(&written[0], &written[1]);
}

/* `before` is what has just run, `after` what will be next; NULL: none, or no reuse. */
static void walk_piece(const launch *l, const hit_domain *before, const hit_domain *piece,
                       const hit_domain *after, shape *s)
{
    uint64_t need = 0;

    for (int a = 0; a < l->request.args; a++) {
        const hit_plan_arg *arg = &l->arg[a];
        const hit_domain own = need_of(arg, piece);
        const uint64_t buffers = arg->buffers > 1 ? (uint64_t)arg->buffers : 1;
        const uint64_t bytes = (uint64_t)hit_domain_count(&own) * arg->size_bytes;
        const bool exact = hit_pattern_is_exact(arg->pattern, &arg->tile, piece);
        uint64_t kept = 0;
        bool stays = false;

        need += bytes * buffers;
        if (before != NULL) {
            const hit_domain held = need_of(arg, before);
            const hit_domain common = hit_domain_intersect(&own, &held);

            kept = (uint64_t)hit_domain_count(&common) * arg->size_bytes;
            if (buffers == 1 && !same(arg, piece, before)) kept = 0;
        }
        const hit_domain written = written_of(arg, piece);

        if (after != NULL) stays = same(arg, piece, after);
        if (arg->mode != HIT_MODE_OUT || !exact) s->in += bytes - kept;
        if (arg->mode != HIT_MODE_IN && !stays) {
            s->out += (uint64_t)hit_domain_count(&written) * arg->size_bytes;
        }
    }
    if (need > s->need) s->need = need;
}

/* Piece number k, back and forth. */
static hit_domain piece_of(const launch *l, const shape *s, const int order[],
                           hit_index k)
{
    hit_domain piece = l->request.index;

    for (int level = piece.dims - 1; level >= 0; level--) {
        const int d = order[level]; /* NOLINT(clang-analyzer-core.uninitialized.Assign) */
        const hit_index side = s->blocks[d] * l->request.block[d];
        const hit_index round = k / s->grid[d];
        hit_index at = k % s->grid[d];

        if (round % 2 == 1) at = s->grid[d] - 1 - at;
        piece.sig[d] = hit_sig_slice(piece.sig[d], at * side, (at + 1) * side - 1);
        k = round;
    }
    return piece;
}

static void walk_in_order(const launch *l, const int order[], shape *s)
{
    const bool reuse = l->request.reuse;

    s->need = s->in = s->out = 0;
    for (hit_index k = 0; k < s->pieces; k++) {
        const hit_domain before = piece_of(l, s, order, k > 0 ? k - 1 : 0);
        const hit_domain piece = piece_of(l, s, order, k);
        const hit_domain after = piece_of(l, s, order, k + 1 < s->pieces ? k + 1 : k);

        walk_piece(l, reuse && k > 0 ? &before : NULL, &piece,
                   reuse && k + 1 < s->pieces ? &after : NULL, s);
    }
}

/* Evaluate all pieces of the shape in the best order; s->blocks is given. */
static void walk_shape(const launch *l, shape *s)
{
    static const int orders[6][HIT_MAX_DIMS] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1},
                                                {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const int dims = l->request.index.dims;
    const int tried[] = {0, 1, 2, 6};

    s->pieces = 1;
    s->even = true;
    for (int d = 0; d < dims; d++) {
        hit_index g = blocks_of(l, d);
        hit_index smaller = s->blocks[d] - 1;

        s->grid[d] = (g + s->blocks[d] - 1) / s->blocks[d];
        if (smaller > 0 && (g + smaller - 1) / smaller == s->grid[d]) s->even = false;
        s->pieces *= s->grid[d];
    }
    walk_in_order(l, orders[0], s);
    for (int k = 1; k < tried[dims] && l->request.reuse; k++) {
        shape other = *s;

        walk_in_order(l, orders[k], &other);
        if (other.in + other.out < s->in + s->out) *s = other;
    }
}

static int all_shapes(const launch *l, shape shapes[])
{
    hit_domain blocks = {.dims = l->request.index.dims};
    hit_index at[HIT_MAX_DIMS];
    int count = 0;

    for (int d = 0; d < blocks.dims; d++) {
        blocks.sig[d] = hit_sig_make(1, blocks_of(l, d), 1);
    }
    for (bool more = hit_domain_first(&blocks, at); more;
         more = hit_domain_next(&blocks, at)) {
        shape *s = &shapes[count++];

        ck_assert_int_le(count, MOST_SHAPES);
        *s = (shape){.even = true};
        memcpy(s->blocks, at, sizeof(at));
        walk_shape(l, s);
    }
    return count;
}

/* Does another shape that fits do with fewer pieces in some dimension, and no more in
 * any? */
static bool is_wasteful(const launch *l, const shape shapes[], int count, const shape *s,
                        uint64_t share)
{
    for (int i = 0; i < count; i++) {
        bool more = false;

        if (shapes[i].need > share || shapes[i].pieces >= s->pieces) continue;
        for (int d = 0; d < l->request.index.dims; d++) {
            if (shapes[i].grid[d] > s->grid[d]) more = true;
        }
        if (!more) return true;
    }
    return false;
}

static const char *describe(const launch *l, const hit_plan *plan)
{
    static char text[2048];
    char index[TEXT];
    size_t used;

    hit_domain_print(&l->request.index, index, sizeof(index));
    used = (size_t)snprintf(
        text, sizeof(text), "index %s, blocks %lld %lld %lld, limit %zu / %d\n", index,
        (long long)l->request.block[0], (long long)l->request.block[1],
        (long long)l->request.block[2], l->request.limit_bytes, l->request.in_flight);
    for (int a = 0; a < l->request.args; a++) {
        char tile[TEXT];
        char clip[TEXT];

        hit_domain_print(&l->arg[a].tile, tile, sizeof(tile));
        hit_domain_print(&l->arg[a].clip, clip, sizeof(clip));
        used += (size_t)snprintf(
            text + used, sizeof(text) - used, "mode %d, %zu bytes, %s of %s in %s\n",
            (int)l->arg[a].mode, l->arg[a].size_bytes, l->text[a], tile, clip);
    }
    if (plan) hit_plan_print(plan, text + used, sizeof(text) - used);
    return text;
}

static void check_best(const launch *l, const shape shapes[], int count,
                       const hit_plan *plan)
{
    uint64_t share = l->request.limit_bytes / (size_t)l->request.in_flight;
    hit_index fewest = INT64_MAX;
    shape own = {.even = true};
    uint64_t own_bytes;

    memcpy(own.blocks, plan->blocks, sizeof(own.blocks));
    walk_shape(l, &own);
    own_bytes = own.in + own.out;
    ck_assert_msg(plan->bytes_in + plan->bytes_out == own_bytes,
                  "another order moves %" PRIu64 "\n%s", own_bytes, describe(l, plan));
    walk_in_order(l, plan->order, &own);
    ck_assert_msg(own.need <= share, "a piece needs %" PRIu64 "\n%s", own.need,
                  describe(l, plan));
    ck_assert_msg(plan->peak_bytes == own.need * (uint64_t)l->request.in_flight,
                  "a walk needs %" PRIu64 "\n%s", own.need, describe(l, plan));
    ck_assert_msg(plan->bytes_in == own.in && plan->bytes_out == own.out,
                  "a walk moves %" PRIu64 " in, %" PRIu64 " out\n%s", own.in, own.out,
                  describe(l, plan));
    for (int i = 0; i < count; i++) {
        if (shapes[i].need <= share && shapes[i].pieces < fewest) {
            fewest = shapes[i].pieces;
        }
    }
    if (!l->request.least_bytes) {
        ck_assert_msg(plan->pieces == fewest, "%lld pieces are enough\n%s",
                      (long long)fewest, describe(l, plan));
    }
    for (int i = 0; i < count; i++) {
        const shape *s = &shapes[i];
        uint64_t bytes = s->in + s->out;

        if (s->need > share || !s->even || bytes >= own_bytes) continue;
        if (!l->request.least_bytes && s->pieces > fewest) continue;
        if (is_wasteful(l, shapes, count, s, share)) continue;
        ck_abort_msg("%lld x %lld x %lld blocks move less: %" PRIu64 "\n%s",
                     (long long)s->blocks[0], (long long)s->blocks[1],
                     (long long)s->blocks[2], bytes, describe(l, plan));
    }
}

/* What the plan moves, over the least of all shapes that fit, wasteful ones, too. */
static double over_least(const launch *l, const shape shapes[], int count,
                         const hit_plan *plan)
{
    const uint64_t share = l->request.limit_bytes / (size_t)l->request.in_flight;
    uint64_t least = UINT64_MAX;

    for (int i = 0; i < count; i++) {
        const shape *s = &shapes[i];

        if (s->need <= share && s->in + s->out < least) least = s->in + s->out;
    }
    if (least == 0) return 1;
    return (double)(plan->bytes_in + plan->bytes_out) / (double)least;
}

static void compare_with_exhaustive_search(uint64_t seed, int dims, int cases)
{
    static shape shapes[MOST_SHAPES];
    hit_random random = hit_random_start(seed);
    int planned = 0;
    int refused = 0;
    int cut = 0;
    int asked = 0;
    int least_of_all = 0;
    double worst = 1;

    for (int n = 0; n < cases; n++) {
        launch l;
        hit_plan plan = {.pieces = 0};
        hit_status st;
        hit_index least;
        hit_index most;
        int count;

        random_launch(&random, dims, &l);
        count = all_shapes(&l, shapes); /* the first is one block, the last is all */
        least = (hit_index)shapes[0].need;
        most = (hit_index)shapes[count - 1].need;
        if (least == 0) least = 1;
        l.request.limit_bytes = (size_t)pick(&random, least - 1, (least + most) / 2 + 1);
        if (pick(&random, 0, 3) == 0) l.request.limit_bytes = (size_t)least;
        l.request.limit_bytes *= (size_t)l.request.in_flight;
        st = hit_plan_make(&l.request, &plan);
        if (l.request.limit_bytes / (size_t)l.request.in_flight < shapes[0].need) {
            ck_assert_msg(st == HIT_E_LIMIT, "%s\n%s", hit_status_name(st),
                          describe(&l, NULL));
            refused++;
        } else {
            ck_assert_msg(st == HIT_OK, "%s\n%s", hit_status_text(), describe(&l, NULL));
            check_best(&l, shapes, count, &plan);
            if (l.request.least_bytes) {
                const double over = over_least(&l, shapes, count, &plan);

                asked++;
                least_of_all += over <= 1;
                worst = fmax(worst, over);
            }
            planned++;
            cut += plan.pieces > 1;
        }
        launch_clear(&l);
    }
    printf("%d planned, of these %d cut; %d refused\n", planned, cut, refused);
    printf("%d of %d move the least of all shapes, none more than %.2f times that\n",
           least_of_all, asked, worst);
    ck_assert_double_le(worst, 2.5);
    ck_assert_int_gt(cut, cases / 4);
    ck_assert_int_gt(refused, 0);
}

START_TEST(plans_in_1d_are_the_best_of_all_shapes)
{
    compare_with_exhaustive_search(301, 1, hit_random_cases(6000));
}
END_TEST

START_TEST(plans_in_2d_are_the_best_of_all_shapes)
{
    compare_with_exhaustive_search(302, 2, hit_random_cases(2000));
}
END_TEST

START_TEST(plans_in_3d_are_the_best_of_all_shapes)
{
    compare_with_exhaustive_search(2, 3, hit_random_cases(400));
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("search");
    TCase *search = tcase_create("search");

    tcase_add_test(search, plans_in_1d_are_the_best_of_all_shapes);
    tcase_add_test(search, plans_in_2d_are_the_best_of_all_shapes);
    tcase_add_test(search, plans_in_3d_are_the_best_of_all_shapes);
    suite_add_tcase(all, search);
    return all;
}

int main(void)
{
    return check_run(suite());
}
