/* SPDX-License-Identifier: MIT
 * Texts of options: "key=value,key=value". */
#ifndef HIT_BASE_OPTION_H
#define HIT_BASE_OPTION_H

#include "hit/base/status.h"

#include <stdbool.h>

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

/** Is @p text "key=value" with this @p key? Then *value is what follows the '='. Keys of
 * several words of a text are tried one after the other. */
bool hit_option_is(const char *text, const char *key, const char **value);

#endif
