/* SPDX-License-Identifier: MIT
 * Pictures. */
#ifndef HIT_IO_PNG_H
#define HIT_IO_PNG_H

#include "hit/base/status.h"

#include <stdbool.h>

HIT_C_BEGIN

/** Was this built with libpng? */
HIT_API bool hit_png_is_there(void);
/** Write a picture of the program's own.
 * @shape @p pixel: red, green, blue of each pixel, row by row from the top
 * @collective no @errors HIT_E_IO; HIT_E_ABSENT built without libpng */
HIT_API hit_status hit_png_write(const char *path, int width, int height,
                                 const unsigned char *pixel);

HIT_C_END

#endif
