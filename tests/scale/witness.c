/* SPDX-License-Identifier: MIT
 * In the place of the functions that it looks at (-Wl,--wrap): what process 0 of a
 * program under SMPI calls, whose processes share this memory. One line at the end says
 * how many launches it made, how many collective calls of MPI came inside and between
 * them and in which launch the last one was, the most memory that hit_open() and all that
 * followed took on all processes together, and the processor time. With WITNESS_RATE in
 * the environment kernels take time of the simulation: a second for so many indices. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* NOLINT(bugprone-reserved-identifier): getrusage */
#endif
#include "hit/hit.h"
#include "hit/launch/launch.h"
#include "patterns/kernel_impl.h"

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

/* what is seen of process 0; the others are not looked at */
static int inside;
static int launches;
static int calls[2]; /* between launches, in launches */
static int last;     /* the number of the last launch with one, from 1; 0: none had */
static long begin_kb;

static bool is_first(void)
{
    int rank = 0;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == 0;
}

static struct rusage usage(void)
{
    struct rusage used;

    getrusage(RUSAGE_SELF, &used);
    return used;
}

static void note(void)
{
    if (!is_first()) return;
    calls[inside]++;
    if (inside != 0) last = launches + 1;
}

/* names that the linker asks for */
/* NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming) */
hit_status __real_hit_open_with(int *argc, char ***argv, const hit_options *options,
                                hit_context **context);
hit_status __wrap_hit_open_with(int *argc, char ***argv, const hit_options *options,
                                hit_context **context);
hit_status __real_hit_launch_args(hit_context *context, hit_layout *layout,
                                  const hit_kernel *kernel, hit_domain domain, int count,
                                  const hit_arg args[]);
hit_status __wrap_hit_launch_args(hit_context *context, hit_layout *layout,
                                  const hit_kernel *kernel, hit_domain domain, int count,
                                  const hit_arg args[]);
hit_status __real_hit_kernel_call(const hit_kernel *kernel, hit_kernel_function function,
                                  const hit_run *run);
hit_status __wrap_hit_kernel_call(const hit_kernel *kernel, hit_kernel_function function,
                                  const hit_run *run);
int __real_MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type,
                         MPI_Op op, MPI_Comm comm);
int __wrap_MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type,
                         MPI_Op op, MPI_Comm comm);
int __real_MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm);
int __wrap_MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm);
int __real_MPI_Barrier(MPI_Comm comm);
int __wrap_MPI_Barrier(MPI_Comm comm);
int __real_MPI_Gather(const void *from, int sent, MPI_Datatype type, void *to, int got,
                      MPI_Datatype as, int root, MPI_Comm comm);
int __wrap_MPI_Gather(const void *from, int sent, MPI_Datatype type, void *to, int got,
                      MPI_Datatype as, int root, MPI_Comm comm);
int __real_MPI_Finalize(void);
int __wrap_MPI_Finalize(void);

hit_status __wrap_hit_open_with(int *argc, char ***argv, const hit_options *options,
                                hit_context **context)
{
    hit_status status;

    if (begin_kb == 0) begin_kb = usage().ru_maxrss; /* who comes first */
    status = __real_hit_open_with(argc, argv, options, context);
    if (is_first()) calls[0] = 0;
    return status;
}

hit_status __wrap_hit_launch_args(hit_context *context, hit_layout *layout,
                                  const hit_kernel *kernel, hit_domain domain, int count,
                                  const hit_arg args[])
{
    const bool first = is_first();
    hit_status status;

    if (first) inside = 1;
    status = __real_hit_launch_args(context, layout, kernel, domain, count, args);
    if (first) inside = 0;
    if (first) launches++;
    return status;
}

/* A node does a Gflop in a second. */
hit_status __wrap_hit_kernel_call(const hit_kernel *kernel, hit_kernel_function function,
                                  const hit_run *run)
{
    const hit_status status = __real_hit_kernel_call(kernel, function, run);
    const char *rate = getenv("WITNESS_RATE");

    if (rate == NULL) return status;
    smpi_execute_flops(hit_run_indices(run, kernel->dims) * 1e9 / strtod(rate, NULL));
    return status;
}

int __wrap_MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type,
                         MPI_Op op, MPI_Comm comm)
{
    note();
    return __real_MPI_Allreduce(from, to, count, type, op, comm);
}

int __wrap_MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    note();
    return __real_MPI_Bcast(data, count, type, root, comm);
}

int __wrap_MPI_Barrier(MPI_Comm comm)
{
    note();
    return __real_MPI_Barrier(comm);
}

int __wrap_MPI_Gather(const void *from, int sent, MPI_Datatype type, void *to, int got,
                      MPI_Datatype as, int root, MPI_Comm comm)
{
    note();
    return __real_MPI_Gather(from, sent, type, to, got, as, root, comm);
}

int __wrap_MPI_Finalize(void)
{
    if (is_first()) {
        const struct rusage used = usage();
        const double us = 1e6 * (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                          (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);

        printf("witness %d %d %d %d %ld %.1f\n", launches, calls[1], last, calls[0],
               used.ru_maxrss - begin_kb, 1e-6 * us);
        (void)fflush(stdout);
    }
    return __real_MPI_Finalize();
}
/* NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming) */
