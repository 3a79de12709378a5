/* SPDX-License-Identifier: MIT
 * Blocks that are dealt by a rule or by a map: what sbc saves of a factorisation's
 * messages, and what is told of a map with mistakes. */
#include "hit/base/context.h"
#include "hit/topo/layout.h"
#include "hit/topo/layout_plugin.h"
#include "hit/topo/layout_print.h"
#include "tests/support/check_main.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <string.h>

enum {
    T = 40,
    MOST_RANKS = 28
};

static const char path[] = "test_dealt.map";

static void make(hit_domain domain, int ranks, const char *text, hit_layout **layout)
{
    hit_context context = {.size = ranks};

    ck_assert_msg(hit_layout_plan_text(&context, domain, ranks, text, layout) == HIT_OK,
                  "%s: %s", text, hit_status_text());
}

/** The owners of all blocks of T x T. */
static void find_owners(int ranks, const char *text, int owner[T][T])
{
    hit_layout *layout;

    make(hit_domain_of(T, T), ranks, text, &layout);
    for (hit_index i = 0; i < T; i++) {
        for (hit_index j = 0; j < T; j++) {
            owner[i][j] = hit_layout_owner(layout, (const hit_index[]){i, j});
        }
    }
    hit_layout_destroy(&layout);
}

/** The blocks that a Cholesky factorisation sends, each once to each rank that needs it:
 * a diagonal one to its column, one of a column to its row and to its own column. */
static int count_messages(int owner[T][T])
{
    int count = 0;

    for (int k = 0; k < T; k++) {
        for (int i = k; i < T; i++) {
            bool needs[MOST_RANKS] = {false};

            for (int x = k + 1; x < T; x++) {
                if (i == k) needs[owner[x][k]] = true;
                if (i > k) needs[x <= i ? owner[i][x] : owner[x][i]] = true;
            }
            needs[owner[i][k]] = false;
            for (int rank = 0; rank < MOST_RANKS; rank++) {
                count += needs[rank];
            }
        }
    }
    return count;
}

static void count_blocks(int owner[T][T], int ranks, int *least, int *most)
{
    int blocks[MOST_RANKS] = {0};

    for (int i = 0; i < T; i++) {
        for (int j = 0; j <= i; j++) {
            blocks[owner[i][j]]++;
        }
    }
    *least = T * T;
    *most = 0;
    for (int rank = 0; rank < ranks; rank++) {
        if (blocks[rank] < *least) *least = blocks[rank];
        if (blocks[rank] > *most) *most = blocks[rank];
    }
}

START_TEST(a_symmetric_matrix_is_sent_less)
{
    for (int r = 3; r <= 8; r++) {
        const int ranks = r * (r - 1) / 2;
        int owner[T][T];
        int cyclic[T][T];
        bool symmetric = true;
        int least;
        int most;

        find_owners(ranks, "sbc:block=1", owner);
        find_owners(ranks, "blockcyclic:block=1", cyclic);
        for (int i = 0; i < T; i++) {
            for (int j = 0; j < i; j++) {
                symmetric = symmetric && owner[i][j] == owner[j][i];
            }
        }
        ck_assert(symmetric);
        /* 1 / sqrt(2) for many blocks on many ranks; of few blocks some send less */
        ck_assert_double_lt(count_messages(owner), 0.78 * count_messages(cyclic));
        count_blocks(owner, ranks, &least, &most);
        ck_assert_int_le(most - least, least / 2);
    }
}
END_TEST

static void expect_refusal(hit_domain domain, int ranks, const char *text,
                           const char *words)
{
    hit_context context = {.size = ranks};
    hit_layout *layout = NULL;

    ck_assert_int_eq(hit_layout_plan_text(&context, domain, ranks, text, &layout),
                     HIT_E_ARG);
    ck_assert_msg(strstr(hit_status_text(), words) != NULL, "\"%s\" is not in \"%s\"",
                  words, hit_status_text());
    ck_assert_ptr_null(layout);
}

/* ---- ScaLAPACK's descriptors ---- */

typedef struct descriptor {
    hit_index size[2];
    hit_index block[2];
    int grid[2];
    int first[2];
    bool by_columns;
} descriptor;

static descriptor random_descriptor(hit_random *random)
{
    descriptor made = {.by_columns = hit_random_index(random, 0, 1) != 0};

    for (int d = 0; d < 2; d++) {
        made.size[d] = hit_random_index(random, 1, 20);
        made.block[d] = hit_random_index(random, 1, 5);
        made.grid[d] = (int)hit_random_index(random, 1, 4);
        made.first[d] = (int)hit_random_index(random, 0, made.grid[d] - 1);
    }
    return made;
}

/* INDXG2P: the coordinate of who has element i is (first + i / block) mod grid. */
static int scalapack_owner(const descriptor *of, const hit_index at[])
{
    int p[2];

    for (int d = 0; d < 2; d++) {
        p[d] = (int)((of->first[d] + at[d] / of->block[d]) % of->grid[d]);
    }
    return of->by_columns ? p[1] * of->grid[0] + p[0] : p[0] * of->grid[1] + p[1];
}

START_TEST(blocks_are_where_scalapack_has_them)
{
    hit_random random = hit_random_start(1);

    for (int n = 0; n < hit_random_cases(1000); n++) {
        const descriptor of = random_descriptor(&random);
        const hit_domain all = hit_domain_of(of.size[0], of.size[1]);
        hit_layout *layout;
        hit_index at[2];
        hit_index count = 0;
        char text[100];

        (void)snprintf(text, sizeof(text),
                       "blockcyclic:block=%dx%d,grid=%dx%d,first=%dx%d,order=%s",
                       (int)of.block[0], (int)of.block[1], of.grid[0], of.grid[1],
                       of.first[0], of.first[1], of.by_columns ? "column" : "row");
        make(all, of.grid[0] * of.grid[1], text, &layout);
        for (bool go = hit_domain_first(&all, at); go; go = hit_domain_next(&all, at)) {
            ck_assert_msg(hit_layout_owner(layout, at) == scalapack_owner(&of, at),
                          "%s: %d, %d", text, (int)at[0], (int)at[1]);
        }
        for (int rank = 0; rank < of.grid[0] * of.grid[1]; rank++) {
            hit_region part = {0};

            HIT_MUST(hit_layout_part(layout, rank, &part));
            for (int k = 0; k < part.count; k++) {
                const hit_domain *box = &part.part[k];

                for (bool go = hit_domain_first(box, at); go;
                     go = hit_domain_next(box, at)) {
                    ck_assert_int_eq(scalapack_owner(&of, at), rank);
                    count++;
                }
            }
            hit_region_clear(&part);
        }
        ck_assert_int_eq(count, hit_domain_count(&all));
        hit_layout_destroy(&layout);
    }
}
END_TEST

START_TEST(descriptors_that_no_grid_has_are_refused)
{
    const hit_domain all = hit_domain_of(9, 9);

    expect_refusal(all, 4, "blockcyclic:grid=2x2,first=2x0",
                   "first= 2 coordinates in a grid with 2 ranks along dimension 0");
    expect_refusal(all, 4, "blockcyclic:grid=2x2,first=0x-1", "first=");
    expect_refusal(all, 4, "blockcyclic:grid=2x2,first=1", "first= 2 coordinates");
    expect_refusal(all, 4, "blockcyclic:order=rows", "row or column but found \"rows\"");
}
END_TEST

START_TEST(pairs_are_of_some_numbers_of_ranks)
{
    expect_refusal(hit_domain_of(9, 9), 4, "sbc", "as 3 or 6 are, but found 4");
    expect_refusal(hit_domain_of(9), 3, "sbc", "at least 2 dimensions");
    expect_refusal(hit_domain_of(9, 9), 3, "sbc:block=0", "block=");
    expect_refusal(hit_domain_of(9, 9), 3, "sbc:block=1x2x3", "block=");
}
END_TEST

static void write_map(const char *text)
{
    FILE *file = fopen(path, "w");

    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

static void expect(hit_domain domain, const char *text, const char *printed)
{
    hit_layout *layout;
    char found[1024];

    make(domain, 3, text, &layout);
    ck_assert_int_eq(hit_layout_print(layout, found, sizeof found), HIT_OK);
    ck_assert_str_eq(found, printed);
    hit_layout_destroy(&layout);
}

START_TEST(a_map_is_read_line_by_line)
{
    static const char printed[] = "map:block=2x4,owners=0,1;2,2 splits 0:3 x 0:6 over 3 "
                                  "ranks\nrank 0: 0:1 x 0:3\nrank 1: 0:1 x 4:6\n"
                                  "rank 2: 2:3 x 0:3, 2:3 x 4:6\n";

    write_map("# who has what\n0 1\n\n 2,2 # the rest\n");
    expect(hit_domain_of(4, 7), "map:file=test_dealt.map,block=2x4", printed);
    expect(hit_domain_of(4, 7), "map:block=2x4,owners=0,1;2,2", printed);
    write_map("1\n0");
    expect(hit_domain_of(5), "map:file=test_dealt.map,block=3",
           "map:block=3,owners=1;0 splits 0:4 over 3 ranks\n"
           "rank 0: 3:4\nrank 1: 0:2\nrank 2: nothing\n");
    expect(hit_domain_of(5), "map:file=test_dealt.map,block=1,repeat=1",
           "map:block=1,owners=1;0,repeat=1 splits 0:4 over 3 ranks\n"
           "rank 0: 1:1, 3:3\nrank 1: 0:0, 2:2, 4:4\nrank 2: nothing\n");
    ck_assert_int_eq(remove(path), 0);
}
END_TEST

START_TEST(a_bad_line_of_a_map_is_named)
{
    static const struct {
        const char *map;
        const char *words;
    } wrong[] = {
        {"0 1\n0 3\n", "test_dealt.map:2: expected ranks from 0 to 2 but found \"3\""},
        {"0 1\n# x\n0 x1\n",
         "test_dealt.map:3: expected ranks from 0 to 2 but found \"x1\""},
        {"0 -1\n", "test_dealt.map:1: expected ranks from 0 to 2 but found \"-1\""},
        {"0 1x\n", "test_dealt.map:1: expected ranks from 0 to 2 but found \"1x\""},
        {"0 1\n2\n", "test_dealt.map:2: expected a rank for each block of the row, of "
                     "which there are 2 but found \"2\""},
        {"0 1 2\n", "of which there are 2 but found \"0 1 2\""},
        {"0 1\n", "each of 2 rows of blocks but found 1"},
        {"0 1\n0 1\n0 1\n", "each of 2 rows of blocks but found 3"},
        {"", "but found 0"},
    };
    const hit_domain domain = hit_domain_of(4, 4);

    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        write_map(wrong[k].map);
        expect_refusal(domain, 3, "map:file=test_dealt.map,block=2", wrong[k].words);
    }
    write_map("0 1\n2\n");
    expect_refusal(domain, 3, "map:file=test_dealt.map,block=2,repeat=1",
                   "of which there are 2");
    ck_assert_int_eq(remove(path), 0);
    expect_refusal(domain, 3, "map:block=2,owners=0,1;0,9",
                   "row 2 of owners=: expected ranks from 0 to 2 but found \"9\"");
    expect_refusal(domain, 3, "map:block=2,owners=0,1;0,", "of which there are 2");
    expect_refusal(domain, 3, "map:block=2", "found 0");
    expect_refusal(domain, 3, "map:file=x,owners=0", "found both");
    expect_refusal(domain, 3, "map:owners=0,repeat=2", "repeat");
}
END_TEST

START_TEST(a_file_that_is_not_there_is_named)
{
    hit_context context = {.size = 2};
    hit_layout *layout = NULL;

    ck_assert_int_eq(hit_layout_plan_text(&context, hit_domain_of(4), 2,
                                          "map:file=no/such.map", &layout),
                     HIT_E_IO);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "no/such.map"));
}
END_TEST

START_TEST(a_map_of_no_blocks_is_an_empty_file)
{
    static const char *const before[] = {"map:", "map:block=2,"};
    FILE *file = fopen(path, "w");

    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs("# nothing\n", file), 0);
    ck_assert_int_eq(fclose(file), 0);
    for (int k = 0; k < 2; k++) {
        hit_layout *layout;
        char text[128];

        (void)snprintf(text, sizeof text, "%sfile=%s", before[k], path);
        make(hit_domain_of(0, 4), 2, text, &layout);
        ck_assert_int_eq(hit_layout_ranks(layout), 2);
        hit_layout_destroy(&layout);
    }
    ck_assert_int_eq(remove(path), 0);
}
END_TEST

START_TEST(few_elements_far_apart_are_dealt_to_many_ranks)
{
    static const char *const texts[] = {"cyclic", "blockcyclic:block=1"};
    enum {
        RANKS = 32 /* times the stride: 2^64 */
    };
    const hit_index far = INT64_C(1) << 59;
    hit_domain domain = hit_domain_of(3);

    domain.sig[0] = hit_sig_make(-far, far, far);
    for (int k = 0; k < 2; k++) {
        hit_layout *layout;

        make(domain, RANKS, texts[k], &layout);
        for (int rank = 0; rank < 3; rank++) {
            const hit_index x = (rank - 1) * far;
            hit_region part = {0};
            hit_domain box;

            ck_assert_int_eq(hit_layout_part(layout, rank, &part), HIT_OK);
            ck_assert_int_eq(part.count, 1);
            ck_assert_int_eq(part.part[0].sig[0].begin, x);
            ck_assert_int_eq(hit_region_count(&part), 1);
            ck_assert_int_eq(hit_layout_owner(layout, &x), rank);
            ck_assert(hit_layout_box(layout, &x, &box));
            ck_assert(hit_domain_equal(&box, &part.part[0]));
            hit_region_clear(&part);
        }
        hit_layout_destroy(&layout);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("dealt");
    TCase *tcase = tcase_create("dealt");

    tcase_add_test(tcase, blocks_are_where_scalapack_has_them);
    tcase_add_test(tcase, descriptors_that_no_grid_has_are_refused);
    tcase_add_test(tcase, a_symmetric_matrix_is_sent_less);
    tcase_add_test(tcase, pairs_are_of_some_numbers_of_ranks);
    tcase_add_test(tcase, a_map_is_read_line_by_line);
    tcase_add_test(tcase, a_bad_line_of_a_map_is_named);
    tcase_add_test(tcase, a_file_that_is_not_there_is_named);
    tcase_add_test(tcase, a_map_of_no_blocks_is_an_empty_file);
    tcase_add_test(tcase, few_elements_far_apart_are_dealt_to_many_ranks);
    suite_add_tcase(made, tcase);
    return made;
}

int main(void)
{
    return check_run(suite());
}
