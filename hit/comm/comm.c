/* SPDX-License-Identifier: MIT
 * What a communicator is told and asked, which is the same with MPI and without. */
#include "hit/comm/comm_impl.h"
#include "hit/data/hash.h"

int hit_comm_rank(const hit_comm *comm)
{
    return comm->rank;
}

int hit_comm_size(const hit_comm *comm)
{
    return comm->planned > 0 ? comm->planned : comm->size;
}

void hit_comm_plan(hit_comm *comm, int processes)
{
    comm->planned = processes;
}

void hit_comm_hold(hit_comm *comm, double seconds)
{
    comm->hold_s = seconds;
}

bool hit_comm_is_planned(const hit_comm *comm)
{
    return comm->planned > 0;
}

int hit_comm_present(const hit_comm *comm)
{
    return comm->size;
}

void hit_comm_local(const hit_comm *comm, int *rank, int *size)
{
    *rank = comm->local_rank;
    *size = comm->local_size;
}

void hit_comm_beside(const hit_comm *comm, int *rank, int *size)
{
    *rank = comm->beside_rank;
    *size = comm->beside_size;
}

void hit_comm_meanwhile(hit_comm *comm, bool (*work)(void *of), void *of)
{
    comm->work = work;
    comm->work_of = of;
}

void hit_comm_guard(hit_comm *comm, hit_status (*enter)(void *of), void *of)
{
    comm->enter = enter;
    comm->enter_of = of;
}

hit_status hit_comm_enter_ahead(hit_comm *comm)
{
    HIT_TRY(hit_comm_enter(comm));
    comm->ahead = true;
    return HIT_OK;
}

void hit_comm_note(hit_comm *comm, uint64_t mark)
{
    comm->notes = hit_hash_word(comm->notes, mark);
}

void hit_comm_forget_notes(hit_comm *comm)
{
    comm->notes_lost = true;
}

bool hit_comm_parted(const hit_comm *comm)
{
    return comm->parted;
}
