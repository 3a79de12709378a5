/* SPDX-License-Identifier: MIT
 * Looks for an installed locale with a comma; without one, makes one if it can. */
#define _DEFAULT_SOURCE /* mkdtemp, setenv */
#include "tests/support/comma_locale.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

static bool set_known(void)
{
    static const char *const name[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8",
                                       "de_DE"};

    for (size_t k = 0; k < sizeof(name) / sizeof(name[0]); k++) {
        if (setlocale(LC_NUMERIC, name[k]) != NULL) return true;
    }
    return false;
}

/* glibc looks for locales in LOCPATH as well. */
static bool set_made(void)
{
    char folder[] = "/tmp/hit-locale-XXXXXX";
    char command[256];
    bool set;

    if (mkdtemp(folder) == NULL) return false;
    (void)snprintf(command, sizeof(command),
                   "localedef -i de_DE -f ISO-8859-1 %s/de_DE >%s/text 2>&1", folder,
                   folder);
    set = system(command) >= 0 && setenv("LOCPATH", folder, 1) == 0 && set_known();
    (void)unsetenv("LOCPATH");
    (void)snprintf(command, sizeof(command), "rm -r %s", folder);
    (void)!system(command);
    return set;
}

bool comma_locale_set(void)
{
    char text[16];

    if (!set_known() && !set_made()) {
        printf("no locale with a decimal comma to try\n");
        return false;
    }
    (void)snprintf(text, sizeof(text), "%.1f", 0.5);
    return text[1] == ',';
}

void comma_locale_reset(void)
{
    (void)setlocale(LC_NUMERIC, "C");
}
