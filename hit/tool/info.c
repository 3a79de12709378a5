/* SPDX-License-Identifier: MIT
 * `hit info`: the version, what was built in or why not, and the machine: what a bug
 * report should begin with. */
#include "hit/base/memory.h"
#include "hit/base/quote.h"
#include "hit/comm/comm.h"
#include "hit/context.h"
#include "hit/device/cores.h"
#include "hit/device/device.h"
#include "hit/io/io_impl.h"
#include "hit/io/png.h"
#include "hit/tool/tool.h"
#include "kernels/kernels.h"

static const char usage[] = "usage: hit info\n";

static void print_mpi(void)
{
    hit_comm *comm = NULL;

    if (hit_comm_open(NULL, NULL, &comm) != HIT_OK) {
        hit_say(stdout, "mpi      does not start: %s\n", hit_status_text());
        return;
    }
    hit_say(stdout, "mpi      %s\n", hit_comm_library(comm));
    hit_comm_close(&comm);
}

static void print_cuda(void)
{
    const char *why = "";
    int count = hit_device_cuda.count(&why);

    if (count > 0) {
        hit_say(stdout, "cuda     %d GPU%s\n", count, count == 1 ? "" : "s");
    } else {
        hit_say(stdout, "cuda     none: %s\n", why);
    }
}

static void print_size(const char *name, size_t bytes)
{
    char text[32] = "unknown";

    if (bytes > 0) hit_memory_print(bytes, text, sizeof(text));
    hit_say(stdout, "%-8s %s\n", name, text);
}

static hit_status print_machine(void)
{
    hit_cores *cores = NULL;
    hit_cores_info info;

    HIT_TRY(hit_cores_open(&cores));
    hit_cores_info_get(cores, &info);
    hit_cores_close(&cores);
    hit_say(stdout, "hwloc    %s\n", hit_cores_library());
    printf("cores    %d\n", info.cores);
    print_size("cache 1", info.level1_bytes);
    print_size("cache 2", info.level2_bytes);
    print_size("cache 3", info.level3_bytes);
    print_size("memory", info.memory_bytes);
    return HIT_OK;
}

static void print_device(const hit_device_ops *kind, int index)
{
    hit_device_spec spec = {
        .kind = kind, .index = index, .first_core = -1, .last_core = -1};
    hit_device *device = NULL;
    char name[64];
    char text[128];

    hit_device_print(&spec, name, sizeof(name));
    if (hit_device_open(&spec, &device) != HIT_OK) {
        hit_say(stdout, "device   %s: %s\n", name, hit_status_text());
        return;
    }
    hit_device_describe(device, text, sizeof(text));
    hit_say(stdout, "device   %s: %s\n", name, text);
    hit_device_close(&device);
}

int hit_tool_info(int argc, char **argv)
{
    const hit_device_ops *kind;
    char blas[256];

    if (hit_tool_helps_first(argc, argv, usage)) return 0;
    if (argc > 1) {
        (void)fputs(usage, stderr);
        return 2;
    }
    hit_say(stdout, "hit      %s\n", hit_version());
    print_mpi();
    print_cuda();
    hit_gemm_library(blas, sizeof(blas));
    hit_say(stdout, "blas     %s\n", blas);
    hit_say(stdout, "png      %s\n", hit_png_is_there() ? "built in" : "none");
    hit_say(stdout, "hdf5     %s\n", hit_hdf5_is_there() ? "built in" : "none");
    if (print_machine() != HIT_OK) {
        hit_say(stderr, "hit info: %s\n", hit_status_text());
        return 1;
    }
    for (int k = 0; (kind = hit_device_kind(k, NULL)) != NULL; k++) {
        int count = kind->count(NULL);

        for (int index = 0; index < count; index++) {
            print_device(kind, index);
        }
    }
    return 0;
}
