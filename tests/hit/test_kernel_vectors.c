/* SPDX-License-Identifier: MIT
 * Kernels in vectors leave what plain loops leave, on random boxes of tiles that begin
 * anywhere and whose rows lie at any distance, and touch nothing outside of what they may
 * touch: before it or behind it lies a page that must not be read. */
#include "hit/hit.h"
#include "tests/hit/kernel_vectors.h"
#include "tests/support/check_main.h"
#include "tests/support/pages.h"
#include "tests/support/random.h"

#include <unistd.h>

enum {
    ARGS = 4,
    REACH = 17,
    PAGES = 400,
    ROUNDS = 600
};

/* A tile of elements of so many bytes; all values are small whole numbers. */
typedef struct array {
    int dims, size;
    hit_index begin[3], end[3], stride[3];
    char *pages;
    char *element;
} array;

static array arrays[ARGS];
static double wanted[2][PAGES * 4096 / 4];

static void map_pages(void)
{
    for (int a = 0; a < ARGS; a++) {
        arrays[a].pages = guarded_map(PAGES);
    }
}

static void unmap_pages(void)
{
    for (int a = 0; a < ARGS; a++) {
        guarded_unmap(arrays[a].pages, PAGES);
    }
}

static double value_at(const hit_kernel *kernel, const array *a, const void *at)
{
    if (a->size == 4) {
        return kernel == &vectors_ints ? (double)*(const int *)at
                                       : (double)*(const float *)at;
    }
    return kernel == &vectors_longs ? (double)*(const hit_index *)at
                                    : *(const double *)at;
}

static void set(const hit_kernel *kernel, const array *a, void *at, double value)
{
    if (a->size == 4 && kernel == &vectors_ints) {
        *(int *)at = (int)value;
    } else if (a->size == 4) {
        *(float *)at = (float)value;
    } else if (kernel == &vectors_longs) {
        *(hit_index *)at = (hit_index)value;
    } else {
        *(double *)at = value;
    }
}

static char *at(const array *a, hit_index i, hit_index j, hit_index k)
{
    const hit_index x[3] = {i, j, k};
    hit_index offset = 0;

    for (int d = 0; d < a->dims; d++) {
        if (x[d] < a->begin[d] || x[d] > a->end[d]) ck_abort_msg("outside");
        offset += (x[d] - a->begin[d]) * a->stride[d];
    }
    return a->element + offset * a->size;
}

/* The array of the box begin to end, at one end of its pages. */
static void make(hit_random *random, const hit_kernel *kernel, array *a, int dims,
                 const hit_index begin[], const hit_index end[])
{
    const size_t bytes = PAGES * (size_t)sysconf(_SC_PAGESIZE);
    hit_index stride = 1;
    hit_index last = 0;

    a->dims = dims;
    a->size = (int)kernel->arg[0].type.size_bytes;
    for (int d = dims - 1; d >= 0; d--) {
        a->begin[d] = begin[d];
        a->end[d] = end[d];
        a->stride[d] = stride;
        last += (end[d] - begin[d]) * stride;
        stride *= end[d] - begin[d] + 1;
        if (hit_random_index(random, 0, 1) == 0) {
            stride += hit_random_index(random, 0, 20);
        } else {
            stride = (stride + 15) / 16 * 16;
        }
    }
    const size_t all = (size_t)(last + 1) * (size_t)a->size;

    ck_assert_uint_le(all, bytes);
    a->element = a->pages;
    if (hit_random_index(random, 0, 1) == 0) a->element += bytes - all;
    for (hit_index e = 0; e <= last; e++) {
        set(kernel, a, a->element + e * a->size, (double)hit_random_index(random, -9, 9));
    }
}

static void set_slot(hit_slot *slot, const array *a)
{
    hit_index before = 0;

    *slot = (hit_slot){.dense = 1};
    for (int d = 0; d < a->dims; d++) {
        slot->stride[d] = a->stride[d];
        slot->step[d] = 1;
        slot->begin[d] = a->begin[d];
        slot->end[d] = a->end[d];
        before += a->begin[d] * a->stride[d];
    }
    slot->base = a->element - before * a->size;
}

/* ---- the same in plain loops ---- */

static const hit_kernel *running;

#define AT(n, ...) value_at(running, &arrays[n], at(&arrays[n], __VA_ARGS__))

static void line(hit_index i, hit_index j, hit_index k, double result[2])
{
    (void)j;
    (void)k;
    result[1] =
        AT(0, i, 0, 0) + AT(2, i - 9, 0, 0) - AT(2, i + 9, 0, 0) + AT(2, i - 8, 0, 0) * 2;
    result[0] =
        AT(0, i, 0, 0) * 2 + AT(2, i, 0, 0) + AT(2, i - 1, 0, 0) - 3 * AT(2, i + 1, 0, 0);
}

static void plane(hit_index i, hit_index j, hit_index k, double result[2])
{
    (void)k;
    const double near = AT(2, i, j - 1, 0) + 2 * AT(2, i, j + 1, 0) +
                        3 * AT(2, i, j - 2, 0) - AT(2, i, j + 3, 0);
    const double far = AT(2, i, j - 7, 0) + AT(2, i, j + 8, 0) - AT(2, i, j + 15, 0) +
                       AT(2, i, j - 16, 0) - 2 * AT(2, i, j + 17, 0);

    result[1] = near - far + AT(3, i, 0, 0);
    result[0] =
        AT(0, i, j, 0) + AT(2, i - 2, j, 0) - AT(2, i + 2, j, 0) + AT(2, i, j, 0) * 2;
}

static void space(hit_index i, hit_index j, hit_index k, double result[2])
{
    double sum = -AT(0, i, j, k);

    for (hit_index d = 1; d <= 4; d++) {
        sum += (d % 2 == 1 ? 1 : -1) *
               (AT(2, i - d, j, k) + 2 * AT(2, i + d, j, k) + 3 * AT(2, i, j - d, k) +
                4 * AT(2, i, j + d, k) + 5 * AT(2, i, j, k - d) + 6 * AT(2, i, j, k + d));
    }
    result[0] = sum;
}

static void first(hit_index i, hit_index j, hit_index k, double result[2])
{
    (void)k;
    result[0] = AT(2, 0, j - 1, 0) + AT(2, 0, j + 1, 0) * AT(3, i, j, 0) - AT(3, 0, j, 0);
}

static void along(hit_index i, hit_index j, hit_index k, double result[2])
{
    result[0] = 2 * AT(2, i, j, k - 1) + AT(2, i, j, k + 1);
}

static void chosen(hit_index i, hit_index j, hit_index k, double result[2])
{
    (void)k;
    result[0] = AT(2, i - 2, j, 0) + AT(2, i, j + 1, 0);
}

typedef struct vectors_case {
    const hit_kernel *kernel;
    int writes;
    void (*plain)(hit_index i, hit_index j, hit_index k, double result[2]);
    int arg[ARGS];       /* of the kernel, of arrays 0 to 3; -1: none */
    int dims[ARGS];      /* of them */
    hit_index before[3]; /* how far array 2 reaches beyond the box, both ways */
} vectors_case;

static const vectors_case cases[] = {
    {&vectors_line, 2, line, {0, 1, 2, -1}, {1, 1, 1, 0}, {9}},
    {&vectors_floats, 2, plane, {0, 1, 2, 3}, {2, 2, 2, 1}, {2, REACH}},
    {&vectors_doubles, 2, plane, {0, 1, 2, 3}, {2, 2, 2, 1}, {2, REACH}},
    {&vectors_ints, 2, plane, {0, 1, 2, 3}, {2, 2, 2, 1}, {2, REACH}},
    {&vectors_longs, 2, plane, {0, 1, 2, 3}, {2, 2, 2, 1}, {2, REACH}},
    {&vectors_space, 1, space, {0, -1, 1, -1}, {3, 0, 3, 0}, {4, 4, 4}},
    {&vectors_first, 1, first, {0, -1, 1, 2}, {2, 0, 2, 2}, {0, 1}},
    {&vectors_along, 1, along, {0, -1, 1, -1}, {3, 0, 3, 0}, {0, 0, 1}},
    {&vectors_chosen, 2, chosen, {0, 1, 2, -1}, {2, 2, 2, 0}, {2, 1}}};

static const double two = 2;
static const float two_as_float = 2;
static const int two_as_int = 2;
static const hit_index two_as_index = 2;

static const void *two_of(const hit_kernel *kernel)
{
    if (kernel == &vectors_floats || kernel == &vectors_chosen) return &two_as_float;
    return kernel == &vectors_ints    ? (const void *)&two_as_int
           : kernel == &vectors_longs ? (const void *)&two_as_index
                                      : (const void *)&two;
}

static hit_run random_run(hit_random *random, const vectors_case *c)
{
    const int dims = c->kernel->dims;
    const hit_index longest = hit_random_index(random, 0, 1) == 0 ? 70 : 300;
    hit_run run = {.dense = 1, .threads = 1};
    hit_index begin[3] = {0};
    hit_index end[3] = {0};

    for (int d = 0; d < dims; d++) {
        const hit_index most = d == dims - 1 ? longest : dims == 3 ? 6 : 10;

        run.begin[d] = hit_random_index(random, -40, 40);
        if (c->kernel == &vectors_first && d == 0) run.begin[d] = 0;
        run.end[d] = run.begin[d] + hit_random_index(random, 0, most - 1);
        run.stride[d] = d == 0 && hit_random_index(random, 0, 9) == 0 ? 2 : 1;
        if (dims == 1) run.stride[d] = 1;
    }
    for (int a = 0; a < ARGS; a++) {
        if (c->arg[a] < 0) continue;
        const hit_index most = hit_random_index(random, 0, 1) * 3;

        for (int d = 0; d < c->dims[a]; d++) {
            const hit_index more = a == 2 ? c->before[d] : 0;
            /* more of the first tiles than what is written */
            const hit_index around = a == 2 ? 0 : hit_random_index(random, 0, most);

            begin[d] = run.begin[d] - more - around;
            end[d] = run.end[d] + more + around;
        }
        make(random, c->kernel, &arrays[a], c->dims[a], begin, end);
        set_slot(&run.slot[c->arg[a]], &arrays[a]);
    }
    run.slot[c->kernel->args - 1].base =
        c->kernel->arg[c->kernel->args - 1].mode == HIT_MODE_VALUE
            ? (void *)(uintptr_t)two_of(c->kernel)
            : run.slot[c->kernel->args - 1].base;
    return run;
}

static bool in_box(const hit_run *run, int dims, const hit_index x[])
{
    for (int d = 0; d < dims; d++) {
        if (x[d] < run->begin[d] || x[d] > run->end[d]) return false;
        if ((x[d] - run->begin[d]) % run->stride[d] != 0) return false;
    }
    return true;
}

/* Compute what is wanted of each element of array @p w, or compare it with what is there.
 */
static void over_elements(const vectors_case *c, const hit_run *run, int w, bool check)
{
    const array *a = &arrays[w];
    const hit_index end1 = a->dims > 1 ? a->end[1] : 0;
    const hit_index end2 = a->dims > 2 ? a->end[2] : 0;
    size_t n = 0;

    for (hit_index i = a->begin[0]; i <= a->end[0]; i++) {
        for (hit_index j = a->dims > 1 ? a->begin[1] : 0; j <= end1; j++) {
            for (hit_index k = a->dims > 2 ? a->begin[2] : 0; k <= end2; k++, n++) {
                double now = value_at(running, a, at(a, i, j, k));
                double result[2] = {now, now};

                if (check) {
                    if (now == wanted[w][n]) continue;
                    ck_abort_msg("%s: at %d, %d, %d: %g, not %g", c->kernel->name, (int)i,
                                 (int)j, (int)k, now, wanted[w][n]);
                }
                if (in_box(run, a->dims, (hit_index[]){i, j, k})) {
                    c->plain(i, j, k, result);
                    now = result[w];
                }
                wanted[w][n] = now;
            }
        }
    }
}

START_TEST(vectors_are_what_plain_loops_are)
{
    const vectors_case *c = &cases[_i];
    hit_random random = hit_random_start(20261130 + (uint64_t)_i);

    map_pages();
    running = c->kernel;
    for (int round = hit_random_cases(ROUNDS); round > 0; round--) {
        const hit_run run = random_run(&random, c);

        for (int w = 0; w < c->writes; w++) {
            over_elements(c, &run, w, false);
        }
        HIT_MUST(c->kernel->host(&run));
        for (int w = 0; w < c->writes; w++) {
            over_elements(c, &run, w, true);
        }
    }
    unmap_pages();
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("hit.kernel_vectors");
    TCase *tests = tcase_create("kernel_vectors");

    tcase_add_loop_test(tests, vectors_are_what_plain_loops_are, 0,
                        sizeof(cases) / sizeof(cases[0]));
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    hit_context *base; /* keeps MPI open */

    return check_run_open(&argc, &argv, suite(), &base);
}
