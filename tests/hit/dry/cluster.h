/* SPDX-License-Identifier: MIT
 * Machine files of tests, and dry runs on their nodes. */
#ifndef TESTS_HIT_DRY_CLUSTER_H
#define TESTS_HIT_DRY_CLUSTER_H

#include "hit/mpi.h"
#include "tests/support/check_main.h"
#include "tests/support/comm_self.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char file[64];   /* a machine */
static char device[80]; /* "simulated:FILE" */

static void write_machine(const char *lines)
{
    FILE *out;

    (void)snprintf(file, sizeof(file), "/tmp/hit:cluster-%ld.machine", (long)getpid());
    (void)snprintf(device, sizeof(device), "simulated:%s", file);
    out = fopen(file, "w");
    ck_assert_ptr_nonnull(out);
    (void)fprintf(out, "# hit machine 1\n%s", lines);
    ck_assert_int_eq(fclose(out), 0);
}

/* A context of this process alone, that plans for @p processes; 0: for all nodes. */
static hit_status open_plan_on(const char *devices, int processes, FILE *out,
                               hit_context **hit)
{
    const hit_options options = {.devices = devices, .out = out};
    char text[16] = "";
    hit_status status;

    if (processes > 0) (void)snprintf(text, sizeof(text), "%d", processes);
    setenv("HIT_PLAN", "json", 1);
    setenv("HIT_PLAN_PROCESSES", text, 1);
    status = hit_open_from(comm_self(), &options, hit);
    setenv("HIT_PLAN", "0", 1);
    setenv("HIT_PLAN_PROCESSES", "", 1);
    return status;
}

/* The number behind the first @p name in @p text. */
static double number_of(const char *text, const char *name)
{
    const char *at = strstr(text, name);

    ck_assert_msg(at != NULL, "no %s in %s", name, text);
    return strtod(at + strlen(name), NULL);
}

#endif
