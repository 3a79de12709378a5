/* SPDX-License-Identifier: MIT
 * PTX, the assembly of NVIDIA's GPUs, carried out on a processor: what nvcc makes of a
 * kernel runs in tests where there is no GPU. As the parallel thread execution ISA 9.0
 * says it, as far as our kernels need it; what is not known is refused by its name. A
 * warp of 32 threads runs in step; where they part, those that are behind go on first. */
#ifndef TESTS_SUPPORT_PTX_H
#define TESTS_SUPPORT_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PTX_LANES = 32,
    PTX_VECTOR = 4, /* elements of one load or store */
    PTX_FROM = 4,   /* operands that are read */
    PTX_NONE = -1
};

typedef struct ptx_warp ptx_warp;
typedef struct ptx_instruction ptx_instruction;
typedef void ptx_execute(ptx_warp *warp, ptx_instruction *one);

typedef enum ptx_space {
    PTX_GENERIC,
    PTX_PARAM,
    PTX_LOCAL,
    PTX_SHARED,
    PTX_GLOBAL,
    PTX_READ_ONLY /* of the GPU's memory: nothing may write there while the grid runs */
} ptx_space;

/** Registers, constants and addresses of symbols are all rows: one value per lane. */
struct ptx_instruction {
    ptx_execute *execute;
    int guard; /**< row of the predicate, or PTX_NONE */
    bool negated;
    int to[PTX_VECTOR]; /**< `count` rows that it writes; a store reads them */
    int from[PTX_FROM];
    int reads;      /**< of `from` */
    int64_t offset; /**< of an address */
    int bytes;      /**< of one element of a load or store */
    int count;      /**< of `to` */
    int divides;    /**< bytes of the integers that it divides; 0: it does not */
    bool is_signed;
    ptx_space space;
    int target; /**< of a branch */
    int line;   /**< of the text, from 1 */
    char text[120];
    uint64_t runs;
    const void *seen; /**< where it found its memory, in the grid `seen_epoch` */
    uint64_t seen_epoch;
};

/** Where a row has its value from before the first instruction. */
typedef enum ptx_origin {
    PTX_THREAD,    /**< %tid.x and so on */
    PTX_REGISTER,  /**< nowhere */
    PTX_CONSTANT,  /**< `value` */
    PTX_PARAMETER, /**< address: `value` bytes into the parameters */
    PTX_DEPOT,     /**< address: `value` bytes into the thread's own memory */
    PTX_BLOCK      /**< address: `value` bytes into the block's shared memory */
} ptx_origin;

typedef struct ptx_row {
    char name[160];
    ptx_origin origin;
    int64_t value;
} ptx_row;

/** %tid, %ntid, %ctaid and %nctaid, each x, y, z, are the first rows. */
enum {
    PTX_TID = 0,
    PTX_NTID = 3,
    PTX_CTAID = 6,
    PTX_NCTAID = 9,
    PTX_FIRST_ROW = 12
};

typedef struct ptx_param {
    size_t offset;
    size_t size_bytes;
} ptx_param;

/** Divisions of integers that a kernel would do better without. */
typedef struct ptx_divisions {
    uint64_t small; /**< of 64 bits, where both numbers have 32 */
    uint64_t by_one;
} ptx_divisions;

typedef struct ptx_entry {
    char name[1024];
    ptx_param param[16];
    int params;
    size_t param_bytes;
    size_t local_bytes;
    size_t shared_bytes;
    unsigned most_threads; /**< of a block */
    bool has_barrier;
    ptx_row *row;
    int rows;
    ptx_instruction *code;
    int count;
    uint64_t launches;
    uint64_t threads;
    ptx_divisions needless;
} ptx_entry;

typedef struct ptx_module {
    ptx_entry *entry;
    int entries;
    char why[256]; /**< it could not be read */
} ptx_module;

/** One statement in place of another: what a wrong compiler could have written. */
typedef struct ptx_change {
    const char *entry; /**< NULL: no change */
    int line;
    const char *text; /**< "": the statement is left out */
} ptx_change;

/** Read @p text, @p length bytes; false, and out->why, for what is not known. Free @p out
 * by ptx_module_clear() in both cases. */
bool ptx_module_read(const char *text, size_t length, ptx_change change, ptx_module *out);
void ptx_module_clear(ptx_module *module);

/** The function of an operation such as "add.s64", and how many operands it reads; NULL:
 * not known. Loads, stores, branches and barriers are not among them. */
ptx_execute *ptx_operation(const char *name, int *from);

/** Told of a wrong access in words; if there is none, they are printed, and the program
 * aborts. */
typedef void ptx_complain(const char *text);
void ptx_on_fault(ptx_complain *complain);

struct ptx_warp {
    ptx_entry *entry;
    uint64_t epoch; /**< of the grid; another one for each */
    const char *param;
    char *local;       /**< PTX_LANES times entry->local_bytes */
    char *shared;      /**< of the block */
    char *local_known; /**< of each byte of `local`, whether it was written */
    char *shared_known;
    uint64_t first_thread; /**< number of lane 0 in the grid */
    uint32_t mask;         /**< of the lanes that take part in an instruction */
    uint32_t parked;       /**< lanes that wait at another instruction */
    int parked_at[PTX_LANES];
    int at;   /**< of the lanes that are not parked */
    int meet; /**< the first instruction at which lanes are parked */
    bool at_barrier;
    uint64_t (*row)[PTX_LANES];
    uint32_t *written; /**< of each row, the lanes that have a value there */
};

/** Tell that lane @p lane does something wrong at @p one. */
void ptx_fault(const ptx_warp *warp, int lane, const ptx_instruction *one, uint64_t at,
               const char *what);
/** Is the access of this lane to @p at right? It is told, if not. */
bool ptx_may_access(const ptx_warp *warp, int lane, ptx_instruction *one, uint64_t at,
                    bool writes);

/* Loads, stores, and what moves the lanes. */
ptx_execute ptx_branch;
ptx_execute ptx_return;
ptx_execute ptx_barrier;
ptx_execute ptx_load;
ptx_execute ptx_store;

typedef struct ptx_dim3 {
    unsigned x;
    unsigned y;
    unsigned z;
} ptx_dim3;

/** Run all threads, warp after warp: forwards, backwards or in leaps, as @p order says
 * (0, 1, 2). */
void ptx_grid_run(ptx_entry *entry, ptx_dim3 blocks, ptx_dim3 block, const char *param,
                  int order);

#endif
