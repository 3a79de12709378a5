/* SPDX-License-Identifier: MIT
 * Takes the place of png.c where libpng is not there: says why. */
#include "hit/io/io.h"
#include "hit/io/png.h"

bool hit_png_is_there(void)
{
    return false;
}

hit_status hit_png_write(const char *path, int width, int height,
                         const unsigned char *pixel)
{
    (void)width;
    (void)height;
    (void)pixel;
    return HIT_FAIL(HIT_E_ABSENT, "%s: libpng is %s", path != NULL ? path : "a picture",
                    HIT_PNG_WHY);
}
