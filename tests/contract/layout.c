/* SPDX-License-Identifier: MIT
 * What every layout promises, for each plug-in of the library and one of the program. A
 * new plug-in is covered without options as soon as it is in layouts/table.c; a line in
 * `cases` adds option texts. */
#include "hit/base/context.h"
#include "hit/base/registry.h"
#include "hit/topo/layout_impl.h"
#include "hit/topo/layout_like.h"
#include "hit/topo/layout_print.h"
#include "hit/topo/layout_text.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRIES 160
#define MOST_RANKS 9
#define MOST_ELEMENTS 8000

/** In option texts, # is a grid of all ranks, @ one weight per rank, % one model per
 * rank, $ a rank, & the boxes of another layout, ~ a pattern of ranks. */
static const struct {
    const char *name;
    const char *options[7];
    int most_ranks; /**< that the layout is for; 0: any */
} cases[] = {
    {"boxes", {"&"}, 0},
    {"block", {"", "grid=#", "dims=0", "dims=1", "dims=0,2"}, 0},
    {"cyclic", {"", "dim=1", "dim=2"}, 0},
    {"blockcyclic", {"", "block=1", "block=3", "block=2,grid=#", "block=1x4"}, 0},
    {"weighted", {"", "weights=@", "weights=@,dim=1", "dim=2"}, 0},
    {"cpm", {"", "speeds=@", "models=%", "models=%,dim=1"}, 0},
    {"fpm", {"models=%", "models=tests/data/models/gpu.fpm", "models=%,dim=1"}, 0},
    {"fpm2d", {"", "speeds=@", "models=%", "dims=1,0", "speeds=@,dims=0,2"}, 0},
    {"cpm2d", {"", "speeds=@", "dims=1,0"}, 0},
    {"grid2d", {"", "speeds=@", "models=%", "dims=1,0", "speeds=@,dims=0,2"}, 0},
    {"cartesian", {"", "speeds=@", "dims=1,0", "speeds=@,dims=0,2"}, 0},
    {"ordered", {"", "speeds=@,panel=2", "models=%,panel=3", "panel=1,dim=1"}, 0},
    {"hierarchical", {"", "speeds=@", "models=%", "dims=1,0", "speeds=@,dims=0,2"}, 0},
    {"corner", {"", "speeds=@", "models=%", "dims=1,0", "dims=2,1,speeds=@"}, 2},
    {"sbc", {"", "block=1", "block=2x3", "block=2,dims=1,0"}, 0},
    {"map", {"~", "block=1,~", "block=2x3,~", "block=3,dims=1,0,~"}, 0},
    {"single", {"", "root=$"}, 0},
};

static const char *case_options(const char *name, int k)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (strcmp(cases[i].name, name) == 0) return cases[i].options[k];
    }
    return k == 0 ? "" : NULL;
}

static int case_ranks(const char *name)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (strcmp(cases[i].name, name) == 0 && cases[i].most_ranks > 0) {
            return cases[i].most_ranks;
        }
    }
    return MOST_RANKS;
}

/* --- a plug-in of the program: rows are dealt out back and forth, 0 1 2 2 1 0 0 1 2 ...
 * ------------- */

static hit_status fold_create(const hit_layout_spec *spec, void **state)
{
    (void)state;
    HIT_TRY(hit_layout_only(spec, (const char *const[]){NULL}));
    if (spec->domain.dims == 0) {
        return HIT_FAIL(HIT_E_ARG, "layout fold: expected at least 1 dimension");
    }
    return HIT_OK;
}

static hit_status fold_part(const hit_layout_spec *spec, const void *state, int rank,
                            hit_region *part)
{
    hit_sig rows = spec->domain.sig[0];
    hit_index count = hit_sig_count(rows);
    hit_index first[2] = {rank, 2 * spec->ranks - 1 - rank};
    hit_domain mine = spec->domain;

    (void)state;
    for (int way = 0; way < 2; way++) {
        if (first[way] >= count) break;
        mine.sig[0] = hit_sig_make(hit_sig_at(rows, first[way]), rows.end,
                                   rows.stride * 2 * spec->ranks);
        HIT_TRY(hit_region_append(part, &mine));
    }
    return HIT_OK;
}

static int fold_owner(const hit_layout_spec *spec, const void *state,
                      const hit_index index[])
{
    hit_index at = hit_sig_position(spec->domain.sig[0], index[0]) % (2 * spec->ranks);

    (void)state;
    return (int)(at < spec->ranks ? at : 2 * spec->ranks - 1 - at);
}

static bool fold_splits(const hit_layout_spec *spec, const void *state, int dim)
{
    (void)state;
    return dim == 0 && spec->ranks > 1;
}

static const hit_layout_ops fold = {
    .name = "fold",
    .help = "no options",
    .create = fold_create,
    .part = fold_part,
    .owner = fold_owner,
    .splits = fold_splits,
};

/* --- random cases
 * -------------------------------------------------------------------------------------
 */

/** 0 to 4 dimensions of 0 to 20 elements (0 to 6 if there are 4), strided and shifted. */
static hit_domain random_domain(hit_random *random)
{
    hit_domain domain = {.dims = (int)hit_random_index(random, 0, 4)};

    for (int d = 0; d < domain.dims; d++) {
        hit_index count = hit_random_index(random, 0, domain.dims < 4 ? 20 : 6);
        hit_index stride = hit_random_index(random, 1, 3);
        hit_index begin = hit_random_index(random, -50, 50);

        domain.sig[d] = hit_sig_make(begin, begin + (count - 1) * stride, stride);
    }
    return domain;
}

/** Sizes with the product @p ranks, one per dimension, in random order. */
static void random_grid(hit_random *random, int dims, int ranks, char *text)
{
    hit_index size[HIT_MAX_DIMS] = {1, 1, 1, 1};

    for (int factor = 2; dims > 0 && factor <= ranks; factor++) {
        for (; ranks % factor == 0; ranks /= factor) {
            size[hit_random_index(random, 0, dims - 1)] *= factor;
        }
    }
    text[0] = '\0';
    for (int d = 0; d < dims; d++) {
        text += sprintf(text, d == 0 ? "%lld" : "x%lld", (long long)size[d]);
    }
}

/** One element for each rank, with commas between them: @ or %. */
static void random_list(hit_random *random, char kind, int ranks, char *text)
{
    static const char *const model[] = {"core", "gpu", "slow"};

    text[0] = '\0';
    for (int i = 0; i < ranks; i++) {
        int weight = (int)hit_random_index(random, i == 0 ? 1 : 0, 5);

        if (i > 0) text += sprintf(text, ",");
        if (kind == '@') text += sprintf(text, i == 0 ? "%d" : "%d.5", weight);
        if (kind == '%') {
            text += sprintf(text, "tests/data/models/%s.fpm", model[weight % 3]);
        }
    }
}

/** The options of the layout "boxes" that is like another one. */
static void random_boxes(hit_random *random, hit_domain domain, int ranks, char *text)
{
    static const char *const like[] = {"cyclic", "blockcyclic:block=3", "fpm2d"};
    hit_layout *layout = NULL;
    hit_layout *made = NULL;

    if (hit_layout_plan_text(NULL, domain, ranks, like[hit_random_index(random, 0, 2)],
                             &layout) != HIT_OK) {
        ck_assert_int_eq(hit_layout_plan_text(NULL, domain, ranks, "block", &layout),
                         HIT_OK);
    }
    ck_assert_int_eq(hit_layout_like(layout, domain, NULL, &made), HIT_OK);
    sprintf(text, "own=%s", hit_layout_option(&made->spec, "own", ""));
    hit_layout_destroy(&made);
    hit_layout_destroy(&layout);
}

/** A map of one to three rows and columns of ranks, repeated. */
static void random_pattern(hit_random *random, int ranks, char *text)
{
    const hit_index rows = hit_random_index(random, 1, 3);
    const hit_index columns = hit_random_index(random, 1, 3);

    text += sprintf(text, "repeat=1,owners=");
    for (hit_index k = 0; k < rows * columns; k++) {
        text += sprintf(text, "%d%s", (int)hit_random_index(random, 0, ranks - 1),
                        k + 1 == rows * columns  ? ""
                        : (k + 1) % columns == 0 ? ";"
                                                 : ",");
    }
}

/** Replace #, @, %, $, & and ~ in @p options. */
static void fill_in(hit_random *random, const char *options, hit_domain domain, int ranks,
                    char *text)
{
    for (; *options != '\0'; options++) {
        text[0] = *options;
        text[1] = '\0';
        if (*options == '#') random_grid(random, domain.dims, ranks, text);
        if (*options == '&') random_boxes(random, domain, ranks, text);
        if (*options == '~') random_pattern(random, ranks, text);
        if (*options == '@' || *options == '%') {
            random_list(random, *options, ranks, text);
        }
        if (*options == '$') {
            sprintf(text, "%d", (int)hit_random_index(random, 0, ranks - 1));
        }
        text += strlen(text);
    }
}

/* --- the promises
 * ---------------------------------------------------------------------------------- */

/** The owner does not change along a dimension that is not split. */
static void check_splits(const hit_layout *layout, const hit_index index[], int rank)
{
    hit_domain domain = hit_layout_domain(layout);

    for (int d = 0; d < domain.dims; d++) {
        hit_index other[HIT_MAX_DIMS];

        if (hit_layout_splits(layout, d)) continue;
        memcpy(other, index, (size_t)domain.dims * sizeof other[0]);
        other[d] = domain.sig[d].begin;
        if (hit_layout_owner(layout, other) != rank) ck_abort_msg("split after all");
        other[d] = domain.sig[d].end;
        if (hit_layout_owner(layout, other) != rank) ck_abort_msg("split after all");
    }
}

/** The place of an element in the domain, in row-major order. */
static size_t place_of(const hit_domain *domain, const hit_index index[])
{
    hit_index place = 0;

    for (int d = 0; d < domain->dims; d++) {
        place = place * hit_sig_count(domain->sig[d]) +
                hit_sig_position(domain->sig[d], index[d]);
    }
    return (size_t)place;
}

/** A plug-in that tells the box of an element tells the one of the part. */
static void check_box(const hit_layout *layout, const hit_domain *part,
                      const hit_index index[])
{
    hit_domain box;

    if (!hit_layout_box(layout, index, &box)) return;
    if (!hit_domain_equal(&box, part)) ck_abort_msg("another box than that of the part");
}

/** Every element of the part is in the domain, is owned by the rank, and was not seen
 * before. */
static void check_part(const hit_layout *layout, int rank, bool seen[])
{
    hit_domain domain = hit_layout_domain(layout);
    hit_region part = {0};

    ck_assert_int_eq(hit_layout_part(layout, rank, &part), HIT_OK);
    for (int i = 0; i < part.count; i++) {
        hit_index index[HIT_MAX_DIMS];

        ck_assert_int_eq(hit_domain_check(&part.part[i]), HIT_OK);
        ck_assert(!hit_domain_is_empty(&part.part[i]));
        ck_assert(hit_domain_inside(&part.part[i], &domain));
        for (bool more = hit_domain_first(&part.part[i], index); more;
             more = hit_domain_next(&part.part[i], index)) {
            size_t place = place_of(&domain, index);

            if (seen[place]) ck_abort_msg("an element is there twice");
            seen[place] = true;
            if (hit_layout_owner(layout, index) != rank) ck_abort_msg("wrong owner");
            check_splits(layout, index, rank);
            check_box(layout, &part.part[i], index);
        }
    }
    hit_region_clear(&part);
}

/** A random box in the domain, of few elements as often as of many. */
static hit_domain random_box(hit_random *random, const hit_domain *domain)
{
    hit_domain box = *domain;

    for (int d = 0; d < box.dims; d++) {
        const hit_index count = hit_sig_count(box.sig[d]);
        const hit_index first = hit_random_index(random, 0, count);
        const hit_index most = hit_random_index(random, 0, 1) == 0 ? first + 2 : count;

        box.sig[d] = hit_sig_slice(
            box.sig[d], first,
            hit_random_index(random, first - 1, (most < count ? most : count) - 1));
    }
    return box;
}

/** What of the part is in a box is the part, clipped. */
static void check_part_in(const hit_layout *layout, int rank, const hit_domain *box)
{
    hit_region clipped = {0};
    hit_region found = {0};

    ck_assert_int_eq(hit_layout_part(layout, rank, &clipped), HIT_OK);
    hit_region_clip(&clipped, box);
    ck_assert_int_eq(hit_layout_part_in(layout, rank, box, &found), HIT_OK);
    ck_assert_int_eq(found.count, clipped.count);
    for (int k = 0; k < found.count; k++) {
        ck_assert(hit_domain_equal(&found.part[k], &clipped.part[k]));
    }
    hit_region_clear(&found);
    hit_region_clear(&clipped);
}

/** Outside the domain there is no owner. */
static void check_outside(const hit_layout *layout)
{
    hit_domain domain = hit_layout_domain(layout);
    hit_index index[HIT_MAX_DIMS] = {0};

    for (int d = 0; d < domain.dims; d++) {
        index[d] = domain.sig[d].begin;
    }
    for (int d = 0; d < domain.dims; d++) {
        index[d] = domain.sig[d].end + 1;
        ck_assert_int_eq(hit_layout_owner(layout, index), -1);
        index[d] = domain.sig[d].begin - 1;
        ck_assert_int_eq(hit_layout_owner(layout, index), -1);
        index[d] = domain.sig[d].begin;
    }
}

/** A second layout of the same text has the same key and the same printed parts. */
static void check_twin(hit_context *context, hit_layout *layout, const char *text)
{
    static char one[1 << 16];
    static char two[1 << 16];
    hit_layout *twin;
    size_t length;

    ck_assert_int_eq(hit_layout_plan_text(context, hit_layout_domain(layout),
                                          context->size, text, &twin),
                     HIT_OK);
    ck_assert_uint_eq(hit_layout_key(layout), hit_layout_key(twin));
    ck_assert_int_eq(hit_layout_print(layout, one, sizeof one), HIT_OK);
    ck_assert_int_eq(hit_layout_print(twin, two, sizeof two), HIT_OK);
    ck_assert_str_eq(one, two);
    ck_assert_int_eq(hit_layout_print(layout, two, sizeof two), HIT_OK);
    ck_assert_str_eq(one, two);

    length = strlen(one) / 2;
    memset(two, 'x', sizeof two);
    ck_assert_int_eq(hit_layout_print(layout, two, length + 1), HIT_OK);
    ck_assert_uint_eq(strlen(two), length);
    ck_assert_int_eq(strncmp(one, two, length), 0);
    ck_assert_int_eq(two[length + 1], 'x');
    hit_layout_destroy(&twin);
}

/** What is printed before " splits " makes the same layout. */
static void check_saved(hit_context *context, const hit_layout *layout)
{
    static char text[1 << 16];
    hit_layout *made;

    ck_assert_int_eq(hit_layout_print(layout, text, sizeof text), HIT_OK);
    ck_assert_ptr_nonnull(strstr(text, " splits "));
    *strstr(text, " splits ") = '\0';
    ck_assert_int_eq(hit_layout_plan_text(context, hit_layout_domain(layout),
                                          context->size, text, &made),
                     HIT_OK);
    ck_assert_uint_eq(hit_layout_key(layout), hit_layout_key(made));
    hit_layout_destroy(&made);
}

/** Check one random case. Returns whether the plug-in takes it. */
static bool try_once(hit_random *random, hit_context *context, const char *name,
                     const char *options)
{
    hit_domain domain = random_domain(random);
    hit_layout *layout;
    hit_domain box;
    bool seen[MOST_ELEMENTS] = {false};
    static char text[1 << 16];
    hit_status status;

    context->size = (int)hit_random_index(random, 1, case_ranks(name));
    fill_in(random, options, domain, context->size, text + sprintf(text, "%s:", name));
    status = hit_layout_plan_text(context, domain, context->size, text, &layout);
    if (status != HIT_OK) {
        ck_assert_int_eq(status, HIT_E_ARG);
        return false;
    }
    box = random_box(random, &domain);
    for (int rank = 0; rank < context->size; rank++) {
        check_part(layout, rank, seen);
        check_part_in(layout, rank, &box);
    }
    for (hit_index i = 0; i < hit_domain_count(&domain); i++) {
        if (!seen[i]) ck_abort_msg("an element is in no part");
    }
    check_outside(layout);
    check_twin(context, layout, text);
    check_saved(context, layout);
    hit_layout_destroy(&layout);
    return true;
}

static void check_plugin(hit_random *random, hit_context *context, const char *name)
{
    for (int k = 0; case_options(name, k) != NULL; k++) {
        const int tries = hit_random_cases(TRIES);
        int taken = 0;

        for (int i = 0; i < tries; i++) {
            taken += try_once(random, context, name, case_options(name, k));
        }
        ck_assert_msg(taken >= tries / 10, "%s:%s takes only %d of %d cases", name,
                      case_options(name, k), taken, tries);
    }
}

START_TEST(parts_of_every_layout_are_disjoint_complete_and_owned)
{
    hit_random random = hit_random_start(20240607);
    hit_context context = {.size = 1};

    ck_assert_int_gt(hit_layout_table_count, 0);
    for (int i = 0; i < hit_layout_table_count; i++) {
        check_plugin(&random, &context, hit_layout_table[i]->name);
    }
}
END_TEST

START_TEST(parts_of_a_layout_of_the_program_are_too)
{
    hit_random random = hit_random_start(20240608);
    hit_context context = {.size = 1};

    ck_assert_int_eq(hit_layout_register(&context, &fold), HIT_OK);
    check_plugin(&random, &context, "fold");
    hit_registry_destroy(&context.layouts);
    ck_assert_ptr_null(context.layouts);
}
END_TEST

START_TEST(every_layout_names_itself_and_its_options)
{
    for (int i = 0; i < hit_layout_table_count; i++) {
        ck_assert_ptr_nonnull(hit_layout_table[i]->help);
        ck_assert_uint_gt(strlen(hit_layout_table[i]->help), 0);
        for (int j = 0; j < i; j++) {
            ck_assert_str_ne(hit_layout_table[i]->name, hit_layout_table[j]->name);
        }
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("layout contract");
    TCase *tcase = tcase_create("layout contract");

    tcase_add_test(tcase, parts_of_every_layout_are_disjoint_complete_and_owned);
    tcase_add_test(tcase, parts_of_a_layout_of_the_program_are_too);
    tcase_add_test(tcase, every_layout_names_itself_and_its_options);
    suite_add_tcase(made, tcase);
    return made;
}

int main(void)
{
    return check_run(suite());
}
