/* SPDX-License-Identifier: MIT
 * Graphs of tasks: edges against all pairs of accesses that conflict, and those of
 * factorisations by tiles against their closed forms. */
#include "hit/sched/graph.h"
#include "hit/tool/tool.h"
#include "tests/support/check_main.h"

#include <stdlib.h>
#include <string.h>

enum {
    TASKS = 40,
    DATA = 6
};

/** Who comes before whom, in any number of steps. */
typedef struct orders {
    bool before[TASKS][TASKS];
} orders;

static void close_over(orders *o)
{
    for (int k = 0; k < TASKS; k++) {
        for (int i = 0; i < TASKS; i++) {
            for (int j = 0; j < TASKS && o->before[i][k]; j++) {
                o->before[i][j] = o->before[i][j] || o->before[k][j];
            }
        }
    }
}

static bool conflict(const hit_graph *graph, int a, int b)
{
    for (int i = 0; i < graph->task[a].accesses; i++) {
        const hit_graph_access *x = &graph->access[graph->task[a].first_access + i];

        for (int k = 0; k < graph->task[b].accesses; k++) {
            const hit_graph_access *y = &graph->access[graph->task[b].first_access + k];

            if (x->datum == y->datum && (x->writes || y->writes)) return true;
        }
    }
    return false;
}

static void add_random(hit_random *random, hit_graph *graph)
{
    hit_graph_access access[4];
    const int count = (int)hit_random_index(random, 1, 4);
    const hit_graph_task task = {.work = 0};

    for (int k = 0; k < count; k++) {
        const int mode = (int)hit_random_index(random, 1, 3);

        access[k] = (hit_graph_access){(int)hit_random_index(random, 0, DATA - 1),
                                       (mode & 1) != 0, (mode & 2) != 0};
    }
    ck_assert_int_eq(hit_graph_add_task(graph, &task, count, access), HIT_OK);
}

START_TEST(edges_order_exactly_what_conflicts)
{
    hit_random random = hit_random_start(15);
    orders *wanted = malloc(sizeof *wanted);
    orders *found = malloc(sizeof *found);

    for (int i = 0; i < hit_random_cases(400); i++) {
        hit_graph graph = {0};
        int number;
        int edges = 0;

        memset(wanted, 0, sizeof *wanted);
        memset(found, 0, sizeof *found);
        ck_assert_int_eq(hit_graph_add_work(&graph, "any", 1, NULL, &number), HIT_OK);
        for (int d = 0; d < DATA; d++) {
            ck_assert_int_eq(hit_graph_add_datum(&graph, 8, &number), HIT_OK);
        }
        for (int t = 0; t < TASKS; t++) {
            add_random(&random, &graph);
            for (int k = 0; k < t; k++) {
                wanted->before[k][t] = conflict(&graph, k, t);
            }
        }
        for (int t = 0; t < TASKS; t++) {
            for (int k = graph.task[t].first_next; k >= 0; k = graph.link[k].next) {
                ck_assert(!found->before[t][graph.link[k].task]); /* once */
                ck_assert(wanted->before[t][graph.link[k].task]);
                found->before[t][graph.link[k].task] = true;
                edges++;
            }
        }
        ck_assert_int_eq(edges, graph.edges);
        close_over(wanted);
        close_over(found);
        ck_assert_msg(memcmp(wanted, found, sizeof *found) == 0, "case %d", i);
        hit_graph_clear(&graph);
    }
    free(wanted);
    free(found);
}
END_TEST

START_TEST(a_datum_that_a_task_names_twice_is_one_access)
{
    const hit_graph_access access[] = {{0, true, false}, {0, false, true}};
    const hit_graph_task task = {.work = 0};
    hit_graph graph = {0};
    int number;

    ck_assert_int_eq(hit_graph_add_work(&graph, "any", 1, NULL, &number), HIT_OK);
    ck_assert_int_eq(hit_graph_add_datum(&graph, 8, &number), HIT_OK);
    ck_assert_int_eq(hit_graph_add_task(&graph, &task, 2, access), HIT_OK);
    ck_assert_int_eq(graph.task[0].accesses, 1);
    ck_assert(graph.access[0].reads && graph.access[0].writes);
    hit_graph_clear(&graph);
}
END_TEST

START_TEST(wrong_tasks_are_told)
{
    const hit_graph_access access = {0, true, false};
    const hit_graph_task task = {.work = 0};
    hit_graph graph = {0};
    int number;

    ck_assert_int_eq(hit_graph_add_task(&graph, &task, 0, NULL), HIT_E_ARG);
    ck_assert_int_eq(hit_graph_add_work(&graph, "", 1, NULL, &number), HIT_E_ARG);
    ck_assert_int_eq(hit_graph_add_work(&graph, "any", 0, NULL, &number), HIT_E_ARG);
    ck_assert_int_eq(hit_graph_add_work(&graph, "any", 1, NULL, &number), HIT_OK);
    ck_assert_int_eq(hit_graph_add_task(&graph, &task, 1, &access), HIT_E_ARG);
    ck_assert_int_eq(hit_graph_add_datum(&graph, -1, &number), HIT_E_ARG);
    hit_graph_clear(&graph);
}
END_TEST

/** Times of kernels in b^3 / 3 operations. */
static int64_t thirds(const char *kernel)
{
    static const struct {
        const char *name;
        int64_t thirds;
    } known[] = {{"gemm", 6},      {"trsm", 3},  {"syrk", 3},  {"potrf", 1}, {"getrf", 2},
                 {"getrf_inc", 2}, {"tstrf", 3}, {"gessm", 3}, {"ssssm", 6}, {"geqrt", 4},
                 {"tsqrt", 6},     {"unmqr", 6}, {"tsmqr", 12}};

    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        if (strcmp(known[k].name, kernel) == 0) return known[k].thirds;
    }
    return -1;
}

static int64_t longest_way(const hit_graph *graph)
{
    int64_t *rank = calloc((size_t)graph->tasks, sizeof *rank);
    int64_t work[8];
    int64_t longest = 0;

    for (int w = 0; w < graph->works; w++) {
        work[w] = thirds(graph->work[w].kernel);
        ck_assert_int_gt(work[w], 0);
    }
    hit_graph_ranks(graph, 0, graph->tasks, work, rank);
    for (int t = 0; t < graph->tasks; t++) {
        if (rank[t] > longest) longest = rank[t];
    }
    free(rank);
    return longest;
}

START_TEST(factorisations_have_the_known_tasks_edges_and_longest_ways)
{
    static const struct {
        const char *name;
        int tasks_16, edges_16;
        int slope, constant; /* of the longest way */
    } known[] = {{"cholesky", 816, 2040, 9, -10},
                 {"lu", 1496, 3960, 11, -9},
                 {"lu-incpiv", 1496, 3960, 15, -17},
                 {"qr", 1496, 3960, 30, -34}};

    for (int k = 0; k < 4; k++) {
        ck_assert_str_eq(hit_tool_graphs[k].name, known[k].name);
        for (int tiles = 3; tiles <= 16; tiles++) {
            hit_graph graph = {0};

            ck_assert_int_eq(hit_tool_graph_make(&hit_tool_graphs[k],
                                                 (hit_tool_problem){tiles, 256}, &graph),
                             HIT_OK);
            ck_assert_int_eq(longest_way(&graph),
                             known[k].slope * tiles + known[k].constant);
            if (tiles == 16) {
                ck_assert_int_eq(graph.tasks, known[k].tasks_16);
                ck_assert_int_eq(graph.edges, known[k].edges_16);
            }
            hit_graph_clear(&graph);
        }
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("graph");
    TCase *c = tcase_create("graph");

    tcase_add_test(c, edges_order_exactly_what_conflicts);
    tcase_add_test(c, a_datum_that_a_task_names_twice_is_one_access);
    tcase_add_test(c, wrong_tasks_are_told);
    tcase_add_test(c, factorisations_have_the_known_tasks_edges_and_longest_ways);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return check_run(suite());
}
