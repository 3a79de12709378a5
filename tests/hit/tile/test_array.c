/* SPDX-License-Identifier: MIT
 * Elements around what a process owns, by their definition; tiles of one array. */
#include "hit/tile/array.h"
#include "patterns/parse.h"
#include "patterns/transform.h"
#include "tests/hit/launch/expect.h"
#include "tests/hit/launch/scene.h"

#include <stdlib.h>

static hit_context *base; /* keeps MPI open */

static const char *const patterns[] = {
    "[i-1:i+1, j]",
    "[i, j]",
    "[i-1:i+1, j] [i, j-2:j+1]",
    "[i-2:i, j-1:j+3]",
    "[i+2, j] [i, j+1]",
    "[i, :] [:, j]",
    "[i/2, j]",
    "[0, j]",
    "[i+j, j]", /* exactly this is no box: more is sent */
    "[i%3, j]",
};

/* The element that x stands for, inside or outside. */
static int64_t expected(const field *f, const hit_index x[])
{
    const bool inside = hit_domain_has(&f->domain, x);

    if (!inside && f->boundary[0] == HIT_BOUNDARY_NONE) return 0;
    return want(f, x);
}

/* Is x touched by some index that this process owns, or is it owned? */
static bool is_said(const hit_pattern *pattern, const hit_domain *tile,
                    const hit_domain *owned, const hit_index x[])
{
    hit_index at[HIT_MAX_DIMS];

    for (bool go = hit_domain_first(owned, at); go; go = hit_domain_next(owned, at)) {
        const hit_domain point = hit_domain_box(2, at, at);

        if (at[0] == x[0] && at[1] == x[1]) return true;
        for (int k = 0; k < pattern->count; k++) {
            const hit_domain one = hit_access_apply(&pattern->access[k], tile, &point);

            if (hit_domain_has(&one, x)) return true;
        }
    }
    return false;
}

static void compare(scene *s, const field *f, const char *text)
{
    static const char *const names[] = {"i", "j"};
    hit_pattern pattern;
    hit_view owned;
    hit_view view;
    hit_index x[HIT_MAX_DIMS];

    HIT_MUST(hit_pattern_parse(text, 2, names, &pattern));
    HIT_MUST(hit_tile_map(f->tile, 0, HIT_READ, &owned));
    HIT_MUST(hit_tile_map_around(f->tile, text, &view));
    if (hit_domain_is_empty(&owned.domain)
            ? !hit_domain_is_empty(&view.domain)
            : !hit_domain_inside(&owned.domain, &view.domain)) {
        s->good = false;
    }
    for (bool go = hit_domain_first(&view.domain, x); go;
         go = hit_domain_next(&view.domain, x)) {
        const bool said = is_said(&pattern, &f->domain, &owned.domain, x);
        const int64_t is = HIT_AT(view, int64_t, x[0], x[1]);
        const int64_t should = expected(f, x);

        if (is == should || (!said && is == 0) || !s->good) continue;
        s->good = false;
        (void)snprintf(s->text, sizeof(s->text),
                       "%s, boundary %d, layout %s: (%lld, %lld) is %lld, not %lld", text,
                       (int)f->boundary[0], hit_layout_name(hit_tile_layout(f->tile)),
                       (long long)x[0], (long long)x[1], (long long)is,
                       (long long)should);
    }
    hit_pattern_clear(&pattern);
}

START_TEST(what_lies_around_is_as_it_is_defined)
{
    static const char *const layouts[] = {"block", "single", "cyclic", "block:dims=0",
                                          "block:dims=1"};
    const int most = (int)(sizeof(patterns) / sizeof(patterns[0])) - 1;
    static const char *const places[] = {"host:threads=1",
                                         "host:threads=1:staged:memory=64KiB"};
    scene s = {.good = true, .random = hit_random_start(61)};

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = places[_i]}, &s.hit));
    for (int n = 0; n < hit_random_cases(60) && s.good; n++) {
        const hit_domain box = random_box(&s, 2, 9);
        const hit_boundary boundary =
            pick(&s, 0, 1) == 0 ? HIT_BOUNDARY_NONE : pick_boundary(&s);
        field f = make_field(&s, box, boundary, layouts[pick(&s, 0, 4)]);

        compare(&s, &f, patterns[pick(&s, 0, most)]);
        compare(&s, &f, patterns[pick(&s, 0, most)]);
        drop_field(&s, &f);
        s.good = agree_in_scene(&s);
    }
    hit_close(&s.hit);
    ck_assert_msg(s.good, "%s", s.text);
}
END_TEST

START_TEST(a_tile_is_made_of_an_array_of_one_process)
{
    enum {
        N = 7,
        M = 5
    };
    const int root = hit_size(base) - 1;
    int32_t whole[N * M];
    int32_t found;
    hit_layout *layout;
    hit_tile *tile = NULL;

    for (int k = 0; k < N * M; k++) {
        whole[k] = hit_rank(base) == root ? 3 * k : -1;
    }
    HIT_MUST(hit_layout_create(base, hit_domain_of(N, M), "cyclic", &layout));
    HIT_MUST(hit_tile_from_array(layout, HIT_INT32, "made", root,
                                 hit_rank(base) == root ? whole : NULL, &tile));
    for (hit_index k = 0; k < (hit_index)N * M; k++) {
        HIT_MUST(hit_tile_get(tile, (hit_index[]){k / M, k % M}, &found));
        ck_assert_int_eq(found, 3 * k);
    }
    hit_tile_destroy(&tile);
    ck_assert_int_ne(hit_tile_from_array(layout, HIT_INT32, "made", root, NULL, &tile),
                     HIT_OK);
    ck_assert_ptr_null(tile);
    ck_assert_int_eq(hit_tile_from_array(layout, HIT_INT32, "made", root, whole, NULL),
                     HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "tile made: expected a place"));
    hit_layout_destroy(&layout);
}
END_TEST

START_TEST(what_cannot_be_is_told)
{
    expectations e = expect_open(NULL);
    hit_layout *layout;
    hit_tile *tile;
    hit_view view;

    HIT_MUST(hit_layout_create(e.hit, hit_domain_of(40), "blockcyclic:block=2", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_INT32, "many", &tile));
    if (hit_size(e.hit) > 1) {
        expect_failure(&e, hit_tile_map_around(tile, "[i-1:i+1]", &view), HIT_E_ARG,
                       "several boxes", "tile many|at most one box on each process");
    }
    expect_failure(&e, hit_tile_map_around(e.now, "[i, j]", &view), HIT_E_PATTERN,
                   "another number of dimensions", "unknown index 'j'");
    expect_failure(&e, hit_tile_map_around(e.now, "[i, 0]", &view), HIT_E_PATTERN,
                   "another number of dimensions",
                   "tile now: expected a pattern of 1 dimensions but found \"[i, 0]\"");
    expect_failure(&e, hit_tile_map_around(e.now, NULL, &view), HIT_E_PATTERN, "no text",
                   "text of a pattern");
    expect_failure(&e, hit_tile_map_around(e.now, "[i-1:i+1]", NULL), HIT_E_ARG,
                   "no place", "a place for a view");
    expect_failure(&e, hit_tile_map_around(NULL, "[i]", &view), HIT_E_ARG, "no tile",
                   "expected a tile but found NULL");
    hit_tile_destroy(&tile);
    hit_layout_destroy(&layout);
    HIT_MUST(hit_layout_create(e.hit, hit_domain_of(4), "single", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_BYTES(char[64]), "wide", &tile));
    expect_failure(&e, hit_tile_map_around(tile, "[i:i+288230376151711744*i]", &view),
                   hit_rank(e.hit) == 0 ? HIT_E_NOMEM : HIT_E_PEER,
                   "more bytes than there are", "tile wide: no memory for");
    hit_tile_destroy(&tile);
    hit_layout_destroy(&layout);
    expect_close(&e);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("hit/tile/array");
    TCase *tests = tcase_create("array");

    tcase_set_timeout(tests, 0);
    tcase_add_loop_test(tests, what_lies_around_is_as_it_is_defined, 0, 2);
    tcase_add_test(tests, a_tile_is_made_of_an_array_of_one_process);
    tcase_add_test(tests, what_cannot_be_is_told);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
