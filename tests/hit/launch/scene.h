/* SPDX-License-Identifier: MIT
 * Random scenes for tests of launches: tiles, and the arrays that they should be equal
 * to. */
#ifndef TESTS_HIT_LAUNCH_SCENE_H
#define TESTS_HIT_LAUNCH_SCENE_H

#include "hit/hit.h"
#include "tests/support/own_array.h"
#include "tests/support/random.h"

/* A tile and the array that it should be equal to. */
typedef struct field {
    hit_tile *tile;
    hit_domain domain;
    hit_boundary boundary[HIT_MAX_DIMS];
    int64_t constant; /* beyond it */
    int64_t *want;
    hit_index count;
    bool adopted;
    own_array own; /* then: its memory */
} field;

typedef struct scene {
    hit_context *hit;
    hit_random random;
    char layout[64];
    bool good;
    bool told;      /* elements could not be got: it is good no more */
    char text[512]; /* what was tried, for a failure */
} scene;

/** Uniform in low..high. */
hit_index pick(scene *s, hit_index low, hit_index high);
/** The text of a layout for so many dimensions. */
const char *pick_layout(scene *s, int dims);
/** Any but none. */
hit_boundary pick_boundary(scene *s);
hit_domain random_box(scene *s, int dims, hit_index most);
/** A box in @p box, perhaps with strides of 2. */
hit_domain random_part(scene *s, const hit_domain *box);

/** A tile of random numbers, the same on all processes. @owner drop_field() */
field make_field(scene *s, hit_domain domain, hit_boundary boundary, const char *layout);
/** The same, without a boundary, in arrays of the test with as many ghosts at most; a
 * plain tile where the layout gives a process several boxes. */
field adopt_field(scene *s, hit_domain domain, const char *layout, hit_index ghosts);
/** Unlike ones for its dimensions. */
void set_boundaries(field *f, const hit_boundary boundary[]);
/** Compare the tile with the array, note a difference in the scene, and free both.
 * @collective yes */
void drop_field(scene *s, field *f);

/** A status that is a failure is one of the scene. */
void note(scene *s, hit_status status, const char *what);
/** Is it good on all processes? @collective yes */
bool agree_in_scene(scene *s);

/** Where element @p x stands in an array over @p domain. */
hit_index at(const hit_domain *domain, const hit_index x[]);
/** The element at @p x, which may lie outside: then by the definition of the boundary. */
int64_t want(const field *f, const hit_index x[]);
#define WANT(f, ...) want((f), (const hit_index[]){__VA_ARGS__})
#define SLOT(f, ...) (f)->want[at(&(f)->domain, (const hit_index[]){__VA_ARGS__})]

/** A kind of launch, tried with random sizes, and compared with loops. */
typedef struct trial {
    const char *name;
    void (*run)(scene *s);
} trial;

extern const trial trials[];
extern const int trial_count;

#endif
