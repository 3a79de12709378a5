/* SPDX-License-Identifier: MIT
 * The energy of a GPU, by a management library that is played.
 * usage: fake_cuda.meter [without]: it can be loaded, or cannot. */
#include "tests/support/check_main.h"
#include "tests/support/device_case.h"

static bool is_there;

START_TEST(a_gpu_has_a_meter_where_the_library_is)
{
    const hit_device_spec spec = {.kind = &hit_device_cuda, .memory_bytes = 1 << 20};
    hit_device *device = NULL;
    char name[32] = "";
    double joules = 0;

    ck_assert_int_eq(hit_device_open(&spec, &device), HIT_OK);
    for (int k = 0; k < 3; k++) {
        ck_assert(device->ops->meter(device->state, name, &joules) == is_there);
        if (!is_there) continue;
        ck_assert_str_eq(name, "0000:17:00.0");
        ck_assert_double_eq_tol(joules, 1.234 + 0.5 * k, 1e-9);
    }
    hit_device_close(&device);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("meter");
    TCase *tests = tcase_create("meter");

    tcase_add_test(tests, a_gpu_has_a_meter_where_the_library_is);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    (void)argv;
    is_there = argc == 1;
    return check_run(suite());
}
