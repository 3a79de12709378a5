/* SPDX-License-Identifier: MIT
 * Links and kernels in the store: what was measured is found again, for the device that
 * it was measured on; what is damaged, or was never measured, is not known. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp, setenv */
#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "hit/cost/cost.h"
#include "hit/cost/model_key.h"
#include "hit/device/device.h"
#include "hit/launch/launcher.h"
#include "hit/measure/measure_impl.h"
#include "hit/measure/trial.h"
#include "kernels/kernels.h"
#include "tests/support/check_main.h"
#include "tests/support/own_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;
/* Each process has one. */
static own_store models;

static hit_context *open_staged(const char *devices)
{
    const hit_options options = {.devices = devices};
    hit_context *hit = NULL;

    HIT_MUST(hit_open_with(NULL, NULL, &options, &hit));
    return hit;
}

static void store(const hit_model_key *key, double units, double seconds)
{
    hit_fpm *fpm = NULL;

    HIT_MUST(hit_fpm_create(HIT_FPM_FUNCTIONAL, 0, NULL, &fpm));
    HIT_MUST(hit_fpm_add(fpm, units, seconds, 1));
    HIT_MUST(hit_store_add(NULL, key, fpm));
    hit_fpm_destroy(&fpm);
}

/* Copies of @p made as they would be measured. */
static void store_link(const hit_context *hit, hit_link_name name, const hit_link *made)
{
    hit_link_shape shape[HIT_LINK_SHAPES];
    const int count = hit_links_shapes(shape);

    for (int k = 0; k < count; k++) {
        const double bytes = (double)shape[k].bytes;
        const double runs =
            shape[k].run_bytes > 0 ? bytes / (double)shape[k].run_bytes : 1;
        hit_model_key key;

        if (shape[k].link != name) continue;
        hit_model_key_of_link(hit, hit->device[0], name, shape[k].run_bytes, &key);
        store(&key, bytes, hit_link_time(made, runs, bytes));
    }
}

START_TEST(what_is_stored_is_found_again)
{
    const hit_link copies = {.latency_s = 2e-6, .run_s = 5e-9, .byte_s = 1e-10};
    const hit_link messages = {.latency_s = 3e-6, .byte_s = 2e-10};
    const char *const like[] = {"host:staged", "host:memory=8MiB:threads=2",
                                "host:staged:slow=3"};
    hit_context *hit;
    hit_links links;

    own_store_open(&models);
    hit = open_staged("host:staged:memory=1MiB");
    hit_links_load(hit, hit->device[0], &links);
    ck_assert_uint_eq(links.known, 0);
    store_link(hit, HIT_LINK_IN, &copies);
    store_link(hit, HIT_LINK_MESSAGE, &messages);
    hit_close(&hit);
    for (int k = 0; k < 3; k++) { /* memory, threads and slowness are not the link's */
        hit = open_staged(like[k]);
        hit_links_load(hit, hit->device[0], &links);
        ck_assert_uint_eq(links.known, 1u << HIT_LINK_IN | 1u << HIT_LINK_MESSAGE);
        ck_assert_double_eq_tol(links.link[HIT_LINK_IN].run_s, 5e-9, 1e-12);
        ck_assert_double_eq_tol(links.link[HIT_LINK_IN].byte_s, 1e-10, 1e-13);
        ck_assert_double_eq_tol(links.link[HIT_LINK_MESSAGE].latency_s, 3e-6, 1e-9);
        hit_close(&hit);
    }
    hit = open_staged("host"); /* in place: there are no copies */
    hit_links_load(hit, hit->device[0], &links);
    ck_assert_uint_eq(links.known, 1u << HIT_LINK_MESSAGE);
    hit_close(&hit);
    own_store_close(&models);
}
END_TEST

START_TEST(a_damaged_file_is_not_known_and_is_replaced)
{
    const hit_link copies = {.latency_s = 2e-6, .byte_s = 1e-10};
    hit_context *hit;
    hit_links links;
    hit_model_key key;
    char name[64];
    char path[200];
    FILE *file;

    own_store_open(&models);
    hit = open_staged("host:staged");
    store_link(hit, HIT_LINK_OUT, &copies);
    for (int r = 0; r < 3; r++) {
        static const size_t run[] = {0, 64, 2048};

        hit_model_key_of_link(hit, hit->device[0], HIT_LINK_OUT, run[r], &key);
        hit_store_name(&key, name);
        (void)snprintf(path, sizeof(path), "%s/hit/models/%s.fpm", models.folder, name);
        file = fopen(path, "w");
        ck_assert_ptr_nonnull(file);
        ck_assert_int_ge(fputs("# hit model 1\nkind functional\n1 nonsense\n", file), 0);
        ck_assert_int_eq(fclose(file), 0);
    }
    hit_links_load(hit, hit->device[0], &links);
    ck_assert_uint_eq(links.known, 0);
    store_link(hit, HIT_LINK_OUT, &copies);
    hit_links_load(hit, hit->device[0], &links);
    ck_assert_uint_eq(links.known, 1u << HIT_LINK_OUT);
    hit_close(&hit);
    own_store_close(&models);
}
END_TEST

START_TEST(copies_and_messages_are_timed)
{
    const hit_measure_options quick = {.reps_max = 3, .time_max_s = 0.01};
    hit_link_shape shape[HIT_LINK_SHAPES];
    const int count = hit_links_shapes(shape);
    const int half = hit_size(base) / 2;
    const bool paired = hit_rank(base) < 2 * half;
    hit_context *hit;
    bool good = true;

    own_store_open(&models);
    hit = open_staged("host:staged:memory=4MiB");
    for (int k = 0; k < count; k++) {
        hit_measure result = {.reps = -1};
        bool timed = shape[k].bytes <= 1 << 20;

        HIT_MUST(hit_links_measure(hit, hit->device[0], &shape[k], &quick, &result));
        if (shape[k].link == HIT_LINK_MESSAGE) timed = paired;
        if (shape[k].link == HIT_LINK_IN_PACKED || shape[k].link == HIT_LINK_OUT_PACKED) {
            timed = false; /* one memory has one way */
        }
        good = good && (result.reps > 0) == timed && (!timed || result.seconds > 0);
    }
    ck_assert(good);
    ck_assert_uint_eq(hit->device[0]->used_bytes, 0);
    hit_close(&hit);
    own_store_close(&models);
}
END_TEST

/* The call heat_double(next, now, c) on the inner part of @p plate, or a product. */
typedef struct asked {
    hit_context *hit;
    hit_layout *layout;
    hit_tile *tile[2];
    hit_arg args[HIT_MAX_ARGS];
    hit_call call;
    const hit_known_kernel *known;
} asked;

static void ask(asked *a, hit_context *hit, hit_domain plate)
{
    static const double c = 0.1;

    *a = (asked){.hit = hit};
    HIT_MUST(hit_layout_create(hit, plate, "block", &a->layout));
    for (int k = 0; k < 2; k++) {
        HIT_MUST(hit_tile_create(a->layout, HIT_DOUBLE, "tile", &a->tile[k]));
        a->args[k] = (hit_arg){.tile = a->tile[k], .type = HIT_DOUBLE};
    }
    a->args[2] = (hit_arg){.value = &c, .type = HIT_DOUBLE};
    a->call = (hit_call){.context = hit,
                         .kernel = &heat_double,
                         .domain = hit_domain_grow(plate, -1),
                         .count = 3,
                         .args = a->args};
    HIT_MUST(hit_launcher_know(&a->call, &a->known));
}

static hit_status make_key(const hit_context *hit, const hit_trial *trial,
                           const bool cut[], hit_model_key *key)
{
    const hit_subject subject = hit_trial_subject(trial);

    return hit_model_key_make(hit, &subject, cut, key);
}

static void drop(asked *a)
{
    hit_tile_destroy(&a->tile[0]);
    hit_tile_destroy(&a->tile[1]);
    hit_layout_destroy(&a->layout);
}

START_TEST(the_model_of_a_kernel_is_found_if_it_is_cut_alike)
{
    const hit_domain plate = hit_domain_of(42, 102);
    const bool rows[HIT_MAX_DIMS] = {true};
    hit_trial trial = {.kernel = &heat_double, .whole = hit_domain_grow(plate, -1)};
    hit_model_key key;
    hit_rates rates;
    hit_forecast time;
    asked a;
    hit_context *hit;

    own_store_open(&models);
    hit = open_staged("host:threads=1");
    ask(&a, hit, plate);
    hit_rates_load(&a.call, a.known, hit->device[0], &rates);
    ck_assert_ptr_null(rates.kernel);
    hit_rates_clear(&rates);
    HIT_MUST(make_key(hit, &trial, rows, &key)); /* slices of 100 columns */
    store(&key, 4000, 2.0);
    hit_rates_load(&a.call, a.known, hit->device[0], &rates);
    ck_assert_ptr_nonnull(rates.kernel);
    time = hit_rates_predict(&rates, &a.call, a.known, &a.call.domain, NULL);
    ck_assert_double_eq_tol(time.first_s, 2.0, 1e-9);
    hit_rates_clear(&rates);
    HIT_MUST(make_key(hit, &trial, NULL, &key)); /* any box: comes first */
    store(&key, 4000, 3.0);
    hit_rates_load(&a.call, a.known, hit->device[0], &rates);
    time = hit_rates_predict(&rates, &a.call, a.known, &a.call.domain, NULL);
    ck_assert_double_eq_tol(time.first_s, 3.0, 1e-9);
    hit_rates_clear(&rates);
    drop(&a);
    hit_close(&hit);
    own_store_close(&models);
}
END_TEST

/* Devices of one process have models of their own, and run side by side. */
START_TEST(a_process_takes_as_long_as_the_last_of_its_devices)
{
    const hit_domain plate = hit_domain_of(42, 102); /* 20 rows of 100 for each */
    hit_trial trial = {.kernel = &heat_double, .whole = hit_domain_grow(plate, -1)};
    hit_rates rates[2];
    hit_preview preview;
    asked a;
    hit_context *hit;

    own_store_open(&models);
    hit = open_staged("host:threads=1+host:threads=1:slow=2");
    ask(&a, hit, plate);
    if (hit_size(hit) > 1) goto done; /* then messages lack */
    for (int d = 0; d < 2; d++) {
        hit_model_key key;

        trial.device = hit->device[d];
        HIT_MUST(make_key(hit, &trial, NULL, &key));
        store(&key, 2000, d == 0 ? 1.0 : 3.0);
        hit_rates_load(&a.call, a.known, hit->device[d], &rates[d]);
        ck_assert_ptr_nonnull(rates[d].kernel);
    }
    HIT_MUST(hit_preview_make(&a.call, a.known, rates, &preview, NULL));
    ck_assert_uint_eq(preview.time.lacks, 0);
    ck_assert_double_eq_tol(preview.device[0].time.first_s, 1.0, 1e-9);
    ck_assert_double_eq_tol(preview.device[1].time.first_s, 3.0, 1e-9);
    ck_assert_double_eq_tol(preview.time.first_s, 3.0, 1e-9);
    hit_rates_clear(&rates[0]);
    hit_rates_clear(&rates[1]);
done:
    drop(&a);
    hit_close(&hit);
    own_store_close(&models);
}
END_TEST

START_TEST(what_is_missing_is_measured_and_kept)
{
    const unsigned all = HIT_LACKS_KERNEL | HIT_LACKS_COPIES | HIT_LACKS_MESSAGES;
    const unsigned copies =
        1u << HIT_LINK_IN | 1u << HIT_LINK_OUT | 1u << HIT_LINK_WITHIN;
    const hit_domain plate = hit_domain_of(60, 60);
    const hit_domain box = hit_domain_of(20, 20);
    const hit_domain piece = hit_domain_grow(box, -1);
    hit_rates rates;
    asked a;
    hit_context *hit;

    own_store_open(&models);
    hit = open_staged("host:threads=1:memory=1MiB");
    ask(&a, hit, plate);
    HIT_MUST(hit_lacks_measure(&a.call, a.known, 0, &piece, all));
    hit_rates_load(&a.call, a.known, hit->device[0], &rates);
    if (hit_rank(hit) == 0) { /* whose store counts */
        ck_assert_ptr_nonnull(rates.kernel);
        ck_assert_uint_eq(rates.links.known,
                          copies | (hit_size(hit) > 1 ? 1u << HIT_LINK_MESSAGE : 0));
    } else {
        ck_assert_ptr_null(rates.kernel);
    }
    hit_rates_clear(&rates);
    drop(&a);
    hit_close(&hit);
    own_store_close(&models);
}
END_TEST

static void key_of(const char *devices, hit_model_key *key)
{
    hit_context *hit = open_staged(devices);

    hit_model_key_of_devices(hit, key);
    hit_close(&hit);
}

/* Eight devices are more than the text of a key has room for. */
START_TEST(a_key_of_many_devices_depends_on_all_of_them)
{
    hit_model_key alike;
    hit_model_key again;
    hit_model_key other;

    own_store_open(&models);
    key_of("host:threads=1:memory=64MiB*8", &alike);
    key_of("host:threads=1:memory=64MiB*8", &again);
    key_of("host:threads=1:memory=64MiB*7+host:threads=1:memory=65MiB", &other);
    ck_assert_str_eq(alike.device, again.device);
    ck_assert_str_ne(alike.device, other.device);
    own_store_close(&models);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("links");
    TCase *tests = tcase_create("links");

    tcase_add_test(tests, what_is_stored_is_found_again);
    tcase_add_test(tests, a_damaged_file_is_not_known_and_is_replaced);
    tcase_add_test(tests, copies_and_messages_are_timed);
    tcase_add_test(tests, the_model_of_a_kernel_is_found_if_it_is_cut_alike);
    tcase_add_test(tests, a_process_takes_as_long_as_the_last_of_its_devices);
    tcase_add_test(tests, what_is_missing_is_measured_and_kept);
    tcase_add_test(tests, a_key_of_many_devices_depends_on_all_of_them);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
