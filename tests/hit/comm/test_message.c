/* SPDX-License-Identifier: MIT
 * Message plans of all ranks, simulated, against what each index touches by definition.
 */
#include "patterns/parse.h"
#include "tests/hit/comm/simulation.h"

static hit_layout *named_layout(const char *name, const char *options, hit_domain domain,
                                int ranks)
{
    hit_layout *layout = NULL;

    for (int k = 0; k < hit_layout_table_count; k++) {
        if (strcmp(hit_layout_table[k]->name, name) != 0) continue;
        HIT_MUST(hit_layout_plan(hit_layout_table[k], domain, ranks, options, &layout));
    }
    return layout;
}

/* Where x of one dimension comes from, by definition: step by step back into the tile. */
static hit_index source(hit_sig sig, hit_boundary kind, hit_index x)
{
    while (x < sig.begin || x > sig.end) {
        const hit_index n = sig.end - sig.begin + 1;

        if (kind == HIT_BOUNDARY_PERIODIC) {
            x += x < sig.begin ? n : -n;
        } else if (kind == HIT_BOUNDARY_CLAMP || n == 1) {
            x = x < sig.begin ? sig.begin : sig.end;
        } else {
            x = x < sig.begin ? 2 * sig.begin - x : 2 * sig.end - x;
        }
    }
    return x;
}

/* What a user should find at y after a gather. */
static int64_t expected_at(const message_case *c, const hit_index y[])
{
    hit_index home[HIT_MAX_DIMS] = {0};

    for (int t = 0; t < c->tile.dims; t++) {
        const hit_sig sig = c->tile.sig[t];
        const bool out = y[t] < sig.begin || y[t] > sig.end;

        if (out && c->boundary[t] == HIT_BOUNDARY_CONSTANT) return CONSTANT;
        home[t] = source(sig, c->boundary[t], y[t]);
    }
    return place_of(&c->tile, home);
}

/* Visit all that the indices of one piece touch. A gather: the value must be there. A
 * return: it must have been brought home; it is marked as seen. */
static void check_piece(simulation *s, const side *mine, int piece)
{
    const message_case *c = s->c;
    const hit_domain *index = &mine->index.part[piece];
    hit_index x[HIT_MAX_DIMS];
    hit_index y[HIT_MAX_DIMS];

    for (bool go = hit_domain_first(index, x); go; go = hit_domain_next(index, x)) {
        for (int k = 0; k < c->pattern.count; k++) {
            const hit_domain at = touched_by(c, k, x);

            for (bool on = hit_domain_first(&at, y); on; on = hit_domain_next(&at, y)) {
                int64_t *found = &mine->value[piece][place_of(&mine->box[piece], y)];

                if (s->direction == HIT_GATHER) {
                    complain(s, *found == expected_at(c, y), "values are the owners'");
                } else {
                    complain(s, *found > 0, "what is written is brought home");
                    *found = 2;
                }
            }
        }
    }
}

static void check_sides(simulation *s)
{
    for (int r = 0; r < s->c->ranks && s->wrong == NULL; r++) {
        const side *mine = &s->side[r];

        for (int k = 0; k < mine->index.count && s->wrong == NULL; k++) {
            check_piece(s, mine, k);
            /* of what stands in data the box is sent, with zeros in it */
            if (s->direction == HIT_GATHER || s->c->table != NULL) continue;
            for (hit_index e = 0; e < hit_domain_count(&mine->box[k]); e++) {
                complain(s, mine->value[k][e] != 1, "only what is written is sent");
            }
        }
    }
}

/* Plan, carry out and check; HIT_E_PATTERN if there is nothing to check. */
static hit_status try_case(const message_case *c, hit_direction direction)
{
    simulation s;
    const hit_status status = simulation_plan(&s, c, direction);

    if (status == HIT_OK) simulation_run(&s);
    if (status == HIT_OK && s.wrong == NULL) check_sides(&s);
    if (s.wrong != NULL) ck_abort_msg("not so: %s; %s", s.wrong, c->text);
    simulation_drop(&s);
    return status;
}

START_TEST(gathers_bring_each_user_the_owners_values_once)
{
    const int cases = hit_random_cases(5000);
    int planned = 0;
    int looked = 0;

    for (uint64_t seed = 1; seed <= (uint64_t)cases; seed++) {
        message_case c = make_case(seed);

        if (hit_domain_count(&c.tile) < 3000) {
            planned += try_case(&c, HIT_GATHER) == HIT_OK;
            looked += c.table != NULL;
        }
        drop_case(&c);
    }
    ck_assert_int_gt(planned, cases * 8 / 10);
    ck_assert_int_gt(looked, cases / 5);
}
END_TEST

static bool leaves_tile(const message_case *c)
{
    hit_index x[HIT_MAX_DIMS];

    for (bool go = hit_domain_first(&c->index, x); go;
         go = hit_domain_next(&c->index, x)) {
        for (int k = 0; k < c->pattern.count; k++) {
            const hit_domain at = touched_by(c, k, x);

            if (!hit_domain_inside(&at, &c->tile)) return true;
        }
    }
    return false;
}

/* Also for indices of different processes that write, or add to, the same element. */
START_TEST(returns_bring_each_written_element_home_once)
{
    const int cases = hit_random_cases(5000);
    int planned = 0;
    int refused = 0;
    int looked = 0;

    for (uint64_t seed = 1; seed <= (uint64_t)cases; seed++) {
        message_case c = make_case(seed);

        if (!leaves_tile(&c) && hit_domain_count(&c.tile) < 3000) {
            if (try_case(&c, HIT_RETURN) == HIT_OK) {
                planned++;
                looked += c.table != NULL;
            } else {
                refused++; /* holes of other forms than "[2*i:2*i+1]" */
            }
        }
        drop_case(&c);
    }
    ck_assert_int_gt(planned, cases / 3);
    ck_assert_int_lt(refused, planned / 2);
    ck_assert_int_gt(looked, cases / 5);
}
END_TEST

/* "[i:i+6:2]" of the even elements touches i and i+4; together 0, 4, 6 and 10, whose
 * cover has holes. */
START_TEST(strided_ranges_of_strided_tiles_are_brought_home_exactly)
{
    static const char *const names[] = {"i"};
    message_case c = {.ranks = 2};

    c.tile = (hit_domain){1, {hit_sig_make(0, 40, 2)}};
    c.index = (hit_domain){1, {hit_sig_make(0, 6, 6)}};
    ck_assert_int_eq(hit_pattern_parse("[i:i+6:2]", 1, names, &c.pattern), HIT_OK);
    c.layout = named_layout("single", "root=1", c.tile, c.ranks);
    c.other = named_layout("single", "root=0", c.index, c.ranks);
    ck_assert_int_eq(hit_split_by_layout(c.other, &c.index, &c.split), HIT_OK);
    describe(&c, 0);
    ck_assert_int_eq(try_case(&c, HIT_RETURN), HIT_OK);
    ck_assert_int_eq(try_case(&c, HIT_GATHER), HIT_OK);
    drop_case(&c);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("message");
    TCase *tests = tcase_create("random");

    tcase_add_test(tests, gathers_bring_each_user_the_owners_values_once);
    tcase_add_test(tests, returns_bring_each_written_element_home_once);
    tcase_add_test(tests, strided_ranges_of_strided_tiles_are_brought_home_exactly);
    tcase_set_timeout(tests, 200);
    suite_add_tcase(made, tests);
    return made;
}

int main(void)
{
    return check_run(suite());
}
