/* SPDX-License-Identifier: MIT
 * Printed message plans against tests/golden/messages.txt; with the argument --write the
 * file is made anew. Runs in the root of the project. */
#include "patterns/parse.h"
#include "tests/hit/comm/message_case.h"
#include "tests/support/message_print.h"

#include <stdlib.h>

#define GOLDEN "tests/golden/messages.txt"

enum {
    TEXT_BYTES = 20000
};

typedef struct shape {
    const char *title;
    int ranks;
    const char *grid; /* of the tile's layout: block */
    hit_domain whole; /* of the layout, and the indices */
    hit_domain tile;
    const char *by; /* the grid that splits the indices */
    const char *pattern;
    hit_boundary boundary;
    hit_direction direction;
} shape;

static void add_text(char *text, const char *more)
{
    const size_t used = strlen(text);

    snprintf(text + used, TEXT_BYTES - used, "%s", more);
}

static hit_layout *block(const shape *of, const char *grid)
{
    hit_layout *layout = NULL;

    HIT_MUST(hit_layout_plan(hit_layout_table[0], of->whole, of->ranks, grid, &layout));
    return layout;
}

/* The plans of all ranks. */
static void print_shape(const shape *of, char *text)
{
    static const char *const names[] = {"i", "j"};
    const hit_boundary boundary[HIT_MAX_DIMS] = {of->boundary, of->boundary};
    hit_layout *layout = block(of, of->grid);
    hit_layout *by = block(of, of->by);
    hit_pattern pattern;
    hit_split split;

    HIT_MUST(hit_pattern_parse(of->pattern, of->whole.dims, names, &pattern));
    HIT_MUST(hit_split_by_layout(by, &of->whole, &split));
    add_text(text, of->title);
    for (int r = 0; r < of->ranks; r++) {
        const hit_message_request request = {.rank = r,
                                             .ranks = of->ranks,
                                             .split = &split,
                                             .layout = layout,
                                             .tile = of->tile,
                                             .boundary = boundary,
                                             .pattern = &pattern,
                                             .size_bytes = 8,
                                             .direction = of->direction};
        hit_message_plan plan;
        char line[32];
        char page[4000];

        HIT_MUST(hit_message_plan_make(&request, &plan));
        hit_message_plan_print(&plan, page, sizeof(page));
        snprintf(line, sizeof(line), "\nrank %d\n", r);
        add_text(text, line);
        add_text(text, page);
        hit_message_plan_clear(&plan);
    }
    add_text(text, "\n");
    hit_pattern_clear(&pattern);
    hit_layout_destroy(&layout);
    hit_layout_destroy(&by);
}

static void print_all(char *text)
{
    hit_domain panel = hit_domain_of(4, 10);
    const shape halo = {.title = "halo: \"[i-1:i+1, j] [i, j-1:j+1]\", 2 x 2 processes, "
                                 "clamped",
                        .ranks = 4,
                        .grid = "grid=2x2",
                        .whole = hit_domain_of(6, 8),
                        .tile = hit_domain_of(6, 8),
                        .by = "grid=2x2",
                        .pattern = "[i-1:i+1, j] [i, j-1:j+1]",
                        .boundary = HIT_BOUNDARY_CLAMP};
    shape row = {.title = "panel: columns 4 and 5 as \"[i, :]\", 1 x 5 processes",
                 .ranks = 5,
                 .grid = "grid=1x5",
                 .whole = panel,
                 .by = "grid=1x5",
                 .pattern = "[i, :]"};
    const shape turned = {.title = "transpose: \"[j, i]\" is written, 3 x 1 processes",
                          .ranks = 3,
                          .grid = "grid=3x1",
                          .whole = hit_domain_of(6, 6),
                          .tile = hit_domain_of(6, 6),
                          .by = "grid=3x1",
                          .pattern = "[j, i]",
                          .direction = HIT_RETURN};

    panel.sig[1] = hit_sig_make(4, 5, 1);
    row.tile = panel;
    print_shape(&halo, text);
    print_shape(&row, text);
    print_shape(&turned, text);
}

START_TEST(plans_are_printed_as_before)
{
    char *found = calloc(1, TEXT_BYTES);
    char *expected = calloc(1, TEXT_BYTES);
    FILE *file = fopen(GOLDEN, "r");

    ck_assert_msg(file != NULL, "expected " GOLDEN ": run in the root of the project");
    ck_assert_uint_lt(fread(expected, 1, TEXT_BYTES - 1, file), TEXT_BYTES - 1);
    fclose(file);
    print_all(found);
    ck_assert_str_eq(found, expected);
    free(found);
    free(expected);
}
END_TEST

START_TEST(text_is_cut_off_where_it_is_full)
{
    const hit_domain tile = hit_domain_of(6);
    const shape line = {.ranks = 3, .whole = tile, .tile = tile};
    hit_layout *layout = block(&line, "grid=3");
    const hit_boundary none[HIT_MAX_DIMS] = {HIT_BOUNDARY_NONE};
    static const char *const names[] = {"i"};
    hit_message_request request = {
        .ranks = 3, .layout = layout, .tile = tile, .boundary = none, .size_bytes = 8};
    hit_pattern pattern;
    hit_split split;
    hit_message_plan plan;
    char whole[400];

    HIT_MUST(hit_pattern_parse("[:]", 1, names, &pattern));
    HIT_MUST(hit_split_by_layout(layout, &tile, &split));
    request.pattern = &pattern;
    request.split = &split;
    HIT_MUST(hit_message_plan_make(&request, &plan));
    hit_message_plan_print(&plan, whole, sizeof(whole));
    for (size_t size = 0; size < strlen(whole) + 2; size++) {
        char *part = malloc(size + 1);

        memset(part, '#', size + 1);
        hit_message_plan_print(&plan, part, size);
        ck_assert_int_eq(part[size], '#');
        ck_assert(size == 0 ||
                  strlen(part) == (size <= strlen(whole) ? size - 1 : strlen(whole)));
        ck_assert(size == 0 || strncmp(part, whole, strlen(part)) == 0);
        free(part);
    }
    hit_message_plan_clear(&plan);
    hit_pattern_clear(&pattern);
    hit_layout_destroy(&layout);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("message print");
    TCase *tests = tcase_create("golden");

    tcase_add_test(tests, plans_are_printed_as_before);
    tcase_add_test(tests, text_is_cut_off_where_it_is_full);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--write") == 0) {
        char *text = calloc(1, TEXT_BYTES);
        FILE *file = fopen(GOLDEN, "w");

        if (text == NULL || file == NULL) return EXIT_FAILURE;
        print_all(text);
        (void)fputs(text, file);
        free(text);
        return fclose(file) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    return check_run(suite());
}
