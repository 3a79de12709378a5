/* SPDX-License-Identifier: MIT
 * Identities and combinations of reductions, and which dimensions a reduction leaves
 * free to be split. */
#include "hit/base/kind.h"
#include "patterns/reduce.h"
#include "tests/support/check_main.h"

#include <math.h>
#include <string.h>

enum {
    ELEMENTS = 4000
};

static const hit_mode mode[] = {HIT_MODE_SUM, HIT_MODE_MIN, HIT_MODE_MAX};

#define TYPE(KIND, name, c_type, letter) {HIT_KIND_##KIND, sizeof(c_type)},
static const hit_type types[] = {HIT_KINDS(TYPE)};

enum {
    TYPES = sizeof(types) / sizeof(types[0])
};

static double load(hit_type type, const void *at)
{
    return hit_type_get(type, at);
}

static void store(hit_type type, void *at, double value)
{
    hit_type_set(type, value, at);
}

static double combined(hit_type type, hit_mode how, double a, double b)
{
    if (how == HIT_MODE_MIN) return b < a ? b : a;
    if (how == HIT_MODE_MAX) return b > a ? b : a;
    return type.kind == HIT_KIND_BOOL ? fmax(a, b) : a + b;
}

static void fill(hit_random *random, hit_type type, char *memory)
{
    for (int k = 0; k < ELEMENTS; k++) {
        store(type, memory + (size_t)k * type.size_bytes,
              (double)hit_random_index(random, 0, 60));
    }
}

START_TEST(combining_is_right_between_any_views)
{
    static double memory[3][2 * ELEMENTS];
    hit_type type = types[_i / 3];
    hit_mode how = mode[_i % 3];
    hit_random random = hit_random_start(600 + (uint64_t)_i);
    bool good = true;

    if (hit_kind_is_complex(type.kind)) how = HIT_MODE_SUM;
    for (int round = 0; round < 60; round++) {
        int dims = (int)hit_random_index(&random, 0, 4);
        hit_domain part = hit_random_domain(&random, dims, 0, 7, 2);
        hit_domain tile =
            hit_domain_of_sizes(dims, (const hit_index[]){7 + 1, 7 + 1, 7 + 1, 7 + 1});
        hit_index x[HIT_MAX_DIMS];
        if (hit_domain_count(&tile) > ELEMENTS || hit_domain_is_empty(&part)) continue;
        hit_view onto = hit_view_make(&tile, type.size_bytes, memory[0]);
        hit_view before = hit_view_make(&tile, type.size_bytes, memory[2]);
        hit_view from = hit_view_make(&part, type.size_bytes, memory[1]);
        fill(&random, type, (char *)memory[0]);
        fill(&random, type, (char *)memory[1]);
        memcpy(memory[2], memory[0], sizeof(memory[0]));
        ck_assert_int_eq(
            hit_reduce_combine((hit_reducer){how, type, NULL}, &onto, &from, &part),
            HIT_OK);
        for (bool more = hit_domain_first(&tile, x); more;
             more = hit_domain_next(&tile, x)) {
            double want = load(type, hit_view_at(&before, x));
            if (hit_domain_has(&part, x)) {
                want = combined(type, how, want, load(type, hit_view_at(&from, x)));
            }
            good = good && load(type, hit_view_at(&onto, x)) == want;
        }
    }
    ck_assert(good);
}
END_TEST

START_TEST(the_identity_changes_nothing)
{
    const double values[] = {0, 1, 100, 255};
    hit_type type = types[_i / 3];
    hit_mode how = mode[_i % 3];
    hit_domain scalar = hit_domain_scalar();
    double value[2] = {0, 0};
    double stored[2];
    double identity[5] = {7, 7, 7, 7, 7};

    if (hit_kind_is_complex(type.kind)) how = HIT_MODE_SUM;
    ck_assert_int_eq(hit_reduce_identity((hit_reducer){how, type, NULL}, identity, 2),
                     HIT_OK);
    ck_assert_double_eq(identity[4], 7); /* two elements, no more */
    hit_view onto = hit_view_make(&scalar, type.size_bytes, value);
    hit_view from =
        hit_view_make(&scalar, type.size_bytes, (char *)identity + type.size_bytes);
    for (int k = 0; k < 4; k++) {
        store(type, value, values[k]);
        memcpy(stored, value, sizeof(stored));
        ck_assert_int_eq(
            hit_reduce_combine((hit_reducer){how, type, NULL}, &onto, &from, &scalar),
            HIT_OK);
        ck_assert_double_eq(load(type, value), load(type, stored));
    }
}
END_TEST

START_TEST(integers_wrap_around)
{
    hit_domain scalar = hit_domain_scalar();
    int32_t a = INT32_MAX;
    int32_t one = 1;
    hit_view onto = hit_view_make(&scalar, sizeof(a), &a);
    hit_view from = hit_view_make(&scalar, sizeof(a), &one);

    ck_assert_int_eq(hit_reduce_combine((hit_reducer){HIT_MODE_SUM, HIT_INT32, NULL},
                                        &onto, &from, &scalar),
                     HIT_OK);
    ck_assert_int_eq(a, INT32_MIN);
}
END_TEST

/* Of either side, among numbers, and against the identity. */
START_TEST(a_nan_wins_over_every_number)
{
    static const double values[] = {NAN, -1, 0.0, -0.0, 3, INFINITY, -INFINITY};
    hit_domain scalar = hit_domain_scalar();

    for (int k = 0; k < 2 * 7 * 7; k++) {
        const hit_mode how = k % 2 == 0 ? HIT_MODE_MIN : HIT_MODE_MAX;
        double a = values[k / 2 % 7];
        double b = values[k / 14];
        const bool nan = isnan(a) || isnan(b);
        const double want = how == HIT_MODE_MIN ? fmin(a, b) : fmax(a, b);
        float f = (float)a;
        float g = (float)b;
        hit_view onto = hit_view_make(&scalar, sizeof(a), &a);
        hit_view from = hit_view_make(&scalar, sizeof(b), &b);

        HIT_MUST(hit_reduce_combine((hit_reducer){how, HIT_DOUBLE, NULL}, &onto, &from,
                                    &scalar));
        onto = hit_view_make(&scalar, sizeof(f), &f);
        from = hit_view_make(&scalar, sizeof(g), &g);
        HIT_MUST(hit_reduce_combine((hit_reducer){how, HIT_FLOAT, NULL}, &onto, &from,
                                    &scalar));
        ck_assert(nan ? isnan(a) && isnan(f) : a == want && (double)f == want);
    }
}
END_TEST

START_TEST(what_cannot_be_reduced_is_refused)
{
    char data[64];

    ck_assert_int_eq(
        hit_reduce_identity((hit_reducer){HIT_MODE_IN, HIT_FLOAT, NULL}, data, 1),
        HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "sum, min, max or reduce"));
    ck_assert_int_eq(
        hit_reduce_identity(
            (hit_reducer){HIT_MODE_SUM, HIT_TYPE(HIT_KIND_BYTES, 12), NULL}, data, 1),
        HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "12 bytes"));
    ck_assert_int_eq(hit_reduce_identity(
                         (hit_reducer){HIT_MODE_MIN, HIT_COMPLEX_FLOAT, NULL}, data, 1),
                     HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "have no order"));
}
END_TEST

static unsigned reduced_by(const char *first, const char *second)
{
    const hit_kernel_arg args[] = {{HIT_MODE_SUM, HIT_DOUBLE, "a", first},
                                   {HIT_MODE_IN, HIT_DOUBLE, "x", "[i, j, k]"},
                                   {HIT_MODE_VALUE, HIT_INT64, "s", NULL},
                                   {HIT_MODE_MIN, HIT_DOUBLE, "b", second}};
    const hit_kernel kernel = {.name = "test",
                               .dims = 3,
                               .index = {"i", "j", "k"},
                               .args = second == NULL ? 3 : 4,
                               .arg = args};
    unsigned reduced = ~0u;

    ck_assert_msg(hit_reduce_dims(&kernel, &reduced) == HIT_OK, "%s", hit_status_text());
    return reduced;
}

START_TEST(only_indices_that_never_meet_are_free_to_be_split)
{
    enum {
        I = 1,
        J = 2,
        K = 4
    };

    ck_assert_uint_eq(reduced_by("[]", NULL), I | J | K);
    ck_assert_uint_eq(reduced_by("[i]", NULL), J | K);
    ck_assert_uint_eq(reduced_by("[k, i]", NULL), J);
    ck_assert_uint_eq(reduced_by("[i, j, k]", NULL), 0);
    ck_assert_uint_eq(reduced_by("[3*i-7]", NULL), J | K);
    ck_assert_uint_eq(reduced_by("[-j]", NULL), I | K);
    ck_assert_uint_eq(reduced_by("[i+j]", NULL), I | J | K);
    ck_assert_uint_eq(reduced_by("[i:i+1]", NULL), I | J | K);
    ck_assert_uint_eq(reduced_by("[i, j:j+1]", NULL), J | K);
    ck_assert_uint_eq(reduced_by("[i, :]", NULL), J | K);
    ck_assert_uint_eq(reduced_by("[2]", NULL), I | J | K);
    ck_assert_uint_eq(reduced_by("[i] [i+1]", NULL), I | J | K);
    ck_assert_uint_eq(reduced_by("[i, j]", "[i]"), J | K);
    ck_assert_uint_eq(reduced_by("[i]", "[j]"), I | J | K);
    ck_assert_uint_eq(reduced_by("[s*i]", NULL), I | J | K);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("patterns.reduce");
    TCase *tests = tcase_create("reduce");

    tcase_add_loop_test(tests, combining_is_right_between_any_views, 0, 3 * TYPES);
    tcase_add_loop_test(tests, the_identity_changes_nothing, 0, 3 * TYPES);
    tcase_add_test(tests, integers_wrap_around);
    tcase_add_test(tests, a_nan_wins_over_every_number);
    tcase_add_test(tests, what_cannot_be_reduced_is_refused);
    tcase_add_test(tests, only_indices_that_never_meet_are_free_to_be_split);
    suite_add_tcase(made, tests);
    return made;
}

int main(void)
{
    return check_run(suite());
}
