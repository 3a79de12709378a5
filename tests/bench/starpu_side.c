/* SPDX-License-Identifier: MIT
 * StarPU as its manual has it: data is registered, tasks name what they read and write,
 * and their order follows from that. Only what tasks cost is timed, not registering and
 * partitioning. Its threads look for tasks without pause, on the cores of the other
 * variants: they are told to sleep in between. */
#define _POSIX_C_SOURCE 200809L /* what its headers need */
#include "tests/bench/starpu_side.h"

#include "tests/bench/bench.h"

#include <starpu.h>
#include <stdlib.h>

enum {
    ROW_MAJOR = 101,
    NO_TRANS = 111
};

bool starpu_side_open(const char *name, int workers)
{
    struct starpu_conf conf;

    starpu_conf_init(&conf);
    conf.ncpus = workers;
    conf.ncuda = 0;
    conf.nopencl = 0;
    if (starpu_init(&conf) != 0) bench_stop(1, name, "StarPU does not start");
    starpu_pause();
    return true;
}

void starpu_side_close(void)
{
    starpu_resume();
    starpu_shutdown();
}

static void submit(struct starpu_codelet *codelet, void *argument,
                   const starpu_data_handle_t handle[], int handles)
{
    struct starpu_task *task = starpu_task_create();

    task->cl = codelet;
    task->cl_arg = argument;
    for (int k = 0; k < handles; k++) {
        task->handles[k] = handle[k]; /* NOLINT: there are as many */
    }
    if (starpu_task_submit(task) != 0) bench_stop(1, "StarPU", "no thread for a task");
}

/* ---- empty tasks ---- */

static void do_nothing(void *buffers[], void *argument)
{
    (void)buffers;
    (void)argument;
}

static struct starpu_codelet chain_codelet = {
    .cpu_funcs = {do_nothing}, .nbuffers = 1, .modes = {STARPU_RW}};
static struct starpu_codelet empty_codelet = {.cpu_funcs = {do_nothing}};

double starpu_side_empty(void *context)
{
    const starpu_empty *e = context;
    starpu_data_handle_t variable;
    float value = 0;
    double start;
    double seconds;

    starpu_resume();
    starpu_variable_data_register(&variable, STARPU_MAIN_RAM, (uintptr_t)&value,
                                  sizeof(value));
    start = bench_time();
    for (int t = 0; t < e->tasks; t++) {
        submit(e->chain ? &chain_codelet : &empty_codelet, NULL, &variable, e->chain);
    }
    starpu_task_wait_for_all();
    seconds = (bench_time() - start) / e->tasks;
    starpu_data_unregister(variable);
    starpu_pause();
    return seconds;
}

/* ---- tasks of three arguments ---- */

enum {
    MOST_WRITTEN = 1024
};

static void add(void *buffers[], void *argument)
{
    float *to = (float *)STARPU_VARIABLE_GET_PTR(buffers[0]);

    *to += *(const float *)argument;
}

static struct starpu_codelet add_codelet = {
    .cpu_funcs = {add}, .nbuffers = 2, .modes = {STARPU_RW, STARPU_R}};

double starpu_side_tasks(void *context)
{
    const starpu_tasks *s = context;
    starpu_data_handle_t handle[MOST_WRITTEN + 1];
    float value[MOST_WRITTEN + 1] = {0};
    float by = 0.5f;
    double start;
    double seconds;

    if (s->written > MOST_WRITTEN) bench_stop(1, "StarPU", "too many variables");
    starpu_resume();
    for (int k = 0; k <= s->written; k++) {
        starpu_variable_data_register(&handle[k], STARPU_MAIN_RAM, (uintptr_t)&value[k],
                                      sizeof(value[k]));
    }
    start = bench_time();
    for (int t = 0; t < s->tasks; t++) {
        submit(&add_codelet, &by,
               (const starpu_data_handle_t[]){handle[t % s->written], handle[s->written]},
               2);
    }
    starpu_task_wait_for_all();
    seconds = (bench_time() - start) / s->tasks;
    for (int k = 0; k <= s->written; k++) {
        starpu_data_unregister(handle[k]);
    }
    starpu_pause();
    return seconds;
}

/* ---- the product ---- */

/* StarPU's x runs along a row. */
static void multiply(void *buffers[], void *argument)
{
    const product *p = argument;

    p->dgemm(ROW_MAJOR, NO_TRANS, NO_TRANS, (int)STARPU_MATRIX_GET_NY(buffers[0]),
             (int)STARPU_MATRIX_GET_NX(buffers[0]), (int)STARPU_MATRIX_GET_NX(buffers[1]),
             1.0, (const double *)STARPU_MATRIX_GET_PTR(buffers[1]),
             (int)STARPU_MATRIX_GET_LD(buffers[1]),
             (const double *)STARPU_MATRIX_GET_PTR(buffers[2]),
             (int)STARPU_MATRIX_GET_LD(buffers[2]), 0.0,
             (double *)STARPU_MATRIX_GET_PTR(buffers[0]),
             (int)STARPU_MATRIX_GET_LD(buffers[0]));
}

static struct starpu_codelet multiply_codelet = {
    .cpu_funcs = {multiply}, .nbuffers = 3, .modes = {STARPU_W, STARPU_R, STARPU_R}};

static starpu_data_handle_t register_matrix(const double *data, int n)
{
    const uint32_t size = (uint32_t)n;
    starpu_data_handle_t handle;

    starpu_matrix_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)data, size, size,
                                size, sizeof(double));
    return handle;
}

static void submit_product(const starpu_product *s, const starpu_data_handle_t whole[3])
{
    product *argument = (product *)(uintptr_t)s->of;

    for (int i = 0; i < s->tiles; i++) {
        for (int j = 0; j < s->tiles; j++) {
            const starpu_data_handle_t handle[3] = {
                starpu_data_get_sub_data(whole[0], 2, i, j),
                starpu_data_get_sub_data(whole[1], 1, i),
                starpu_data_get_sub_data(whole[2], 1, j),
            };

            submit(&multiply_codelet, argument, handle, 3);
        }
    }
}

double starpu_side_product(void *context)
{
    const starpu_product *s = context;
    struct starpu_data_filter rows = {.filter_func = starpu_matrix_filter_vertical_block,
                                      .nchildren = (unsigned)s->tiles};
    struct starpu_data_filter columns = {.filter_func = starpu_matrix_filter_block,
                                         .nchildren = (unsigned)s->tiles};
    const int n = s->of->n;
    const starpu_data_handle_t whole[3] = {register_matrix(s->c, n),
                                           register_matrix(s->of->plain[0], n),
                                           register_matrix(s->of->plain[1], n)};
    double start;
    double seconds;

    s->of->set_threads(1);
    starpu_resume();
    starpu_data_map_filters(whole[0], 2, &rows, &columns);
    starpu_data_partition(whole[1], &rows);
    starpu_data_partition(whole[2], &columns);
    start = bench_time();
    submit_product(s, whole);
    starpu_task_wait_for_all();
    seconds = bench_time() - start;
    for (int k = 0; k < 3; k++) {
        starpu_data_unpartition(whole[k], STARPU_MAIN_RAM);
        starpu_data_unregister(whole[k]);
    }
    starpu_pause();
    return seconds;
}

/* ---- a graph ---- */

enum {
    MOST_DATA = 4096,
    MOST_READ = 2
};

static starpu_data_handle_t graph_data[MOST_DATA];
static int graph_data_count;

static void run_step(void *buffers[], void *argument)
{
    const starpu_step *step = argument;

    (void)buffers;
    step->run(step->of, step->i, step->j, step->k);
}

static struct starpu_codelet step_codelet = {.cpu_funcs = {run_step},
                                             .nbuffers = STARPU_VARIABLE_NBUFFERS};

void starpu_side_begin(int data)
{
    if (data > MOST_DATA) bench_stop(1, "StarPU", "too many data");
    starpu_resume();
    graph_data_count = data;
    for (int k = 0; k < data; k++) {
        starpu_void_data_register(&graph_data[k]);
    }
}

void starpu_side_add(const starpu_step *step, int writes, int reads, const int read[])
{
    struct starpu_task *task = starpu_task_create();
    starpu_step *own = malloc(sizeof(*own));

    if (own == NULL || reads > MOST_READ) bench_stop(1, "StarPU", "no memory");
    *own = *step;
    task->cl = &step_codelet;
    task->cl_arg = own;
    task->cl_arg_size = sizeof(*own);
    task->cl_arg_free = 1;
    task->nbuffers = 1 + reads;
    task->handles[0] = graph_data[writes];
    task->modes[0] = STARPU_RW;
    for (int k = 0; k < reads; k++) {
        task->handles[k + 1] = graph_data[read[k]];
        task->modes[k + 1] = STARPU_R;
    }
    if (starpu_task_submit(task) != 0) bench_stop(1, "StarPU", "no thread for a task");
}

void starpu_side_wait(void)
{
    starpu_task_wait_for_all();
}

void starpu_side_end(void)
{
    for (int k = 0; k < graph_data_count; k++) {
        starpu_data_unregister(graph_data[k]);
    }
    starpu_pause();
}
