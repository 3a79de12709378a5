/* SPDX-License-Identifier: MIT
 * Internal to hit/comm and hit/io: the communicator inside. */
#ifndef HIT_COMM_COMM_IMPL_H
#define HIT_COMM_COMM_IMPL_H

#include "hit/comm/comm.h"

/** The MPI_Comm of these processes, for code that includes <mpi.h>; NULL without MPI. */
const void *hit_comm_mpi(const hit_comm *comm);

#endif
