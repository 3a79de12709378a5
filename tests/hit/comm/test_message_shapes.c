/* SPDX-License-Identifier: MIT
 * Messages whose number and extent are known beforehand: stars, panels, many ranks. */
#include "patterns/parse.h"
#include "tests/hit/comm/simulation.h"

static const char *const names[] = {"i", "j", "k", "l"};

/* Indices and elements are the same; the layout's domain may hold more than the tile. */
static message_case make_shape(int ranks, hit_domain whole, const char *options,
                               hit_domain tile, const char *pattern)
{
    message_case c = {.ranks = ranks, .tile = tile, .index = whole};

    ck_assert_int_eq(hit_pattern_parse(pattern, whole.dims, names, &c.pattern), HIT_OK);
    ck_assert_int_eq(
        hit_layout_plan(hit_layout_table[0], whole, ranks, options, &c.layout), HIT_OK);
    ck_assert_str_eq(hit_layout_name(c.layout), "block");
    ck_assert_int_eq(hit_split_by_layout(c.layout, &c.index, &c.split), HIT_OK);
    snprintf(c.text, sizeof(c.text), "%d ranks, %s", ranks, pattern);
    return c;
}

/* Does some index of the piece touch y? */
static bool is_touched(const message_case *c, const hit_domain *index,
                       const hit_index y[])
{
    hit_index x[HIT_MAX_DIMS];

    for (bool go = hit_domain_first(index, x); go; go = hit_domain_next(index, x)) {
        for (int k = 0; k < c->pattern.count; k++) {
            const hit_domain at = touched_by(c, k, x);

            if (hit_domain_has(&at, y)) return true;
        }
    }
    return false;
}

/* Is exactly what the indices touch delivered? */
static void check_exact(const message_case *c)
{
    simulation s;

    ck_assert_int_eq(simulation_plan(&s, c, HIT_GATHER), HIT_OK);
    simulation_run(&s);
    for (int r = 0; r < c->ranks && s.wrong == NULL; r++) {
        const side *mine = &s.side[r];

        for (int k = 0; k < mine->index.count; k++) {
            hit_index y[HIT_MAX_DIMS];

            for (bool go = hit_domain_first(&mine->box[k], y); go;
                 go = hit_domain_next(&mine->box[k], y)) {
                const bool there = mine->value[k][place_of(&mine->box[k], y)] != NOTHING;

                complain(&s, there == is_touched(c, &mine->index.part[k], y),
                         "what arrives is what is touched");
            }
        }
    }
    ck_assert_msg(s.wrong == NULL, "not so: %s; %s", s.wrong, c->text);
    simulation_drop(&s);
}

START_TEST(a_star_sends_no_corners)
{
    static const char *const stars[] = {"[i-1:i+1, j] [i, j-1:j+1]",
                                        "[i-2:i+1, j] [i, j-1:j+2]"};
    static const char *const thick = "[i-1:i+1, j, k] [i, j-2:j+1, k] [i, j, k-1:k+1]";

    for (int ranks = 1; ranks <= 9; ranks++) {
        for (int k = 0; k < 3; k++) {
            const hit_domain tile =
                k < 2 ? hit_domain_of(11, 12) : hit_domain_of(7, 8, 6);
            message_case c =
                make_shape(ranks, tile, NULL, tile, k < 2 ? stars[k] : thick);

            c.index = hit_domain_grow(tile, -2);
            ck_assert_int_eq(hit_split_by_layout(c.layout, &c.index, &c.split), HIT_OK);
            check_exact(&c);
            drop_case(&c);
        }
    }
}
END_TEST

START_TEST(a_box_sends_its_corners)
{
    const hit_domain tile = hit_domain_of(8, 8);
    message_case c = make_shape(9, tile, "grid=3x3", tile, "[i-1:i+1, j-1:j+1]");
    simulation s;

    c.index = hit_domain_grow(tile, -1);
    ck_assert_int_eq(hit_split_by_layout(c.layout, &c.index, &c.split), HIT_OK);
    check_exact(&c);
    ck_assert_int_eq(simulation_plan(&s, &c, HIT_GATHER), HIT_OK);
    ck_assert_int_eq(s.side[4].plan.sends, 8); /* the middle one has eight neighbours */
    ck_assert_int_eq(s.side[4].plan.receives, 8);
    simulation_drop(&s);
    drop_case(&c);
}
END_TEST

static int log2_above(int n)
{
    int log = 0;

    while (1 << log < n) {
        log++;
    }
    return log;
}

/* One panel of a product on a grid of p x p: columns of a that one column of the grid
 * owns go along the rows. */
static void check_panel(int p)
{
    const hit_domain whole = hit_domain_of(3 * p, 3 * p);
    hit_domain panel = whole;
    char grid[32];
    message_case c;
    simulation s;

    panel.sig[1] = hit_sig_make(4, 5, 1); /* the second column owns 3 to 5 */
    snprintf(grid, sizeof(grid), "grid=%dx%d", p, p);
    c = make_shape(p * p, whole, grid, panel, "[i, :]");
    ck_assert_int_eq(simulation_plan(&s, &c, HIT_GATHER), HIT_OK);
    simulation_run(&s);
    ck_assert_msg(s.wrong == NULL, "not so: %s; %s", s.wrong, c.text);
    for (int r = 0; r < c.ranks; r++) {
        const hit_message_plan *plan = &s.side[r].plan;
        const bool owner = r % p == 1;

        ck_assert_int_le(plan->targets, log2_above(p));
        ck_assert_int_eq(plan->sends, owner ? 1 : 0);
        ck_assert_int_eq(plan->receives, owner ? 0 : 1);
    }
    simulation_drop(&s);
    drop_case(&c);
}

START_TEST(panels_go_along_trees)
{
    for (int p = 4; p <= 9; p++) {
        check_panel(p);
    }
}
END_TEST

START_TEST(what_all_need_goes_along_trees_of_all_owners)
{
    const hit_domain tile = hit_domain_of(13);

    for (int ranks = 4; ranks <= 9; ranks++) {
        message_case c = make_shape(ranks, tile, NULL, tile, "[:]");
        simulation s;

        ck_assert_int_eq(simulation_plan(&s, &c, HIT_GATHER), HIT_OK);
        simulation_run(&s);
        ck_assert_msg(s.wrong == NULL, "not so: %s; %s", s.wrong, c.text);
        for (int r = 0; r < ranks; r++) {
            ck_assert_int_eq(s.side[r].plan.sends, 1);
            ck_assert_int_eq(s.side[r].plan.send[0].targets, log2_above(ranks));
            ck_assert_int_eq(s.side[r].plan.receives, ranks - 1);
        }
        simulation_drop(&s);
        drop_case(&c);
    }
}
END_TEST

START_TEST(two_receivers_get_their_messages_from_the_owner)
{
    const hit_domain tile = hit_domain_of(9);
    message_case c = make_shape(3, tile, NULL, tile, "[:]");
    simulation s;

    ck_assert_int_eq(simulation_plan(&s, &c, HIT_GATHER), HIT_OK);
    simulation_run(&s);
    ck_assert_ptr_null(s.wrong);
    for (int r = 0; r < 3; r++) {
        ck_assert_int_eq(s.side[r].plan.sends, 2);
        ck_assert_int_eq(s.side[r].plan.targets, 2);
    }
    simulation_drop(&s);
    drop_case(&c);
}
END_TEST

static hit_message_plan plan_one(const message_case *c, int rank, hit_direction direction)
{
    const hit_message_request request = {.rank = rank,
                                         .ranks = c->ranks,
                                         .split = &c->split,
                                         .layout = c->layout,
                                         .tile = c->tile,
                                         .boundary = c->boundary,
                                         .pattern = &c->pattern,
                                         .size_bytes = 4,
                                         .direction = direction};
    hit_message_plan plan;

    ck_assert_int_eq(hit_message_plan_make(&request, &plan), HIT_OK);
    return plan;
}

START_TEST(one_of_ten_thousand_processes_finds_its_four_neighbours)
{
    const hit_domain tile = hit_domain_of(100000, 100000);
    message_case c = make_shape(10000, tile, NULL, tile, "[i-1:i+1, j] [i, j-1:j+1]");
    hit_message_plan plan;

    for (int d = 0; d < 2; d++) {
        c.boundary[d] = HIT_BOUNDARY_PERIODIC;
    }
    plan = plan_one(&c, 0, HIT_GATHER); /* a corner: wraps around */
    ck_assert_int_eq(plan.sends, 4);
    ck_assert_int_eq(plan.receives, 4);
    ck_assert_uint_eq(plan.bytes_received, 4 * 4 * 1000);
    ck_assert_int_eq(plan.receive[0].from, 1);
    ck_assert_int_eq(plan.receive[1].from, 99);
    ck_assert_int_eq(plan.receive[2].from, 100);
    ck_assert_int_eq(plan.receive[3].from, 9900);
    hit_message_plan_clear(&plan);
    drop_case(&c);
}
END_TEST

START_TEST(what_all_of_a_thousand_processes_need_is_planned)
{
    const hit_domain tile = hit_domain_of(2000);
    message_case c = make_shape(1000, tile, NULL, tile, "[:]");
    hit_message_plan plan = plan_one(&c, 7, HIT_GATHER);

    ck_assert_int_eq(plan.receives, 999);
    ck_assert_int_eq(plan.sends, 1);
    ck_assert_int_eq(plan.send[0].targets, 10);
    hit_message_plan_clear(&plan);
    drop_case(&c);
}
END_TEST

/* The bytes that lie around part @p own, of a field of elements of @p size_bytes. */
static size_t bytes_around(const hit_domain *own, hit_index rows, size_t size_bytes)
{
    return (size_t)(rows * hit_sig_count(own->sig[1])) * size_bytes;
}

/* Floats to a depth of 2 below, and doubles to one of 3 above; of a third one nothing. */
START_TEST(a_neighbour_sends_what_is_around_parts_of_several_tiles_together)
{
    const hit_domain tile = hit_domain_of(40, 7);
    const hit_index period[HIT_MAX_DIMS] = {0};
    const hit_index two[HIT_MAX_DIMS] = {2, 0};
    const hit_index three[HIT_MAX_DIMS] = {3, 0};
    const hit_index none[HIT_MAX_DIMS] = {0};
    const hit_around_field field[] = {{&tile, two, none, sizeof(float)},
                                      {.size_bytes = 4},
                                      {&tile, none, three, sizeof(double)},
                                      {&tile, three, none, sizeof(double)}};
    message_case c = make_shape(4, tile, "dims=0", tile, "[i, j]");
    const hit_around around = {c.layout, period, 4, field};
    hit_around_sum sum;
    hit_message_plan plan;
    size_t below;

    ck_assert_int_eq(hit_message_plan_around(&around, 1, &plan), HIT_OK);
    ck_assert_int_eq(plan.receives, 2);
    ck_assert_int_eq(plan.sends, 2);
    below =
        bytes_around(&tile, 2, sizeof(float)) + bytes_around(&tile, 3, sizeof(double));
    ck_assert_uint_eq(plan.receive[0].size_bytes, below);
    ck_assert_int_eq(plan.receive[0].count, 2);
    ck_assert_uint_eq(plan.receive[1].size_bytes, bytes_around(&tile, 3, sizeof(double)));
    for (int k = 0; k < plan.transfers; k++) {
        ck_assert_int_ne(plan.transfer[k].user_piece, 1);
        ck_assert_int_eq(plan.transfer[k].user_piece, plan.transfer[k].owner_piece);
    }
    ck_assert_int_eq(hit_around_add_up(&around, &sum), HIT_OK);
    ck_assert_uint_eq(sum.messages, 6);
    ck_assert_uint_eq(sum.bytes, 3 * (below + bytes_around(&tile, 3, sizeof(double))));
    ck_assert_uint_eq(sum.most_messages, 2);
    hit_message_plan_clear(&plan);
    drop_case(&c);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("message shapes");
    TCase *tests = tcase_create("known");

    tcase_add_test(tests, a_star_sends_no_corners);
    tcase_add_test(tests, a_box_sends_its_corners);
    tcase_add_test(tests, panels_go_along_trees);
    tcase_add_test(tests, what_all_need_goes_along_trees_of_all_owners);
    tcase_add_test(tests, two_receivers_get_their_messages_from_the_owner);
    tcase_add_test(tests, one_of_ten_thousand_processes_finds_its_four_neighbours);
    tcase_add_test(tests, what_all_of_a_thousand_processes_need_is_planned);
    tcase_add_test(tests,
                   a_neighbour_sends_what_is_around_parts_of_several_tiles_together);
    tcase_set_timeout(tests, 120);
    suite_add_tcase(made, tests);
    return made;
}

int main(void)
{
    return check_run(suite());
}
