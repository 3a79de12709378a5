/* SPDX-License-Identifier: MIT
 * `hit plan`: the superblock plan of a kernel of the catalogue, without running anything.
 * Its tiles are imagined: each holds what the launch touches, and a dimension that is
 * traversed (":") has the extent that --k gives, else that of the launch's dimension of
 * the same number. */

#include "hit/base/input.h"
#include "hit/base/kind.h"
#include "hit/base/memory.h"
#include "hit/base/quote.h"
#include "hit/chain/chain.h"
#include "hit/measure/measure_impl.h"
#include "hit/tool/tool.h"
#include "patterns/parse.h"

#include <limits.h>
#include <string.h>

static const char usage[] =
    "usage: hit plan KERNEL --domain NxM --device-memory SIZE [OPTION...]\n"
    "\n"
    "  KERNEL               a kernel of the catalogue: heat_float, or heat for "
    "heat_TYPE\n"
    "  --domain NxM         indices of the launch in each dimension\n"
    "  --device-memory SIZE 512MiB, 16GB, ...\n"
    "  --block B0xB1        indices of a block; default 1024, 16x16 or 8x8x8\n"
    "  --type TYPE          float or double; default float\n"
    "  --in-flight N        pieces on the device at the same time; default 1\n"
    "  --launch             as a launch does it: in lanes, with what stays on the "
    "device\n"
    "  --chain N            N launches, 2 to 64, of which many go through the memory at\n"
    "                       a time; the tile that is written and the one that is read\n"
    "                       take turns\n"
    "  --least-bytes        move the fewest bytes, rather than have the fewest pieces\n"
    "  --k K                extent of the dimensions that are traversed (\":\")\n"
    "  --json               one line of JSON\n";

/* What the command line says; NULL or 0 where it does not. */
typedef struct options {
    const char *kernel;
    const char *domain;
    const char *block;
    const char *memory;
    const char *type;
    const char *in_flight;
    const char *k;
    const char *chain;
    bool least_bytes;
    bool launch;
    bool json;
} options;

/* The request, and what it borrows. */
typedef struct planning {
    const hit_kernel *kernel;
    hit_index k; /**< 0: not given */
    hit_plan_request request;
    hit_plan_arg arg[HIT_MAX_ARGS];
    hit_pattern pattern[HIT_MAX_ARGS]; /**< of the first request.args arguments */
} planning;

/* ---- the command line ---- */

static hit_status read_options(int argc, char **argv, options *o)
{
    const hit_tool_option known[] = {{"--domain", &o->domain, NULL},
                                     {"--block", &o->block, NULL},
                                     {"--device-memory", &o->memory, NULL},
                                     {"--type", &o->type, NULL},
                                     {"--in-flight", &o->in_flight, NULL},
                                     {"--k", &o->k, NULL},
                                     {"--chain", &o->chain, NULL},
                                     {"--json", NULL, &o->json},
                                     {"--launch", NULL, &o->launch},
                                     {"--least-bytes", NULL, &o->least_bytes},
                                     {NULL, NULL, NULL}};
    const char **const plain[] = {&o->kernel};
    const hit_kernel *found;

    HIT_TRY(hit_tool_read_words(argc, argv, known, 1, plain, "kernel"));
    if (!o->kernel) return HIT_FAIL(HIT_E_ARG, "expected a kernel");
    HIT_TRY(hit_tool_find_kernel(o->kernel, o->type, &found));
    if (!o->domain) return HIT_FAIL(HIT_E_ARG, "expected --domain");
    if (!o->memory) return HIT_FAIL(HIT_E_ARG, "expected --device-memory");
    return HIT_OK;
}

/* One positive integer per dimension: "8192x4096". Without a text the sizes stay. */
static hit_status read_sizes(const char *option, const char *text, int dims,
                             hit_index size[])
{
    int count = 0;

    if (text == NULL) return HIT_OK;
    HIT_TRY(
        hit_number_list(option, text, &(hit_number_shape){'x', 1, dims}, &count, size));
    if (count == dims) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "expected %d sizes for %s, as in %s, but found %s", dims,
                    option, &"64x64x64x64"[3 * (size_t)(HIT_MAX_DIMS - dims)], text);
}

/* ---- the request ---- */

/* --type changes the floating-point elements of a kernel that was made for another type.
 */
static size_t element_bytes(const options *o, const hit_kernel *kernel, hit_type type)
{
    bool real = hit_kind_is_real(type.kind);

    if (!o->type || !real || strstr(kernel->name, o->type)) return type.size_bytes;
    return strcmp(o->type, "double") == 0 ? sizeof(double) : sizeof(float);
}

static hit_status add_args(const options *o, planning *p)
{
    const hit_imagine launch = {p->kernel, p->request.index, p->request.index, p->k,
                                NULL};

    for (int a = 0; a < p->kernel->args; a++) {
        const hit_kernel_arg *from = &p->kernel->arg[a];
        hit_pattern *pattern = &p->pattern[p->request.args];
        hit_plan_arg *to = &p->arg[p->request.args];

        if (from->mode == HIT_MODE_VALUE) continue;
        HIT_TRY(hit_kernel_pattern(p->kernel, a, NULL, pattern));
        p->request.args++;
        *to = (hit_plan_arg){.name = from->name,
                             .mode = from->mode,
                             .size_bytes = element_bytes(o, p->kernel, from->type),
                             .pattern = pattern};
        HIT_TRY(hit_imagine_tile(&launch, a, pattern, &to->tile));
        to->clip = to->tile;
    }
    p->request.arg = p->arg;
    return HIT_OK;
}

static hit_status read_sizes_of(const options *o, planning *p)
{
    static const hit_index usual_side[HIT_MAX_DIMS + 1] = {0, 1024, 16, 8, 4};
    hit_plan_request *request = &p->request;
    hit_index size[HIT_MAX_DIMS];
    hit_index pieces = 1;
    int dims = p->kernel->dims;

    for (int d = 0; d < dims; d++) {
        request->block[d] = usual_side[dims];
    }
    HIT_TRY(read_sizes("--domain", o->domain, dims, size));
    HIT_TRY(read_sizes("--block", o->block, dims, request->block));
    HIT_TRY(read_sizes("--k", o->k, 1, &p->k));
    HIT_TRY(read_sizes("--in-flight", o->in_flight, 1, &pieces));
    if (pieces > INT_MAX) {
        return HIT_FAIL(HIT_E_ARG, "expected --in-flight <= %d but found %s", INT_MAX,
                        o->in_flight);
    }
    request->index = hit_domain_of_sizes(dims, size);
    request->in_flight = (int)pieces;
    return HIT_OK;
}

/* On failure too, the patterns of the first request.args arguments are the caller's. */
static hit_status make_request(const options *o, planning *p)
{
    if (o->type && strcmp(o->type, "float") != 0 && strcmp(o->type, "double") != 0) {
        return HIT_FAIL(HIT_E_ARG, "expected float or double after --type but found %s",
                        o->type);
    }
    HIT_TRY(hit_tool_find_kernel(o->kernel, o->type, &p->kernel));
    HIT_TRY(read_sizes_of(o, p));
    HIT_TRY(hit_memory_parse(o->memory, &p->request.limit_bytes));
    p->request.kernel = p->kernel->name;
    p->request.device = "0";
    p->request.least_bytes = o->least_bytes;
    return add_args(o, p);
}

/* ---- the answer ---- */

static void print_json(const hit_plan *plan)
{
    hit_json line = hit_tool_ok();

    hit_json_whole(&line, "pieces", plan->pieces);
    hit_json_indices(&line, "superblock", plan->index.dims, plan->shape);
    hit_json_count(&line, "peak_bytes", plan->peak_bytes);
    hit_json_count(&line, "bytes_in", plan->bytes_in);
    hit_json_count(&line, "bytes_out", plan->bytes_out);
    hit_json_end_line(&line);
}

static void print_table(const planning *p, const hit_plan *plan)
{
    char limit[32];
    char text[1024];

    hit_memory_print(p->request.limit_bytes, limit, sizeof(limit));
    hit_say(stdout, "kernel      %s\nmemory      %s, %d in flight\n", p->kernel->name,
            limit, p->request.in_flight);
    hit_plan_print(plan, text, sizeof(text));
    hit_say_lines(stdout, text);
}

/* As a launch would, which also cuts the kernel's sum; or whole rows and columns only, as
 * in the papers' tables. */
static hit_status make_plan(const options *o, planning *p, hit_plan *plan)
{
    hit_superblocks made = {.arena_bytes = 0};
    hit_status status;

    if (!o->launch) return hit_plan_make(&p->request, plan);
    status = hit_superblocks_choose(p->kernel, &p->request, p->arg, &made);
    *plan = made.plan;
    hit_plan_sum_clear(&made.sum);
    return status;
}

static hit_status plan_chain(const options *o, const planning *p)
{
    hit_index steps;

    HIT_TRY(hit_number_read("--chain", o->chain, 2, HIT_CHAIN_LAUNCHES, &steps));
    return hit_tool_plan_chain(p->kernel, &p->request, (int)steps, o->json);
}

static int run_plan(const options *o, planning *p)
{
    hit_status status;
    hit_plan plan;

    if (make_request(o, p) != HIT_OK) {
        hit_tool_print_failure("plan", o->json, "error");
        return 2;
    }
    if (o->chain != NULL) {
        status = plan_chain(o, p);
        if (status != HIT_OK) {
            hit_tool_print_failure("plan", o->json,
                                   status == HIT_E_ARG ? "error" : "infeasible");
        }
        return status == HIT_OK ? 0 : status == HIT_E_ARG ? 2 : 1;
    }
    if (make_plan(o, p, &plan) != HIT_OK) {
        hit_tool_print_failure("plan", o->json, "infeasible");
        return 1;
    }
    if (o->json) print_json(&plan);
    if (!o->json) print_table(p, &plan);
    return 0;
}

int hit_tool_plan(int argc, char **argv)
{
    options o = {.json = false};
    planning p = {.k = 0};
    int code;

    if (hit_tool_helps(argc, argv, usage)) return 0;
    if (read_options(argc, argv, &o) != HIT_OK) {
        hit_tool_print_failure("plan", o.json, "error");
        if (!o.json) (void)fputs(usage, stderr);
        return 2;
    }
    code = run_plan(&o, &p);
    for (int a = 0; a < p.request.args; a++) {
        hit_pattern_clear(&p.pattern[a]);
    }
    return code;
}
