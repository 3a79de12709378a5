/* SPDX-License-Identifier: MIT
 * Inference: what is found for the kernels of the catalogue and of the bank is what their
 * authors wrote, or tighter, and the checker agrees with it. */
#define _POSIX_C_SOURCE 200809L /* strdup */

#include "hit/base/memory.h"
#include "hit/check/check_impl.h"
#include "kernels/kernels.h"
#include "patterns/parse.h"
#include "patterns/transform.h"
#include "tests/hit/check/bank.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <string.h>

extern const hit_kernel masked; /* masked.k.c */

typedef struct scene {
    hit_replica replica;
    hit_pattern declared[HIT_MAX_ARGS];
    hit_pattern inferred[HIT_MAX_ARGS];
    char note[1500];
} scene;

static const int64_t two = 2;
static const double half = 0.5;
static const hit_wave_shot shot = {{4, 4}, 30, 1};

static const void *value_of(const hit_kernel_arg *arg)
{
    static const float half_float = 0.5f;

    if (arg->type.kind == HIT_KIND_FLOAT) return &half_float;
    if (arg->type.kind == HIT_KIND_DOUBLE) return &half;
    return arg->type.kind == HIT_KIND_BYTES ? (const void *)&shot : &two;
}

static void fill(hit_type type, const hit_replica_arg *arg, int salt)
{
    for (hit_index cell = 0; cell < arg->cells; cell++) {
        void *element = arg->view.data + (size_t)cell * type.size_bytes;
        const int number = (int)((cell * 31 + salt * 17) % 7 + 1);

        if (type.kind == HIT_KIND_FLOAT) *(float *)element = (float)number;
        if (type.kind == HIT_KIND_DOUBLE) *(double *)element = number;
        if (type.kind == HIT_KIND_INT64) *(int64_t *)element = number;
        if (type.kind == HIT_KIND_BYTES) memset(element, number, type.size_bytes);
    }
}

/* tile NULL: what the patterns need, and a little more */
static void open_scene(scene *s, const hit_kernel *kernel, const hit_domain *index,
                       const hit_domain *tile)
{
    memset(s, 0, sizeof(*s));
    s->replica.kernel = kernel;
    s->replica.index = *index;
    for (int k = 0; k < kernel->args; k++) {
        hit_replica_arg *arg = &s->replica.arg[k];
        hit_domain domain = {0};

        if (kernel->arg[k].mode == HIT_MODE_VALUE) {
            arg->value = value_of(&kernel->arg[k]);
            continue;
        }
        HIT_MUST(hit_kernel_pattern(kernel, k, NULL, &s->declared[k]));
        if (tile != NULL) {
            domain = tile[k];
        } else {
            const hit_index size[] = {7, 7, 7, 7};

            domain = hit_domain_of_sizes(s->declared[k].tile_dims, size);
            domain = hit_pattern_cover(&s->declared[k], &domain, index);
        }
        arg->tile = kernel->arg[k].name;
        arg->domain = domain;
        HIT_MUST(hit_replica_take(&s->replica, k, &domain));
        fill(kernel->arg[k].type, arg, k);
    }
    hit_replica_keep(&s->replica);
}

static void close_scene(scene *s)
{
    for (int k = 0; k < HIT_MAX_ARGS; k++) {
        hit_pattern_clear(&s->declared[k]);
        hit_pattern_clear(&s->inferred[k]);
    }
    hit_replica_clear(&s->replica);
}

/* Is what was inferred within what is declared, at every index? */
static bool is_tighter(const scene *s, int k)
{
    const hit_domain *tile = &s->replica.arg[k].domain;
    hit_index at[HIT_MAX_DIMS];
    bool inside = true;
    bool more;

    for (more = hit_domain_first(&s->replica.index, at); more && inside;
         more = hit_domain_next(&s->replica.index, at)) {
        const hit_domain point = hit_domain_box(s->replica.kernel->dims, at, at);
        hit_region declared = {0};
        hit_region inferred = {0};

        HIT_MUST(hit_pattern_region(&s->declared[k], tile, &point, &declared));
        HIT_MUST(hit_pattern_region(&s->inferred[k], tile, &point, &inferred));
        for (int p = 0; p < inferred.count && inside; p++) {
            HIT_MUST(hit_region_covers(&declared, &inferred.part[p], &inside));
        }
        hit_region_clear(&declared);
        hit_region_clear(&inferred);
    }
    return inside;
}

static void infer_arg(scene *s, int k)
{
    const hit_kernel *kernel = s->replica.kernel;
    hit_inferred found;
    char text[600];

    HIT_MUST(hit_infer_arg(&s->replica, k, &found));
    hit_infer_print(&s->replica, k, &found, text, sizeof(text));
    s->inferred[k] = found.pattern;
    if (found.mode != kernel->arg[k].mode || !is_tighter(s, k)) {
        snprintf(s->note, sizeof(s->note), "%s: found %s, declared \"%s\" with mode %d",
                 kernel->name, text, kernel->arg[k].pattern, (int)kernel->arg[k].mode);
    }
}

static void infer_all(scene *s)
{
    hit_report report = {0};

    for (int k = 0; k < s->replica.kernel->args; k++) {
        if (s->replica.arg[k].value == NULL) infer_arg(s, k);
    }
    s->replica.pattern = s->inferred;
    HIT_MUST(hit_check_some(&s->replica, true, NULL, &report));
    if (report.count > 0) snprintf(s->note, sizeof(s->note), "%s", report.text);
}

/* These need square blocks with numbers that fit: definite, and triangles that can be
 * divided by. Inference tries them on any numbers. */
static bool is_of_factorisations(const hit_kernel *kernel)
{
    static const char *const begins[] = {"geqrt", "gessm", "getrf", "potrf",
                                         "ssssm", "syrk",  "trsm",  "tsmqr",
                                         "tsqrt", "tstrf", "unmqr"};

    for (size_t k = 0; k < sizeof begins / sizeof begins[0]; k++) {
        if (strncmp(kernel->name, begins[k], strlen(begins[k])) == 0) return true;
    }
    return false;
}

START_TEST(what_the_catalogue_declares_is_found)
{
    static const hit_index size[][HIT_MAX_DIMS] = {{20}, {9, 8}, {6, 5, 4}, {4, 4, 4, 4}};
    const hit_kernel *kernel = hit_kernel_table[_i];
    const hit_domain index = hit_domain_of_sizes(kernel->dims, size[kernel->dims - 1]);
    scene s;

    if (is_of_factorisations(kernel)) return;
    open_scene(&s, kernel, &index, NULL);
    infer_all(&s);
    close_scene(&s);
    ck_assert_msg(s.note[0] == '\0', "%s", s.note);
}
END_TEST

START_TEST(what_the_bank_declares_is_found)
{
    scene s;

    open_scene(&s, bank_right[_i].kernel, &bank_right[_i].index, bank_right[_i].tile);
    infer_all(&s);
    close_scene(&s);
    ck_assert_msg(s.note[0] == '\0', "%s", s.note);
}
END_TEST

/* The annotations that are found for a kernel, without its name. */
static char *text_of(const bank_case *one)
{
    char *text = NULL;
    char *copy;
    scene s;

    open_scene(&s, one->kernel, &one->index, one->tile);
    HIT_MUST(hit_infer_kernel(&s.replica, &text));
    close_scene(&s);
    copy = strdup(strchr(text, ','));
    free(text);
    return copy;
}

START_TEST(what_is_declared_has_no_part_in_it)
{
    char *wrong = text_of(&bank_wrong[_i]);
    char *right = text_of(&bank_right[_i]);
    const bool same = strcmp(wrong, right) == 0;
    const bool cannot_write = strcmp(bank_wrong[_i].name, "rewrites") == 0; /* it is in */

    if (!same && !cannot_write) printf("%s%s", wrong, right);
    free(wrong);
    free(right);
    ck_assert(same != cannot_write);
}
END_TEST

static bool tells_what_is_shared(const bank_case *one)
{
    char *text = text_of(one);
    const bool tells = strstr(text, "several indices write the same elements") != NULL;

    free(text);
    return tells;
}

START_TEST(what_several_indices_write_is_told)
{
    int told = 0;

    for (int k = 0; k < bank_right_count; k++) {
        ck_assert_msg(!tells_what_is_shared(&bank_right[k]), "%s", bank_right[k].name);
    }
    for (int k = 0; k < bank_wrong_count; k++) {
        if (strcmp(bank_wrong[k].name, "keep") != 0 &&
            strcmp(bank_wrong[k].name, "assign") != 0) {
            continue;
        }
        ck_assert_msg(tells_what_is_shared(&bank_wrong[k]), "%s", bank_wrong[k].name);
        told++;
    }
    ck_assert_int_eq(told, 2);
}
END_TEST

/* One index of so many runs. */
static const int64_t few[] = {1, 2, 6, 20};

START_TEST(what_a_mask_leaves_is_enough)
{
    const hit_domain index = hit_domain_of(90, 70);
    hit_replica_arg *wet;
    hit_where where = {0};
    uint64_t random = 5;
    scene s;

    open_scene(&s, &masked, &index, NULL);
    wet = &s.replica.arg[2];
    for (hit_index cell = 0; cell < wet->cells; cell++) {
        ((int64_t *)wet->view.data)[cell] = hit_sample_below(&random, few[_i]);
    }
    hit_replica_keep(&s.replica);
    HIT_MUST(hit_where_parse(&masked, "wet == 0", NULL, &where));
    s.replica.where = &where;
    infer_arg(&s, 0);
    infer_arg(&s, 1);
    s.replica.where = NULL;
    close_scene(&s);
    ck_assert_msg(s.note[0] == '\0', "%s", s.note);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("inference");
    TCase *kernels = tcase_create("kernels");

    tcase_set_timeout(kernels, 0);
    tcase_add_loop_test(kernels, what_the_catalogue_declares_is_found, 0,
                        hit_kernel_table_count);
    tcase_add_loop_test(kernels, what_the_bank_declares_is_found, 0, bank_right_count);
    tcase_add_loop_test(kernels, what_is_declared_has_no_part_in_it, 0, BANK_PAIRS);
    tcase_add_test(kernels, what_several_indices_write_is_told);
    tcase_add_loop_test(kernels, what_a_mask_leaves_is_enough, 0, 4);
    suite_add_tcase(suite, kernels);
    return suite;
}

int main(void)
{
    return check_run(suite());
}
