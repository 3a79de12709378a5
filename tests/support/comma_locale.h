/* SPDX-License-Identifier: MIT
 * A locale whose numbers have a decimal comma. */
#ifndef TESTS_SUPPORT_COMMA_LOCALE_H
#define TESTS_SUPPORT_COMMA_LOCALE_H

#include <stdbool.h>

/** Set it for numbers; where none is installed, localedef makes one if that is there.
 * false, with a line on the screen: there is none, and the locale stays. */
bool comma_locale_set(void);
/** Back to "C". */
void comma_locale_reset(void);

#endif
