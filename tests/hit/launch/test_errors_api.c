/* SPDX-License-Identifier: MIT
 * Layouts and tiles asked for what they cannot do; NULL where something is expected. */
#include "hit/launch/catalogue.h"
#include "hit/mpi.h"
#include "hit/plan/plan.h"
#include "hit/tile/tile_impl.h"
#include "hit/topo/layout_impl.h"
#include "tests/hit/launch/expect.h"

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

static const hit_domain whole = {1, {{0, EXPECT_N - 1, 1}}};

static void expect_layout(expectations *e, const char *text, const char *words)
{
    const hit_domain box = hit_domain_of(12, 13);
    hit_layout *layout = NULL;

    expect_failure(e, hit_layout_create(e->hit, box, text, &layout), HIT_E_ARG, text,
                   words);
    expect_true(e, layout == NULL, "a failure makes no layout");
}

START_TEST(wrong_layout_texts_are_told)
{
    expectations e = expect_open(NULL);

    expect_layout(&e, "magic", "expected the name of a layout (block, |\"magic\"");
    expect_layout(&e, "blok", "found \"blok\"; did you mean \"block\"?");
    expect_layout(&e, "", "expected the name of a layout");
    expect_layout(&e, "blocks", "\"blocks\"");
    expect_layout(&e, "block grid", "layout block|expected ':' and options|\"grid\"");
    expect_layout(&e, "block:colour=red", "layout block|unknown option colour|grid=");
    expect_layout(&e, "block:grid", "layout block|expected option=value|\"grid\"");
    expect_layout(&e, "block:=3", "layout block|expected option=value");
    expect_layout(&e, "block:grid=", "layout block|expected option=value");
    expect_layout(&e, "block:dims=0,dims=1", "layout block|dims is given twice");
    expect_layout(&e, "block:grid=axb", "layout block|grid=|\"axb\"");
    expect_layout(&e, "block:grid=0x3", "layout block|grid=|\"0x3\"");
    expect_layout(&e, "block:grid=1x2x3", "layout block|grid=|\"1x2x3\"");
    expect_layout(&e, "block:grid=99999999999x1", "layout block|grid=");
    expect_layout(&e, "block:dims=2", "layout block|dims=|found 2");
    expect_layout(&e, "cyclic:dim=2", "layout cyclic|dim=|from 0 to 1|\"2\"");
    expect_layout(&e, "cyclic:dim=-1", "layout cyclic|dim=|\"-1\"");
    expect_layout(&e, "cyclic:dim=one", "layout cyclic|dim=|\"one\"");
    expect_layout(&e, "blockcyclic:block=0", "layout blockcyclic|block=|\"0\"");
    expect_layout(&e, "weighted:weights=1,b", "layout weighted|weights=|b");
    expect_layout(&e, "weighted:weights=1,1,1,1,1,1,1,1,1,1",
                  "layout weighted|numbers but found 10");
    expect_layout(&e, "single:root=99", "layout single|root=|\"99\"");
    expect_close(&e);
}
END_TEST

START_TEST(domains_that_are_none_are_told)
{
    expectations e = expect_open(NULL);
    hit_layout *layout = NULL;
    hit_domain wild = whole;

    wild.sig[0].stride = 0;
    expect_failure(&e, hit_layout_create(e.hit, wild, "block", &layout), HIT_E_ARG,
                   "stride 0", "canonical");
    wild.dims = 9;
    expect_failure(&e, hit_layout_create(e.hit, wild, "block", &layout), HIT_E_ARG,
                   "nine dimensions", "dimensions but found 9");
    expect_failure(&e, hit_layout_create(e.hit, hit_domain_scalar(), "cyclic", &layout),
                   HIT_E_ARG, "a scalar", "layout cyclic|scalar");
    expect_failure(&e, hit_layout_plan(hit_layout_table[0], whole, 0, NULL, &layout),
                   HIT_E_ARG, "no rank", "ranks >= 1 but found 0");
    expect_true(&e, layout == NULL, "a failure makes no layout");
    expect_close(&e);
}
END_TEST

/* A size below 1 is an empty domain, with which all can be done that needs no element. */
START_TEST(tiles_without_elements_are_legal)
{
    static const char *const layouts[] = {"block", "cyclic", "weighted", "single"};
    const hit_index at = 0;
    expectations e = expect_open(NULL);

    for (int k = 0; k < 4; k++) {
        hit_layout *layout = NULL;
        hit_tile *tile = NULL;
        hit_tile *other = NULL;
        int64_t value = 5;
        const hit_domain none = hit_domain_of(-k);

        HIT_MUST(hit_layout_create(e.hit, none, layouts[k], &layout));
        HIT_MUST(hit_tile_create(layout, HIT_INT64, "none", &tile));
        HIT_MUST(hit_tile_create(layout, HIT_INT64, "other", &other));
        HIT_MUST(hit_tile_set_boundary(tile, 0, HIT_BOUNDARY_PERIODIC, NULL));
        HIT_MUST(hit_tile_fill(tile, &value));
        HIT_MUST(hit_tile_gather(tile, 0, &value));
        HIT_MUST(hit_tile_scatter(tile, 0, &value));
        HIT_MUST(hit_tile_copy(tile, other));
        HIT_MUST(hit_launch(e.hit, &line, none, other, tile));
        expect_true(&e, hit_tile_pieces(tile) == 0, "nobody owns anything");
        expect_failure(&e, hit_tile_get(tile, &at, &value), HIT_E_ARG, "an element",
                       "tile none|inside");
        expect_failure(&e, hit_launch(e.hit, &line, hit_domain_of(3), other, tile),
                       HIT_E_PATTERN, "indices of nothing", "argument next|tile other");
        hit_tile_destroy(&tile);
        hit_tile_destroy(&other);
        hit_layout_destroy(&layout);
    }
    expect_close(&e);
}
END_TEST

START_TEST(selections_stay_inside_their_parents)
{
    expectations e = expect_open(NULL);
    const hit_domain inner = hit_domain_grow(whole, -4);
    hit_tile *part = NULL;
    hit_tile *more = NULL;

    HIT_MUST(hit_tile_select(e.next, inner, &part));
    expect_failure(&e, hit_tile_select(e.next, hit_domain_grow(whole, 1), &more),
                   HIT_E_ARG, "beyond the end", "0:22 of tile next but found -1:23");
    expect_failure(&e, hit_tile_select(part, whole, &more), HIT_E_ARG,
                   "beyond a selection", "4:18 of tile next but found 0:22");
    expect_failure(&e, hit_tile_select(e.next, hit_domain_of(2, 2), &more), HIT_E_ARG,
                   "two dimensions", "0:22 of tile next but found 0:1 x 0:1");
    expect_failure(&e, hit_tile_set_boundary(part, 0, HIT_BOUNDARY_CLAMP, NULL),
                   HIT_E_ARG, "boundary of a selection", "tile next|selection");
    expect_failure(&e, hit_tile_relayout(part, e.layout), HIT_E_ARG,
                   "a selection is distributed", "tile next|selections");
    expect_failure(&e, hit_tile_relayout(e.next, e.layout), HIT_E_ARG,
                   "a selected tile is distributed", "tile next|selections");
    expect_true(&e, more == NULL, "a failure makes no tile");
    hit_tile_destroy(&part);
    expect_close(&e);
}
END_TEST

START_TEST(boundaries_are_checked)
{
    expectations e = expect_open(NULL);
    hit_domain odd = {1, {hit_sig_make(1, 21, 2)}};
    hit_layout *layout = NULL;
    hit_tile *tile = NULL;

    HIT_MUST(hit_layout_create(e.hit, odd, "block", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, "odd", &tile));
    expect_failure(&e, hit_tile_set_boundary(tile, 0, HIT_BOUNDARY_CLAMP, NULL),
                   HIT_E_ARG, "strided", "tile odd|strides of 1");
    expect_failure(&e, hit_tile_set_boundary(e.now, 1, HIT_BOUNDARY_CLAMP, NULL),
                   HIT_E_ARG, "dimension 1", "tile now|from -1 to 0 but found 1");
    expect_failure(&e, hit_tile_set_boundary(e.now, -2, HIT_BOUNDARY_CLAMP, NULL),
                   HIT_E_ARG, "dimension -2", "tile now|but found -2");
    expect_failure(&e, hit_tile_set_boundary(e.now, 0, (hit_boundary)17, NULL), HIT_E_ARG,
                   "kind 17", "tile now|kind of boundary but found 17");
    hit_tile_destroy(&tile);
    hit_layout_destroy(&layout);
    expect_close(&e);
}
END_TEST

START_TEST(elements_outside_a_tile_cannot_be_got)
{
    expectations e = expect_open(NULL);
    const hit_index outside[] = {-1, EXPECT_N, 1000};
    const hit_index five = 5;
    int64_t value = 0;

    for (int k = 0; k < 3; k++) {
        char words[80];

        snprintf(words, sizeof(words), "tile now|inside 0:22 but found %d:%d",
                 (int)outside[k], (int)outside[k]);
        expect_failure(&e, hit_tile_get(e.now, &outside[k], &value), HIT_E_ARG, "outside",
                       words);
    }
    expect_failure(&e, hit_tile_get(e.now, NULL, &value), HIT_E_ARG, "no index",
                   "tile now|inside 0:22 but found NULL");
    expect_failure(&e, hit_tile_get(e.now, &five, NULL), HIT_E_ARG, "no place",
                   "tile now|place for the value");
    /* on one process only: an error on all */
    expect_failure(&e, hit_tile_get(e.now, &five, hit_rank(e.hit) == 0 ? NULL : &value),
                   hit_rank(e.hit) == 0 ? HIT_E_ARG : HIT_E_PEER, "one has no place",
                   "place for the value");
    expect_true(&e, hit_tile_get(e.now, &five, &value) == HIT_OK && value == 5,
                "element 5 can be got");
    expect_close(&e);
}
END_TEST

START_TEST(whole_tiles_are_moved_between_right_places_only)
{
    expectations e = expect_open(NULL);
    const int ranks = hit_size(e.hit);
    const bool root = hit_rank(e.hit) == 0;
    hit_layout *flat = NULL;
    hit_tile *single = NULL;
    int64_t all[EXPECT_N];
    char words[80];

    HIT_MUST(hit_layout_create(e.hit, hit_domain_of(3, 4), "block", &flat));
    HIT_MUST(hit_tile_create(flat, HIT_FLOAT, "single", &single));
    snprintf(words, sizeof(words), "root from 0 to %d but found %d", ranks - 1, ranks);
    expect_failure(&e, hit_tile_gather(e.now, ranks, all), HIT_E_ARG, "root", words);
    expect_failure(&e, hit_tile_scatter(e.next, ranks, all), HIT_E_ARG, "root", words);
    expect_failure(&e, hit_tile_gather(e.now, -1, all), HIT_E_ARG, "root", "found -1");
    expect_failure(&e, hit_tile_gather(e.now, 0, NULL), root ? HIT_E_ARG : HIT_E_PEER,
                   "no buffer at root", "tile now|buffer on process 0 but found NULL");
    expect_failure(&e, hit_tile_scatter(e.next, 0, NULL), root ? HIT_E_ARG : HIT_E_PEER,
                   "no buffer at root", "tile next|buffer on process 0 but found NULL");
    expect_failure(&e, hit_tile_gather(e.now, 0, root ? all : NULL), HIT_OK,
                   "buffers elsewhere are ignored", "");
    expect_true(&e, !root || all[7] == 7, "element 7 is gathered");
    expect_failure(
        &e, hit_tile_copy(e.now, single), HIT_E_ARG, "other type",
        "tile single|expected elements of type int64 (8 bytes), as tile now has|but "
        "found float (4 bytes)");
    expect_failure(&e, hit_tile_copy(e.now, e.now), HIT_E_ARG, "itself",
                   "tile now|onto itself");
    expect_failure(&e, hit_tile_relayout(e.next, flat), HIT_E_ARG, "other domain",
                   "tile next|0:22|0:2 x 0:3");
    hit_tile_destroy(&single);
    hit_layout_destroy(&flat);
    expect_close(&e);
}
END_TEST

START_TEST(tiles_are_made_of_right_parts_only)
{
    expectations e = expect_open(NULL);
    hit_layout *planned = NULL;
    hit_tile *tile = NULL;
    hit_view view;
    const int pieces = hit_tile_pieces(e.now);

    HIT_MUST(hit_layout_plan(hit_layout_table[0], whole, 3, NULL, &planned));
    expect_failure(&e, hit_tile_create(planned, HIT_INT64, "t", &tile), HIT_E_ARG,
                   "a layout for planning", "hit_layout_create()|without a context");
    expect_failure(&e, hit_tile_create(e.layout, (hit_type){0}, "t", &tile), HIT_E_ARG,
                   "no size", "tile t|element size > 0");
    expect_failure(&e, hit_tile_map(e.now, pieces + 1, HIT_READ, &view), HIT_E_ARG,
                   "piece", "tile now|expected a piece from 0");
    expect_failure(&e, hit_tile_map(e.now, -1, HIT_READ, &view), HIT_E_ARG, "piece",
                   "tile now|found -1");
    if (pieces > 0) {
        expect_failure(&e, hit_tile_map(e.now, 0, (hit_intent)7, &view), HIT_E_ARG,
                       "intent", "tile now|expected HIT_READ|but found 7");
    }
    expect_failure(&e,
                   hit_tile_create(e.layout, (hit_type){HIT_KIND_FLOAT, 3}, "t", &tile),
                   HIT_E_ARG, "size of a float", "tile t|expected 4 bytes|float|found 3");
    expect_true(&e, tile == NULL, "a failure makes no tile");
    HIT_MUST(hit_tile_make(e.hit, whole, "single", HIT_INT64, "single", &tile));
    expect_true(&e, hit_tile_map(tile, 0, HIT_READ, &view) == HIT_OK, "a look");
    expect_true(&e, hit_domain_is_empty(&view.domain) == (hit_tile_pieces(tile) == 0),
                "elements");
    hit_tile_destroy(&tile);
    hit_layout_destroy(&planned);
    expect_close(&e);
}
END_TEST

/* The last process owns all; the others have nothing to allocate. */
START_TEST(a_tile_that_does_not_fit_one_process_is_told_to_all)
{
    expectations e = expect_open(NULL);
    const int last = hit_size(e.hit) - 1;
    const bool mine = hit_rank(e.hit) == last;
    hit_layout *layout = NULL;
    hit_tile *tile = NULL;
    char text[40];

    snprintf(text, sizeof(text), "single:root=%d", last);
    HIT_MUST(hit_layout_create(e.hit, hit_domain_of((hit_index)1 << 52), text, &layout));
    snprintf(text, sizeof(text), "process %d failed: |vast", last);
    expect_failure(&e, hit_tile_create(layout, HIT_DOUBLE, "vast", &tile),
                   mine ? HIT_E_NOMEM : HIT_E_PEER, "2^55 bytes",
                   mine ? "no memory for vast" : text);
    expect_true(&e, tile == NULL, "a failure makes no tile");
    hit_layout_destroy(&layout);
    expect_close(&e);
}
END_TEST

/* Every function that answers with a status. */
static void expect_null(expectations *e)
{
    hit_layout *layout = NULL;
    hit_tile *tile = NULL;
    hit_region part = {0};
    hit_stats stats;
    hit_view view;
    hit_plan plan;
    int64_t value = 0;
    const hit_kernel *kernel = NULL;
    const hit_status found[] = {
        hit_barrier(NULL),
        hit_context_stats_all(NULL, &stats),
        hit_context_stats_all(e->hit, NULL),
        hit_wait(NULL),
        hit_open_from(NULL, NULL, NULL),
        hit_open_from_fortran(0, NULL, NULL),
        hit_layout_create(NULL, whole, "block", &layout),
        hit_layout_create(e->hit, whole, NULL, &layout),
        hit_layout_create(e->hit, whole, "block", NULL),
        hit_layout_plan(NULL, whole, 2, NULL, &layout),
        hit_layout_plan(hit_layout_table[0], whole, 2, NULL, NULL),
        hit_layout_register(NULL, hit_layout_table[0]),
        hit_layout_register(e->hit, NULL),
        hit_layout_part(NULL, 0, &part),
        hit_layout_part(e->layout, 0, NULL),
        hit_layout_print(NULL, NULL, 0),
        hit_layout_print(e->layout, NULL, 10),
        hit_tile_create(NULL, HIT_INT64, "t", &tile),
        hit_tile_create(e->layout, HIT_INT64, "t", NULL),
        hit_tile_make(NULL, whole, "block", HIT_INT64, "t", &tile),
        hit_tile_make(e->hit, whole, NULL, HIT_INT64, "t", &tile),
        hit_tile_make(e->hit, whole, "block", HIT_INT64, "t", NULL),
        hit_tile_select(NULL, whole, &tile),
        hit_tile_select(e->now, whole, NULL),
        hit_tile_set_boundary(NULL, 0, HIT_BOUNDARY_CLAMP, NULL),
        hit_tile_map(NULL, 0, HIT_READ, &view),
        hit_tile_adopt(NULL, HIT_INT64, "t", NULL, &tile),
        hit_tile_adopt(e->layout, HIT_INT64, "t", NULL, NULL),
        hit_tile_gather(NULL, 0, &value),
        hit_tile_scatter(NULL, 0, &value),
        hit_tile_get(NULL, NULL, &value),
        hit_tile_fill(NULL, &value),
        hit_tile_fill(e->now, NULL),
        hit_tile_copy(NULL, e->now),
        hit_tile_copy(e->now, NULL),
        hit_tile_relayout(NULL, e->layout),
        hit_tile_relayout(e->now, NULL),
        hit_launch(NULL, &line, whole, e->next, e->now),
        hit_kernel_register(NULL, &line),
        hit_kernel_register(e->hit, NULL),
        hit_kernel_find(e->hit, NULL, &kernel),
        hit_kernel_find(e->hit, "heat", NULL),
        hit_plan_make(NULL, &plan),
    };

    for (size_t k = 0; k < sizeof(found) / sizeof(found[0]); k++) {
        char what[40];

        snprintf(what, sizeof(what), "NULL in call %zu", k);
        expect_true(e, found[k] == HIT_E_ARG, what);
    }
    expect_true(e, layout == NULL && tile == NULL && kernel == NULL,
                "a failure makes nothing");
}

START_TEST(null_is_an_error_and_no_crash)
{
    expectations e = expect_open(NULL);

    expect_null(&e);
    expect_usable(&e, "many NULLs");
    expect_close(&e);
}
END_TEST

START_TEST(functions_without_a_status_take_null)
{
    const hit_index at = 0;
    hit_stats stats = {.launches = 3};
    hit_domain domain = hit_tile_domain(NULL);
    char text[8] = "before";

    hit_close(NULL);
    hit_layout_destroy(NULL);
    hit_tile_destroy(NULL);
    hit_tile_swap(NULL, NULL);
    hit_context_stats(NULL, &stats);
    hit_context_stats(base, NULL);
    hit_context_device(NULL, text, sizeof(text));
    ck_assert_str_eq(text, "");
    ck_assert_uint_eq(stats.launches, 0);
    ck_assert_int_eq(hit_rank(NULL), -1);
    ck_assert_int_eq(hit_size(NULL), 0);
    ck_assert(hit_time(NULL) == 0);
    ck_assert(hit_domain_is_empty(&domain));
    ck_assert_int_eq((int)hit_tile_type(NULL).size_bytes, 0);
    ck_assert_str_eq(hit_tile_name(NULL), "");
    ck_assert_ptr_null(hit_tile_layout(NULL));
    ck_assert_int_eq(hit_tile_pieces(NULL), 0);
    domain = hit_layout_domain(NULL);
    ck_assert(hit_domain_is_empty(&domain));
    ck_assert_int_eq(hit_layout_ranks(NULL), 0);
    ck_assert_str_eq(hit_layout_name(NULL), "");
    ck_assert_int_eq(hit_layout_owner(NULL, &at), -1);
    ck_assert(!hit_layout_splits(NULL, 0));
    ck_assert_uint_eq(hit_layout_key(NULL), 0);
    ck_assert_ptr_null(hit_layout_share(NULL));
    ck_assert_ptr_null(hit_arg_tile(NULL).tile);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("errors of layouts and tiles");
    TCase *tests = tcase_create("api");

    tcase_add_test(tests, wrong_layout_texts_are_told);
    tcase_add_test(tests, domains_that_are_none_are_told);
    tcase_add_test(tests, tiles_without_elements_are_legal);
    tcase_add_test(tests, selections_stay_inside_their_parents);
    tcase_add_test(tests, boundaries_are_checked);
    tcase_add_test(tests, elements_outside_a_tile_cannot_be_got);
    tcase_add_test(tests, whole_tiles_are_moved_between_right_places_only);
    tcase_add_test(tests, tiles_are_made_of_right_parts_only);
    tcase_add_test(tests, a_tile_that_does_not_fit_one_process_is_told_to_all);
    tcase_add_test(tests, null_is_an_error_and_no_crash);
    tcase_add_test(tests, functions_without_a_status_take_null);
    tcase_set_timeout(tests, 120);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
