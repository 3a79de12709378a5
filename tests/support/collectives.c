/* SPDX-License-Identifier: MIT
 * In the place of the functions that it counts. */
#include "tests/support/collectives.h"

#include "hit/comm/comm.h"

/* names that the linker asks for; a test program has no context to hang this on */
/* NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming) */
static int calls;

hit_status __real_hit_comm_vote(hit_comm *comm, hit_status status,
                                const hit_comm_call *call);
hit_status __wrap_hit_comm_vote(hit_comm *comm, hit_status status,
                                const hit_comm_call *call);
hit_status __real_hit_comm_max_u64(hit_comm *comm, uint64_t *value, int count);
hit_status __wrap_hit_comm_max_u64(hit_comm *comm, uint64_t *value, int count);
hit_status __real_hit_comm_sum_u64(hit_comm *comm, uint64_t *value, int count);
hit_status __wrap_hit_comm_sum_u64(hit_comm *comm, uint64_t *value, int count);

hit_status __wrap_hit_comm_vote(hit_comm *comm, hit_status status,
                                const hit_comm_call *call)
{
    calls++;
    return __real_hit_comm_vote(comm, status, call);
}

hit_status __wrap_hit_comm_max_u64(hit_comm *comm, uint64_t *value, int count)
{
    calls++;
    return __real_hit_comm_max_u64(comm, value, count);
}

hit_status __wrap_hit_comm_sum_u64(hit_comm *comm, uint64_t *value, int count)
{
    calls++;
    return __real_hit_comm_sum_u64(comm, value, count);
}
/* NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming) */

int collectives_count(void)
{
    return calls;
}
