/* SPDX-License-Identifier: MIT
 * Writing PNG files: png.c with libpng, png_absent.c without. */
#ifndef EXAMPLES_PNG_H
#define EXAMPLES_PNG_H

#include "hit/base/status.h"

#include <stdbool.h>

/** Was this built with libpng? */
bool png_is_there(void);
/** @p pixel: red, green, blue of each pixel, row by row from the top.
 * @errors HIT_E_IO; HIT_E_ABSENT built without libpng */
hit_status png_write(const char *path, int width, int height, const unsigned char *pixel);

#endif
