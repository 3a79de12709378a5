/* SPDX-License-Identifier: MIT
 * Internal to comm_mpi.c and requests_mpi.c: what calls of MPI have in common. */
#ifndef HIT_COMM_COMM_MPI_H
#define HIT_COMM_COMM_MPI_H

#include "hit/comm/comm.h"

/** @errors HIT_E_COMM what MPI says of @p code, which @p what gave */
hit_status hit_comm_check(int code, const char *what);
/** After MPI_Finalize() any call of MPI ends the program. @errors HIT_E_COMM */
hit_status hit_comm_check_running(void);
/** The processor is free meanwhile. */
void hit_comm_hold_for(double seconds);
/** Do what hit_comm_meanwhile() was told; false: there is nothing. */
bool hit_comm_work(hit_comm *comm);
/** What hit_comm_hold() was told. */
double hit_comm_held_s(const hit_comm *comm);

#endif
