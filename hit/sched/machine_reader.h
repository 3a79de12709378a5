/* SPDX-License-Identifier: MIT
 * Internal: what the readers of the lines of a machine file share. */
#ifndef HIT_SCHED_MACHINE_READER_H
#define HIT_SCHED_MACHINE_READER_H

#include "hit/base/input.h"
#include "hit/sched/machine.h"

enum {
    HIT_MACHINE_NUMBERS = 6 /* of a line, at most */
};

typedef struct hit_machine_reader {
    hit_lines in;
    hit_machine *machine;
} hit_machine_reader;

/** An option that is a number. */
typedef struct hit_machine_number_option {
    const char *key;
    int64_t low, high, otherwise; /**< -1: it must be given */
} hit_machine_number_option;

/* machine_file.c */

/** -1: there is no such kind of devices. */
int hit_machine_find_kind(const hit_machine *machine, const char *name, size_t length);
hit_status hit_machine_read_name(const hit_machine_reader *r, const char *word,
                                 char name[]);
hit_status hit_machine_read_whole(const hit_machine_reader *r, const char *what,
                                  const char *word, int64_t low, int64_t high,
                                  int64_t *number);
/** The @p count options of a line, all that it may have, from word @p first on. */
hit_status hit_machine_read_numbers(const hit_machine_reader *r, int first, int count,
                                    const hit_machine_number_option of[],
                                    int64_t value[]);
/** speed|time|rate KERNEL KIND NUMBER|* VALUE: all but the value; *number is 0 for '*'.
 */
hit_status hit_machine_read_whose(const hit_machine_reader *r, char kernel[],
                                  char device[], int64_t *number);

/* cluster.c: lines of a cluster. @errors HIT_E_ARG, says where; HIT_E_NOMEM */

hit_status hit_machine_read_rate(hit_machine_reader *r);
hit_status hit_machine_read_node(hit_machine_reader *r);
hit_status hit_machine_read_network(hit_machine_reader *r);

#endif
