/* SPDX-License-Identifier: MIT
 * Part of the library where it is built with the address sanitizer: what MPI and its
 * threads leave behind is not ours. Modules of MPI are unloaded before leaks are looked
 * for; to tell them by their names would need the whole stack of each allocation, which
 * took two thirds of the time of these tests. */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): RTLD_NEXT */
#include <mpi.h>

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sanitizer/lsan_interface.h>
#include <stdlib.h>

typedef int create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

typedef struct start {
    void *(*routine)(void *);
    void *arg;
} start;

static _Thread_local int inside_mpi; /* and in all threads that are started there */

static void enter(void)
{
    if (inside_mpi++ == 0) __lsan_disable();
}

static void leave(void)
{
    if (--inside_mpi == 0) __lsan_enable();
}

static void *run(void *of)
{
    const start now = *(start *)of;
    void *result;

    free(of);
    enter();
    result = now.routine(now.arg);
    leave();
    return result;
}

__attribute__((visibility("default"))) int
pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
               void *(*routine)(void *), void *arg)
{
    create *next;
    start *of;

    *(void **)&next = dlsym(RTLD_NEXT, "pthread_create");
    if (inside_mpi == 0) return next(thread, attributes, routine, arg);
    of = malloc(sizeof(*of));
    if (of == NULL) return EAGAIN;
    *of = (start){routine, arg};
    return next(thread, attributes, run, of);
}

/* Communicators that cannot be freed, as the program ended MPI before hit_close(). */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void)
{
    return "leak:libmpi";
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int code;

    enter();
    code = PMPI_Init_thread(argc, argv, required, provided);
    leave();
    return code;
}

int MPI_Init(int *argc, char ***argv)
{
    int code;

    enter();
    code = PMPI_Init(argc, argv);
    leave();
    return code;
}

int MPI_Finalize(void)
{
    int code;

    enter();
    code = PMPI_Finalize();
    leave();
    return code;
}
