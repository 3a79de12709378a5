/* SPDX-License-Identifier: MIT
 * HIT_CHAIN=say says why nothing is in a chain, also where the program has not asked. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hit/base/context.h"
#include "hit/launch/launcher.h"
#include "tests/hit/run/chains_scene.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static hit_context *base; /* keeps MPI open */

enum {
    EXTENT = 48,
    STEPS = 8
};

typedef struct heavy {
    double value[51];
} heavy;

static hit_status set(const hit_run *run)
{
    const heavy *with = run->slot[1].base;
    const hit_slot *slot = &run->slot[0];

    for (hit_index i = run->begin[0]; i <= run->end[0]; i++) {
        for (hit_index j = run->begin[1]; j <= run->end[1]; j++) {
            float *at = (float *)slot->base + i * slot->stride[0] + j * slot->stride[1];

            *at = (float)with->value[50];
        }
    }
    return HIT_OK;
}

static void run_heavy(chains_scene *s)
{
    const hit_kernel_arg arg[] = {{HIT_MODE_OUT, HIT_FLOAT, "field", "[i, j]"},
                                  {HIT_MODE_VALUE, HIT_BYTES(heavy), "with", NULL}};
    const hit_kernel kernel = {.name = "set",
                               .dims = 2,
                               .index = {"i", "j"},
                               .args = 2,
                               .arg = arg,
                               .host = set};
    const heavy with = {.value = {0}};

    for (int t = 0; t < STEPS; t++) {
        HIT_MUST(hit_launch(s->hit, &kernel, s->inner, s->tile[0], HIT_VALUE(with)));
    }
}

static void run_star(chains_scene *s)
{
    for (int t = 0; t < STEPS; t++) {
        chains_launch_star(s, s->tile[1], s->tile[0], t);
    }
}

static void run_periodic(chains_scene *s)
{
    HIT_MUST(hit_tile_set_boundary(s->tile[0], -1, HIT_BOUNDARY_PERIODIC, NULL));
    s->inner = s->all;
    run_star(s);
}

/* What process 0 prints while @p run runs. */
static void catch_text(chains_scene *s, void (*run)(chains_scene *s), char text[],
                       size_t size)
{
    FILE *caught = tmpfile();
    const int out = dup(STDOUT_FILENO);

    ck_assert_ptr_nonnull(caught);
    (void)fflush(stdout);
    ck_assert_int_ge(dup2(fileno(caught), STDOUT_FILENO), 0);
    run(s);
    HIT_MUST(hit_wait(s->hit));
    (void)fflush(stdout);
    ck_assert_int_ge(dup2(out, STDOUT_FILENO), 0);
    (void)close(out);
    rewind(caught);
    text[fread(text, 1, size - 1, caught)] = '\0';
    (void)fclose(caught);
}

/* On one process @p alone, on several @p many; "": nothing. */
static void expect(bool asks, void (*run)(chains_scene *s), const char *alone,
                   const char *many)
{
    const char *wanted = hit_size(base) == 1 ? alone : many;
    char text[2000];
    chains_scene s;

    setenv("HIT_CHAIN", "say", 1);
    s = chains_open_quiet(&chains_blocked, "block:dims=0", EXTENT);
    unsetenv("HIT_CHAIN");
    if (asks) HIT_MUST(hit_chain(s.hit, HIT_CHAIN_ANY));
    catch_text(&s, run, text, sizeof(text));
    chains_close(&s);
    if (hit_rank(base) > 0) wanted = "";
    ck_assert_msg(strstr(text, wanted) != NULL, "expected \"%s\" but found \"%s\"",
                  wanted, text);
    ck_assert_msg(*wanted != '\0' || strstr(text, "chain ends") == NULL,
                  "expected nothing but found \"%s\"", text);
}

START_TEST(values_that_are_too_long_are_told)
{
    const char *why = "chain ends at kernel set: its values have more than 256 bytes\n";

    expect(false, run_heavy, why, why);
    expect(true, run_heavy, why, why);
}
END_TEST

START_TEST(that_the_program_has_not_asked_is_told)
{
    expect(false, run_star, "", "chain ends at kernel star: hit_chain() was not called");
    expect(true, run_star, "", "");
}
END_TEST

START_TEST(that_periodic_boundaries_want_it_is_told)
{
    expect(false, run_periodic,
           "chain ends at kernel star: it reads beyond a periodic boundary, and "
           "hit_chain() was not called",
           "chain ends at kernel star: hit_chain() was not called");
    expect(true, run_periodic, "", "");
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("what chains say");
    TCase *tc = tcase_create("say");

    tcase_set_timeout(tc, 0);
    tcase_add_test(tc, values_that_are_too_long_are_told);
    tcase_add_test(tc, that_the_program_has_not_asked_is_told);
    tcase_add_test(tc, that_periodic_boundaries_want_it_is_told);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
