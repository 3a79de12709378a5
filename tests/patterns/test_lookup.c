/* SPDX-License-Identifier: MIT
 * Ends of ranges that stand in data: what is read of a text, and what is touched, against
 * looking at each index. */
#include "hit/data/domain_set.h"
#include "hit/data/extremes.h"
#include "hit/data/sig.h"
#include "patterns/parse.h"
#include "patterns/transform.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"i", "j"};

static const hit_pattern_value values[] = {{"s", 3}};
static const hit_pattern_source unknown[] = {
    {.name = "first", .pattern = "[i:i+1]"},
    {.name = "column", .pattern = "[first[i]:first[i+1]-1]", .arg = 1},
    {.name = "self", .pattern = "[self]"},
    {.name = "wrong", .pattern = "[x]"}};
static const hit_pattern_names of_unknown = {2, names, 1, values, 4, unknown, 0};

START_TEST(a_lookup_is_read_and_printed)
{
    static const char *const cases[][2] = {
        {"[column]", "[column]"},
        {"[column+1, j]", "[column+1, j]"},
        {"[first[i] : first[i+1]-1]", "[first[i]:first[i+1]-1]"},
        {"[first [ i ] + s : , :]", "[first[i]+3:, :]"},
        {"[:first-s]", "[:first-3]"},
        {"[i+j:3-2+column]", "[i+j:column+1]"},
        {"[column[first[i]:first[i+s]]]", "[column[first[i]:first[i+3]]]"},
        {"[first[2*i/3, :], i] [0, j]", "[first[(2*i)/3, :], i] [0, j]"},
    };

    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        char printed[200];
        hit_pattern pattern;
        hit_pattern again;

        ck_assert_msg(hit_pattern_parse_with(cases[n][0], &of_unknown, &pattern) ==
                          HIT_OK,
                      "%s: %s", cases[n][0], hit_status_text());
        hit_pattern_print(&pattern, names, printed, sizeof printed);
        if (n < 7) ck_assert_str_eq(printed, cases[n][1]);
        ck_assert(!hit_pattern_is_regular(&pattern, NULL, 0));
        ck_assert(pattern.lookups != NULL);
        ck_assert_int_eq(hit_pattern_parse_with(printed, &of_unknown, &again), HIT_OK);
        hit_pattern_clear(&again);
        hit_pattern_clear(&pattern);
        ck_assert_ptr_null(pattern.lookups);
    }
}
END_TEST

START_TEST(a_lookup_that_cannot_be_there_is_told)
{
    static const char *const wrong[][2] = {
        {"[other]", "unknown index 'other'; the indices are i, j; whole values are s; "
                    "arguments with numbers that are only read are first, column, self, "
                    "wrong\n  [other]\n   ^"},
        {"[2*first]", "expected no factor beside what stands in data\n  [2*first]\n   ^"},
        {"[first*s]", "expected no factor beside what stands in data\n  [first*s]\n   ^"},
        {"[first/2]", "expected no divisor of what stands in data\n  [first/2]\n   ^"},
        {"[-first]", "expected first alone as an end of a range, or with numbers that "
                     "are added or subtracted\n  [-first]\n    ^"},
        {"[s-first]", "expected first alone"},
        {"[first+first]", "expected first alone"},
        {"[(first+1)/2]", "expected first alone"},
        {"[i/first]", "expected first alone"},
        {"[i::first]", "expected first alone"},
        {"[first+i]", "expected only numbers beside what stands in data, found an index"},
        {"[first:first:2]", "expected no stride of a range that stands in data"},
        {"[first[i]", "expected ',' or ']', found the end of the text"},
        {"[first[i+]]", "expected a name or a number, found ']'"},
        {"[self]", "expected at most 4 arguments that lead from one to the next"},
        {"[first[first[first[first[first[i]]]]]]", "expected at most 4 arguments"},
        {"[wrong]", "unknown index 'x'"},
    };
    hit_pattern pattern = {.count = 42};

    for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++) {
        ck_assert_msg(hit_pattern_parse_with(wrong[n][0], &of_unknown, &pattern) ==
                          HIT_E_PATTERN,
                      "%s", wrong[n][0]);
        ck_assert_msg(strncmp(hit_status_text(), wrong[n][1], strlen(wrong[n][1])) == 0,
                      "%s", hit_status_text());
        ck_assert_int_eq(pattern.count, 42);
    }
}
END_TEST

START_TEST(what_is_not_known_is_all_of_the_tile)
{
    const hit_domain tile = hit_box_of(-3, 9, 2, 8);
    const hit_domain index = hit_domain_of(4, 4);
    hit_pattern pattern;
    hit_domain cover;

    HIT_MUST(
        hit_pattern_parse_with("[first[i]:first[i+1]-1, j+2]", &of_unknown, &pattern));
    cover = hit_pattern_cover(&pattern, &tile, &index);
    ck_assert(hit_domain_equal(&cover, &(hit_domain){2, {{-3, 9, 1}, {2, 5, 1}}}));
    ck_assert(hit_pattern_uses(&pattern, 0));
    hit_pattern_clear(&pattern);
    HIT_MUST(hit_pattern_parse_with("[first[j]:4, 3]", &of_unknown, &pattern));
    cover = hit_pattern_cover(&pattern, &tile, &index);
    ck_assert(hit_domain_equal(&cover, &(hit_domain){2, {{-3, 4, 1}, {3, 3, 1}}}));
    ck_assert(!hit_pattern_uses(&pattern, 0));
    ck_assert(hit_pattern_uses(&pattern, 1));
    hit_pattern_clear(&pattern);
}
END_TEST

/* ---- against looking at each index ---- */

enum {
    LINE = 40,
    ROWS = 6
};

/* Numbers of a line and of a rectangle. */
typedef struct scene {
    hit_index line[LINE];
    hit_index row[ROWS][ROWS];
    hit_extremes *table[2];
    hit_pattern_source source[3];
    hit_pattern_names names;
} scene;

static void fill_scene(hit_random *random, hit_index most, scene *s)
{
    const hit_domain line = hit_domain_of(LINE);
    const hit_domain row = hit_domain_of(ROWS, ROWS);
    const bool rises = hit_random_index(random, 0, 1);
    hit_index number = 0;

    HIT_MUST(hit_extremes_create(&line, most, &s->table[0]));
    HIT_MUST(hit_extremes_create(&row, most, &s->table[1]));
    HIT_FOR_EACH (at, line) {
        number = rises ? number + hit_random_index(random, 0, 2)
                       : hit_random_index(random, -2, LINE + 1);
        s->line[at[0]] = number;
        hit_extremes_note(s->table[0], at, number);
    }
    HIT_FOR_EACH (at, row) {
        s->row[at[0]][at[1]] = hit_random_index(random, 0, LINE - 1);
        hit_extremes_note(s->table[1], at, s->row[at[0]][at[1]]);
    }
    hit_extremes_finish(s->table[0]);
    hit_extremes_finish(s->table[1]);
    s->source[0] = (hit_pattern_source){"line", "[i:i+1]", 0, s->table[0], line};
    s->source[1] = (hit_pattern_source){"row", "[i, :]", 1, s->table[1], row};
    s->source[2] =
        (hit_pattern_source){"place", "[line[i]:line[i+1]-1]", 2, s->table[0], line};
    s->names = (hit_pattern_names){2, names, 1, values, 3, s->source, 0};
}

static void drop_scene(scene *s)
{
    hit_extremes_release(&s->table[0]);
    hit_extremes_release(&s->table[1]);
}

/* The least and the greatest of the line from a to b, as far as it goes. */
static bool of_line(const scene *s, hit_index a, hit_index b, hit_index found[2])
{
    bool any = false;

    for (hit_index k = a < 0 ? 0 : a; k <= b && k < LINE; k++) {
        if (!any || s->line[k] < found[0]) found[0] = s->line[k];
        if (!any || s->line[k] > found[1]) found[1] = s->line[k];
        any = true;
    }
    return any;
}

/* What index (i, j) touches by one of the texts below; false: nothing. */
static bool touches(const scene *s, int text, hit_index i, hit_index j, hit_index to[2])
{
    hit_index one[2];
    hit_index other[2];

    switch (text) {
    case 0: /* [line] */
        return of_line(s, i, i + 1, to);
    case 1: /* [line[i] : line[i+1]-1] */
        if (!of_line(s, i, i, one) || !of_line(s, i + 1, i + 1, other)) return false;
        to[0] = one[0];
        to[1] = other[1] - 1;
        return true;
    case 2: /* [place+s] */
        if (!of_line(s, i, i, one) || !of_line(s, i + 1, i + 1, other)) return false;
        if (!of_line(s, one[0], other[1] - 1, to)) return false;
        to[0] += 3;
        to[1] += 3;
        return true;
    case 3: /* [row] */
        to[0] = to[1] = s->row[i][0];
        for (int k = 1; k < ROWS; k++) {
            if (s->row[i][k] < to[0]) to[0] = s->row[i][k];
            if (s->row[i][k] > to[1]) to[1] = s->row[i][k];
        }
        return true;
    case 4: /* [line[row[i, j]]] */
        return of_line(s, s->row[i][j], s->row[i][j], to);
    default: /* [j : row[j, i]+1] */
        to[0] = j;
        to[1] = s->row[j][i] + 1;
        return true;
    }
}

static const char *const texts[] = {
    "[line]", "[line[i] : line[i+1]-1]", "[place+s]",
    "[row]",  "[line[row[i, j]]]",       "[j : row[j, i]+1]"};

/* The smallest range around what all indices touch of the tile. */
static hit_sig expect(const scene *s, int text, const hit_domain *index, hit_sig tile)
{
    hit_sig all = {0, -1, 1};

    HIT_FOR_EACH (x, *index) {
        hit_index to[2];

        if (!touches(s, text, x[0], x[1], to)) continue;
        if (to[0] < tile.begin) to[0] = tile.begin;
        if (to[1] > tile.end) to[1] = tile.end;
        if (to[0] > to[1]) continue;
        if (all.begin > all.end) all = (hit_sig){to[0], to[1], 1};
        if (to[0] < all.begin) all.begin = to[0];
        if (to[1] > all.end) all.end = to[1];
    }
    return all;
}

static void compare(uint64_t seed, bool exact)
{
    const int cases = hit_random_cases(1200);
    hit_random random = hit_random_start(seed);
    const hit_domain indices = hit_domain_of(ROWS, ROWS);
    int smallest = 0;
    int all = 0;

    for (int n = 0; n < cases; n++) {
        const hit_domain tile = hit_box_of(hit_random_index(&random, -3, 3),
                                           hit_random_index(&random, 4, LINE + 2));
        scene s;

        fill_scene(&random, exact ? 4096 : hit_random_index(&random, 1, 9), &s);
        for (int t = 0; t < 6; t++) {
            const hit_domain index = hit_random_subdomain(&random, &indices, 2);
            const hit_domain part = hit_random_subdomain(&random, &index, 2);
            const hit_sig want = expect(&s, t, &index, tile.sig[0]);
            hit_pattern pattern;
            hit_domain cover;
            hit_domain small;

            HIT_MUST(hit_pattern_parse_with(texts[t], &s.names, &pattern));
            cover = hit_pattern_cover(&pattern, &tile, &index);
            small = hit_pattern_cover(&pattern, &tile, &part);
            ck_assert_msg(hit_sig_inside(want, cover.sig[0]), "%s", texts[t]);
            if (t < 5) ck_assert(hit_domain_inside(&cover, &tile)); /* j may leave it */
            ck_assert(hit_domain_inside(&small, &cover));
            smallest += hit_sig_equal(want, cover.sig[0]) ||
                        (hit_sig_is_empty(want) && hit_domain_is_empty(&cover));
            all++;
            hit_pattern_clear(&pattern);
        }
        drop_scene(&s);
    }
    printf("%d of %d are the smallest\n", smallest, all);
    ck_assert_int_gt(smallest, exact ? all / 2 : all / 20);
    if (!exact) ck_assert_int_lt(smallest, all);
}

START_TEST(all_that_is_touched_is_there)
{
    compare(65, true);
}
END_TEST

START_TEST(also_by_tables_of_few_cells)
{
    compare(66, false);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("patterns/lookup");
    TCase *tests = tcase_create("lookup");

    tcase_add_test(tests, a_lookup_is_read_and_printed);
    tcase_add_test(tests, a_lookup_that_cannot_be_there_is_told);
    tcase_add_test(tests, what_is_not_known_is_all_of_the_tile);
    tcase_add_test(tests, all_that_is_touched_is_there);
    tcase_add_test(tests, also_by_tables_of_few_cells);
    suite_add_tcase(made, tests);
    return made;
}

int main(void)
{
    return check_run(suite());
}
