/* SPDX-License-Identifier: MIT
 * Which process of its host this is in the whole job, where a communicator has only a
 * part of it. The processes outside of it may be anywhere in the program, and cannot
 * answer. What started the job sets variables of the environment that say it. */
#include "hit/base/input.h"
#include "hit/comm/comm_impl.h"

#include <mpi.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Variables with the rank and the number of processes, of the job and on the host. */
typedef struct names {
    const char *rank;
    const char *size;
    const char *local_rank;
    const char *local_size; /* of all hosts, such as "4(x2),3", where host is there */
    const char *host;       /* NULL, or the number of this one among them */
} names;

static const names starters[] = {
    /* Open MPI, also below other starters */
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
     "OMPI_COMM_WORLD_LOCAL_SIZE", NULL},
    /* Hydra, of MPICH and Intel MPI */
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS", NULL},
    {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_LOCAL_RANK",
     "MV2_COMM_WORLD_LOCAL_SIZE", NULL},
    /* PALS, of Cray */
    {"PMI_RANK", "PMI_SIZE", "PMI_LOCAL_RANK", "PMI_LOCAL_SIZE", NULL},
    /* srun of Slurm, for any MPI */
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE",
     "SLURM_NODEID"},
};

static bool read_number(const char *name, int low, int high, int *number)
{
    const char *text = getenv(name);
    hit_index found = 0;

    if (text == NULL) return false;
    if (!hit_number_next(&text, low, high, &found) || *text != '\0') return false;
    *number = (int)found;
    return true;
}

/* The number for host number @p host in @p list: "4(x2),3" says 4 for two and 3 for the
 * next. */
static bool read_of_host(const char *list, hit_index host, int high, int *number)
{
    hit_index count = 0;
    hit_index hosts;

    do {
        hosts = 1;
        if (!hit_number_next(&list, 1, high, &count)) return false;
        if (strncmp(list, "(x", 2) == 0) {
            list += 2;
            if (!hit_number_next(&list, 1, INT_MAX, &hosts) || *list++ != ')') {
                return false;
            }
        }
        host -= hosts;
    } while (host >= 0 && *list++ == ',');
    *number = (int)count;
    return host < 0;
}

static bool read_local_size(const names *starter, int size, int *number)
{
    const char *list = getenv(starter->local_size);
    int host = 0;

    if (starter->host == NULL) return read_number(starter->local_size, 1, size, number);
    return list != NULL && read_number(starter->host, 0, INT_MAX, &host) &&
           read_of_host(list, host, size, number);
}

/* A job that started this one may have left variables of its own. */
static bool is_of_this_job(const names *starter, int rank, int size)
{
    int number = 0;

    return read_number(starter->rank, rank, rank, &number) &&
           read_number(starter->size, size, size, &number);
}

/* False where a starter does not say it. */
static bool ask_starter(int *local_rank, int *local_size)
{
    int rank = 0;
    int size = 1;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (size_t k = 0; k < sizeof(starters) / sizeof(starters[0]); k++) {
        if (is_of_this_job(&starters[k], rank, size) &&
            read_local_size(&starters[k], size, local_size) &&
            read_number(starters[k].local_rank, 0, *local_size - 1, local_rank)) {
            return true;
        }
    }
    return false;
}

/* Processes that were spawned are in another job. */
static bool is_part_of_job(MPI_Comm comm)
{
    MPI_Group job = MPI_GROUP_NULL;
    MPI_Group all = MPI_GROUP_NULL;
    MPI_Group common = MPI_GROUP_NULL;
    int sizes[3] = {0};

    MPI_Comm_group(MPI_COMM_WORLD, &job);
    MPI_Comm_group(comm, &all);
    MPI_Group_intersection(all, job, &common);
    MPI_Group_size(job, &sizes[0]);
    MPI_Group_size(all, &sizes[1]);
    MPI_Group_size(common, &sizes[2]);
    MPI_Group_free(&job);
    MPI_Group_free(&all);
    MPI_Group_free(&common);
    return sizes[1] == sizes[2] && sizes[1] < sizes[0];
}

hit_status hit_comm_find_beside(const void *comm, const void *host, int *rank, int *size)
{
    const MPI_Comm of_host = *(const MPI_Comm *)host;
    int found_rank = 0;
    int found_size = 0;
    int least[2]; /* of their sizes, and of these negated: all are equal, or some is 0 */

    MPI_Comm_rank(of_host, rank);
    MPI_Comm_size(of_host, size);
    if (!is_part_of_job(*(const MPI_Comm *)comm) ||
        !ask_starter(&found_rank, &found_size)) {
        found_size = 0;
    }
    least[0] = found_size;
    least[1] = -found_size;
    HIT_TRY(
        hit_comm_check(MPI_Allreduce(MPI_IN_PLACE, least, 2, MPI_INT, MPI_MIN, of_host),
                       "MPI_Allreduce"));
    if (least[0] < *size || least[0] != -least[1]) return HIT_OK;
    *rank = found_rank;
    *size = found_size;
    return HIT_OK;
}
