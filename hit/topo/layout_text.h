/* SPDX-License-Identifier: MIT
 * Options of layouts, for plug-ins. */
#ifndef HIT_TOPO_LAYOUT_TEXT_H
#define HIT_TOPO_LAYOUT_TEXT_H

#include "hit/topo/layout_plugin.h"

HIT_C_BEGIN

/** The value of option @p key, or @p otherwise. */
HIT_API const char *hit_layout_option(const hit_layout_spec *spec, const char *key,
                                      const char *otherwise);

/** A failure's text with "layout NAME: " in front; HIT_OK stays. */
HIT_API hit_status hit_layout_tell(const hit_layout_spec *spec, hit_status status);
#define HIT_LAYOUT_FAIL(spec, ...)                                                       \
    hit_layout_tell((spec), HIT_FAIL(HIT_E_ARG, __VA_ARGS__))

/** Fail with HIT_E_ARG if an option is not among @p known
 * (NULL-terminated). */
HIT_API hit_status hit_layout_only(const hit_layout_spec *spec,
                                   const char *const known[]);

/** Read option @p key as a whole number into *value, which stays as it is
 * when the option is not given. @errors HIT_E_ARG not a number, or not low <= value <=
 * high */
HIT_API hit_status hit_layout_option_index(const hit_layout_spec *spec, const char *key,
                                           hit_index low, hit_index high,
                                           hit_index *value);

/** Read option @p key as whole numbers >= 0 with @p separator between them
 * ("2x3", "0,2"); *count is 0 when the option is not given. @errors HIT_E_ARG not that,
 * or too many
 * @shape value: HIT_MAX_DIMS numbers */
HIT_API hit_status hit_layout_option_list(const hit_layout_spec *spec, const char *key,
                                          char separator, int *count, hit_index value[]);

HIT_C_END

#endif
