/* SPDX-License-Identifier: MIT
 * What is wrong with a file or an option fails on all processes, says what was expected
 * and found, and leaves the file that was there. */
#define _XOPEN_SOURCE 700 /* NOLINT(bugprone-reserved-identifier): symlink */
#include "hit/io/io_impl.h"
#include "hit/io/png.h"
#include "tests/hit/io/io_case.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static hit_context *hit;
static hit_tile *field; /* 9 x 14 doubles */

static void refused(hit_status found, hit_status status, const char *text,
                    const char *where)
{
    /* the reason is the first process's own and HIT_E_PEER with its text elsewhere */
    io_claim(found == status || found == HIT_E_PEER, hit_status_name(found), where);
    io_claim(hit_rank(hit) != 0 || found == status, hit_status_name(found), where);
    io_claim(strstr(hit_status_text(), text) != NULL, text, where);
}

START_TEST(options_are_checked)
{
    static const struct {
        const char *path;
        const char *options;
        const char *text;
    } wrong[] = {
        {"f.dat", NULL,
         "expected a path that ends in .npy or .h5 or .hdf5 or .vtkhdf or .zarr"},
        {".npy", "format", "expected option=value but found \"format\""},
        {"f.npy", "format=csv",
         "expected the name of a format (npy, hdf5, vtkhdf or zarr) but found \"csv\""},
        {"f.npy", "colour=red",
         "expected an option format, dataset, buffer, add, chunks, shards, compress or "
         "time"},
        {"f.npy", "buffer=2GiB", "expected buffer= at most 1GiB"},
        {"f.npy", "buffer=many", "many"},
        {"f.npy", "dataset=a", "format npy has no datasets"},
        {"f.npy", "add=yes", "format npy has no datasets"},
        {"f.h5", "add=maybe", "expected add=yes or add=no"},
    };

    for (size_t k = 0; k < sizeof(wrong) / sizeof(wrong[0]); k++) {
        refused(hit_tile_write(field, wrong[k].path, wrong[k].options), HIT_E_ARG,
                wrong[k].text, wrong[k].path);
    }
    refused(hit_tile_read(field, "f.h5", "add=yes"), HIT_E_ARG, "found \"add\"", "read");
    io_claim(hit_tile_read(NULL, "f.npy", NULL) == HIT_E_ARG, "NULL", "read");
    io_claim(hit_tile_write(field, NULL, NULL) == HIT_E_ARG, "NULL", "write");
    io_assert();
}
END_TEST

/* Where files have names for arrays, one that would be cut is none. */
START_TEST(a_long_name_of_a_tile_is_not_cut)
{
    static const char *const path[] = {"long_name.h5", "long_name.zarr"};
    char name[300];
    hit_tile *made = NULL;

    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    HIT_MUST(hit_tile_make(hit, hit_domain_of(9), "block", HIT_DOUBLE, name, &made));
    for (int k = 0; k < 2; k++) {
        refused(hit_tile_write(made, path[k], NULL), HIT_E_ARG,
                "expected dataset=, or a tile whose name has less than 256 characters",
                path[k]);
    }
    io_claim(hit_tile_write(made, "long_name.npy", NULL) == HIT_OK, "npy", "write");
    hit_tile_destroy(&made);
    HIT_MUST(hit_barrier(hit));
    if (hit_rank(hit) == 0) (void)remove("long_name.npy");
    io_assert();
}
END_TEST

START_TEST(options_of_pictures_are_checked)
{
    static const struct {
        const char *options;
        const char *text;
    } wrong[] = {
        {"colours=green", "expected colours=heat, grey or blue-red but found \"green\""},
        {"low=cold", "expected a number for low= but found \"cold\""},
        {"size=0", "expected a whole number from 1 to 30000 for size= but found \"0\""},
        {"width=3", "expected an option colours, low, high or size but found \"width\""},
        {"low=1,high=-1", "expected low= at most high= but found 1 and -1"},
    };
    hit_tile *line = io_tile(hit, "block", hit_domain_of(20), HIT_FLOAT);
    hit_tile *bytes = io_tile(hit, "block", hit_domain_of(20, 20), HIT_BYTES(hit_sig));
    hit_tile *none = io_tile(hit, "block", hit_domain_of(20, 0), HIT_FLOAT);

    for (size_t k = 0; k < sizeof(wrong) / sizeof(wrong[0]); k++) {
        refused(hit_tile_write_png(field, "f.png", wrong[k].options), HIT_E_ARG,
                wrong[k].text, wrong[k].options);
    }
    refused(hit_tile_write_png(line, "f.png", NULL), HIT_E_ARG,
            "expected two dimensions for a picture but found 1", "line");
    refused(hit_tile_write_png(none, "f.png", NULL), HIT_E_ARG,
            "expected elements for a picture but found none", "none");
    refused(hit_tile_write_png(bytes, "f.png", NULL), HIT_E_ARG, "numbers", "bytes");
    if (hit_png_is_there()) {
        refused(hit_tile_write_png(field, io_path("no/f.png"), NULL), HIT_E_IO, "f.png",
                "no folder");
    }
    hit_tile_destroy(&line);
    hit_tile_destroy(&bytes);
    hit_tile_destroy(&none);
    io_assert();
}
END_TEST

static void other_arrays(const char *path)
{
    hit_tile *floats = io_tile(hit, "block", hit_domain_of(9, 14), HIT_FLOAT);
    hit_tile *wide = io_tile(hit, "block", hit_domain_of(9, 15), HIT_DOUBLE);
    hit_tile *cube = io_tile(hit, "block", hit_domain_of(9, 14, 1), HIT_DOUBLE);
    hit_tile *whole = io_tile(hit, "block", hit_domain_of(9, 14), HIT_INT64);

    io_claim(hit_tile_write(field, path, NULL) == HIT_OK, "is written", path);
    refused(hit_tile_read(floats, path, NULL), HIT_E_IO, "of type ", "floats");
    io_claim(strstr(hit_status_text(), "float") != NULL, "names the type", path);
    refused(hit_tile_read(whole, path, NULL), HIT_E_IO, "of type ", "int64");
    refused(hit_tile_read(wide, path, NULL), HIT_E_IO,
            "expected an array of 9 x 15 but found 9 x 14", "wide");
    refused(hit_tile_read(cube, path, NULL), HIT_E_IO,
            "expected an array of 9 x 14 x 1 but found 9 x 14", "cube");
    hit_tile_destroy(&floats);
    hit_tile_destroy(&wide);
    hit_tile_destroy(&cube);
    hit_tile_destroy(&whole);
}

START_TEST(arrays_of_another_shape_or_type_are_refused)
{
    other_arrays(io_path("field.npy"));
    if (hit_hdf5_is_there()) {
        other_arrays(io_path("field.h5"));
        refused(hit_tile_read(field, io_path("field.h5"), "dataset=none"), HIT_E_IO,
                "dataset none: cannot be read: HDF5 says: object 'none' doesn't exist",
                "dataset");
    }
    io_assert();
}
END_TEST

/* Process 0 makes a file of the first @p most bytes of another, with one changed. */
static void damage(const char *name, const char *from, long most, long at, char byte)
{
    if (hit_rank(hit) == 0) {
        char data[4096];
        FILE *in = fopen(io_path(from), "rb");
        FILE *out;
        size_t size;

        if (in == NULL) abort();
        size = fread(data, 1, sizeof(data), in);
        (void)fclose(in);
        if (at >= 0) data[at] = byte;
        out = fopen(io_path(name), "wb");
        if (out == NULL) abort();
        (void)fwrite(data, 1, most < (long)size ? (size_t)most : size, out);
        (void)fclose(out);
    }
    HIT_MUST(hit_barrier(hit));
}

static void columns_first(void)
{
    if (hit_rank(hit) == 0) {
        FILE *out = fopen(io_path("columns.npy"), "wb");
        static const char text[] =
            "{'descr': '<f8', 'fortran_order': True, 'shape': (9, 14), }";
        char zeros[9 * 14 * 8] = {0};

        if (out == NULL) abort();
        (void)fwrite("\x93NUMPY\1\0", 1, 8, out);
        (void)fputc((int)sizeof(text) - 1, out);
        (void)fputc(0, out);
        (void)fwrite(text, 1, sizeof(text) - 1, out);
        (void)fwrite(zeros, 1, sizeof(zeros), out);
        (void)fclose(out);
    }
    HIT_MUST(hit_barrier(hit));
}

START_TEST(damaged_files_are_refused)
{
    io_claim(hit_tile_write(field, io_path("good.npy"), NULL) == HIT_OK, "is written",
             "good");
    damage("short.npy", "good.npy", 128 + 9 * 14 * 8 - 1, -1, 0);
    refused(hit_tile_read(field, io_path("short.npy"), NULL), HIT_E_IO,
            "is cut off: expected 1136 bytes but found 1135", "short");
    damage("head.npy", "good.npy", 100, -1, 0);
    refused(hit_tile_read(field, io_path("head.npy"), NULL), HIT_E_IO, "head is cut off",
            "head");
    damage("tiny.npy", "good.npy", 5, -1, 0);
    refused(hit_tile_read(field, io_path("tiny.npy"), NULL), HIT_E_IO, "fewer than",
            "tiny");
    damage("other.npy", "good.npy", 4096, 1, 'X');
    refused(hit_tile_read(field, io_path("other.npy"), NULL), HIT_E_IO, "other bytes",
            "other");
    columns_first();
    refused(hit_tile_read(field, io_path("columns.npy"), NULL), HIT_E_IO, "found columns",
            "columns");
    refused(hit_tile_read(field, io_path("none.npy"), NULL), HIT_E_IO,
            "none.npy: cannot be read: No such file", "none");
    refused(hit_tile_read(field, io_path(""), "format=npy"), HIT_E_IO,
            "cannot be read: Is a directory", "a folder");
    if (hit_hdf5_is_there()) {
        refused(hit_tile_read(field, io_path("good.npy"), "format=hdf5"), HIT_E_IO,
                "cannot be read: HDF5 says: file signature not found", "hdf5");
    }
    io_assert();
}
END_TEST

START_TEST(failed_writes_leave_what_was_there)
{
    hit_tile *back = io_tile(hit, "cyclic", hit_domain_of(9, 14), HIT_DOUBLE);

    refused(hit_tile_write(field, io_path("no/f.npy"), NULL), HIT_E_IO,
            "f.npy: cannot be written: No such file", "no folder");
    io_fill(field);
    io_claim(hit_tile_write(field, io_path("kept.npy"), NULL) == HIT_OK, "is written",
             "kept");
    io_claim(hit_tile_write(field, io_path("kept.npy"), NULL) == HIT_OK, "is replaced",
             "kept");
    io_claim(hit_tile_read(back, io_path("kept.npy"), NULL) == HIT_OK, "is read", "kept");
    io_claim(io_filled(back), "is whole", "kept");
    io_claim(io_drafts(hit) == 0, "no draft stays", "kept");
    hit_tile_destroy(&back);
    io_assert();
}
END_TEST

static hit_status write_field(const char *name)
{
    if (strstr(name, ".png") != NULL) {
        return hit_tile_write_png(field, io_path(name), NULL);
    }
    return hit_tile_write(field, io_path(name), NULL);
}

/* The limit on the size of files stands for a full disk: it needs no rights. */
static hit_status write_on_full_disk(const char *name)
{
    struct rlimit kept;
    struct rlimit small;
    hit_status status;

    if (getrlimit(RLIMIT_FSIZE, &kept) != 0) abort();
    small = (struct rlimit){64, kept.rlim_max};
    (void)signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &small) != 0) abort();
    status = write_field(name);
    if (setrlimit(RLIMIT_FSIZE, &kept) != 0) abort();
    return status;
}

static uint64_t hash_of(const char *name)
{
    FILE *file = fopen(io_path(name), "rb");
    uint64_t hash = 1;
    int c;

    if (file == NULL) return 0;
    while ((c = fgetc(file)) != EOF) {
        hash = hash * 31 + (uint64_t)c;
    }
    (void)fclose(file);
    return hash;
}

START_TEST(a_full_disk_is_told_with_the_reason_and_what_was_there_stays)
{
    static const char *const name[] = {"full.npy", "full.h5", "full.png"};
    const bool there[] = {true, hit_hdf5_is_there(), hit_png_is_there()};

    io_fill(field);
    for (int k = 0; k < 3; k++) {
        uint64_t before;

        if (!there[k]) continue;
        io_claim(write_field(name[k]) == HIT_OK, "is written", name[k]);
        before = hash_of(name[k]);
        refused(write_on_full_disk(name[k]), HIT_E_IO, "cannot be written: File too",
                name[k]);
        io_claim(strstr(hit_status_text(), name[k]) != NULL, "is named", name[k]);
        io_claim(before != 0 && hash_of(name[k]) == before, "is as before", name[k]);
        io_claim(io_drafts(hit) == 0, "no draft stays", name[k]);
    }
    io_assert();
}
END_TEST

START_TEST(devices_are_written_to_and_stay)
{
    static const char *const name[] = {"dev.npy", "dev.h5", "dev.png"};
    const bool there[] = {true, hit_hdf5_is_there(), hit_png_is_there()};
    struct stat found;

    for (int k = 0; k < 3; k++) {
        if (!there[k]) continue;
        if (hit_rank(hit) == 0 && symlink("/dev/full", io_path(name[k])) != 0) abort();
        HIT_MUST(hit_barrier(hit));
        refused(write_field(name[k]), HIT_E_IO,
                "cannot be written: No space left on device", name[k]);
        io_claim(stat(io_path(name[k]), &found) == 0 && S_ISCHR(found.st_mode), "stays",
                 name[k]);
    }
    if (hit_hdf5_is_there()) {
        refused(hit_tile_write(field, io_path(name[1]), "add=yes"), HIT_E_IO,
                "dev.h5: is no file to which something can be added", "add");
    }
    io_assert();
}
END_TEST

/* Another user's file in a folder where all may write: root becomes one who may not. */
START_TEST(a_file_that_cannot_be_looked_at_is_not_replaced)
{
    static const char name[] = "closed.h5";
    const uid_t user = geteuid();
    hit_status status;
    uint64_t before;

    if (!hit_hdf5_is_there()) return;
    io_fill(field);
    io_claim(write_field(name) == HIT_OK, "is written", name);
    before = hash_of(name);
    HIT_MUST(hit_barrier(hit));
    if (hit_rank(hit) == 0 && chmod(io_path(name), 0) != 0) abort();
    if (hit_rank(hit) == 0 && chmod(io_path(""), 0777) != 0) abort();
    HIT_MUST(hit_barrier(hit));
    if (user == 0 && seteuid(65534) != 0) abort();
    status = hit_tile_write(field, io_path(name), "add=yes");
    if (user == 0 && seteuid(user) != 0) abort();
    refused(status, HIT_E_IO, name, name);
    HIT_MUST(hit_barrier(hit));
    if (hit_rank(hit) == 0 && chmod(io_path(name), 0600) != 0) abort();
    HIT_MUST(hit_barrier(hit));
    io_claim(before != 0 && hash_of(name) == before, "is as before", name);
    io_assert();
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("io errors");
    TCase *c = tcase_create("all");

    tcase_add_test(c, options_are_checked);
    tcase_add_test(c, a_long_name_of_a_tile_is_not_cut);
    tcase_add_test(c, options_of_pictures_are_checked);
    tcase_add_test(c, arrays_of_another_shape_or_type_are_refused);
    tcase_add_test(c, damaged_files_are_refused);
    tcase_add_test(c, failed_writes_leave_what_was_there);
    tcase_add_test(c, a_full_disk_is_told_with_the_reason_and_what_was_there_stays);
    tcase_add_test(c, devices_are_written_to_and_stay);
    tcase_add_test(c, a_file_that_cannot_be_looked_at_is_not_replaced);
    suite_add_tcase(s, c);
    return s;
}

int main(int argc, char **argv)
{
    return io_run(&argc, &argv, suite(), &hit, &field, hit_domain_of(9, 14), HIT_DOUBLE);
}
