# SPDX-License-Identifier: MIT
"""What the package knows of libhit: declarations as the public headers have them. tests/python/table.py compares the two."""

VERSION = "0.1"  # another one may have other declarations
TYPES = """
typedef int64_t hit_index;
typedef enum hit_status {
    HIT_OK, HIT_E_ARG, HIT_E_PATTERN, HIT_E_NOMEM, HIT_E_LIMIT, HIT_E_ABSENT, HIT_E_DEVICE, HIT_E_COMM, HIT_E_IO,
    HIT_E_PEER, HIT_E_INTERNAL, HIT_E_CHECK, HIT_STATUS_COUNT } hit_status;
typedef enum hit_kind {
    HIT_KIND_BYTES, HIT_KIND_FLOAT, HIT_KIND_DOUBLE, HIT_KIND_INT8, HIT_KIND_INT16, HIT_KIND_INT32, HIT_KIND_INT64,
    HIT_KIND_UINT8, HIT_KIND_UINT16, HIT_KIND_UINT32, HIT_KIND_UINT64, HIT_KIND_BOOL, HIT_KIND_COMPLEX_FLOAT,
    HIT_KIND_COMPLEX_DOUBLE, HIT_KIND_HALF, HIT_KIND_BFLOAT16 } hit_kind;
typedef enum hit_intent { HIT_READ, HIT_WRITE, HIT_READ_WRITE } hit_intent;
typedef enum hit_boundary {
    HIT_BOUNDARY_NONE, HIT_BOUNDARY_CONSTANT, HIT_BOUNDARY_PERIODIC, HIT_BOUNDARY_CLAMP, HIT_BOUNDARY_MIRROR } hit_boundary;
typedef enum hit_mode {
    HIT_MODE_IN, HIT_MODE_OUT, HIT_MODE_INOUT, HIT_MODE_SUM, HIT_MODE_MIN, HIT_MODE_MAX, HIT_MODE_REDUCE, HIT_MODE_VALUE
} hit_mode;
typedef struct hit_context hit_context; typedef struct hit_layout hit_layout; typedef struct hit_tile hit_tile;
typedef struct hit_run hit_run;
typedef struct hit_type { hit_kind kind; size_t size_bytes; } hit_type;
typedef struct hit_sig { hit_index begin; hit_index end; hit_index stride; } hit_sig;
typedef struct hit_domain { int dims; hit_sig sig[4]; } hit_domain;
typedef struct hit_view { hit_domain domain; char *data; ptrdiff_t stride_bytes[4]; size_t size_bytes; } hit_view;
typedef struct hit_axis {
    const char *name; const char *units; double first; double step; const double *value; hit_index value_step; } hit_axis;
typedef struct hit_arg { hit_tile *tile; const void *value; hit_type type; } hit_arg;
typedef struct hit_options {
    const char *devices; size_t device_memory_bytes; int threads; const struct hit_device_ops *const *device_kinds;
    const struct hit_sched_ops *const *schedulers; FILE *out; } hit_options;
typedef struct hit_stats {
    uint64_t launches; uint64_t superblocks; uint64_t replans; uint64_t bytes_in; uint64_t bytes_out;
    uint64_t messages_sent; uint64_t message_bytes_sent; uint64_t chained; uint64_t indices; double busy_s;
    uint64_t device_peak_bytes; uint64_t device_limit_bytes; uint64_t resident_peak_bytes; uint64_t threads;
    uint64_t host_peak_bytes; uint64_t messages_empty; } hit_stats;
typedef struct hit_kernel_arg { hit_mode mode; hit_type type; const char *name; const char *pattern; } hit_kernel_arg;
typedef struct hit_along { int arg; int dim; } hit_along; typedef hit_status (*hit_kernel_function)(const hit_run *run);
typedef struct hit_kernel {
    const char *name; int dims; const char *index[4]; int args; const hit_kernel_arg *arg; int whole_box; int alongs;
    const hit_along *along; hit_status (*prepare)(void **prepared); hit_kernel_function host; hit_kernel_function cuda;
    hit_kernel_function checked; const char *c_type[16]; const struct hit_reduction *reduction[16];
    const struct hit_operations *operations; const struct hit_kernel_on *on; const struct hit_kernel_threads *own_threads;
    const struct hit_kernel_rows *rows; signed char order[4]; int strict; const struct hit_kernel *constant; } hit_kernel;
"""

FUNCTIONS = """
const char *hit_version(void); const char *hit_status_name(hit_status); const char *hit_status_text(void);
hit_status hit_open_with(int *, char ***, const hit_options *, hit_context **);
hit_status hit_open_from(const void *, const hit_options *, hit_context **); void hit_close(hit_context **);
int hit_rank(const hit_context *); int hit_size(const hit_context *); hit_status hit_barrier(hit_context *);
double hit_time(const hit_context *); void hit_context_device(const hit_context *, char *, size_t);
void hit_context_stats(const hit_context *, hit_stats *); hit_status hit_context_stats_all(hit_context *, hit_stats *);
hit_status hit_wait(hit_context *); hit_status hit_chain(hit_context *, int);
hit_status hit_launch_args(hit_context *, hit_layout *, const hit_kernel *, hit_domain, int, const hit_arg *);
hit_status hit_kernel_find(const hit_context *, const char *, const hit_kernel **);
hit_status hit_kernel_register(hit_context *, const hit_kernel *);
hit_status hit_layout_create(hit_context *, hit_domain, const char *, hit_layout **);
hit_status hit_layout_from_parts(hit_context *, hit_domain, hit_domain, hit_layout **);
hit_status hit_layout_like(const hit_layout *, hit_domain, const hit_index *, hit_layout **);
hit_status hit_layout_print(const hit_layout *, char *, size_t); void hit_layout_destroy(hit_layout **);
int hit_layout_ranks(const hit_layout *); int hit_layout_owner(const hit_layout *, const hit_index *);
hit_domain hit_layout_domain(const hit_layout *);
hit_status hit_tile_create(hit_layout *, hit_type, const char *, hit_tile **);
hit_status hit_tile_select(hit_tile *, hit_domain, hit_tile **); void hit_tile_destroy(hit_tile **);
hit_status hit_tile_set_boundary(hit_tile *, int, hit_boundary, const void *);
hit_status hit_tile_set_axis(hit_tile *, int, const hit_axis *); int hit_tile_pieces(const hit_tile *);
hit_status hit_tile_map(hit_tile *, int, hit_intent, hit_view *);
hit_status hit_tile_map_device(hit_tile *, int, const char *, hit_intent, hit_view *); hit_status hit_tile_hold(hit_tile *);
void hit_tile_release(hit_tile *); hit_status hit_tile_gather(hit_tile *, int, void *);
hit_status hit_tile_scatter(hit_tile *, int, const void *); hit_status hit_tile_get(hit_tile *, const hit_index *, void *);
hit_status hit_tile_fill(hit_tile *, const void *); hit_status hit_tile_copy(hit_tile *, hit_tile *);
hit_status hit_tile_relayout(hit_tile *, hit_layout *); hit_status hit_tile_write(hit_tile *, const char *, const char *);
hit_status hit_tile_read(hit_tile *, const char *, const char *);
hit_status hit_tile_write_png(hit_tile *, const char *, const char *);
"""

# of the system, for what libhit does not say: symbols of compiled kernels, and a FILE that dry runs are printed to
SYSTEM = """
void *dlopen(const char *path, int flags); void *dlsym(void *library, const char *name); char *dlerror(void);
FILE *fdopen(int file, const char *mode); int fflush(FILE *stream); int fclose(FILE *stream);
"""
