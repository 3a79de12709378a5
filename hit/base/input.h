/* SPDX-License-Identifier: MIT
 * Internal: what people and programs write: numbers, options, names of devices, text
 * files of lines, JSON. */
#ifndef HIT_BASE_INPUT_H
#define HIT_BASE_INPUT_H

#include "hit/base/device_set.h"
#include "hit/base/status.h"

#include <stdbool.h>

/* number.c: numbers in options, on the command line and in the environment. */

/** Read the digits at *at, after an optional '-', and go past them; false: there are
 * none, or the number is not from @p low to @p high (*at and *number stay). */
bool hit_number_next(const char **at, hit_index low, hit_index high, hit_index *number);

/** Read all of @p text as one whole number. @p what names it in the error text:
 * "expected a whole number >= 1 for --reps but found "x"".
 * @errors HIT_E_ARG @p text (NULL: nothing) is no such number */
hit_status hit_number_read(const char *what, const char *text, hit_index low,
                           hit_index high, hit_index *number);

/** Read all of @p text as one number such as "0.05", with '.' in every locale.
 * @errors HIT_E_ARG it is none, or not from @p low to @p high; never a NaN */
hit_status hit_number_read_real(const char *what, const char *text, double low,
                                double high, double *number);

/** 1 to @p most numbers >= @p low with @p separator between them: "100x200". */
typedef struct hit_number_shape {
    char separator;
    hit_index low;
    int most;
} hit_number_shape;

/** Read all of @p text as such numbers. @errors HIT_E_ARG it is not that */
hit_status hit_number_list(const char *what, const char *text,
                           const hit_number_shape *shape, int *count, hit_index number[]);

/* option.c: texts of options: "key=value,key=value". */

/** Options, sorted by key: the same options in another order are equal. */
typedef struct hit_option_list {
    int count;
    const char **key;
    const char **value; /**< never empty; may be a list with commas */
    char *text;         /**< where keys and values lie */
} hit_option_list;

/** Read @p text (NULL or blank: no options). Commas separate options and also the numbers
 * of a value that is a list: an option begins behind the last comma before its '='.
 * @p whose begins the error texts: "layout block".
 * @owner *options, also on failure: hit_option_clear()
 * @errors HIT_E_ARG no '=', an empty key or value, a key twice; HIT_E_NOMEM */
hit_status hit_option_read(const char *whose, const char *text, hit_option_list *options);
void hit_option_clear(hit_option_list *options);

/** Read @p text so, and have each option taken in turn, until one cannot be: what @p take
 * gets lives as long as the call. @errors as above; those of @p take */
hit_status hit_option_each(const char *whose, const char *text,
                           hit_status (*take)(void *of, const char *key,
                                              const char *value),
                           void *of);

/** Is @p text "key=value" with this @p key? Then *value is what follows the '='. Keys of
 * several words of a text are tried one after the other. */
bool hit_option_is(const char *text, const char *key, const char **value);

/* on.c: texts that name devices, "cuda", "host:1", "gpu,core", as HIT_ON() and
 * HIT_RUNS_ON() take them. */

/** How a device is named: by its kind, and, on a machine that calls it "core", as "host",
 * too. */
typedef struct hit_on_device {
    const char *kind;
    bool is_host;
} hit_on_device;

/** What a launch may run on. */
typedef struct hit_on {
    const char *kernel;    /**< its name */
    const char *of_kernel; /**< HIT_RUNS_ON(); NULL: everywhere */
    const char *of_launch; /**< HIT_ON(); NULL: everywhere */
} hit_on;

/** Is @p text kinds, each with the number of a device or without, joined by commas?
 * @errors HIT_E_ARG; the text begins with the kernel's name @p kernel */
hit_status hit_on_check(const char *kernel, const char *text);
/** The devices that both texts name; those of a kind are numbered from 0.
 * @errors HIT_E_ABSENT none: what was asked for, and what there is */
hit_status hit_on_find(const hit_on *on, int devices, const hit_on_device device[],
                       hit_device_set *set);

/* lines.c: text files as people write them, such as models and machines: a header, and
 * lines of words with blanks between them. What follows a '#' is a comment. */

enum {
    HIT_LINE_WORDS = 64, /**< at most */
    HIT_WORD_BYTES = 64  /**< with the final zero */
};

/** A text that is being read. */
typedef struct hit_lines {
    const char *name; /**< of the file, for texts */
    const char *at;   /**< where the line begins; borrowed */
    int line;         /**< its number, from 1 */
    int words;
    char word[HIT_LINE_WORDS][HIT_WORD_BYTES];
} hit_lines;

/** All of the file @p path, which is to hold @p what: "a model".
 * @owner *text is the caller's: free()
 * @errors HIT_E_IO the system's reason, or it is no text; HIT_E_NOMEM */
hit_status hit_lines_load(const char *path, const char *what, char **text);
/** Begin with @p text, whose first line is @p header, but for blanks. @errors HIT_E_ARG
 */
hit_status hit_lines_begin(hit_lines *lines, const char *name, const char *text,
                           const char *header);
/** Go to the next line that has words; *more: is there one?
 * @errors HIT_E_ARG too many words, or one that is too long */
hit_status hit_lines_next(hit_lines *lines, bool *more);
/** Put the place before the text of the last failure: "FILE:3: ". Returns @p status. */
hit_status hit_lines_tell(const hit_lines *lines, hit_status status);

/** Fail at the current line. */
#define HIT_FAIL_AT(lines, ...) hit_lines_tell((lines), HIT_FAIL(HIT_E_ARG, __VA_ARGS__))

/* json_read.c: JSON as it is read: a text that was checked once, and values as stretches
 * of it. Nothing is copied or allocated. */

/** A value with its quotes or brackets; {NULL, 0} where there is none. */
typedef struct hit_json_value {
    const char *text;
    size_t size;
} hit_json_value;

/** Is @p text, which '\0' ends, one value, at most 64 deep? @p name: for the text.
 * @errors HIT_E_IO where it is not */
hit_status hit_json_check(const char *name, const char *text, hit_json_value *value);
/** The members of an object, or the items of a list, one after the other; begins as
 * {.of = ...}. */
typedef struct hit_json_items {
    hit_json_value of;
    const char *at;       /**< NULL: before the first one */
    hit_json_value key;   /**< without text in a list */
    hit_json_value value; /**< of the last one */
} hit_json_items;

/** false: there are no more, or items->of is neither. */
bool hit_json_next(hit_json_items *items);
/** A member of an object; of a longer path, "configuration" in "codecs", one by one. */
hit_json_value hit_json_member(hit_json_value object, const char *key);
/** Is it this text? */
bool hit_json_is(hit_json_value value, const char *text);
/** The text without quotes; false: it is none, too long, or has a backslash. */
bool hit_json_read_text(hit_json_value value, char *text, size_t size);
/** false: it is no whole number of 64 bits. */
bool hit_json_read_whole(hit_json_value value, hit_index *number);
/** Up to @p most whole numbers of a list; -1: it is no such list. */
int hit_json_read_list(hit_json_value value, int most, hit_index number[]);

#endif
