/* SPDX-License-Identifier: MIT
 * Images of VTK in HDF5: steps of time, what is no image, and files that are damaged. */
#include "hit/hit.h"
#include "tests/hit/io/io_case.h"
#include "tests/support/check_main.h"

#include <hdf5.h>

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

/* ---- what others have made ---- */

/* An image with one step of u, whose file process 0 has open. */
static hid_t open_image(void)
{
    if (hit_rank(hit) == 0) (void)remove(io_path("other.vtkhdf"));
    HIT_MUST(hit_barrier(hit));
    HIT_MUST(hit_tile_fill(field, &(const float){3}));
    HIT_MUST(hit_tile_write(field, io_path("other.vtkhdf"), "dataset=u,time=0"));
    return hit_rank(hit) > 0
               ? H5I_INVALID_HID
               : H5Fopen(io_path("other.vtkhdf"), H5F_ACC_RDWR, H5P_DEFAULT);
}

/* An attribute of so many bytes in the place of another one. */
static void set_attribute(hid_t file, const char *group, const char *name, hsize_t count)
{
    const hid_t space = H5Screate_simple(1, &count, NULL);
    const hid_t of = H5Gopen2(file, group, H5P_DEFAULT);
    hid_t made;

    (void)H5Adelete(of, name);
    made = H5Acreate2(of, name, H5T_STD_I8LE, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Aclose(made);
    H5Gclose(of);
    H5Sclose(space);
}

/* A dataset of the machine's integers in the place of another one; @p outside: which lie
 * in a file of that name. */
static void set_dataset(hid_t file, const char *path, int dims, const hsize_t size[],
                        const char *outside)
{
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t space = H5Screate_simple(dims, size, NULL);
    hid_t made;

    if (outside != NULL) H5Pset_external(how, outside, 0, H5F_UNLIMITED);
    (void)H5Ldelete(file, path, H5P_DEFAULT);
    made = H5Dcreate2(file, path, H5T_NATIVE_INT32, space, H5P_DEFAULT, how, H5P_DEFAULT);
    if (made < 0) abort();
    H5Dclose(made);
    H5Sclose(space);
    H5Pclose(how);
}

/* Process 0 tells of it, and the others that it did. */
static void refuses_a_step(const char *options, const char *text)
{
    const hit_status status = hit_tile_write(field, io_path("other.vtkhdf"), options);

    io_claim(status != HIT_OK, "is refused", text);
    if (hit_rank(hit) > 0) return;
    io_claim(strstr(hit_status_text(), text) != NULL, hit_status_text(), text);
}

START_TEST(sizes_are_looked_at_before_they_are_believed)
{
    hid_t file = open_image();

    if (file >= 0) {
        set_attribute(file, "VTKHDF", "WholeExtent", 6 * sizeof(int64_t));
        H5Fclose(file);
    }
    refuses_a_step("dataset=u,time=1", "expected an image of");
    file = open_image();
    if (file >= 0) {
        set_attribute(file, "VTKHDF/Steps", "NSteps", 4000);
        H5Fclose(file);
    }
    io_claim(hit_tile_write(field, io_path("other.vtkhdf"), "dataset=u,time=1") == HIT_OK,
             "is written", "NSteps");
    file = open_image();
    if (file >= 0) {
        set_dataset(file, "VTKHDF/Steps/Values", 3, (const hsize_t[]){1, 1, 1}, NULL);
        H5Fclose(file);
    }
    refuses_a_step("dataset=u,time=1", "VTKHDF/Steps/Values: expected a list");
    io_assert();
}
END_TEST

START_TEST(nothing_outside_of_the_file_is_written)
{
    static char outside[512];
    hid_t file = open_image();

    (void)snprintf(outside, sizeof(outside), "%s", io_path("victim"));
    if (file >= 0) {
        FILE *victim = fopen(outside, "wb");

        if (victim == NULL) abort();
        for (int k = 0; k < 8; k++) {
            (void)fputs("mine", victim);
        }
        (void)fclose(victim);
        set_dataset(file, "VTKHDF/Steps/PointDataOffsets/u", 1, (const hsize_t[]){8},
                    outside);
        H5Fclose(file);
    }
    refuses_a_step("dataset=u,time=1",
                   "VTKHDF/Steps/PointDataOffsets/u: expected a list");
    if (hit_rank(hit) == 0) {
        char found[33] = "";
        FILE *victim = fopen(outside, "rb");

        if (victim == NULL) abort();
        io_claim(fread(found, 1, 32, victim) == 32, "is there", "victim");
        (void)fclose(victim);
        io_claim(strcmp(found, "minemineminemineminemineminemine") == 0, "is as it was",
                 "victim");
    }
    io_assert();
}
END_TEST

/* Elements are written as the machine has them, and an array in the place of an array. */
START_TEST(what_is_no_such_array_is_neither_added_to_nor_replaced)
{
    hid_t file = open_image();

    if (file >= 0) {
        const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
        const hid_t space = H5Screate_simple(3, (const hsize_t[]){1, 6, 8},
                                             (const hsize_t[]){H5S_UNLIMITED, 6, 8});
        hid_t made;

        H5Pset_chunk(how, 3, (const hsize_t[]){1, 6, 8});
        H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY);
        (void)H5Ldelete(file, "VTKHDF/PointData/u", H5P_DEFAULT);
        made = H5Dcreate2(file, "VTKHDF/PointData/u", H5T_NATIVE_INT32, space,
                          H5P_DEFAULT, how, H5P_DEFAULT);
        H5Dclose(made);
        H5Sclose(space);
        H5Pclose(how);
        made =
            H5Gcreate2(file, "VTKHDF/PointData/w", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        H5Gclose(made);
        H5Fclose(file);
    }
    refuses_a_step("dataset=u,time=1", "expected elements of type float");
    refuses_a_step("dataset=w,add=yes", "expected an array to replace but found a group");
    io_claim(io_drafts(hit) == 0, "leaves no draft", "other");
    io_assert();
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vtk");
    TCase *c = tcase_create("all");

    tcase_add_test(c, images_have_steps);
    tcase_add_test(c, sizes_are_looked_at_before_they_are_believed);
    tcase_add_test(c, nothing_outside_of_the_file_is_written);
    tcase_add_test(c, what_is_no_such_array_is_neither_added_to_nor_replaced);
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
