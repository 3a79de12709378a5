/* SPDX-License-Identifier: MIT
 * Images of VTK in HDF5: steps of time, what is no image, and files that are damaged. */
#include "hit/hit.h"
#include "tests/hit/io/io_case.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hit_context *hit;
static hit_tile *field;  /* 6 x 8 floats */
static hit_tile *scalar; /* one */

static void refused(hit_status status, const char *text, const char *where)
{
    io_claim(status == HIT_E_IO || status == HIT_E_PEER, hit_status_name(status), where);
    io_claim(strstr(hit_status_text(), text) != NULL, text, where);
}

static float element(hit_index i, hit_index j)
{
    float found = 0;

    HIT_MUST(hit_tile_get(field, (const hit_index[]){i, j}, &found));
    return found;
}

static void step_is(const char *options, float value)
{
    HIT_MUST(hit_tile_fill(field, &(const float){-1}));
    io_claim(hit_tile_read(field, io_path("image.vtkhdf"), options) == HIT_OK, "is read",
             options);
    io_claim(element(0, 0) == value && element(5, 7) == value, "has its value", options);
}

START_TEST(images_have_steps)
{
    const char *path = io_path("image.vtkhdf");
    static char data[1 << 16];
    unsigned random = 39;
    size_t size = 0;

    for (int k = 0; k < 4; k++) { /* the third one is written twice */
        const char *const time[] = {"dataset=u,time=0", "dataset=u,time=1",
                                    "dataset=u,time=1.5", "dataset=u,time=1.5"};

        HIT_MUST(hit_tile_fill(field, &(const float){(float)k}));
        io_claim(hit_tile_write(field, path, time[k]) == HIT_OK, "is written", time[k]);
    }
    step_is("dataset=u,step=0", 0);
    step_is("dataset=u,step=1", 1);
    step_is("dataset=u,step=-1", 3);
    refused(hit_tile_read(field, path, "dataset=u,step=3"), "expected step= from 0 to 2",
            "step=3");
    refused(hit_tile_read(field, path, "dataset=u"),
            "expected an array of 6 x 8 but found 3 x 6 x 8", "u");
    io_claim(hit_tile_write(scalar, path, "dataset=v,add=yes") != HIT_OK &&
                 (hit_rank(hit) != 0 ||
                  strstr(hit_status_text(), "numbers of 2 or 3") != NULL),
             "is no image", "scalar");
    if (hit_rank(hit) == 0) {
        FILE *file = fopen(path, "rb");

        if (file == NULL) abort();
        size = fread(data, 1, sizeof(data), file);
        (void)fclose(file);
    }
    for (int round = 0; round < 100;
         round++) { /* damaged files: an error or a step, never more */
        if (hit_rank(hit) == 0) {
            FILE *file = fopen(io_path("damage.vtkhdf"), "wb");

            if (file == NULL) abort();
            for (int k = 0; k < 4; k++) {
                random = random * 1103515245u + 12345u;
                data[(random >> 8) % size] = (char)(random >> 20);
            }
            (void)fwrite(data, 1, size, file);
            (void)fclose(file);
        }
        HIT_MUST(hit_barrier(hit));
        (void)hit_tile_read(field, io_path("damage.vtkhdf"), "dataset=u,step=1");
        (void)hit_tile_write(field, io_path("damage.vtkhdf"), "dataset=u,time=2");
    }
    io_claim(io_drafts(hit) == 0, "leaves no draft", "image");
    io_assert();
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vtk");
    TCase *c = tcase_create("all");

    tcase_add_test(c, images_have_steps);
    suite_add_tcase(s, c);
    return s;
}

int main(int argc, char **argv)
{
    int failed;

    HIT_MUST(hit_open(&argc, &argv, &hit));
    io_begin(hit);
    field = io_tile(hit, "block", hit_domain_of(6, 8), HIT_FLOAT);
    scalar = io_tile(hit, "single", hit_domain_scalar(), HIT_FLOAT);
    failed = check_run(suite());
    hit_tile_destroy(&field);
    hit_tile_destroy(&scalar);
    io_end(hit);
    hit_close(&hit);
    return failed;
}
