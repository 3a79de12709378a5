/* SPDX-License-Identifier: MIT
 * Distances between the indices that write an element and those that read it, against all
 * pairs of indices. */
#include "hit/data/sig.h"
#include "patterns/parse.h"
#include "patterns/pattern_impl.h"
#include "patterns/transform.h"
#include "tests/patterns/random_pattern.h"

#include <stdio.h>

static const char *const names[] = {"i", "j", "k", "l"};

/* An element for each index, mostly. */
static hit_pattern written_pattern(hit_random *random, int dims, int tile_dims)
{
    hit_access access = {0};
    hit_pattern pattern;
    unsigned taken = 0;

    ck_assert_int_eq(hit_pattern_init(dims, tile_dims, &pattern), HIT_OK);
    for (int t = 0; t < tile_dims; t++) {
        const int d = (int)hit_random_index(random, 0, dims - 1);
        const hit_index from = hit_random_index(random, -2, 2);

        access.range[t] = hit_range_fixed(from, hit_random_index(random, from, 3));
        if (hit_random_index(random, 0, 5) == 0) access.range[t] = hit_range_all();
        if ((taken >> d & 1u) != 0 || hit_random_index(random, 0, 5) == 0) continue;
        taken |= 1u << d;
        access.range[t] = hit_range_follow(d, from, from);
    }
    ck_assert_int_eq(hit_pattern_add(&pattern, &access), HIT_OK);
    ck_assert(hit_pattern_is_element(&pattern));
    return pattern;
}

/* Near to what is written, or whatever there is. */
static hit_access read_access(hit_random *random, const hit_pattern *written)
{
    hit_pattern any = random_pattern(random, written->index_dims, written->tile_dims, 3);
    hit_access access = any.access[0];

    hit_pattern_clear(&any);
    if (hit_random_index(random, 0, 2) == 0) return access;
    access = written->access[0];
    for (int t = 0; t < written->tile_dims; t++) {
        hit_range *range = &access.range[t];

        if (range->begin.infinite || hit_random_index(random, 0, 2) == 0) continue;
        range->begin.offset += hit_random_index(random, -3, 1);
        range->end.offset = range->begin.offset + hit_random_index(random, 0, 4);
        if (hit_random_index(random, 0, 4) == 0) range->stride = 2;
        if (hit_random_index(random, 0, 6) == 0) range->begin = (hit_affine){0};
    }
    return access;
}

typedef struct pairs {
    hit_domain tile;
    hit_domain index;
    hit_pattern written;
    hit_access read;
    char text[300];
} pairs;

static pairs make_pairs(hit_random *random)
{
    const int dims = (int)hit_random_index(random, 1, 3);
    const int tile_dims = (int)hit_random_index(random, 1, 3);
    pairs p = {.written = written_pattern(random, dims, tile_dims)};
    char index[80];
    char tile[80];
    hit_pattern both;

    p.read = read_access(random, &p.written);
    p.tile = hit_random_domain(random, tile_dims, -4, 8, 2);
    do {
        p.index = hit_random_domain(random, dims, -2, dims == 3 ? 2 : 6, 3);
    } while (hit_domain_is_empty(&p.index));
    both = (hit_pattern){dims, tile_dims, 1, &p.read, 0, NULL};
    hit_domain_print(&p.index, index, sizeof(index));
    hit_domain_print(&p.tile, tile, sizeof(tile));
    (void)snprintf(p.text, sizeof(p.text), "%s of %s: ", index, tile);
    hit_pattern_print(&p.written, names, p.text + strlen(p.text), 90);
    (void)strcat(p.text, " <- ");
    hit_pattern_print(&both, names, p.text + strlen(p.text), 90);
    return p;
}

/* Does index x read what index y writes? What one index touches is exact. */
static bool meets(const pairs *p, const hit_index x[], const hit_index y[])
{
    const hit_domain reader = hit_domain_box(p->index.dims, x, x);
    const hit_domain writer = hit_domain_box(p->index.dims, y, y);
    const hit_domain read = hit_access_apply(&p->read, &p->tile, &reader);
    const hit_domain written = hit_access_apply(&p->written.access[0], &p->tile, &writer);

    return hit_domain_meets(&read, &written);
}

static bool has(const hit_distance *distance, int dims, const hit_index by[])
{
    bool inside = distance->any;

    for (int d = 0; d < dims && inside; d++) {
        inside = hit_sig_has(distance->of[d], by[d]);
    }
    return inside;
}

/* Every pair is told; if they are exact, so is each distance found. Returns whether
 * indices meet whose own elements are others. */
static bool check_pairs(const pairs *p, const hit_distance *distance)
{
    const int dims = p->index.dims;
    hit_domain all = {.dims = dims};
    hit_index by[HIT_MAX_DIMS];
    bool apart = false;

    for (int d = 0; d < dims; d++) {
        const hit_sig sig = p->index.sig[d];

        all.sig[d] = hit_sig_make(sig.begin - sig.end, sig.end - sig.begin, 1);
    }
    for (bool go = hit_domain_first(&all, by); go; go = hit_domain_next(&all, by)) {
        bool found = false;
        hit_index x[HIT_MAX_DIMS];

        for (bool on = hit_domain_first(&p->index, x); on && !found;
             on = hit_domain_next(&p->index, x)) {
            hit_index y[HIT_MAX_DIMS];

            for (int d = 0; d < dims; d++) {
                y[d] = x[d] + by[d];
            }
            found = hit_domain_has(&p->index, y) && meets(p, x, y);
        }
        ck_assert_msg(!found || has(distance, dims, by), "%s: is not told", p->text);
        if (distance->exact && has(distance, dims, by)) {
            ck_assert_msg(found, "%s: by %d", p->text, (int)by[0]);
        }
        for (int d = 0; d < dims && found; d++) {
            apart = apart || ((distance->followed >> d & 1u) != 0 && by[d] != 0);
        }
    }
    return apart;
}

START_TEST(distances_are_those_of_all_pairs)
{
    hit_random random = hit_random_start(71);
    int exact = 0;
    int met = 0;
    const int cases = hit_random_cases(1000);

    for (int n = 0; n < cases; n++) {
        pairs p = make_pairs(&random);
        const hit_distance distance =
            hit_pattern_distance(&p.written, &p.read, &p.tile, &p.index);
        const bool apart = check_pairs(&p, &distance);

        ck_assert_msg(!apart || hit_distance_is_apart(&distance), "%s", p.text);
        if (distance.any && distance.exact) {
            ck_assert_msg(apart == hit_distance_is_apart(&distance), "%s", p.text);
        }
        if (distance.exact && hit_distance_is_apart(&distance)) {
            hit_index x[HIT_MAX_DIMS];
            hit_index y[HIT_MAX_DIMS];

            hit_distance_witness(&distance, &p.index, x, y);
            ck_assert_msg(hit_domain_has(&p.index, x) && hit_domain_has(&p.index, y) &&
                              meets(&p, x, y),
                          "%s: are no witnesses", p.text);
        }
        exact += distance.any && distance.exact;
        met += apart;
        hit_pattern_clear(&p.written);
    }
    ck_assert_int_gt(exact, cases / 16);
    ck_assert_int_gt(met, cases / 32);
}
END_TEST

START_TEST(an_element_for_each_index_is_known)
{
    static const char *const yes[] = {"[i, j]", "[j+1, i-2]", "[i, 3]",
                                      "[i, :]", "[0:2, j]",   "[:]"};
    static const char *const no[] = {"[i] [j]", "[i:i+1]", "[2*i]",  "[i, i]",
                                     "[i+j]",   "[0:i]",   "[0:6:2]"};
    hit_pattern pattern;

    for (size_t n = 0; n < sizeof yes / sizeof *yes; n++) {
        ck_assert_int_eq(hit_pattern_parse(yes[n], 2, names, &pattern), HIT_OK);
        ck_assert_msg(hit_pattern_is_element(&pattern), "%s", yes[n]);
        hit_pattern_clear(&pattern);
    }
    for (size_t n = 0; n < sizeof no / sizeof *no; n++) {
        ck_assert_int_eq(hit_pattern_parse(no[n], 2, names, &pattern), HIT_OK);
        ck_assert_msg(!hit_pattern_is_element(&pattern), "%s", no[n]);
        hit_pattern_clear(&pattern);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("distance");
    TCase *distance = tcase_create("distance");

    tcase_add_test(distance, distances_are_those_of_all_pairs);
    tcase_add_test(distance, an_element_for_each_index_is_known);
    suite_add_tcase(all, distance);
    return all;
}

int main(void)
{
    return check_run(suite());
}
