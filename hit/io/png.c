/* SPDX-License-Identifier: MIT
 * PNG files by the simplified interface of libpng 1.6. */
#include "hit/io/png.h"

#include "hit/base/file.h"

#include <png.h>

bool hit_png_is_there(void)
{
    return true;
}

hit_status hit_png_write(const char *path, int width, int height,
                         const unsigned char *pixel)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = PNG_FORMAT_RGB};
    hit_draft draft;
    hit_status status = HIT_OK;

    if (path == NULL || pixel == NULL || width < 1 || height < 1) {
        return HIT_FAIL(HIT_E_ARG, "expected a path and pixels but found %d x %d of them",
                        width, height);
    }
    HIT_TRY(hit_draft_open(path, &draft));
    if (png_image_write_to_stdio(&image, draft.stream, 0, pixel, 0, NULL) == 0) {
        status = HIT_FAIL(HIT_E_IO, "%s: the picture could not be written: %s", path,
                          image.message);
    }
    return hit_draft_close(&draft, status);
}
