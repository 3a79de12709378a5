/* SPDX-License-Identifier: MIT
 * The part of CUDA's runtime that nvcc's host code calls: programs register their kernels
 * in a binary that also has their PTX, and a launch carries that out. Streams, events,
 * copies and memory are those of the played runtime. For one thread at a time. */
#define _POSIX_C_SOURCE 200809L /* posix_memalign */
#include "runtime.h"

#include "tests/support/fake_cuda/fake_streams.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx.h"

enum {
    MODULES = 256,
    KERNELS = 4096,
    MOST_PARAM_BYTES = 4096,
    MOST_SHARED_BYTES = 48 * 1024
};

typedef struct module {
    const unsigned char *binary;
    ptx_module code;
    bool was_read;
} module;

typedef struct kernel {
    const void *stub;
    const char *name; /* borrowed: of the program */
    module *of;
    ptx_entry *entry; /* NULL: not looked for yet */
} kernel;

/* what a program registers before main() has no context to hang on */
static module modules[MODULES];
static int module_count;
static kernel kernels[KERNELS];
static int kernel_count;

static void stop(const char *what, const char *detail)
{
    fprintf(stderr, "played GPU: %s: %s\n", what, detail);
    abort();
}

/* --- binaries: a head of 16 bytes, then PTX and machine code, each with its own head ---
 */

typedef struct part {
    uint16_t kind; /* 1: PTX */
    uint32_t head_bytes;
    uint64_t size_bytes;
    uint32_t architecture;
    uint64_t flags;
} part;

static part part_at(const unsigned char *at)
{
    part one;

    memcpy(&one.kind, at, sizeof(one.kind));
    memcpy(&one.head_bytes, at + 4, sizeof(one.head_bytes));
    memcpy(&one.size_bytes, at + 8, sizeof(one.size_bytes));
    memcpy(&one.architecture, at + 28, sizeof(one.architecture));
    memcpy(&one.flags, at + 40, sizeof(one.flags));
    return one;
}

/* The PTX of the latest architecture. */
static const char *find_ptx(const unsigned char *binary, size_t *length)
{
    const char *found = NULL;
    const unsigned char *end;
    uint32_t magic;
    uint16_t head;
    uint64_t bytes;
    uint32_t best = 0;

    memcpy(&magic, binary, sizeof(magic));
    memcpy(&head, binary + 6, sizeof(head));
    memcpy(&bytes, binary + 8, sizeof(bytes));
    if (magic != 0xba55ed50u) stop("kernels", "a binary that nvcc 13 would not write");
    end = binary + head + bytes;
    for (const unsigned char *at = binary + head; at < end;) {
        const part one = part_at(at);
        if (one.kind == 1 && one.architecture >= best) {
            if ((one.flags & 0xf000u) != 0) stop("kernels", "nvcc needs -no-compress");
            found = (const char *)at + one.head_bytes;
            *length = one.size_bytes;
            best = one.architecture;
        }
        at += one.head_bytes + one.size_bytes;
    }
    if (found == NULL) stop("kernels", "no PTX: the last architecture must not be -real");
    return found;
}

/* HIT_PTX_CHANGE="ENTRY LINE TEXT": that statement in place of the one on this line */
static ptx_change change_of(const char *text, char name[], char statement[])
{
    ptx_change change = {.entry = NULL};

    if (text == NULL) return change;
    statement[0] = '\0';
    if (sscanf(text, "%1023s %d %255[^\n]", name, &change.line, statement) < 2) {
        stop("HIT_PTX_CHANGE", text);
    }
    change.entry = name;
    change.text = statement;
    return change;
}

static void read_module(module *m)
{
    char name[1024];
    char statement[256];
    size_t length = 0;
    const char *text = find_ptx(m->binary, &length);

    m->was_read = true;
    if (!ptx_module_read(text, length,
                         change_of(getenv("HIT_PTX_CHANGE"), name, statement),
                         &m->code)) {
        stop("PTX", m->code.why);
    }
}

static kernel *kernel_of(const void *stub)
{
    kernel *k = NULL;

    for (int n = 0; n < kernel_count && k == NULL; n++) {
        if (kernels[n].stub == stub) k = &kernels[n];
    }
    if (k == NULL) stop("launch", "of a kernel that is not registered");
    if (!k->of->was_read) read_module(k->of);
    for (int n = 0; n < k->of->code.entries && k->entry == NULL; n++) {
        ptx_entry *e = &k->of->code.entry[n];
        if (strcmp(e->name, k->name) == 0) k->entry = e;
    }
    if (k->entry == NULL) stop("not in the PTX", k->name);
    return k;
}

/* --- what nvcc's host code calls -----------------------------------------------------
 */

void **__cudaRegisterFatBinary(void *wrapper)
{
    struct {
        int magic;
        int version;
        const void *data;
    } w;

    memcpy(&w, wrapper, sizeof(w));
    if (module_count == MODULES) abort();
    modules[module_count].binary = w.data;
    return (void **)&modules[module_count++];
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

void __cudaUnregisterFatBinary(void **handle)
{
    (void)handle;
}

char __cudaInitModule(void **handle)
{
    (void)handle;
    return 0;
}

void __cudaRegisterFunction(void **handle, const char *stub, const char *device,
                            const char *name, int limit, void *tid, void *bid, void *bdim,
                            void *gdim, const int *warp)
{
    (void)device, (void)limit, (void)tid, (void)bid, (void)bdim, (void)gdim, (void)warp;
    if (kernel_count == KERNELS) abort();
    kernels[kernel_count++] = (kernel){stub, name, (module *)handle, NULL};
}

void __cudaRegisterVar(void **handle, const char *host, const char *device,
                       const char *name, int external, size_t size_bytes, int constant,
                       int global)
{
    (void)handle, (void)host, (void)device, (void)external, (void)size_bytes;
    (void)constant, (void)global;
    stop("a variable of the GPU is not known", name);
}

typedef struct launch {
    ptx_entry *entry;
    ptx_dim3 blocks;
    ptx_dim3 block;
    int order;
    _Alignas(64) char param[MOST_PARAM_BYTES];
} launch;

static void run_now(void *argument)
{
    const launch *one = argument;

    ptx_grid_run(one->entry, one->blocks, one->block, one->param, one->order);
}

static ptx_dim3 most = {UINT32_MAX, UINT32_MAX, UINT32_MAX};

void ptx_most_blocks(ptx_dim3 wanted)
{
    most = wanted;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static bool fits(const ptx_entry *e, ptx_dim3 blocks, ptx_dim3 block, size_t shared_bytes)
{
    const uint64_t threads = (uint64_t)block.x * block.y * block.z;

    if (threads == 0 || threads > e->most_threads || block.z > 64) return false;
    if (blocks.x == 0 || blocks.y == 0 || blocks.z == 0) return false;
    if (blocks.x > 0x7fffffff || blocks.y > 65535 || blocks.z > 65535) return false;
    return shared_bytes == 0 && e->shared_bytes <= MOST_SHARED_BYTES &&
           e->param_bytes <= MOST_PARAM_BYTES;
}

cudaError_t cudaLaunchKernel(const void *stub, ptx_dim3 blocks, ptx_dim3 block,
                             void **arguments, size_t shared_bytes, cudaStream_t stream)
{
    static int orders;
    kernel *k = kernel_of(stub);
    launch *one;

    if (!fits(k->entry, blocks, block, shared_bytes) ||
        fake_chooses(fake_refuses_kernels, 2)) {
        return fake_error(cudaErrorInvalidValue);
    }
    if (posix_memalign((void **)&one, 64, sizeof(*one)) != 0) abort();
    one->entry = k->entry;
    one->blocks.x = least(blocks.x, most.x);
    one->blocks.y = least(blocks.y, most.y);
    one->blocks.z = least(blocks.z, most.z);
    one->block = block;
    one->order = orders++ % 3;
    for (int p = 0; p < k->entry->params; p++) {
        const ptx_param *place = &k->entry->param[p];
        memcpy(one->param + place->offset, arguments[p], place->size_bytes);
    }
    return fake_enqueue(stream, run_now, one);
}

/* a kernel's handle is its stub, through which the host launches it */
cudaError_t __cudaGetKernel(const void **handle, const void *stub)
{
    *handle = stub;
    return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(const void *stub, ptx_dim3 blocks, ptx_dim3 block,
                               void **arguments, size_t shared_bytes, cudaStream_t stream)
{
    return cudaLaunchKernel(stub, blocks, block, arguments, shared_bytes, stream);
}

static struct {
    ptx_dim3 blocks;
    ptx_dim3 block;
    size_t shared_bytes;
    void *stream;
} configuration; /* of `<<<>>>`, which our kernels are not launched by, but their stubs
                    know */

unsigned __cudaPushCallConfiguration(ptx_dim3 blocks, ptx_dim3 block, size_t shared_bytes,
                                     void *stream)
{
    configuration.blocks = blocks;
    configuration.block = block;
    configuration.shared_bytes = shared_bytes;
    configuration.stream = stream;
    return 0;
}

cudaError_t __cudaPopCallConfiguration(ptx_dim3 *blocks, ptx_dim3 *block,
                                       size_t *shared_bytes, void *stream)
{
    *blocks = configuration.blocks;
    *block = configuration.block;
    *shared_bytes = configuration.shared_bytes;
    memcpy(stream, &configuration.stream, sizeof(configuration.stream));
    return cudaSuccess;
}

/* --- what ran -------------------------------------------------------------------------
 */

int ptx_not_launched(void (*tell)(const char *name))
{
    int missing = 0;

    for (int n = 0; n < kernel_count; n++) {
        if (kernels[n].entry != NULL && kernels[n].entry->launches > 0) continue;
        tell(kernels[n].name);
        missing++;
    }
    return missing;
}

ptx_divisions ptx_needless_divisions(void)
{
    ptx_divisions all = {0, 0};

    for (int n = 0; n < kernel_count; n++) {
        if (kernels[n].entry == NULL) continue;
        all.small += kernels[n].entry->needless.small;
        all.by_one += kernels[n].entry->needless.by_one;
    }
    return all;
}

static void report_entry(FILE *file, const ptx_entry *e)
{
    fprintf(file, "entry %s %llu %llu\n", e->name, (unsigned long long)e->launches,
            (unsigned long long)e->threads);
    for (int k = 0; k < e->count; k++) {
        fprintf(file, "line %s %d %llu %s\n", e->name, e->code[k].line,
                (unsigned long long)e->code[k].runs, e->code[k].text);
    }
}

/* HIT_PTX_REPORT=FILE: each process adds how often what it launched ran */
__attribute__((destructor)) static void report(void)
{
    const char *path = getenv("HIT_PTX_REPORT");
    FILE *file = path != NULL ? fopen(path, "a") : NULL;

    if (file == NULL) return;
    for (int n = 0; n < kernel_count; n++) {
        const ptx_entry *e = kernels[n].entry;
        if (e != NULL && e->launches > 0) report_entry(file, e);
    }
    fclose(file);
}
