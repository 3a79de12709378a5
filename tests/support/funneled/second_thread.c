/* SPDX-License-Identifier: MIT
 * A program that calls MPI by a second thread ("second"), or by its only one. */
#include <mpi.h>

#include <pthread.h>
#include <stddef.h>
#include <string.h>

static void *call(void *of)
{
    double value = 1;

    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF);
    return of;
}

int main(int argc, char **argv)
{
    int level;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    if (argc > 1 && strcmp(argv[1], "second") == 0) {
        pthread_t thread;

        if (pthread_create(&thread, NULL, call, NULL) != 0) return 1;
        pthread_join(thread, NULL);
    } else {
        (void)call(NULL);
    }
    MPI_Finalize();
    return 0;
}
