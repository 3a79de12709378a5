/* SPDX-License-Identifier: MIT
 * HDF5 files that others made, or that hold what a tile cannot be: read where it can be,
 * refused with HDF5's own reason where not, on all processes; and nothing that was in a
 * file is lost. */
#define _XOPEN_SOURCE 700 /* NOLINT(bugprone-reserved-identifier): symlink */
#include "tests/hit/io/io_case.h"

#include <hdf5.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static hit_context *hit;
static hit_tile *field; /* 6 x 8 floats */
static hit_tile *scalar;

static const hsize_t extent[] = {6, 8};

/* ---- files, made by process 0 ---- */

static hid_t begin(const char *name)
{
    return H5Fcreate(io_path(name), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
}

static void end(hid_t file)
{
    if (file >= 0 && H5Fclose(file) < 0) abort();
}

static hid_t chunked(void)
{
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    const float fill = 2.5f;

    H5Pset_chunk(how, 2, (const hsize_t[]){2, 2});
    H5Pset_fill_value(how, H5T_NATIVE_FLOAT, &fill);
    return how;
}

/* A dataset x; gives back how. */
static hid_t make(hid_t file, hid_t how, const float *data)
{
    const hid_t space =
        H5Screate_simple(2, extent, (const hsize_t[]){H5S_UNLIMITED, H5S_UNLIMITED});
    const hid_t fixed = H5Screate_simple(2, extent, NULL);
    const hid_t set = H5Dcreate2(file, "x", H5T_IEEE_F32LE,
                                 H5Pget_layout(how) == H5D_CHUNKED ? space : fixed,
                                 H5P_DEFAULT, how, H5P_DEFAULT);

    if (data != NULL) {
        H5Dwrite(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    }
    H5Sclose(space);
    H5Sclose(fixed);
    H5Pclose(how);
    return set;
}

/* Only the first element is written. */
static void make_partial(hid_t file)
{
    const hid_t set = make(file, chunked(), NULL);
    const hid_t space = H5Dget_space(set);
    const hid_t one = H5Screate(H5S_SCALAR);
    const float nine = 9;

    H5Sselect_hyperslab(space, H5S_SELECT_SET, (const hsize_t[]){0, 0}, NULL,
                        (const hsize_t[]){1, 1}, NULL);
    H5Dwrite(set, H5T_NATIVE_FLOAT, one, space, H5P_DEFAULT, &nine);
    H5Sclose(one);
    H5Sclose(space);
    H5Dclose(set);
}

static void make_null(hid_t file)
{
    const hid_t space = H5Screate(H5S_NULL);

    H5Dclose(H5Dcreate2(file, "x", H5T_IEEE_F32LE, space, H5P_DEFAULT, H5P_DEFAULT,
                        H5P_DEFAULT));
    H5Sclose(space);
}

static void make_external(hid_t file)
{
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);

    H5Pset_external(how, "/etc/passwd", 0, sizeof(float) * 48);
    H5Dclose(make(file, how, NULL));
}

static void make_virtual(hid_t file)
{
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t space = H5Screate_simple(2, extent, NULL);

    H5Pset_virtual(how, space, "partial.h5", "x", space);
    H5Sclose(space);
    H5Dclose(make(file, how, NULL));
}

static void make_link(hid_t file)
{
    H5Lcreate_external("partial.h5", "x", file, "x", H5P_DEFAULT, H5P_DEFAULT);
}

static void make_unwritten(hid_t file)
{
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);

    H5Pset_fill_value(how, H5T_NATIVE_FLOAT, NULL);
    H5Dclose(make(file, how, NULL));
}

static void make_group(hid_t file)
{
    H5Gclose(H5Gcreate2(file, "x", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

/* NOLINTBEGIN(readability-non-const-parameter): HDF5 wants it so */
static size_t as_it_is(unsigned flags, size_t count, const unsigned value[], size_t bytes,
                       size_t *size, void **data)
{
    (void)flags;
    (void)count;
    (void)value;
    (void)size;
    (void)data;
    return bytes;
}
/* NOLINTEND(readability-non-const-parameter) */

/* By a filter that nobody has when it is read. */
static void make_filtered(hid_t file)
{
    static const float data[48] = {1};
    const H5Z_class2_t filter = {H5Z_CLASS_T_VERS, 300,  1,    1,
                                 "of this test",   NULL, NULL, as_it_is};
    const hid_t how = chunked();

    H5Zregister(&filter);
    H5Pset_filter(how, 300, 0, 0, NULL);
    H5Dclose(make(file, how, data));
    H5Fflush(file, H5F_SCOPE_LOCAL);
    H5Zunregister(300);
}

/* Chunks with a sum, and the file with another byte in the last of them. */
static void make_damaged(hid_t file)
{
    static const float data[48] = {1, [47] = 123.456f};
    const hid_t how = chunked();

    H5Pset_fletcher32(how);
    H5Dclose(make(file, how, data));
}

static void make_new(hid_t file)
{
    make_group(file);
}

/* Change the first place where the file has @p from. */
static void change(const char *name, const void *from, const void *to, size_t size)
{
    static char data[1 << 16];
    FILE *file = fopen(io_path(name), "r+b");
    size_t length;
    size_t at = 0;

    if (file == NULL) abort();
    length = fread(data, 1, sizeof(data), file);
    while (at + size < length && memcmp(data + at, from, size) != 0) {
        at++;
    }
    if (at + size >= length || fseek(file, (long)at, SEEK_SET) != 0) abort();
    (void)fwrite(to, 1, size, file);
    (void)fclose(file);
}

typedef struct sample {
    const char *name;
    void (*make)(hid_t file);
    const char *refused; /* the text */
} sample;

static const sample samples[] = {
    {"null.h5", make_null, "expected an array of 6 x 8 but found no element"},
    {"external.h5", make_external,
     "expected elements in the file but found that they are in other files"},
    {"virtual.h5", make_virtual, "found a virtual dataset"},
    {"link.h5", make_link, "cannot be read: HDF5 says: "},
    {"unwritten.h5", make_unwritten, "its elements were never written"},
    {"group.h5", make_group, "cannot be read: HDF5 says: not a dataset"},
    {"filtered.h5", make_filtered, "required filter 'of this test' is not registered"},
    {"damaged.h5", make_damaged, "cannot be read: HDF5 says: "},
    {"new.h5", make_new, "cannot be read: HDF5 says: bad superblock version number"},
};

static void make_file(const char *name, void (*fill)(hid_t file))
{
    if (hit_rank(hit) == 0) {
        const hid_t file = begin(name);
        const float number[] = {123.456f, 123.457f};

        fill(file);
        end(file);
        if (fill == make_damaged) change(name, number, number + 1, sizeof(float));
        if (fill == make_new) {
            change(name, "\x89HDF\r\n\x1a\n\0", "\x89HDF\r\n\x1a\n\x9", 9);
        }
    }
    HIT_MUST(hit_barrier(hit));
}

static void refused(hit_status status, const char *text, const char *where)
{
    io_claim(status == HIT_E_IO || status == HIT_E_PEER, hit_status_name(status), where);
    io_claim(strstr(hit_status_text(), text) != NULL, text, where);
}

/* ---- tests ---- */

START_TEST(what_is_no_array_of_the_file_is_refused_with_the_reason)
{
    const sample *s = &samples[_i];

    make_file("partial.h5", make_partial);
    make_file(s->name, s->make);
    refused(hit_tile_read(field, io_path(s->name), "dataset=x"), s->refused, s->name);
    io_assert();
}
END_TEST

START_TEST(no_element_is_no_scalar)
{
    make_file("null.h5", make_null);
    refused(hit_tile_read(scalar, io_path("null.h5"), "dataset=x"),
            "expected an array of a scalar but found no element", "null");
    io_assert();
}
END_TEST

static float element(hit_index i, hit_index j)
{
    float found = 0;

    HIT_MUST(hit_tile_get(field, (const hit_index[]){i, j}, &found));
    return found;
}

START_TEST(chunks_that_were_never_written_have_the_value_of_the_file)
{
    make_file("partial.h5", make_partial);
    io_claim(hit_tile_read(field, io_path("partial.h5"), "dataset=x") == HIT_OK,
             "is read", "partial");
    io_claim(element(0, 0) == 9, "was written", "partial");
    io_claim(element(0, 1) == 2.5f && element(5, 7) == 2.5f, "was not", "partial");
    io_assert();
}
END_TEST

static void grow(hid_t file)
{
    static const float data[48] = {7};
    const hid_t set = make(file, chunked(), data);

    H5Dset_extent(set, (const hsize_t[]){6, 4});
    H5Dset_extent(set, extent);
    H5Dclose(set);
}

START_TEST(an_array_that_was_resized_is_read)
{
    make_file("resized.h5", grow);
    io_claim(hit_tile_read(field, io_path("resized.h5"), "dataset=x") == HIT_OK,
             "is read", "resized");
    io_claim(element(0, 0) == 7 && element(0, 1) == 0, "was kept", "resized");
    io_claim(element(5, 4) == 2.5f && element(5, 7) == 2.5f, "was lost", "resized");
    io_assert();
}
END_TEST

/* Written by hit, or by HDF5 with room in front. */
static void add_to(const char *name)
{
    const char *path = io_path(name);

    io_fill(field);
    io_claim(hit_tile_write(field, path, "dataset=run/a,add=yes") == HIT_OK, "is made",
             name);
    io_claim(hit_tile_write(field, path, "dataset=run/b,add=yes") == HIT_OK, "is added",
             name);
    refused(hit_tile_write(field, path, "dataset=run,add=yes"),
            "dataset run: expected an array to replace but found a group", name);
    refused(hit_tile_write(field, path, "dataset=run/a/c,add=yes"),
            "HDF5 says: message type not found", name);
    HIT_MUST(hit_tile_fill(field, &(const float){0}));
    io_claim(hit_tile_read(field, path, "dataset=run/a") == HIT_OK, "a is there", name);
    io_claim(io_filled(field), "a is whole", name);
    HIT_MUST(hit_tile_fill(field, &(const float){0}));
    io_claim(hit_tile_read(field, path, "dataset=run/b") == HIT_OK, "b is there", name);
    io_claim(io_filled(field), "b is whole", name);
}

static void nothing(hid_t file)
{
    (void)file;
}

START_TEST(what_is_in_a_file_stays_when_something_is_added)
{
    add_to("mine.h5");
    make_file("other.h5", nothing);
    add_to("other.h5");
    make_file("link.h5", make_link);
    add_to("link.h5");
    make_file("resized.h5", grow);
    add_to("resized.h5");
    io_claim(hit_tile_write(field, io_path("resized.h5"), "dataset=x,add=yes") == HIT_OK,
             "is replaced", "resized");
    HIT_MUST(hit_tile_fill(field, &(const float){0}));
    io_claim(hit_tile_read(field, io_path("resized.h5"), "dataset=x") == HIT_OK,
             "is there", "resized");
    io_claim(io_filled(field), "is whole", "resized");
    io_assert();
}
END_TEST

START_TEST(a_file_with_room_in_front_is_added_to)
{
    if (hit_rank(hit) == 0) {
        const hid_t how = H5Pcreate(H5P_FILE_CREATE);

        H5Pset_userblock(how, 1024);
        end(H5Fcreate(io_path("front.h5"), H5F_ACC_TRUNC, how, H5P_DEFAULT));
        H5Pclose(how);
    }
    HIT_MUST(hit_barrier(hit));
    add_to("front.h5");
    io_assert();
}
END_TEST

/* What HDF5 itself reads of what hit wrote. */
START_TEST(others_read_what_is_written)
{
    float found[48] = {0};

    io_fill(field);
    io_claim(hit_tile_write(field, io_path("out.h5"), "dataset=g/x") == HIT_OK,
             "is written", "out");
    if (hit_rank(hit) == 0) {
        const hid_t file = H5Fopen(io_path("out.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
        const hid_t set = H5Dopen2(file, "g/x", H5P_DEFAULT);

        io_claim(H5Dread(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, found) >=
                     0,
                 "is read", "HDF5");
        H5Dclose(set);
        H5Fclose(file);
        for (int k = 0; k < 48; k++) {
            float right;

            io_element(HIT_FLOAT, k, &right);
            io_claim(found[k] == right, "is right", "HDF5");
        }
    }
    io_assert();
}
END_TEST

/* Add @p field with a dimension of its own. */
static void add_axis(const char *dataset, const hit_axis *axis, const char *text)
{
    const hit_axis rows = {.name = "rows"};
    char options[64];
    hit_status status;

    (void)snprintf(options, sizeof(options), "add=yes,dataset=%s", dataset);
    HIT_MUST(hit_tile_set_axis(field, 0, &rows));
    HIT_MUST(hit_tile_set_axis(field, 1, axis));
    status = hit_tile_write(field, io_path("axes.h5"), options);
    if (text == NULL) io_claim(status == HIT_OK, "is added", dataset);
    if (text != NULL && hit_rank(hit) == 0) {
        io_claim(status != HIT_OK && strstr(hit_status_text(), text) != NULL, text,
                 dataset);
    }
    HIT_MUST(hit_tile_set_axis(field, 0, NULL));
    HIT_MUST(hit_tile_set_axis(field, 1, NULL));
}

START_TEST(arrays_of_a_group_have_the_same_dimensions)
{
    const hit_axis half = {.name = "x", .first = 1, .step = 0.5};

    io_fill(field);
    add_axis("a", &half, NULL);
    add_axis("b", &half, NULL);
    add_axis("a", &half, NULL);
    add_axis(
        "c", &(hit_axis){.name = "x", .first = 1, .step = 0.25},
        "dimension x: expected 1.5 at element 1, as the file has it for other arrays, "
        "but found 1.25");
    add_axis("c", &(hit_axis){.name = "x"}, "expected coordinates, as the file has it");
    add_axis("c", &(hit_axis){.name = "b"}, "expected an array that is no dimension");
    add_axis("x", &half, "expected an array to replace but found a dimension of arrays");
    add_axis("new", &(hit_axis){.name = "new"}, "expected another name than that of");
    add_axis("g/c", &(hit_axis){.name = "x"}, NULL); /* another group */
    HIT_MUST(hit_tile_fill(field, &(const float){0}));
    io_claim(hit_tile_read(field, io_path("axes.h5"), "dataset=a") == HIT_OK, "is read",
             "a");
    io_claim(io_filled(field) && io_drafts(hit) == 0, "is whole", "a");
    io_assert();
}
END_TEST

/* 48 floats and what HDF5 needs beside them are less than 8 KiB. */
static hit_status write_with_room(rlim_t bytes, const char *options)
{
    struct rlimit kept;
    struct rlimit small;
    hit_status status;

    if (getrlimit(RLIMIT_FSIZE, &kept) != 0) abort();
    small = (struct rlimit){bytes, kept.rlim_max};
    (void)signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &small) != 0) abort();
    status = hit_tile_write(field, io_path("small.h5"), options);
    if (setrlimit(RLIMIT_FSIZE, &kept) != 0) abort();
    return status;
}

START_TEST(no_more_room_is_asked_for_than_the_file_takes)
{
    io_fill(field);
    io_claim(write_with_room(8192, "dataset=a") == HIT_OK, "has room", "8192");
    refused(write_with_room(600, "dataset=b,add=yes"),
            "small.h5: cannot be written: File too large", "no room for a copy");
    refused(write_with_room(2500, "dataset=b,add=yes"),
            "small.h5: cannot be written: File too large", "no room for one more");
    HIT_MUST(hit_tile_fill(field, &(const float){0}));
    io_claim(hit_tile_read(field, io_path("small.h5"), "dataset=a") == HIT_OK, "stays",
             "a");
    io_claim(io_filled(field) && io_drafts(hit) == 0, "is whole", "a");
    io_assert();
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("hdf5");
    TCase *c = tcase_create("all");

    tcase_add_loop_test(c, what_is_no_array_of_the_file_is_refused_with_the_reason, 0,
                        (int)(sizeof(samples) / sizeof(samples[0])));
    tcase_add_test(c, no_element_is_no_scalar);
    tcase_add_test(c, chunks_that_were_never_written_have_the_value_of_the_file);
    tcase_add_test(c, an_array_that_was_resized_is_read);
    tcase_add_test(c, what_is_in_a_file_stays_when_something_is_added);
    tcase_add_test(c, a_file_with_room_in_front_is_added_to);
    tcase_add_test(c, others_read_what_is_written);
    tcase_add_test(c, arrays_of_a_group_have_the_same_dimensions);
    tcase_add_test(c, no_more_room_is_asked_for_than_the_file_takes);
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
