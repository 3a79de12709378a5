/* SPDX-License-Identifier: MIT
 * A name that is not known: which one was meant, and which ones there are. */
#include "hit/base/registry.h"
#include "tests/support/check_main.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <string.h>

static const char *const known[] = {"block", "cyclic", "blockcyclic", "fpm", "fpm2d"};

static const char *hint_of(hit_names *names, const char *found)
{
    hit_names_begin(names, found, strlen(found));
    for (size_t k = 0; k < sizeof(known) / sizeof(known[0]); k++) {
        hit_names_add(names, known[k]);
    }
    return hit_names_hint(names);
}

START_TEST(the_nearest_name_is_meant)
{
    static const struct {
        const char *found;
        const char *hint;
    } cases[] = {
        {"blok", "; did you mean \"block\"?"},
        {"bolck", "; did you mean \"block\"?"},
        {"BLOCK", "; did you mean \"block\"?"},
        {"cyclc", "; did you mean \"cyclic\"?"},
        {"fpn2d", "; did you mean \"fpm2d\"?"},
        {"block_cyclic", "; did you mean \"blockcyclic\"?"},
        {"", ""},
        {"x", ""},
        {"magic", ""},
        {"0123456789012345678901234567890123456789012345678901234567890123456789", ""},
    };
    hit_names names;

    for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
        ck_assert_str_eq(hint_of(&names, cases[k].found), cases[k].hint);
    }
}
END_TEST

START_TEST(one_wrong_character_is_always_recognised)
{
    hit_random random = hit_random_start(71);

    for (int i = 0; i < 2000; i++) {
        const char *name = known[hit_random_index(&random, 0, 2)];
        char found[16];
        hit_names names;

        strcpy(found, name);
        found[hit_random_index(&random, 0, (hit_index)strlen(name) - 1)] =
            (char)hit_random_index(&random, '!', '~');
        (void)hint_of(&names, found);
        ck_assert_ptr_nonnull(names.nearest);
        ck_assert_str_eq(names.nearest, name);
    }
}
END_TEST

START_TEST(the_list_has_commas_and_an_or_and_ends_before_it_is_too_long)
{
    hit_names names;
    char name[24];

    hit_names_begin(&names, "x", 1);
    ck_assert_str_eq(hit_names_list(&names), "");
    (void)hint_of(&names, "x");
    ck_assert_str_eq(hit_names_list(&names), "block, cyclic, blockcyclic, fpm or fpm2d");
    hit_names_begin(&names, "x", 1);
    hit_names_add(&names, "one");
    ck_assert_str_eq(hit_names_list(&names), "one");
    hit_names_begin(&names, "x", 1);
    for (int k = 0; k < 500; k++) {
        (void)snprintf(name, sizeof(name), "name%d", k);
        hit_names_add(&names, name);
    }
    ck_assert_uint_lt(strlen(hit_names_list(&names)), sizeof(names.list));
    ck_assert_uint_gt(strlen(names.list), sizeof(names.list) - 32);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("names");
    TCase *tcase = tcase_create("names");

    tcase_add_test(tcase, the_nearest_name_is_meant);
    tcase_add_test(tcase, one_wrong_character_is_always_recognised);
    tcase_add_test(tcase, the_list_has_commas_and_an_or_and_ends_before_it_is_too_long);
    suite_add_tcase(made, tcase);
    return made;
}

int main(void)
{
    return check_run(suite());
}
