/* SPDX-License-Identifier: MIT
 * Device specs as text, and the accounting of a device's memory. What devices do is in
 * tests/contract/device.c. */
#include "hit/device/cores.h"
#include "hit/device/device.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <string.h>

static hit_device_spec parse_one(const char *text)
{
    hit_device_spec spec = {.index = 77};
    int count = 0;

    ck_assert_msg(hit_device_parse(text, NULL, 1, &spec, &count) == HIT_OK, "%s",
                  hit_status_text());
    ck_assert_int_eq(count, 1);
    return spec;
}

START_TEST(every_field_is_read)
{
    hit_device_spec spec = parse_one("host");
    ck_assert_str_eq(spec.kind->kind, "host");
    ck_assert_int_eq(spec.first_core, -1);
    ck_assert_int_eq(spec.threads, 0);
    ck_assert_uint_eq(spec.memory_bytes, 0);
    ck_assert(!spec.staged);

    spec = parse_one("host:cores=2-5:threads=3");
    ck_assert_int_eq(spec.first_core, 2);
    ck_assert_int_eq(spec.last_core, 5);
    ck_assert_int_eq(spec.threads, 3);
    ck_assert(!spec.staged);

    spec = parse_one("  host : staged :memory= 1.5 MiB: cores=7 ");
    ck_assert_int_eq(spec.first_core, 7);
    ck_assert_int_eq(spec.last_core, 7);
    ck_assert_uint_eq(spec.memory_bytes, 3 << 19);
    ck_assert(spec.staged);

    spec = parse_one("cuda:12:memory=2MB");
    ck_assert_str_eq(spec.kind->kind, "cuda");
    ck_assert_int_eq(spec.index, 12);
    ck_assert_uint_eq(spec.memory_bytes, 2000000);
    ck_assert_int_eq(parse_one("cuda").index, 0);
}
END_TEST

START_TEST(a_star_makes_devices_of_one_process)
{
    hit_device_spec spec[8];
    int count = 0;

    ck_assert_int_eq(hit_device_parse("host:threads=10 * 2; host:cores=2-3*2 + host",
                                      NULL, 8, spec, &count),
                     HIT_OK);
    ck_assert_int_eq(count, 5);
    for (int k = 0; k < count; k++) {
        ck_assert_int_eq(spec[k].threads, k < 2 ? 10 : 0);
        ck_assert_int_eq(spec[k].joins, k != 0 && k != 2);
    }
    ck_assert_int_eq(spec[2].first_core, 2);
    ck_assert_int_eq(spec[3].first_core, 4);
    ck_assert_int_eq(spec[3].last_core, 5);
    ck_assert_int_eq(spec[4].first_core, -1);
    ck_assert_int_eq(hit_device_parse("host:cliff=4000*8 * 3", NULL, 8, spec, &count),
                     HIT_OK);
    ck_assert_int_eq(count, 3);
    ck_assert_int_eq(spec[2].slow.cliff, 8);
}
END_TEST

/* Each core of the process is in one group, and groups are in order. */
START_TEST(groups_of_cores_are_all_cores)
{
    static const char *const level[] = {"host:per=socket", "host:per=numa", "host:per=l3",
                                        "host:per=l2", "host:per=core"};
    hit_device_spec spec[256];
    hit_cores *cores = NULL;
    int count = 0;

    ck_assert_int_eq(hit_cores_open(&cores), HIT_OK);
    for (int k = 0; k < 5; k++) {
        int next = 0;

        ck_assert_int_eq(hit_device_parse(level[k], NULL, 256, spec, &count), HIT_OK);
        for (int d = 0; d < count; d++) {
            ck_assert_int_eq(spec[d].first_core, next);
            ck_assert_int_ge(spec[d].last_core, next);
            ck_assert_int_eq(spec[d].joins, d > 0);
            next = spec[d].last_core + 1;
        }
        ck_assert_int_eq(next, hit_cores_count(cores));
    }
    ck_assert_int_eq(count, hit_cores_count(cores));
    hit_cores_close(&cores);
}
END_TEST

START_TEST(memory_of_a_host_makes_it_staged)
{
    ck_assert(parse_one("host:memory=4096").staged);
}
END_TEST

START_TEST(a_list_is_read_in_order)
{
    hit_device_spec spec[3];
    int count = 0;

    ck_assert_int_eq(hit_device_parse("host:cores=0-3; cuda:0:memory=512MiB;cuda:1", NULL,
                                      3, spec, &count),
                     HIT_OK);
    ck_assert_int_eq(count, 3);
    ck_assert_str_eq(spec[0].kind->kind, "host");
    ck_assert_int_eq(spec[1].index, 0);
    ck_assert_int_eq(spec[2].index, 1);
    ck_assert_uint_eq(spec[2].memory_bytes, 0);
}
END_TEST

START_TEST(plus_joins_the_devices_of_one_process)
{
    hit_device_spec spec[4];
    int count = 0;

    ck_assert_int_eq(
        hit_device_parse("host:cores=0-0 + host:staged:share=2; host+cuda:1:share=3",
                         NULL, 4, spec, &count),
        HIT_OK);
    ck_assert_int_eq(count, 4);
    ck_assert(!spec[0].joins && spec[1].joins && !spec[2].joins && spec[3].joins);
    ck_assert_int_eq(spec[0].share, 0);
    ck_assert_int_eq(spec[1].share, 2);
    ck_assert(spec[1].staged);
    ck_assert_str_eq(spec[3].kind->kind, "cuda");
    ck_assert_int_eq(spec[3].index, 1);
    ck_assert_int_eq(spec[3].share, 3);
}
END_TEST

START_TEST(what_is_printed_is_read_back)
{
    static const char *const texts[] = {"host",
                                        "host:cores=0-3",
                                        "host:staged:threads=2:memory=16MiB",
                                        "host:staged:cores=1-1:memory=12345",
                                        "host:slow=4@100:cliff=4000000*8",
                                        "host:staged:threads=1:share=3",
                                        "host:threads=1:share=auto",
                                        "cuda:1:share=2:memory=1MiB",
                                        "cuda:0",
                                        "cuda:3:memory=512MiB"};

    for (size_t k = 0; k < sizeof(texts) / sizeof(texts[0]); k++) {
        hit_device_spec spec = parse_one(texts[k]);
        char text[128];
        hit_device_print(&spec, text, sizeof(text));
        ck_assert_str_eq(text, texts[k]);
    }
}
END_TEST

START_TEST(printing_stays_inside_the_buffer)
{
    hit_device_spec spec = parse_one("host:staged:cores=100-200:memory=12345678");
    char text[12];

    memset(text, '!', sizeof(text));
    hit_device_print(&spec, text, 10);
    ck_assert_str_eq(text, "host:stag");
    ck_assert_int_eq(text[10], '!');
}
END_TEST

/* text, and what the message must say */
static const char *const mistakes[][2] = {
    {"", "expected the kind host or cuda but found \"\""},
    {"hots", "found \"hots\"; did you mean \"host\"?"},
    {"host:thread=2", "found \"thread=2\"; did you mean \"threads=\"?"},
    {"gpu:0", "found \"gpu\""},
    {"host;", "device 2, \"\": expected the kind"},
    {"host;;cuda", "device 2"},
    {"host:", "found \"\""},
    {"host:speed=3", "expected staged, cores=, per=, threads=, slow=, cliff=, share= or "
                     "memory= but found "
                     "\"speed=3\""},
    {"host:threads=2 * 0", "expected a number of devices >= 1 but found \"0\""},
    {"host * 2 * 2", "expected + or ; behind"},
    {"host * 2:threads=1", "expected + or ; behind"},
    {"host:per=socks",
     "expected a device per socket, numa, l3, l2 or core but found \"socks\""},
    {"host:per=core:cores=0-1", "expected per= without cores= and without a star"},
    {"host+", "device 2, \"\": expected the kind host or cuda but found \"\""},
    {"host+;host", "device 2"},
    {"+host", "device 1"},
    {"host:share=-1", "expected a share of 0 to 1048576, or auto, but found \"-1\""},
    {"cuda:0:share=half",
     "expected a share of 0 to 1048576, or auto, but found \"half\""},
    {"host:cliff=8", "expected indices and a factor such as \"4000000*8\""},
    {"host:cliff=*8", "found \"*8\""},
    {"host:cliff=10*0", "found \"10*0\""},
    {"host:cliff=10*8x", "found \"10*8x\""},
    {"host:cores=3-1", "found \"3-1\""},
    {"host:cores=", "expected cores such as \"0-3\""},
    {"host:cores=0-", "found \"0-\""},
    {"host:cores=-1", "found \"-1\""},
    {"host:cores=0-3x", "found \"0-3x\""},
    {"host:cores=99999999999999999999", "cores such as"},
    {"host:threads=0", "expected a number of threads >= 1 but found \"0\""},
    {"host:threads=two", "found \"two\""},
    {"host:memory=", "expected a size"},
    {"host:memory=12parsec", "12parsec"},
    {"cuda:threads=2", "expected a number, share= or memory= but found \"threads=2\""},
    {"cuda:-1", "found \"-1\""},
    {"cuda:1x", "found \"1x\""},
    {"cuda:0:memory=-5", "found \"-5\""},
    {"host:cores=00000000000000000000000000000000000000000000000000000000000000000000",
     "at most 63 characters"},
};

START_TEST(mistakes_are_named)
{
    hit_device_spec spec[4];
    int count = -5;
    const char *text = mistakes[_i][0];

    ck_assert_int_eq(hit_device_parse(text, NULL, 4, spec, &count), HIT_E_ARG);
    ck_assert_msg(strstr(hit_status_text(), mistakes[_i][1]) != NULL, "\"%s\": %s", text,
                  hit_status_text());
    ck_assert_int_eq(count, -5);
}
END_TEST

START_TEST(more_devices_than_there_is_room_for_are_refused)
{
    hit_device_spec spec[2];
    int count = 0;

    ck_assert_int_eq(hit_device_parse("host;host;host", NULL, 2, spec, &count),
                     HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "at most 2"));
}
END_TEST

START_TEST(what_is_not_there_is_refused_with_the_reason)
{
    hit_device_spec spec = parse_one("host:cores=0-5000");
    hit_device *device = NULL;

    ck_assert_int_eq(hit_device_open(&spec, &device), HIT_E_ABSENT);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "no cores 0-5000"));
    spec = parse_one("cuda:1000");
    ck_assert_int_eq(hit_device_open(&spec, &device), HIT_E_ABSENT);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "no device cuda:1000"));
    ck_assert_ptr_null(device);
}
END_TEST

START_TEST(the_arena_never_passes_the_limit)
{
    hit_device_spec spec = parse_one("host:memory=1MiB:threads=1");
    hit_device *device = NULL;

    ck_assert_int_eq(hit_device_open(&spec, &device), HIT_OK);
    ck_assert_uint_eq(device->limit_bytes, 1 << 20);
    ck_assert_uint_eq(device->peak_bytes, 0);
    ck_assert_int_eq(hit_device_reserve(device, 1000), HIT_OK);
    memset(device->arena, 1, 1000);
    ck_assert_int_eq(hit_device_reserve(device, 500), HIT_OK);
    ck_assert_uint_eq(device->arena_bytes, 1000);
    ck_assert_int_eq(hit_device_reserve(device, 1 << 20), HIT_OK);
    memset(device->arena, 2, 1 << 20);
    ck_assert_uint_eq(device->peak_bytes, 1 << 20);
    ck_assert_int_eq(hit_device_reserve(device, (1 << 20) + 1), HIT_E_LIMIT);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "its limit is 1 MiB"));
    ck_assert_uint_eq(device->arena_bytes, 1 << 20);
    ck_assert_uint_eq(device->peak_bytes, 1 << 20);
    hit_device_close(&device);
    ck_assert_ptr_null(device);
    hit_device_close(&device);
}
END_TEST

START_TEST(memory_that_the_system_refuses_is_an_error_and_the_device_goes_on)
{
    hit_device_spec spec = parse_one("host:memory=1GiB:threads=1");
    hit_device *device = NULL;

    ck_assert_int_eq(hit_device_open(&spec, &device), HIT_OK);
    ck_assert_int_eq(hit_device_reserve(device, 5000), HIT_OK);
    device->limit_bytes = SIZE_MAX; /* more than any system has, sanitizers included */
    ck_assert_int_eq(hit_device_reserve(device, SIZE_MAX), HIT_E_NOMEM);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "5000 bytes were held before"));
    ck_assert_uint_eq(device->arena_bytes, 0);
    ck_assert_int_eq(hit_device_reserve(device, 5000), HIT_OK);
    ck_assert_uint_eq(device->peak_bytes, 5000);
    hit_device_close(&device);
}
END_TEST

START_TEST(a_device_in_place_has_no_limit_and_no_arena)
{
    hit_device_spec spec = parse_one("host:threads=1");
    hit_device *device = NULL;

    ck_assert_int_eq(hit_device_open(&spec, &device), HIT_OK);
    ck_assert(hit_device_in_place(device));
    ck_assert(device->limit_bytes == SIZE_MAX);
    ck_assert_int_eq(hit_device_reserve(device, 1), HIT_E_INTERNAL);
    hit_device_close(&device);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("hit.device.device");
    TCase *tests = tcase_create("device");

    tcase_add_test(tests, every_field_is_read);
    tcase_add_test(tests, memory_of_a_host_makes_it_staged);
    tcase_add_test(tests, a_star_makes_devices_of_one_process);
    tcase_add_test(tests, groups_of_cores_are_all_cores);
    tcase_add_test(tests, a_list_is_read_in_order);
    tcase_add_test(tests, plus_joins_the_devices_of_one_process);
    tcase_add_test(tests, what_is_printed_is_read_back);
    tcase_add_test(tests, printing_stays_inside_the_buffer);
    tcase_add_loop_test(tests, mistakes_are_named, 0,
                        (int)(sizeof(mistakes) / sizeof(mistakes[0])));
    tcase_add_test(tests, more_devices_than_there_is_room_for_are_refused);
    tcase_add_test(tests, what_is_not_there_is_refused_with_the_reason);
    tcase_add_test(tests, the_arena_never_passes_the_limit);
    tcase_add_test(tests,
                   memory_that_the_system_refuses_is_an_error_and_the_device_goes_on);
    tcase_add_test(tests, a_device_in_place_has_no_limit_and_no_arena);
    suite_add_tcase(made, tests);
    return made;
}

int main(void)
{
    return check_run(suite());
}
