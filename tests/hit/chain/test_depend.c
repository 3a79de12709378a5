/* SPDX-License-Identifier: MIT
 * Which launches may be a chain, and by how much their tiles are shifted. */
#include "hit/chain/chain.h"
#include "hit/chain/spread.h"
#include "hit/chain/tuner.h"
#include "patterns/parse.h"
#include "patterns/transform.h"
#include "tests/support/check_main.h"

#include <string.h>

enum {
    MANY = 16
};

/* A list of launches on tiles of 100 elements in each dimension. */
typedef struct list {
    int count;
    hit_pattern pattern[MANY][2];
    hit_chain_launch launch[MANY];
    const hit_chain_launch *pointer[MANY];
    hit_skew chain;
    char why[300];
} list;

static void begin(list *l)
{
    memset(l, 0, sizeof(*l));
    l->chain.line = 16;
}

static void end(list *l)
{
    for (int k = 0; k < l->count; k++) {
        for (int u = 0; u < l->launch[k].uses; u++) {
            hit_pattern_clear(&l->pattern[k][u]);
        }
    }
}

static void add_use(list *l, const char *name, int storage, bool writes, const char *text)
{
    static const char *const names[] = {"i", "j", "k"};
    hit_chain_launch *launch = &l->launch[l->count];
    hit_pattern *pattern = &l->pattern[l->count][launch->uses];
    hit_chain_use *use = &launch->use[launch->uses++];

    ck_assert_int_eq(hit_pattern_parse(text, launch->domain.dims, names, pattern),
                     HIT_OK);
    *use = (hit_chain_use){.name = name,
                           .storage = storage,
                           .writes = writes,
                           .pattern = pattern,
                           .size_bytes = 4};
    use->tile =
        hit_domain_of_sizes(pattern->tile_dims, (hit_index[]){100, 100, 100, 100});
    use->cover = hit_pattern_cover(pattern, &use->tile, &launch->domain);
}

/* One launch that writes tile @p to and reads tile @p from (NULL: nothing). */
static bool join(list *l, hit_domain domain, int to, const char *written, int from,
                 const char *read)
{
    bool joined;

    l->launch[l->count].kernel = "step";
    l->launch[l->count].domain = domain;
    l->pointer[l->count] = &l->launch[l->count];
    add_use(l, "to", to, true, written);
    if (read != NULL) add_use(l, "from", from, false, read);
    l->count++;
    joined = hit_skew_join(&l->chain, l->pointer, l->why, sizeof(l->why));
    if (joined) ck_assert_int_eq(l->chain.launches, l->count);
    return joined;
}

static const char star[] = "[i, j] [i-1, j] [i+1, j] [i, j-1] [i, j+1]";

static hit_domain inner(void)
{
    return hit_domain_grow(hit_domain_of(100, 100), -1);
}

START_TEST(a_step_that_reads_its_neighbours_shifts_by_one)
{
    list l;

    begin(&l);
    for (int k = 0; k < 8; k++) {
        ck_assert(join(&l, inner(), k % 2, "[i, j]", 1 - k % 2, star));
        for (int c = 0; c < 2; c++) {
            ck_assert_int_eq(l.chain.place[k].shift[c], k);
            ck_assert_int_eq(l.chain.place[k].growth[c], k);
        }
        ck_assert_int_eq(l.chain.place[k].line_shift, 16 * k);
    }
    end(&l);
}
END_TEST

START_TEST(a_one_sided_step_shifts_to_one_side_only)
{
    list l;

    begin(&l);
    ck_assert(join(&l, hit_domain_of(98, 98), 0, "[i, j]", 1, "[i, j]"));
    ck_assert(join(&l, hit_domain_of(98, 98), 2, "[i, j]", 0, "[i+1:i+2, j-1]"));
    ck_assert_int_eq(l.chain.place[1].shift[0], 2);
    ck_assert_int_eq(l.chain.place[1].growth[0], -1);
    ck_assert_int_eq(l.chain.place[1].shift[1], -1);
    ck_assert_int_eq(l.chain.place[1].growth[1], 1);
    end(&l);
}
END_TEST

START_TEST(tiles_that_are_only_read_do_not_matter)
{
    list l;

    begin(&l);
    ck_assert(join(&l, inner(), 0, "[i, j]", 5, "[j, i]"));
    ck_assert(join(&l, inner(), 0, "[i, j]", 5, "[:, 0]"));
    ck_assert_int_eq(l.chain.place[1].shift[0], 0);
    end(&l);
}
END_TEST

START_TEST(launches_that_share_no_elements_do_not_matter)
{
    const hit_domain left = hit_domain_of(100, 40);
    hit_domain right = hit_domain_of(100, 100);
    list l;

    right.sig[1].begin = 60;
    begin(&l);
    ck_assert(join(&l, left, 0, "[i, j]", 1, "[i, j]"));
    ck_assert(join(&l, right, 2, "[i, j]", 0, "[i, j-7:j]"));
    ck_assert_int_eq(l.chain.place[1].shift[1], 0);
    end(&l);
}
END_TEST

START_TEST(a_row_that_is_copied_to_a_border_has_its_place)
{
    list l;

    begin(&l);
    ck_assert(join(&l, inner(), 0, "[i, j]", 1, star));
    l.launch[1].domain = hit_domain_of(100);
    ck_assert(join(&l, hit_domain_of(100), 0, "[0, i]", 0, "[1, i]"));
    ck_assert_int_eq(l.chain.place[1].index[0], -1);
    ck_assert_int_eq(l.chain.place[1].index[1], 0);
    ck_assert_int_eq(l.chain.place[1].begin[0], 0);
    ck_assert_int_eq(l.chain.place[1].end[0], 0);
    ck_assert_int_eq(l.chain.place[1].shift[0], 1);
    end(&l);
}
END_TEST

START_TEST(what_records_a_row_of_each_step_has_the_place_of_the_row)
{
    list l;

    begin(&l);
    ck_assert(join(&l, inner(), 0, "[i, j]", 1, star));
    ck_assert(join(&l, inner(), 1, "[i, j]", 0, star));
    ck_assert(join(&l, hit_domain_box(2, (hit_index[]){7, 0}, (hit_index[]){7, 99}), 2,
                   "[i, j]", 1, "[j, 1]"));
    ck_assert_int_eq(l.chain.place[2].index[0], 1);
    ck_assert_int_eq(l.chain.place[2].index[1], -1);
    ck_assert_int_eq(l.chain.place[2].begin[1], 1);
    ck_assert_int_eq(l.chain.place[2].shift[0], 1);
    ck_assert(join(&l, inner(), 0, "[i, j]", 1, star));
    ck_assert_int_eq(l.chain.place[3].shift[0], 2);
    /* the rows of the tiles are columns of the record */
    ck_assert_int_eq(l.chain.of[2].since, 3);
    ck_assert_int_eq(l.chain.of[2].dim[0], 1);
    ck_assert_int_eq(l.chain.of[2].dim[1], 0);
    ck_assert_ptr_null(hit_chain_cut_refused(&l.chain, l.pointer, 4));
    end(&l);
}
END_TEST

/* A lattice Boltzmann step, and its density. */
START_TEST(components_of_a_cell_are_no_axis)
{
    list l;

    begin(&l);
    ck_assert(join(&l, inner(), 0, "[:, i, j]", 1, "[:, i-1:i+1, j]"));
    ck_assert(join(&l, inner(), 2, "[i, j]", 0, "[3, i, j+2]"));
    ck_assert(join(&l, inner(), 1, "[0:99, i, j]", 0, "[0:2, i, j-1:j+1]"));
    ck_assert(join(&l, hit_domain_of(100), 1, "[5, 0, i]", 0, "[:, 1, i]"));
    ck_assert(join(&l, inner(), 3, "[i, j, :]", 1, "[:, i, j]"));
    ck_assert_int_eq(l.chain.axes, 2);
    ck_assert_int_eq(l.chain.of[0].dim[0], 1);
    ck_assert_int_eq(l.chain.of[2].dim[0], 0);
    ck_assert_int_eq(l.chain.of[3].dim[1], 1);
    ck_assert_int_eq(l.chain.place[1].shift[1], 2);
    ck_assert_int_eq(l.chain.place[2].shift[0], 1);
    ck_assert_int_eq(l.chain.place[2].shift[1], 1);
    ck_assert_int_eq(l.chain.place[3].index[0], -1);
    ck_assert_int_eq(hit_chain_breadth(&l.chain, &l.launch[0].use[0]), 100);
    ck_assert_int_eq(hit_chain_breadth(&l.chain, &l.launch[1].use[0]), 1);
    ck_assert(!join(&l, inner(), 3, "[j, i, :]", 0, "[:, i, j]"));
    ck_assert_int_eq(l.chain.launches, 5);
    hit_skew_cut(&l.chain, 4);
    ck_assert_int_eq(l.chain.of[3].since, 0);
    ck_assert_int_gt(l.chain.of[2].since, 0);
    end(&l);
}
END_TEST

static void expect_refusal(const char *written, const char *read, const char *why)
{
    list l;

    begin(&l);
    ck_assert(join(&l, inner(), 0, "[i, j]", 1, star));
    ck_assert(!join(&l, inner(), 1, written, 0, read));
    ck_assert_msg(strstr(l.why, why) != NULL, "expected %s in: %s", why, l.why);
    ck_assert_int_eq(l.chain.launches, 1);
    end(&l);
}

START_TEST(what_cannot_join_says_why)
{
    expect_refusal("[i, j]", "[j, i]", "argument from: dimension 0 does not follow");
    expect_refusal("[i, j]", "[i, :]", "argument from: dimension 1 does not follow");
    expect_refusal("[i, j]", "[5, j]", "argument from: dimension 0 does not follow");
    expect_refusal("[i, j]", "[2*i, j]", "argument from: dimension 0 does not follow");
    expect_refusal("[i+j, j]", NULL, "argument to: dimension 0 follows no index");
    expect_refusal("[i]", NULL, "no tile has 2 dimensions");
}
END_TEST

START_TEST(a_tiling_prints_as_it_is)
{
    const hit_choice choice = {.steps = 4, .width = {8, 32}};
    hit_tiling tiling;
    char text[200];
    list l;

    begin(&l);
    for (int k = 0; k < 4; k++) {
        ck_assert(join(&l, inner(), k % 2, "[i, j]", 1 - k % 2, star));
    }
    tiling = hit_choice_tiling(&choice, &l.chain, 4, 2);
    hit_tiling_print(&tiling, text, sizeof(text));
    ck_assert_str_eq(
        text, "4 launches, shifts 3 x 3, growths 3 x 3, tiles 8 x 32, chunks 2 x 1");
    hit_tiling_print(&tiling, text, 12);
    ck_assert_str_eq(text, "4 launches,");
    end(&l);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("legality of chains");
    TCase *tc = tcase_create("depend");

    tcase_add_test(tc, a_step_that_reads_its_neighbours_shifts_by_one);
    tcase_add_test(tc, components_of_a_cell_are_no_axis);
    tcase_add_test(tc, a_one_sided_step_shifts_to_one_side_only);
    tcase_add_test(tc, tiles_that_are_only_read_do_not_matter);
    tcase_add_test(tc, launches_that_share_no_elements_do_not_matter);
    tcase_add_test(tc, a_row_that_is_copied_to_a_border_has_its_place);
    tcase_add_test(tc, what_records_a_row_of_each_step_has_the_place_of_the_row);
    tcase_add_test(tc, what_cannot_join_says_why);
    tcase_add_test(tc, a_tiling_prints_as_it_is);
    suite_add_tcase(s, tc);
    return s;
}

int main(void)
{
    return check_run(suite());
}
