/* SPDX-License-Identifier: MIT
 * Launches that must fail: wrong kernels, arguments, patterns and tiles. */
#include "hit/topo/layout_plugin.h"
#include "patterns/kernel.h"
#include "tests/hit/launch/expect.h"
#include "tests/support/test_kernels.h"

extern const hit_kernel star, shifted, totals, behind;

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

static const hit_domain whole = {1, {{0, EXPECT_N - 1, 1}}};

static hit_status never(const hit_run *run)
{
    (void)run;
    return HIT_E_INTERNAL;
}

static hit_tile *make_tile(hit_context *hit, hit_domain domain, hit_type type,
                           const char *name)
{
    hit_layout *layout = NULL;
    hit_tile *tile = NULL;

    HIT_MUST(hit_layout_create(hit, domain, "block", &layout));
    HIT_MUST(hit_tile_create(layout, type, name, &tile));
    hit_layout_destroy(&layout);
    return tile;
}

#define BAD_TEXTS 11
#define BAD(n, text)                                                                     \
    static const hit_kernel_arg bad_args_##n[] = {                                       \
        {HIT_MODE_OUT, {HIT_KIND_INT64, 8}, "to", "[i]"},                                \
        {HIT_MODE_IN, {HIT_KIND_INT64, 8}, "from", text}};                               \
    static const hit_kernel bad_##n = {.name = "bad",                                    \
                                       .dims = 1,                                        \
                                       .index = {"i"},                                   \
                                       .args = 2,                                        \
                                       .arg = bad_args_##n,                              \
                                       .host = never};
BAD(0, "")
BAD(1, "[")
BAD(2, "[i")
BAD(3, "[i,]")
BAD(4, "[j]")
BAD(5, "[i+]")
BAD(6, "[i:i+1]x")
BAD(7, "[i*i]")
BAD(8, "[3:1]")
BAD(9, NULL)
BAD(10, "[i:i+9:0]")

START_TEST(wrong_patterns_are_told_with_kernel_and_argument)
{
    static const hit_kernel *const bad[BAD_TEXTS] = {&bad_0, &bad_1, &bad_2, &bad_3,
                                                     &bad_4, &bad_5, &bad_6, &bad_7,
                                                     &bad_8, &bad_9, &bad_10};
    expectations e = expect_open(NULL);

    for (int k = 0; k < BAD_TEXTS; k++) {
        const char *text = bad[k]->arg[1].pattern;

        expect_failure(&e, hit_launch(e.hit, bad[k], whole, e.next, e.now), HIT_E_PATTERN,
                       text != NULL ? text : "no pattern", "kernel bad|argument from");
        if (text != NULL) {
            expect_true(&e, strstr(hit_status_text(), text) != NULL, text);
            expect_true(&e, strchr(hit_status_text(), '^') != NULL, "caret");
        }
    }
    expect_close(&e);
}
END_TEST

START_TEST(wrong_arguments_are_told)
{
    expectations e = expect_open(NULL);
    hit_tile *single = make_tile(e.hit, whole, HIT_FLOAT, "single");
    hit_tile *none = NULL;
    hit_arg args[3] = {hit_arg_tile(e.next), hit_arg_tile(e.now), HIT_VALUE(1)};

    expect_failure(&e, hit_launch(e.hit, &line, whole, e.next), HIT_E_ARG, "too few",
                   "kernel line|expected 2 arguments but found 1");
    expect_failure(&e, hit_launch(e.hit, &line, whole, e.next, e.now, e.now), HIT_E_ARG,
                   "too many", "kernel line|expected 2 arguments but found 3");
    expect_failure(&e, hit_launch(e.hit, &line, whole, e.next, e.now, HIT_WHERE(NULL)),
                   HIT_E_ARG, "no inequalities",
                   "found 3, the last one NULL|HIT_WHERE()");
    expect_failure(&e, hit_launch(e.hit, &line, whole, e.next, e.now, HIT_ON(NULL)),
                   HIT_E_ARG, "no devices", "found 3, the last one NULL|HIT_ON()");
    expect_failure(&e, hit_launch(e.hit, &line, whole, e.next, none), HIT_E_ARG,
                   "NULL tile",
                   "kernel line|argument now|expected a tile but found NULL");
    expect_failure(&e, hit_launch(e.hit, &line, whole, e.next, HIT_VALUE(1)), HIT_E_ARG,
                   "value for a tile",
                   "kernel line|argument now|expected a tile but found a value");
    expect_failure(&e, hit_launch(e.hit, &line, whole, e.next, single), HIT_E_ARG,
                   "other type", "argument now|int64 (8 bytes)|found float (4 bytes)");
    args[1].value = &args; /* both a tile and a value */
    expect_failure(&e, hit_launch_args(e.hit, NULL, &line, whole, 2, args), HIT_E_ARG,
                   "tile and value", "kernel line|argument now");
    expect_failure(&e, hit_launch_args(e.hit, NULL, &line, whole, 2, NULL), HIT_E_ARG,
                   "no arguments", "kernel line|2 arguments but found NULL");
    expect_failure(&e, hit_launch(e.hit, NULL, whole, e.next, e.now), HIT_E_ARG,
                   "no kernel", "expected a kernel|NULL");
    hit_tile_destroy(&single);
    expect_close(&e);
}
END_TEST

START_TEST(wrong_values_are_told)
{
    const hit_domain box = hit_domain_of(6, 7);
    expectations e = expect_open(NULL);
    hit_tile *a = make_tile(e.hit, box, HIT_INT64, "a");
    hit_tile *b = make_tile(e.hit, box, HIT_INT64, "b");

    HIT_MUST(hit_tile_set_boundary(a, -1, HIT_BOUNDARY_CLAMP, NULL));
    expect_failure(&e, hit_launch(e.hit, &star, box, b, a, HIT_VALUE(2.5)), HIT_E_ARG,
                   "double for int64", "argument c|int64|found double (8 bytes)");
    expect_failure(&e, hit_launch(e.hit, &star, box, b, a, HIT_VALUE(2.5f)), HIT_E_ARG,
                   "float for int64", "argument c|found float (4 bytes)");
    expect_failure(&e, hit_launch(e.hit, &star, box, b, a, a), HIT_E_ARG,
                   "tile for a value", "argument c|HIT_VALUE()|found a tile");
    expect_failure(&e, hit_launch(e.hit, &star, box, b, HIT_VALUE((int64_t){1}), a),
                   HIT_E_ARG, "wrong order", "argument now|a tile but found a value");
    hit_tile_destroy(&a);
    hit_tile_destroy(&b);
    expect_close(&e);
}
END_TEST

START_TEST(a_struct_is_told_by_its_name)
{
    expectations e = expect_open(NULL);
    hit_tile *from = make_tile(e.hit, hit_domain_of(9, 9), HIT_DOUBLE, "from");
    hit_tile *to = make_tile(e.hit, hit_domain_of(9, 9), HIT_DOUBLE, "to");
    const struct {
        double of[3];
    } wide = {{1, 2, 3}};

    expect_failure(
        &e,
        hit_launch(e.hit, &test_star2, hit_box_of(2, 6, 2, 6), to, from, HIT_VALUE(wide)),
        HIT_E_ARG, "another struct",
        "argument c|type test_pair (16 bytes) but found plain bytes (24 bytes)");
    hit_tile_destroy(&to);
    hit_tile_destroy(&from);
    expect_close(&e);
}
END_TEST

START_TEST(whole_numbers_are_taken_where_they_fit)
{
    enum colour {
        RED = 1,
        BLUE = 2
    };
    expectations e = expect_open(NULL);
    hit_tile *a = make_tile(e.hit, hit_domain_of(9, 9), HIT_INT64, "a");
    hit_tile *b = make_tile(e.hit, hit_domain_of(9, 9), HIT_INT64, "b");
    const hit_domain box = hit_box_of(2, 6, 2, 4);
    const enum colour colour = BLUE;

    HIT_MUST(hit_launch(e.hit, &star, box, b, a, HIT_VALUE(colour)));
    HIT_MUST(hit_launch(e.hit, &star, box, b, a, HIT_VALUE((size_t)RED)));
    HIT_MUST(hit_launch(e.hit, &star, box, b, a, HIT_VALUE(-2)));
    HIT_MUST(hit_launch(e.hit, &star, box, b, a, HIT_VALUE(2LL)));
    expect_failure(
        &e, hit_launch(e.hit, &star, box, b, a, HIT_VALUE(UINT64_MAX)), HIT_E_ARG,
        "too large",
        "argument c|a value that int64_t holds but found 18446744073709551615");
    hit_tile_destroy(&b);
    hit_tile_destroy(&a);
    expect_close(&e);
}
END_TEST

START_TEST(tiles_and_layouts_of_others_are_refused)
{
    expectations e = expect_open(NULL);
    expectations other = expect_open(NULL);
    hit_layout *planned = NULL;

    HIT_MUST(hit_layout_plan(hit_layout_table[0], whole, 12, NULL, &planned));
    expect_failure(&e, hit_launch(e.hit, &line, whole, e.next, other.now), HIT_E_ARG,
                   "tile of another context", "argument now|tile now|another context");
    expect_failure(&e, hit_launch_on(e.hit, other.layout, &line, whole, e.next, e.now),
                   HIT_E_ARG, "layout of another context", "block|another context");
    expect_failure(&e, hit_launch_on(e.hit, planned, &line, whole, e.next, e.now),
                   HIT_E_ARG, "layout for planning", "layout block|planning");
    expect_failure(&e, hit_tile_copy(e.now, other.next), HIT_E_ARG,
                   "copy between contexts", "same context");
    expect_usable(&other, "failures of another context");
    hit_layout_destroy(&planned);
    expect_close(&other);
    expect_close(&e);
}
END_TEST

START_TEST(patterns_that_leave_a_tile_are_refused)
{
    const hit_domain inner = hit_domain_grow(whole, -3);
    const hit_domain box = hit_domain_of(6, 7);
    expectations e = expect_open(NULL);
    hit_tile *bare = make_tile(e.hit, whole, HIT_INT64, "bare");
    hit_tile *plane = make_tile(e.hit, box, HIT_INT64, "plane");

    expect_failure(
        &e, hit_launch(e.hit, &line, whole, e.next, bare), HIT_E_PATTERN, "no boundary",
        "kernel line|argument now|tile bare|\"[i-3:i+2]\"|-3:24|0:22|boundary");
    expect_true(&e, hit_launch(e.hit, &line, inner, e.next, bare) == HIT_OK,
                "a smaller domain is right");
    HIT_MUST(hit_tile_set_boundary(plane, -1, HIT_BOUNDARY_PERIODIC, NULL));
    expect_failure(&e, hit_launch(e.hit, &shifted, box, plane, plane), HIT_E_ARG,
                   "written and read", "argument b is written|argument a|tile plane");
    hit_tile *other = make_tile(e.hit, box, HIT_INT64, "other");
    HIT_MUST(hit_tile_set_boundary(other, -1, HIT_BOUNDARY_PERIODIC, NULL));
    expect_failure(&e, hit_launch(e.hit, &shifted, box, plane, other), HIT_E_PATTERN,
                   "written beyond a boundary",
                   "kernel shifted|argument b|tile plane|\"[i+1, j]\"|1:6 x 0:6|0:5");
    expect_failure(&e, hit_launch(e.hit, &line, whole, plane, e.now), HIT_E_PATTERN,
                   "tile of two dimensions",
                   "argument next|tile of 1 dimensions|\"[i]\"|found 2");
    hit_tile_destroy(&other);
    hit_tile_destroy(&plane);
    hit_tile_destroy(&bare);
    expect_close(&e);
}
END_TEST

START_TEST(a_range_between_the_elements_of_a_strided_tile_is_told)
{
    const hit_domain even = {1, {hit_sig_make(0, 22, 2)}};
    const hit_domain inner = {1, {hit_sig_make(8, 14, 2)}};
    const hit_domain between = {1, {hit_sig_make(9, 15, 2)}};
    expectations e = expect_open(NULL);
    hit_tile *part = NULL;

    HIT_MUST(hit_tile_select(e.now, even, &part)); /* line reads "[i-3:i+2]" */
    expect_failure(&e, hit_launch(e.hit, &line, inner, e.next, part), HIT_E_PATTERN,
                   "an even index",
                   "touches 5:15:2|has 0:22:2|begin the range one further");
    expect_true(&e, hit_launch(e.hit, &line, between, e.next, part) == HIT_OK,
                "odd indices have even ones around them");
    hit_tile_destroy(&part);
    expect_close(&e);
}
END_TEST

START_TEST(written_tiles_must_not_be_seen_twice)
{
    expectations e = expect_open(NULL);
    const hit_index half = EXPECT_N / 2;
    const hit_index last = EXPECT_N - 1;
    hit_domain parts[2] = {hit_domain_of(half), hit_domain_box(1, &half, &last)};
    hit_domain run = hit_domain_box(1, &(hit_index){3}, &(hit_index){half - 3});
    hit_tile *low = NULL;
    hit_tile *high = NULL;

    HIT_MUST(hit_tile_select(e.next, parts[0], &low));
    HIT_MUST(hit_tile_select(e.next, parts[1], &high));
    expect_failure(&e, hit_launch(e.hit, &line, whole, e.now, e.now), HIT_E_ARG,
                   "the same tile", "argument next is written|argument now|tile now");
    expect_failure(&e, hit_launch(e.hit, &line, run, low, e.next), HIT_E_ARG,
                   "a selection and its tile", "argument next is written|tile next");
    expect_failure(&e, hit_launch(e.hit, &line, run, e.next, low), HIT_E_ARG,
                   "a tile and its selection", "argument next is written|tile next");
    expect_failure(&e, hit_launch(e.hit, &line, run, low, high), HIT_E_PATTERN,
                   "disjoint selections may be used, but not beyond their ends",
                   "argument now|11:22");
    hit_tile_destroy(&low);
    hit_tile_destroy(&high);
    expect_close(&e);
}
END_TEST

static hit_domain from_to(hit_index first, hit_index last)
{
    return hit_domain_box(1, &first, &last);
}

/* What is apart depends on the indices; a plan of two tiles does not allow it for one. */
START_TEST(written_tiles_may_be_seen_elsewhere)
{
    expectations e = expect_open(NULL);
    hit_tile *other = make_tile(e.hit, hit_domain_of(EXPECT_N), HIT_INT64, "other");

    HIT_MUST(hit_launch(e.hit, &behind, from_to(5, 9), e.next, e.next));
    expect_failure(&e, hit_launch(e.hit, &behind, from_to(5, 10), e.next, e.next),
                   HIT_E_ARG, "one index too many",
                   "argument to is written|argument from|5:10 and 0:5");
    HIT_MUST(hit_launch(e.hit, &behind, from_to(6, 11), e.next, other));
    HIT_MUST(hit_launch(e.hit, &behind, from_to(7, 12), e.next, other));
    expect_failure(&e, hit_launch(e.hit, &behind, from_to(7, 12), e.next, e.next),
                   HIT_E_ARG, "where it was right for two tiles",
                   "argument to is written|7:12 and 2:7");
    HIT_MUST(hit_launch(e.hit, &behind, from_to(8, 12), e.next, e.next));
    expect_failure(&e, hit_launch(e.hit, &behind, from_to(8, 13), e.next, e.next),
                   HIT_E_ARG, "beside a place where it was right",
                   "argument to is written|8:13 and 3:8");
    expect_failure(&e, hit_launch(e.hit, &behind, from_to(0, 0), e.now, e.now), HIT_E_ARG,
                   "beyond a boundary lie elements of the tile",
                   "argument to is written|0 and -5");
    hit_tile_destroy(&other);
    expect_close(&e);
}
END_TEST

static const hit_kernel_arg sum_args[] = {
    {HIT_MODE_SUM, {HIT_KIND_BYTES, 8}, "total", "[]"},
    {HIT_MODE_IN, {HIT_KIND_INT64, 8}, "a", "[i]"}};
static const hit_kernel_arg two_args[] = {
    {HIT_MODE_OUT, {HIT_KIND_INT64, 8}, "next", "[i]"},
    {HIT_MODE_IN, {HIT_KIND_INT64, 8}, "now", "[i]"}};
static const hit_kernel_arg odd_args[] = {
    {HIT_MODE_OUT, {HIT_KIND_INT64, 8}, "next", "[i]"},
    {(hit_mode)99, {HIT_KIND_INT64, 8}, "now", "[i]"}};
static const hit_kernel_arg nameless_args[] = {
    {HIT_MODE_OUT, {HIT_KIND_INT64, 8}, "next", "[i]"},
    {HIT_MODE_IN, {HIT_KIND_INT64, 8}, NULL, "[i]"}};
static const hit_kernel_arg whole_sum_args[] = {
    {HIT_MODE_SUM, {HIT_KIND_INT64, 8}, "total", "[i]"},
    {HIT_MODE_IN, {HIT_KIND_INT64, 8}, "now", "[i]"}};

#define KERNEL(name_, index_, args_, box, host_)                                         \
    {                                                                                    \
        .name = (name_), .dims = 1, .index = {(index_)}, .args = 2, .arg = (args_),      \
        .whole_box = (box), .host = (host_)                                              \
    }
static const hit_kernel sums_bytes = KERNEL("made", "i", sum_args, 0, never);
static const hit_kernel sums_unsigned = {.name = "made",
                                         .dims = 1,
                                         .index = {"i"},
                                         .args = 2,
                                         .arg = sum_args,
                                         .c_type = {"uint32_t", "int64_t"},
                                         .host = never};
static const hit_kernel absent = KERNEL("made", "i", two_args, 0, NULL);
static const hit_kernel odd = KERNEL("made", "i", odd_args, 0, never);
static const hit_kernel nameless_arg = KERNEL("made", "i", nameless_args, 0, never);
static const hit_kernel nameless = KERNEL(NULL, "i", two_args, 0, never);
static const hit_kernel bare_table = KERNEL("made", "i", NULL, 0, never);
static const hit_kernel no_index = KERNEL("made", NULL, two_args, 0, never);
static const hit_kernel whole_sum = KERNEL("made", "i", whole_sum_args, 1, never);
static const hit_operations of_none = {.per_step = 2, .along = {2, 0}};
static const hit_operations of_second = {.per_step = 2, .along = {1, 1}};
static const hit_along second = {0, 1};
static const hit_kernel no_such_arg = {.name = "made",
                                       .dims = 1,
                                       .index = {"i"},
                                       .args = 2,
                                       .arg = two_args,
                                       .host = never,
                                       .operations = &of_none};
static const hit_kernel no_such_dim = {.name = "made",
                                       .dims = 1,
                                       .index = {"i"},
                                       .args = 2,
                                       .arg = two_args,
                                       .host = never,
                                       .operations = &of_second};
static const hit_kernel no_such_sum = {.name = "made",
                                       .dims = 1,
                                       .index = {"i"},
                                       .args = 2,
                                       .arg = two_args,
                                       .whole_box = 2,
                                       .alongs = 1,
                                       .along = &second,
                                       .host = never};

START_TEST(kernels_put_together_wrongly_are_refused)
{
    expectations e = expect_open(NULL);
    hit_tile *total = make_tile(e.hit, hit_domain_scalar(), HIT_BYTES(int64_t), "total");

    expect_failure(
        &e, hit_launch(e.hit, &sums_bytes, whole, total, e.now), HIT_E_ARG,
        "sum of bytes",
        "kernel made|argument total|expected a C type of real|found plain bytes");
    expect_failure(&e, hit_launch(e.hit, &sums_unsigned, whole, total, e.now), HIT_E_ARG,
                   "sum of uint32_t", "kernel made|argument total|found uint32_t");
    expect_failure(&e, hit_launch(e.hit, &absent, whole, e.next, e.now), HIT_E_ABSENT,
                   "no host implementation", "kernel made|no implementation for host");
    expect_failure(&e, hit_launch(e.hit, &odd, whole, e.next, e.now), HIT_E_ARG,
                   "unknown mode", "kernel made|argument now|mode 99");
    expect_failure(&e, hit_launch(e.hit, &nameless_arg, whole, e.next, e.now), HIT_E_ARG,
                   "argument without a name", "kernel made|argument 1");
    expect_failure(&e, hit_launch(e.hit, &nameless, whole, e.next, e.now), HIT_E_ARG,
                   "kernel without a name", "expected a kernel with a name");
    expect_failure(&e, hit_launch(e.hit, &bare_table, whole, e.next, e.now), HIT_E_ARG,
                   "kernel without a table", "expected a kernel with a name");
    expect_failure(&e, hit_launch(e.hit, &no_index, whole, e.next, e.now), HIT_E_ARG,
                   "index without a name", "kernel made|1 index names but found 0");
    expect_failure(&e, hit_launch(e.hit, &whole_sum, whole, e.next, e.now), HIT_E_ARG,
                   "whole box that reduces", "kernel made|argument total|cannot reduce");
    expect_failure(&e, hit_launch(e.hit, &no_such_arg, whole, e.next, e.now), HIT_E_ARG,
                   "operations along no argument", "kernel made|0 to 1|found 2");
    expect_failure(&e, hit_launch(e.hit, &no_such_dim, whole, e.next, e.now), HIT_E_ARG,
                   "operations along no dimension", "argument now|below 1|found 1");
    expect_failure(&e, hit_launch(e.hit, &no_such_sum, whole, e.next, e.now), HIT_E_ARG,
                   "sum along no dimension", "argument next|below 1|found 1");
    hit_tile_destroy(&total);
    expect_close(&e);
}
END_TEST

START_TEST(wrong_launch_domains_are_told)
{
    const hit_index five[] = {2, 2, 2, 2, 2};
    expectations e = expect_open(NULL);
    hit_domain wild = whole;

    wild.sig[0] = (hit_sig){0, 9, 4}; /* 9 is no element */
    expect_failure(&e, hit_launch(e.hit, &line, hit_domain_of(3, 3), e.next, e.now),
                   HIT_E_ARG, "two dimensions", "kernel line|1 dimensions but found 2");
    expect_failure(&e, hit_launch(e.hit, &line, hit_domain_scalar(), e.next, e.now),
                   HIT_E_ARG, "no dimension", "kernel line|1 dimensions but found 0");
    expect_failure(&e,
                   hit_launch(e.hit, &line, hit_domain_of_sizes(5, five), e.next, e.now),
                   HIT_E_ARG, "five sizes", "kernel line|1 dimensions but found 4");
    expect_failure(&e, hit_launch(e.hit, &line, ((hit_domain){.dims = 7}), e.next, e.now),
                   HIT_E_ARG, "seven dimensions", "0 to 4 dimensions but found 7");
    expect_failure(&e, hit_launch(e.hit, &line, wild, e.next, e.now), HIT_E_ARG,
                   "no signature", "canonical|(0, 9, 4)");
    expect_failure(
        &e,
        hit_launch_on(e.hit, e.layout, &line, hit_domain_grow(whole, 1), e.next, e.now),
        HIT_E_PATTERN, "written beyond the end", "argument next|-1:23");
    /* sizes < 1 are empty domains: nothing to do is no failure */
    expect_failure(&e, hit_launch(e.hit, &line, hit_domain_of(0), e.next, e.now), HIT_OK,
                   "no index", "");
    expect_failure(&e, hit_launch(e.hit, &line, hit_domain_of(-4), e.next, e.now), HIT_OK,
                   "a negative size", "");
    expect_close(&e);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("errors");
    TCase *tests = tcase_create("launches");

    tcase_add_test(tests, wrong_patterns_are_told_with_kernel_and_argument);
    tcase_add_test(tests, wrong_arguments_are_told);
    tcase_add_test(tests, wrong_values_are_told);
    tcase_add_test(tests, a_struct_is_told_by_its_name);
    tcase_add_test(tests, whole_numbers_are_taken_where_they_fit);
    tcase_add_test(tests, tiles_and_layouts_of_others_are_refused);
    tcase_add_test(tests, patterns_that_leave_a_tile_are_refused);
    tcase_add_test(tests, a_range_between_the_elements_of_a_strided_tile_is_told);
    tcase_add_test(tests, written_tiles_must_not_be_seen_twice);
    tcase_add_test(tests, written_tiles_may_be_seen_elsewhere);
    tcase_add_test(tests, kernels_put_together_wrongly_are_refused);
    tcase_add_test(tests, wrong_launch_domains_are_told);
    tcase_set_timeout(tests, 120);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
