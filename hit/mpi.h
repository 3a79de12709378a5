/* SPDX-License-Identifier: MIT
 * For MPI programs that have a communicator, and arrays, of their own (docs/adopt.md),
 * and for several runs in one job (docs/recipes.md). */
#ifndef HIT_MPI_H
#define HIT_MPI_H

#include "hit/context.h"
#include "hit/tile/adopt.h"

HIT_C_BEGIN

/** As hit_open_with(), over the MPI_Comm that @p mpi_comm points to, which is duplicated:
 * `hit_open_from(&comm, NULL, &hit)`. A pointer, so that this header needs no <mpi.h>.
 * Over a part of MPI_COMM_WORLD it takes the devices and cores that its processes would
 * have over all of it, since the others may have contexts of their own on the same host.
 * Those are not asked, for they may not call: what started the job tells each process
 * its number on the host, as mpiexec of Open MPI, MPICH (Hydra) and Intel MPI, MVAPICH2
 * and PALS do, and Slurm's srun. Elsewhere, and among processes that were spawned, only
 * those of @p mpi_comm are counted, so that two parts take the same devices; open a
 * context over all and parts of it with hit_open_group(), or name devices and threads in
 * @p options.
 * @collective over @p mpi_comm @errors HIT_E_ABSENT built without MPI; those of
 * hit_open() */
HIT_API hit_status hit_open_from(const void *mpi_comm, const hit_options *options,
                                 hit_context **context);
/** The same, over a communicator of Fortran: its integer, or what MPI_VAL of a
 * type(MPI_Comm) is (docs/fortran.md). */
HIT_API hit_status hit_open_from_fortran(int mpi_comm, const hit_options *options,
                                         hit_context **context);

/** Open a context over a part of the processes of another one: over those that give the
 * same number @p group. The groups share the devices and cores of a host as the processes
 * of @p whole do, and the store of models. A trace, a checkpoint and a profile are the
 * group's: HIT_TRACE=run.json writes run-0.json, run-1.json, ..., HIT_CHECKPOINT's folder
 * has the number at its end, too. The groups of the second call over @p whole are 0.2,
 * 1.2, ... there, those of a call over group 1 are 1-0, 1-1, ... A dry run (HIT_PLAN)
 * plans a group for the processes it has. Works without MPI.
 * @param options as those of hit_open_with()
 * @collective over @p whole
 * @owner  *context is the caller's: hit_close(), before that of @p whole
 * @errors HIT_E_ARG no @p whole, @p group < 0, a dry run of @p whole for more processes
 * than are there, groups in groups whose name has 64 characters or more; those of
 * hit_open_with() */
HIT_API hit_status hit_open_group(hit_context *whole, int group,
                                  const hit_options *options, hit_context **context);

HIT_C_END

#endif
