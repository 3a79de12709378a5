/* SPDX-License-Identifier: MIT
 * The domain transformation against its definition: all elements that all indices of
 * small random boxes touch, written down one by one. */
#include "patterns/parse.h"
#include "patterns/pattern_impl.h"
#include "patterns/transform.h"
#include "tests/patterns/random_pattern.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const names[] = {"i", "j", "k", "l"};

/* --- the definition, in plain C --- */

/* What the index x touches. */
static hit_domain touched_at(const hit_access *access, const hit_domain *tile,
                             const hit_index x[])
{
    hit_domain touched = {.dims = tile->dims};

    for (int d = 0; d < tile->dims; d++) {
        const hit_range *range = &access->range[d];
        hit_index begin = affine_at(&range->begin, tile->sig[d].begin, x);
        hit_index end = affine_at(&range->end, tile->sig[d].end, x);
        touched.sig[d] = hit_sig_make(begin, end, range->stride * tile->sig[d].stride);
    }
    if (hit_domain_is_empty(&touched)) return hit_domain_empty(tile->dims);
    return touched;
}

/* The coarse union of what all indices touch. */
static hit_domain folded(const hit_access *access, const hit_domain *tile,
                         const hit_domain *index)
{
    hit_domain all = hit_domain_empty(tile->dims);
    hit_index x[HIT_MAX_DIMS] = {0};

    for (bool more = hit_domain_first(index, x); more; more = hit_domain_next(index, x)) {
        hit_domain one = touched_at(access, tile, x);
        all = hit_domain_cover(&all, &one);
    }
    return all;
}

static size_t position_in(const hit_domain *domain, const hit_index element[])
{
    hit_index position = 0;

    for (int d = 0; d < domain->dims; d++) {
        position = position * hit_sig_count(domain->sig[d]) +
                   hit_sig_position(domain->sig[d], element[d]);
    }
    return (size_t)position;
}

/* Mark in map, one byte per element of cover, what all indices touch. */
static void mark(const hit_access *access, const hit_domain *tile,
                 const hit_domain *index, const hit_domain *cover, char *map)
{
    hit_index x[HIT_MAX_DIMS] = {0};
    hit_index element[HIT_MAX_DIMS];

    for (bool more = hit_domain_first(index, x); more; more = hit_domain_next(index, x)) {
        hit_domain one = touched_at(access, tile, x);
        bool left = hit_domain_first(&one, element);
        for (; left; left = hit_domain_next(&one, element)) {
            ck_assert(hit_domain_has(cover, element));
            map[position_in(cover, element)] = 1;
        }
    }
}

static size_t count_touched(const hit_pattern *pattern, const hit_domain *tile,
                            const hit_domain *index, const hit_domain *cover)
{
    size_t size = (size_t)hit_domain_count(cover);
    char *map = calloc(size + 1, 1);
    size_t count = 0;

    ck_assert_ptr_nonnull(map);
    for (int a = 0; a < pattern->count; a++) {
        mark(&pattern->access[a], tile, index, cover, map);
    }
    for (size_t n = 0; n < size; n++) {
        count += (size_t)map[n];
    }
    free(map);
    return count;
}

/* --- when the smallest domain is promised (transform.h) --- */

static bool one_index_only(const hit_range *range, const hit_domain *index)
{
    int used = 0;

    for (int k = 0; k < index->dims; k++) {
        bool varies = hit_sig_count(index->sig[k]) > 1;
        if (varies && range->end.coef[k] != range->begin.coef[k]) used++;
    }
    return used <= 1;
}

/* Is no range of the expression ever empty, or only with one index that it depends on? */
static bool emptiness_is_simple(const hit_access *access, const hit_domain *tile,
                                const hit_domain *index)
{
    hit_index x[HIT_MAX_DIMS] = {0};

    for (bool more = hit_domain_first(index, x); more; more = hit_domain_next(index, x)) {
        for (int d = 0; d < tile->dims; d++) {
            const hit_range *range = &access->range[d];
            hit_index begin = affine_at(&range->begin, tile->sig[d].begin, x);
            hit_index end = affine_at(&range->end, tile->sig[d].end, x);
            if (end < begin && !one_index_only(range, index)) return false;
        }
    }
    return true;
}

static hit_index modulo(hit_index a, hit_index b)
{
    return ((a % b) + b) % b;
}

/* Over the indices that touch something: do the begins or the extents agree modulo the
 * stride? */
static bool strides_are_simple(const hit_access *access, const hit_domain *tile,
                               const hit_domain *index, int dim)
{
    const hit_range *range = &access->range[dim];
    hit_index stride = range->stride * tile->sig[dim].stride;
    hit_index x[HIT_MAX_DIMS] = {0};
    hit_index begin = -1;
    hit_index extent = -1;
    bool begins_agree = true;
    bool extents_agree = true;

    for (bool more = hit_domain_first(index, x); more; more = hit_domain_next(index, x)) {
        hit_domain one = touched_at(access, tile, x);
        if (hit_domain_is_empty(&one)) continue;
        hit_index b = affine_at(&range->begin, tile->sig[dim].begin, x);
        hit_index e = affine_at(&range->end, tile->sig[dim].end, x);
        begins_agree = begins_agree && (begin < 0 || begin == modulo(b, stride));
        extents_agree = extents_agree && (extent < 0 || extent == modulo(e - b, stride));
        begin = modulo(b, stride);
        extent = modulo(e - b, stride);
    }
    return begins_agree || extents_agree;
}

static bool smallest_is_promised(const hit_access *access, const hit_domain *tile,
                                 const hit_domain *index)
{
    if (!emptiness_is_simple(access, tile, index)) return false;
    for (int d = 0; d < tile->dims; d++) {
        if (!strides_are_simple(access, tile, index, d)) return false;
    }
    return true;
}

/* --- random cases --- */

typedef struct random_case {
    hit_pattern pattern;
    hit_domain tile;
    hit_domain index;
    char text[1024];
} random_case;

static random_case case_make(hit_random *random)
{
    int index_dims = (int)hit_random_index(random, 1, 3);
    int tile_dims = (int)hit_random_index(random, 0, index_dims < 3 ? 2 : 1);
    hit_index most = index_dims < 3 ? 8 : 4;
    random_case made = {.pattern = random_pattern(random, index_dims, tile_dims, 3),
                        .tile = hit_random_domain(random, tile_dims, -9, 12, 3),
                        .index = hit_random_domain(random, index_dims, -3, most, 3)};
    char pattern[512];
    char tile[128];
    char index[128];

    hit_pattern_print(&made.pattern, names, pattern, sizeof pattern);
    hit_domain_print(&made.tile, tile, sizeof tile);
    hit_domain_print(&made.index, index, sizeof index);
    (void)snprintf(made.text, sizeof made.text, "%s tile %s index %s", pattern, tile,
                   index);
    return made;
}

/* Is all that an index touches in the region? */
static bool holds_all(const random_case *c, const hit_region *region)
{
    hit_index x[HIT_MAX_DIMS] = {0};
    hit_index element[HIT_MAX_DIMS];

    for (bool go = hit_domain_first(&c->index, x); go;
         go = hit_domain_next(&c->index, x)) {
        for (int a = 0; a < c->pattern.count; a++) {
            const hit_domain one = touched_at(&c->pattern.access[a], &c->tile, x);

            for (bool more = hit_domain_first(&one, element); more;
                 more = hit_domain_next(&one, element)) {
                if (!hit_region_has(region, element)) return false;
            }
        }
    }
    return true;
}

START_TEST(a_remainder_that_starts_again_is_two_ranges)
{
    static const struct {
        const char *text;
        hit_sig index;
        hit_index count;
        int parts;
    } cases[] = {
        {"[i%10]", {7, 12, 1}, 6, 2},        {"[i%10]", {-3, 2, 1}, 6, 2},
        {"[(3-i)%10]", {0, 5, 1}, 6, 2},     {"[i%10]", {0, 9, 1}, 10, 1},
        {"[i%10]", {7, 16, 1}, 10, 1},       {"[i%10]", {-25, 40, 1}, 10, 1},
        {"[i%10]", {10, 14, 1}, 5, 1},       {"[2*i%10]", {3, 6, 1}, 4, 2},
        {"[i%10:i%10+1]", {8, 10, 1}, 5, 2}, {"[i/4]", {-3, 5, 1}, 3, 1},
        {"[(i-1)%10+5]", {0, 1, 1}, 2, 2},
    };
    const hit_domain tile = hit_domain_of(20);

    for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
        const hit_domain index = {1, {cases[n].index}};
        hit_region region = {0};
        hit_pattern pattern;

        ck_assert_int_eq(hit_pattern_parse(cases[n].text, 1, names, &pattern), HIT_OK);
        ck_assert_int_eq(hit_pattern_region(&pattern, &tile, &index, &region), HIT_OK);
        ck_assert_msg(hit_region_count(&region) == cases[n].count, "%s", cases[n].text);
        ck_assert_msg(region.count == cases[n].parts, "%s: %d", cases[n].text,
                      region.count);
        hit_region_clear(&region);
        hit_pattern_clear(&pattern);
    }
}
END_TEST

START_TEST(an_expression_gives_the_smallest_domain_or_at_least_all)
{
    hit_random random = hit_random_start(31);
    hit_index promised = 0;
    hit_index smallest = 0;
    hit_index total = 0;
    hit_index divided = 0;
    hit_index divided_smallest = 0;

    for (int n = 0; n < hit_random_cases(20000); n++) {
        random_case c = case_make(&random);
        for (int a = 0; a < c.pattern.count; a++) {
            const hit_access *access = &c.pattern.access[a];
            hit_domain cover = hit_access_apply(access, &c.tile, &c.index);
            hit_domain least = folded(access, &c.tile, &c.index);
            bool fold = is_folded(access, c.tile.dims);
            bool promise = !fold && smallest_is_promised(access, &c.tile, &c.index);
            bool equal = hit_domain_equal(&cover, &least);
            ck_assert_int_eq(hit_domain_check(&cover), HIT_OK);
            ck_assert_msg(hit_domain_inside(&least, &cover), "%d of %s", a, c.text);
            ck_assert_msg(equal || !promise, "%d of %s", a, c.text);
            divided += fold;
            divided_smallest += fold && equal;
            if (fold) continue;
            total++;
            promised += promise;
            smallest += equal;
        }
        hit_pattern_clear(&c.pattern);
    }
    printf("%" PRId64 " expressions, smallest promised for %" PRId64
           ", found for %" PRId64 "\n",
           total, promised, smallest);
    printf("%" PRId64 " with a quotient or a remainder, smallest found for %" PRId64 "\n",
           divided, divided_smallest);
    ck_assert_int_gt(promised, 4 * total / 5);
    ck_assert_int_gt(divided, 100);
    ck_assert_int_gt(divided_smallest, 4 * divided / 5);
}
END_TEST

START_TEST(more_indices_never_give_a_smaller_domain)
{
    hit_random random = hit_random_start(32);

    for (int n = 0; n < hit_random_cases(20000); n++) {
        random_case c = case_make(&random);
        hit_domain few = hit_random_subdomain(&random, &c.index, 3);
        for (int a = 0; a < c.pattern.count; a++) {
            hit_domain small = hit_access_apply(&c.pattern.access[a], &c.tile, &few);
            hit_domain large = hit_access_apply(&c.pattern.access[a], &c.tile, &c.index);
            ck_assert_msg(hit_domain_inside(&small, &large), "%d of %s", a, c.text);
        }
        hit_pattern_clear(&c.pattern);
    }
}
END_TEST

START_TEST(a_cover_is_the_coarse_union_of_its_expressions)
{
    hit_random random = hit_random_start(33);

    for (int n = 0; n < hit_random_cases(5000); n++) {
        random_case c = case_make(&random);
        hit_domain cover = hit_pattern_cover(&c.pattern, &c.tile, &c.index);
        hit_domain all = hit_domain_empty(c.tile.dims);
        for (int a = 0; a < c.pattern.count; a++) {
            hit_domain one = hit_access_apply(&c.pattern.access[a], &c.tile, &c.index);
            all = hit_domain_cover(&all, &one);
        }
        ck_assert_msg(hit_domain_equal(&cover, &all), "%s", c.text);
        hit_pattern_clear(&c.pattern);
    }
}
END_TEST

START_TEST(a_region_is_the_disjoint_union_of_its_expressions)
{
    hit_random random = hit_random_start(34);
    hit_index x[HIT_MAX_DIMS];

    for (int n = 0; n < hit_random_cases(3000); n++) {
        random_case c = case_make(&random);
        hit_domain cover = hit_pattern_cover(&c.pattern, &c.tile, &c.index);
        hit_domain part[3];
        hit_region region = {0};
        hit_index count = 0;
        bool indices = !hit_domain_is_empty(&c.index);

        ck_assert_int_eq(hit_pattern_region(&c.pattern, &c.tile, &c.index, &region),
                         HIT_OK);
        for (int a = 0; a < c.pattern.count; a++) {
            part[a] = hit_access_apply(&c.pattern.access[a], &c.tile, &c.index);
        }
        bool more = hit_domain_first(&cover, x);
        for (; more; more = hit_domain_next(&cover, x)) {
            const bool has = hit_region_has(&region, x);
            bool wanted = false;
            bool folded = false; /* a remainder may be two ranges instead */
            for (int a = 0; a < c.pattern.count; a++) {
                if (!indices || !hit_domain_has(&part[a], x)) continue;
                wanted = true;
                folded = folded || is_folded(&c.pattern.access[a], c.tile.dims);
            }
            ck_assert_msg(has == wanted || (folded && !has), "%s", c.text);
            count += has;
        }
        ck_assert_msg(holds_all(&c, &region), "%s", c.text);
        /* the region has all of these and as many: no part overlaps another one */
        ck_assert_msg(hit_region_count(&region) == count, "%s", c.text);
        hit_region_clear(&region);
        hit_pattern_clear(&c.pattern);
    }
}
END_TEST

START_TEST(no_cover_is_called_exact_that_is_not)
{
    hit_random random = hit_random_start(35);
    hit_index exact = 0;
    hit_index claimed = 0;

    for (int n = 0; n < hit_random_cases(10000); n++) {
        random_case c = case_make(&random);
        hit_domain cover = hit_pattern_cover(&c.pattern, &c.tile, &c.index);
        size_t touched = count_touched(&c.pattern, &c.tile, &c.index, &cover);
        bool is = touched == (size_t)hit_domain_count(&cover);
        bool says = hit_pattern_is_exact(&c.pattern, &c.tile, &c.index);
        ck_assert_msg(is || !says, "%s", c.text);
        exact += is;
        claimed += says;
        hit_pattern_clear(&c.pattern);
    }
    printf("%" PRId64 " covers exact, claimed %" PRId64 "\n", exact, claimed);
    ck_assert_int_gt(claimed, 9 * exact / 10);
}
END_TEST

/* Is there a pair along d that has one value, the other indices being the first ones? */
static bool any_meets(const hit_affine *affine, const hit_domain *box, int d)
{
    const hit_index count = hit_sig_count(box->sig[d]);
    hit_index x[HIT_MAX_DIMS] = {0};
    hit_index y[HIT_MAX_DIMS] = {0};

    (void)hit_domain_first(box, x);
    (void)hit_domain_first(box, y);
    for (hit_index a = 0; a < count; a++) {
        for (hit_index b = 0; b < a; b++) {
            x[d] = hit_sig_at(box->sig[d], a);
            y[d] = hit_sig_at(box->sig[d], b);
            if (affine_at(affine, 0, x) == affine_at(affine, 0, y)) return true;
        }
    }
    return false;
}

START_TEST(indices_that_are_folded_to_one_place_are_found)
{
    hit_random random = hit_random_start(36);
    int found = 0;

    for (int n = 0; n < hit_random_cases(5000); n++) {
        const int dims = (int)hit_random_index(&random, 1, 2);
        const hit_domain box = hit_random_domain(&random, dims, -9, 30, 3);
        const int d = (int)hit_random_index(&random, 0, dims - 1);
        hit_affine affine = random_affine(&random, dims, 6);
        hit_index x[HIT_MAX_DIMS] = {0};
        hit_index y[HIT_MAX_DIMS] = {0};
        hit_index one;
        hit_index other;
        bool meets;

        random_fold(&random, 12, &affine);
        if (!hit_domain_first(&box, x)) continue;
        (void)hit_domain_first(&box, y);
        meets = hit_affine_meets(&affine, &box, d, &one, &other);
        if (affine.fold != HIT_FOLD_NONE && affine.coef[d] != 0) {
            ck_assert(meets == any_meets(&affine, &box, d));
        }
        if (!meets) continue;
        x[d] = hit_sig_at(box.sig[d], one);
        y[d] = hit_sig_at(box.sig[d], other);
        ck_assert(one != other);
        ck_assert(affine_at(&affine, 0, x) == affine_at(&affine, 0, y));
        found++;
    }
    ck_assert_int_gt(found, 10);
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("transform_random");
    TCase *transform_random = tcase_create("transform_random");

    tcase_add_test(transform_random,
                   an_expression_gives_the_smallest_domain_or_at_least_all);
    tcase_add_test(transform_random, a_remainder_that_starts_again_is_two_ranges);
    tcase_add_test(transform_random, more_indices_never_give_a_smaller_domain);
    tcase_add_test(transform_random, a_cover_is_the_coarse_union_of_its_expressions);
    tcase_add_test(transform_random, a_region_is_the_disjoint_union_of_its_expressions);
    tcase_add_test(transform_random, no_cover_is_called_exact_that_is_not);
    tcase_add_test(transform_random, indices_that_are_folded_to_one_place_are_found);
    suite_add_tcase(all, transform_random);
    return all;
}

int main(void)
{
    return check_run(suite());
}
