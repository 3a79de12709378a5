/* SPDX-License-Identifier: MIT
 * Runs with checkpoints. */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): setenv, fmemopen */
#include "tests/hit/checkpoint/run_case.h"

#include <stdlib.h>
#include <string.h>

static hit_context *base;
static int folders;      /* so that each test has its own */
static char notes[4096]; /* of the run that was opened last */

const char *run_folder(void)
{
    static char path[512];
    char name[32];

    (void)snprintf(name, sizeof(name), "run%d", folders);
    (void)snprintf(path, sizeof(path), "%s", io_path(name));
    return path;
}

void run_ask(const char *options)
{
    char text[1024];

    (void)snprintf(text, sizeof(text), "path=%s%s%s", run_folder(),
                   options[0] != '\0' ? "," : "", options);
    ck_assert_int_eq(setenv("HIT_CHECKPOINT", text, 1), 0);
}

void run_open(run *r, const char *layout)
{
    memset(notes, 0, sizeof(notes));
    r->out = fmemopen(notes, sizeof(notes), "w");
    ck_assert_ptr_nonnull(r->out);
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.out = r->out}, &r->hit));
    steps_begin(&r->s, r->hit, layout);
}

void run_close(run *r, bool ends)
{
    steps_end(&r->s);
    if (!ends) HIT_MUST(hit_checkpoint_close(r->hit, false));
    hit_close(&r->hit);
    (void)fclose(r->out);
    HIT_MUST(hit_barrier(base));
}

bool run_says(const char *text)
{
    return hit_rank(base) != 0 || strstr(notes, text) != NULL;
}

/* From step @p from to step @p to. */
void run_goes(const char *options, const char *layout, hit_index from, hit_index to)
{
    run r;

    run_ask(options);
    run_open(&r, layout);
    io_claim(steps_do(&r.s, to) == HIT_OK, "runs", options);
    io_claim(r.s.first == from, "begins at the step of the checkpoint", options);
    io_claim(r.s.went_on, "has what was written", layout);
    io_claim(steps_right(&r.s), "has what an undisturbed run has", layout);
    run_close(&r, false);
}

/* All processes are told, and @p text is said where the reason is seen. */
void run_refused(hit_status status, hit_status expected, const char *text)
{
    uint64_t seen = status == expected && strstr(hit_status_text(), text) != NULL;

    io_claim(status != HIT_OK, "is refused", text);
    HIT_MUST(hit_comm_max_u64(base->comm, &seen, 1));
    io_claim(seen == 1, "says why", text);
}

hit_context *run_base(void)
{
    return base;
}

void run_other_folder(void)
{
    folders++;
}

int run_main(int *argc, char ***argv, Suite *suite)
{
    int failed;

    HIT_MUST(hit_open(argc, argv, &base));
    io_begin(base);
    failed = check_run(suite);
    io_end(base);
    hit_close(&base);
    return failed;
}
