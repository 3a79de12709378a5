/* SPDX-License-Identifier: MIT
 * Slots of views: every element is where the view has it, for bodies of one index, which
 * need no steps on dense memory, and for functions of whole boxes. */
#include "hit/data/domain.h"
#include "patterns/slot.h"
#include "tests/support/check_main.h"

#include <stdlib.h>

enum {
    ROUNDS = 2000,
    CELLS = 4096
};

static double memory[CELLS];

static hit_index address(const hit_slot *slot, int dims, const hit_index at[])
{
    hit_index sum = 0;

    for (int d = 0; d < dims; d++) {
        sum += hit_index_floor_div(at[d], slot->step[d]) * slot->stride[d];
    }
    return (hit_index)(uintptr_t)slot->base + sum * (hit_index)sizeof(double);
}

/* A box with strides, stored row by row with @p between cells per element. */
static hit_view make_view(hit_random *random, int dims, hit_index between)
{
    hit_view view = {.data = (char *)memory, .size_bytes = sizeof(double)};
    ptrdiff_t bytes = (ptrdiff_t)(between * (hit_index)sizeof(double));

    view.domain.dims = dims;
    for (int d = dims - 1; d >= 0; d--) {
        const hit_index stride = hit_random_index(random, 1, 3);
        const hit_index begin = hit_random_index(random, -9, 9);
        const hit_index count = hit_random_index(random, 1, 5);

        view.domain.sig[d] = hit_sig_make(begin, begin + (count - 1) * stride, stride);
        view.stride_bytes[d] = bytes;
        bytes *= (ptrdiff_t)count;
    }
    return view;
}

static bool agree(const hit_view *view, const hit_slot *slot)
{
    const int dims = view->domain.dims;
    const hit_index count = hit_domain_count(&view->domain);
    bool good = true;

    for (hit_index k = 0; k < count; k++) {
        hit_index at[HIT_MAX_DIMS];
        hit_index left = k;

        for (int d = dims - 1; d >= 0; d--) {
            const hit_index extent = hit_sig_count(view->domain.sig[d]);

            at[d] = hit_sig_at(view->domain.sig[d], left % extent);
            left /= extent;
        }
        good &= address(slot, dims, at) == (hit_index)(uintptr_t)hit_view_at(view, at);
    }
    return good;
}

START_TEST(elements_lie_where_the_view_has_them)
{
    hit_random random = hit_random_start(2026);

    for (int k = 0; k < ROUNDS; k++) {
        const int dims = (int)hit_random_index(&random, 1, 3);
        const hit_view view = make_view(&random, dims, hit_random_index(&random, 1, 3));

        for (int by_index = 0; by_index < 2; by_index++) {
            hit_slot slot = {0};

            hit_slot_set(&slot, &view, &view.domain, by_index);
            ck_assert_msg(agree(&view, &slot), "round %d, %d", k, by_index);
        }
    }
}
END_TEST

START_TEST(a_body_of_one_index_needs_no_steps_in_a_selection)
{
    const hit_view view = {.domain = {.dims = 1, .sig = {{1, 9, 2}}},
                           .data = (char *)memory,
                           .stride_bytes = {2 * sizeof(double)},
                           .size_bytes = sizeof(double)};
    hit_slot slot = {0};

    hit_slot_set(&slot, &view, &view.domain, true);
    ck_assert_int_eq(slot.step[0], 1);
    ck_assert_int_eq(slot.stride[0], 1);
    ck_assert_int_eq(slot.dense, 1);
    hit_slot_set(&slot, &view, &view.domain, false);
    ck_assert_int_eq(slot.step[0], 2);
    ck_assert_int_eq(slot.stride[0], 2);
    ck_assert_int_eq(slot.dense, 0);
    ck_assert_int_eq(slot.begin[0], 1);
    ck_assert_int_eq(slot.end[0], 9);
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("patterns/slot");
    TCase *slot = tcase_create("slot");

    tcase_add_test(slot, elements_lie_where_the_view_has_them);
    tcase_add_test(slot, a_body_of_one_index_needs_no_steps_in_a_selection);
    suite_add_tcase(all, slot);
    return all;
}

int main(void)
{
    return check_run(suite());
}
