/* SPDX-License-Identifier: MIT
 * Random programs: tiles, and steps that launch, copy and distribute anew. A program is a
 * value: it can be made from a number, run against plain loops, made smaller while it
 * still fails, and printed as C. */
#ifndef TESTS_PROGRAMS_PROGRAM_H
#define TESTS_PROGRAMS_PROGRAM_H

#include "hit/hit.h"
#include "patterns/kernel.h"

enum {
    MOST_PLAIN = 4,                             /* tiles of any numbers */
    MOST_NUMBERS = 3,                           /* tiles whose numbers lead to others */
    MOST_TILES = MOST_PLAIN + MOST_NUMBERS + 1, /* ... and a total */
    MOST_STEPS = 6,
    MOST_READ = 3, /* arguments of a launch: one is written, the others are read */
    MOST_USES = 5, /* with those whose numbers lead to others, which are last */
    MOST_BOXES = 2,
    MOST_BOUNDS = 4,
    MOST_SHIFT = 2, /* of the value that patterns name */
    TEXT = 64,
    MOST_PATTERN = 500,
    FILLED = 5
};

/** One dimension of a box: from..to, plus an index if follows >= 0, or its quotient by by
 * > 0, or its remainder by -by > 0, plus the value s of the launch if it shifts; or all
 * of the tile. If it looks, the least and the greatest of what the index touches of that
 * argument are added in place of an index. */
typedef struct span {
    int follows;
    hit_index by;
    hit_index from;
    hit_index to;
    bool all;
    bool shifts;
    int looks; /* 0: it does not */
    bool ends; /* the first box of that argument has the begin, the second one the end */
} span;

typedef struct use {
    int tile;
    hit_mode mode;
    int boxes; /* of what is written the first one; the others are read, too */
    span box[MOST_BOXES][HIT_MAX_DIMS];
    hit_domain part; /* of the tile, which is selected; of no dimension: all of it */
    hit_sig numbers; /* of that tile, if it is written */
} use;

typedef enum kind {
    LAUNCH,
    COPY,     /* use[1].tile to use[0].tile */
    RELAYOUT, /* use[0].tile, as the text says */
    SWAP,     /* use[0].tile and use[1].tile, whose domains and boundaries are equal */
    LOOK,     /* process 0 reads use[0].tile */
    FILL,     /* use[0].tile, with FILLED */
    BOUNDARY, /* of use[0].tile, as the step says */
    NUMBERS   /* use[0].tile gets those of the version */
} kind;

/** Index number less is at most index number more, plus apart, plus s if it shifts; for
 * -1 there is 0, and from HIT_MAX_DIMS on what the index touches of an argument. */
typedef struct bound {
    int less;
    int more;
    hit_index apart;
    bool shifts;
    bool other; /* or this one, and what follows, hold */
} bound;

typedef struct step {
    kind kind;
    hit_domain domain; /* of a launch; of no dimension: its kernel has no index */
    signed char order[HIT_MAX_DIMS]; /* of its indices: 1 up, -1 down; 0: any */
    int bounds; /* of its indices: those run for which all hold, or others */
    bound bound[MOST_BOUNDS];
    int uses;
    use use[MOST_USES];
    int tile_dims[MOST_USES];
    bool looks;  /* a span or a bound of it stands in data */
    int version; /* of numbers */
    char layout[TEXT];
    hit_boundary boundary[HIT_MAX_DIMS];
    int64_t constant; /* beyond that */
} step;

typedef struct tile {
    hit_domain domain;
    hit_boundary boundary[HIT_MAX_DIMS];
    char layout[TEXT];
    int ghosts; /* -1: in memory of the library; else the most of an array of the test, if
                   the layout gives each process one box */
    hit_sig numbers; /* all that it ever has lie within; of stride 0: any */
    bool distinct;   /* neighbours are unlike ones, as far as there are as many */
    hit_index near;  /* so far are they from a line; < 0: anywhere */
} tile;

typedef struct program {
    uint64_t seed;
    char devices[TEXT];
    bool alike; /* tiles are shared alike, and launches are stencils, as chains want */
    int cell;   /* a dimension of alike tiles that stencils have no index for; -1: none */
    int dense;  /* of so many dimensions of alike launches, one has a stride */
    int tiles;
    tile tile[MOST_TILES];
    int steps;
    step step[MOST_STEPS];
    int repeats;     /* of all steps */
    int chain;       /* what hit_chain() is told; HIT_CHAIN_OFF: it is not called */
    int chain_steps; /* launches of a block that is blocked in time ... */
    int chain_width; /* ... and the width of its tiles */
    bool chain_lines;
    bool counts; /* each launch has a value of its own: its number */
    bool shifts; /* patterns name the value s, which is another one in each repeat */
    int cells;   /* of tables of numbers, at most; 0: as usual */
} program;

/** What came of a run. */
typedef struct outcome {
    bool good;
    int launched;
    int chained;       /* launches that ran in tiles with others */
    int refused;       /* launches that the library refused, all processes alike */
    bool placed;       /* a scheduler came, for launches of this process */
    bool told;         /* with faults: a process was told of one */
    hit_stats counted; /* by all processes together */
    char text[512];
} outcome;

/** Let a GPU run @p body, which is written for the host; @p value is its first argument,
 * and its only value. NULL: it cannot, and programs have no GPUs. */
typedef hit_status program_gpu(const hit_run *run, const hit_kernel_arg *value,
                               hit_kernel_function body);
extern program_gpu *const program_on_gpu;

/** What a test makes fail in calls of the library that a program makes after its tiles
 * are there. Then programs go on whatever they are told. NULL: nothing is. */
typedef struct program_faults {
    void (*opened)(const hit_context *hit);
    void (*set)(bool on);
    hit_kernel_function body; /* in place of that of all kernels */
    bool fails;               /* it does: on one process, maybe */
} program_faults;
extern program_faults *program_faulty;

/** The program of a number. */
program program_make(uint64_t seed);
struct hit_random;
/** Inequalities and tiles of numbers, for a program that is made. */
void program_add(struct hit_random *r, program *p);
void program_pick_layout(struct hit_random *r, int dims, char *text);
/** Cut from @p domain the indices by which a use, if its ends do not stand in data,
 * leaves its tile. */
void program_limit(const program *p, const use *u, hit_domain *domain);
/** Run it and the same by plain loops. All processes say the same. @p wrong: the kernels
 * make a mistake on purpose. @collective yes */
outcome program_run(const program *p, bool wrong);
/** What a dry run foretells that it counts. @collective yes */
outcome program_foretell(const program *p);
/** Does a program fail in the way that is looked for? @collective yes */
typedef bool program_fails(const program *p, const void *of);
/** A smaller program that fails as well. @collective yes */
program program_shrink(const program *p, program_fails *fails, const void *of);
/** As a main program and its kernels. */
void program_print(const program *p);

bool program_reduces(hit_mode mode);
/** Does data say where the launch writes? */
bool program_is_scatter(const step *s);
/** Of a tile whose numbers are limited, those of a version. */
void program_numbers(const tile *t, int version, int64_t number[]);
/** One of @p numbers that stands for @p any; that itself if their stride is 0. */
int64_t program_number(const hit_sig *numbers, int64_t any);
/** What a span that follows index @p x begins with. */
hit_index program_followed(const span *s, hit_index x);
/** The bounds as HIT_WHERE() takes them: "i <= j + 3, j <= i + 2 + s or 5 <= j". */
void program_where(const step *s, char *text, size_t size);
/** The text of a use's pattern, as in "[i-1:i+1, :]". */
void program_pattern(const step *s, int k, char *text, size_t size);
extern const char *const program_index[HIT_MAX_DIMS];
extern const char *const program_name[MOST_USES];

#endif
