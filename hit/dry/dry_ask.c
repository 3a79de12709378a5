/* SPDX-License-Identifier: MIT
 * What the environment says of dry runs. */
#include "hit/base/input.h"
#include "hit/dry/dry.h"
#include "hit/dry/dry_impl.h"
#include "hit/dry/dry_run.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_PROCESSES = 1000000
};

static bool names_processes(void)
{
    const char *text = getenv("HIT_PLAN_PROCESSES");

    return text != NULL && *text != '\0';
}

static hit_status choose_processes(int present, int *processes)
{
    const char *text = getenv("HIT_PLAN_PROCESSES");
    hit_index value;

    *processes = present;
    if (!names_processes()) return HIT_OK;
    HIT_TRY(hit_number_read("HIT_PLAN_PROCESSES", text, 1, MAX_PROCESSES, &value));
    *processes = (int)value;
    if (present > 1 && *processes != present) {
        return HIT_FAIL(HIT_E_ARG,
                        "HIT_PLAN_PROCESSES: expected one process that plans for %d but "
                        "found %d processes",
                        *processes, present);
    }
    return HIT_OK;
}

static hit_status read_mode(uint64_t *found)
{
    static const char *const mode[] = {"0", "1", "measure", "json"}; /* by number */
    const char *text = getenv("HIT_PLAN");

    *found = HIT_DRY_NONE;
    if (text == NULL || *text == '\0') {
        if (!names_processes()) return HIT_OK;
        return HIT_FAIL(HIT_E_ARG, "HIT_PLAN_PROCESSES: expected HIT_PLAN beside it, "
                                   "such as 1 or json, but found none; 0 runs the "
                                   "program");
    }
    for (; *found <= HIT_DRY_JSON; ++*found) {
        if (strcmp(text, mode[*found]) == 0) return HIT_OK;
    }
    return HIT_FAIL(HIT_E_ARG,
                    "HIT_PLAN: expected 0, 1, measure or json but found \"%s\"", text);
}

hit_status hit_dry_ask(hit_comm *comm, bool is_group, hit_dry_request *request)
{
    uint64_t said[3] = {HIT_DRY_NONE, 0, 0};
    int processes = 0;
    hit_status status = HIT_OK;

    if (hit_comm_rank(comm) == 0) status = read_mode(&said[0]);
    if (status == HIT_OK && said[0] != HIT_DRY_NONE) {
        processes = hit_comm_size(comm);
        if (!is_group) status = choose_processes(processes, &processes);
        said[1] = (uint64_t)processes;
        said[2] = names_processes();
    }
    HIT_TRY(hit_comm_agree(comm, status));
    /* the environment of process 0 counts: it may not have reached the others */
    HIT_TRY(hit_comm_broadcast(comm, 0, said, sizeof(said)));
    *request = (hit_dry_request){
        .mode = (int)said[0], .processes = (int)said[1], .counted = said[2] != 0};
    return HIT_OK;
}

bool hit_is_dry_run(const hit_context *context)
{
    return context != NULL && hit_comm_is_planned(context->comm);
}
