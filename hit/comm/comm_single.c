/* SPDX-License-Identifier: MIT
 * One process: the same symbols as comm_mpi.c, job_mpi.c and requests_mpi.c for builds
 * with -DHIT_MPI=OFF. Nothing is ever sent, since plans copy what a process needs of
 * itself. */
#include "hit/base/memory.h"
#include "hit/comm/comm_impl.h"

#include <string.h>

/* NOLINTBEGIN(misc-unused-parameters): of a process alone most of what is asked for
 * others is of no use */
#pragma GCC diagnostic ignored "-Wunused-parameter"

static const char *const reason = "built without MPI, configure with -DHIT_MPI=ON";

hit_status hit_comm_open(int *argc, char ***argv, hit_comm **comm)
{
    HIT_TRY(hit_memory_zeroed(1, sizeof(hit_comm), comm));
    **comm = (hit_comm){.size = 1, .local_size = 1, .beside_size = 1};
    return HIT_OK;
}

hit_status hit_comm_split(const hit_comm *whole, int group, hit_comm **comm)
{
    return hit_comm_open(NULL, NULL, comm);
}

hit_status hit_comm_open_self(hit_comm **comm)
{
    return hit_comm_open(NULL, NULL, comm);
}

hit_status hit_comm_open_from(const void *mpi_comm, hit_comm **comm)
{
    *comm = NULL;
    return HIT_FAIL(HIT_E_ABSENT, "%s", reason);
}

hit_status hit_comm_open_from_fortran(int mpi_comm, hit_comm **comm)
{
    return hit_comm_open_from(&mpi_comm, comm);
}

const void *hit_comm_mpi(const hit_comm *comm)
{
    return NULL;
}

void hit_comm_close(hit_comm **comm)
{
    free(*comm);
    *comm = NULL;
}

const char *hit_comm_library(const hit_comm *comm)
{
    return reason;
}

/* One process agrees with itself. */
hit_status hit_comm_enter(hit_comm *comm)
{
    return HIT_OK;
}

hit_status hit_comm_vote(hit_comm *comm, hit_status status, const hit_comm_call *call)
{
    return status;
}

hit_status hit_comm_barrier(hit_comm *comm)
{
    return HIT_OK;
}

hit_status hit_comm_broadcast(hit_comm *comm, int root, void *data, size_t size_bytes)
{
    return HIT_OK;
}

hit_status hit_comm_gather(hit_comm *comm, const void *mine, size_t size_bytes, void *all)
{
    memcpy(all, mine, size_bytes);
    return HIT_OK;
}

hit_status hit_comm_sum_u64(hit_comm *comm, uint64_t *value, int count)
{
    return HIT_OK;
}

hit_status hit_comm_max_u64(hit_comm *comm, uint64_t *value, int count)
{
    return HIT_OK;
}

hit_status hit_comm_xor_u64(hit_comm *comm, uint64_t *value, int count)
{
    return HIT_OK;
}

hit_status hit_requests_create(hit_comm *comm, int capacity, hit_requests **requests)
{
    *requests = NULL;
    return HIT_OK;
}

void hit_requests_destroy(hit_requests **requests)
{
    *requests = NULL;
}

void hit_requests_reset(hit_requests *requests) {}

hit_status hit_requests_receive(hit_requests *requests, int slot, int from, int tag,
                                void *data, size_t size_bytes)
{
    return HIT_FAIL(HIT_E_COMM, "%s", reason);
}

hit_status hit_requests_send(hit_requests *requests, int slot, int to, int tag,
                             const void *data, size_t size_bytes)
{
    return HIT_FAIL(HIT_E_COMM, "%s", reason);
}

hit_status hit_requests_wait_any(hit_requests *requests, int *slot)
{
    *slot = -1;
    return HIT_OK;
}

size_t hit_requests_received(const hit_requests *requests, int slot)
{
    return 0;
}

hit_status hit_requests_wait_all(hit_requests *requests)
{
    return HIT_OK;
}
/* NOLINTEND(misc-unused-parameters) */
