/* SPDX-License-Identifier: MIT
 * Tiles in files: whatever the layout, the strides, the buffer and the number of
 * processes, the file has the elements in row-major order, and any other layout reads
 * them back. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier): mkdir */
#include "hit/data/domain_set.h"
#include "hit/data/sig.h"
#include "hit/io/io_impl.h"
#include "hit/io/npy_impl.h"
#include "hit/io/png.h"
#include "tests/hit/io/io_case.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static hit_context *hit;

enum {
    LAYOUTS = 7,
    LONG = 128
};

/* Layouts of @p dims dimensions, one of which leaves all but the last process without a
 * part. */
static int layouts(int dims, char text[LAYOUTS][LONG])
{
    size_t used;
    int n = 0;

    (void)snprintf(text[n++], LONG, "single:root=%d", hit_size(hit) - 1);
    if (dims == 0) return n;
    (void)snprintf(text[n++], LONG, "block");
    (void)snprintf(text[n++], LONG, "cyclic");
    (void)snprintf(text[n++], LONG, "blockcyclic:block=3");
    (void)snprintf(text[n++], LONG, "block:dims=%d", dims - 1);
    (void)snprintf(text[n++], LONG, "cyclic:dim=%d", dims - 1);
    used = (size_t)snprintf(text[n], LONG, "weighted:weights=");
    for (int r = 0; r < hit_size(hit); r++) {
        used += (size_t)snprintf(text[n] + used, LONG - used, "%s",
                                 r + 1 < hit_size(hit) ? "0," : "1");
    }
    return n + 1;
}

static hit_domain strided(int dims)
{
    static const hit_sig sig[] = {{-5, 22, 3}, {2, 37, 5}, {0, 2, 1}, {10, 12, 2}};
    hit_domain domain = {.dims = dims};

    memcpy(domain.sig, sig, sizeof(hit_sig) * (size_t)dims);
    return domain;
}

/* On process 0: the bytes of the file are a head and the elements in order. */
static bool file_is_right(const char *path, const hit_domain *domain, hit_type type)
{
    char text[4096];
    unsigned char element[64];
    unsigned char found[64];
    hit_npy_head head;
    size_t size;
    FILE *file = fopen(path, "rb");
    bool right = file != NULL && fread(text, 1, HIT_NPY_FIRST, file) == HIT_NPY_FIRST &&
                 hit_npy_size(path, text, &size) == HIT_OK && size < sizeof(text) &&
                 fread(text + HIT_NPY_FIRST, 1, size - HIT_NPY_FIRST, file) ==
                     size - HIT_NPY_FIRST &&
                 hit_npy_parse(path, text, size, &head) == HIT_OK;

    right = right && head.dims == domain->dims;
    for (int d = 0; right && d < head.dims; d++) {
        right = head.extent[d] == hit_sig_count(domain->sig[d]);
    }
    for (hit_index k = 0; right && k < hit_domain_count(domain); k++) {
        io_element(type, k, element);
        right = fread(found, 1, type.size_bytes, file) == type.size_bytes &&
                memcmp(found, element, type.size_bytes) == 0;
    }
    right = right && fgetc(file) == EOF;
    if (file != NULL) (void)fclose(file);
    return right;
}

/* Written from one layout, read into another. */
static void there_and_back(const char *name, const char *from, const char *to,
                           hit_domain domain, hit_type type, const char *options)
{
    const char *path = io_path(name);
    hit_tile *a = io_tile(hit, from, domain, type);
    hit_tile *b = io_tile(hit, to, domain, type);

    io_fill(a);
    io_claim(hit_tile_write(a, path, options) == HIT_OK, "is written", from);
    if (hit_rank(hit) == 0 && strstr(name, ".npy") != NULL) {
        io_claim(file_is_right(path, &domain, type), "has all in order", from);
    }
    io_claim(hit_tile_read(b, path, options) == HIT_OK, "is read", to);
    io_claim(io_filled(b), "has all that was written", to);
    hit_tile_destroy(&a);
    hit_tile_destroy(&b);
}

static void all_layouts(const char *name, const char *options)
{
#define TYPE(KIND, name, c_type, letter) {HIT_KIND_##KIND, sizeof(c_type)},
    static const hit_type types[] = {HIT_KINDS(TYPE){HIT_KIND_BYTES, 12}};
    const int count = sizeof(types) / sizeof(types[0]);
    int turn = 0;

    for (int dims = 0; dims <= HIT_MAX_DIMS; dims++) {
        char text[LAYOUTS][LONG];
        const int n = layouts(dims, text);

        for (int k = 0; k < n; k++) {
            there_and_back(name, text[k], text[(k + 2) % n], strided(dims),
                           types[turn++ % count], options);
        }
    }
}

START_TEST(npy_files_do_not_depend_on_the_layout)
{
    all_layouts("any.npy", NULL);
    io_assert();
}
END_TEST

START_TEST(npy_files_do_not_depend_on_the_rounds)
{
    all_layouts("small.npy", "buffer=64");
    there_and_back("row.npy", "cyclic", "block", strided(2), HIT_FLOAT, "buffer=1");
    io_assert();
}
END_TEST

START_TEST(zarr_stores_do_not_depend_on_the_layout)
{
    all_layouts("any.zarr", NULL);
    all_layouts("small.zarr", "buffer=64");
    io_assert();
}
END_TEST

START_TEST(hdf5_files_are_read_into_any_layout)
{
    if (!hit_hdf5_is_there()) {
        hit_tile *a = io_tile(hit, "block", strided(2), HIT_FLOAT);

        io_claim(hit_tile_write(a, io_path("f.h5"), NULL) == HIT_E_ABSENT, "is refused",
                 "absent");
        io_claim(strstr(hit_status_text(), "HDF5 is ") != NULL, "says why", "absent");
        hit_tile_destroy(&a);
    } else {
        all_layouts("any.h5", NULL);
        all_layouts("small.hdf5", "buffer=200,dataset=some/where");
    }
    io_assert();
}
END_TEST

START_TEST(several_tiles_share_an_hdf5_file)
{
    const char *path = io_path("two.h5");
    hit_tile *a = io_tile(hit, "block", strided(2), HIT_DOUBLE);
    hit_tile *b = io_tile(hit, "cyclic", strided(1), HIT_INT32);

    if (hit_hdf5_is_there()) {
        io_fill(a);
        io_fill(b);
        io_claim(hit_tile_write(a, path, "dataset=g/a,add=yes") == HIT_OK, "is made",
                 "a");
        io_claim(hit_tile_write(b, path, "dataset=g/b,add=yes") == HIT_OK, "added", "b");
        io_claim(hit_tile_write(b, path, "dataset=g/b,add=yes") == HIT_OK, "again", "b");
        HIT_MUST(hit_tile_fill(a, &(const double){0}));
        HIT_MUST(hit_tile_fill(b, &(const int32_t){0}));
        io_claim(hit_tile_read(b, path, "dataset=g/b") == HIT_OK, "is read", "b");
        io_claim(hit_tile_read(a, path, "dataset=g/a") == HIT_OK, "is read", "a");
        io_claim(io_filled(a) && io_filled(b), "have their own elements", "both");
    }
    hit_tile_destroy(&a);
    hit_tile_destroy(&b);
    io_assert();
}
END_TEST

START_TEST(selections_are_written_and_read_alone)
{
    const hit_domain part = {.dims = 2, .sig = {{3, 27, 4}, {1, 16, 3}}};
    hit_tile *whole = io_tile(hit, "cyclic", hit_domain_of(30, 20), HIT_DOUBLE);
    hit_tile *other = io_tile(hit, "block", hit_domain_of(30, 20), HIT_DOUBLE);
    hit_tile *a;
    hit_tile *b;
    hit_index outside = 0;

    HIT_MUST(hit_tile_select(whole, part, &a));
    HIT_MUST(hit_tile_select(other, part, &b));
    io_fill(a);
    io_claim(hit_tile_write(a, io_path("part.npy"), NULL) == HIT_OK, "is written", "a");
    if (hit_rank(hit) == 0) {
        io_claim(file_is_right(io_path("part.npy"), &part, HIT_DOUBLE), "is right", "a");
    }
    io_claim(hit_tile_read(b, io_path("part.npy"), NULL) == HIT_OK, "is read", "b");
    io_claim(io_filled(b), "has all", "b");
    for (int k = 0; k < hit_tile_pieces(other); k++) {
        hit_index x[HIT_MAX_DIMS];
        hit_view view;

        HIT_MUST(hit_tile_map(other, k, HIT_READ, &view));
        for (bool more = hit_domain_first(&view.domain, x); more;
             more = hit_domain_next(&view.domain, x)) {
            if (!hit_domain_has(&part, x) && HIT_AT(view, double, x[0], x[1]) != 0) {
                outside++;
            }
        }
    }
    io_claim(outside == 0, "nothing else is written", "b");
    hit_tile_destroy(&a);
    hit_tile_destroy(&b);
    hit_tile_destroy(&whole);
    hit_tile_destroy(&other);
    io_assert();
}
END_TEST

static long size_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    long size = -1;

    if (file == NULL) return -1;
    if (fseek(file, 0, SEEK_END) == 0) size = ftell(file);
    (void)fclose(file);
    return size;
}

/* The least and the greatest value beside each other, drawn. */
static void draw_two(double least, double greatest, const char *path, const char *options)
{
    const double two[2] = {least, greatest};
    hit_tile *a = io_tile(hit, "block", hit_domain_of(1, 2), HIT_DOUBLE);

    HIT_MUST(hit_tile_scatter(a, 0, two));
    HIT_MUST(hit_tile_write_png(a, path, options));
    hit_tile_destroy(&a);
}

static bool same_bytes(const char *one, const char *other)
{
    char x[4096];
    char y[sizeof(x)];
    FILE *a = fopen(one, "rb");
    FILE *b = fopen(other, "rb");
    const size_t n = a != NULL ? fread(x, 1, sizeof(x), a) : 0;
    const size_t m = b != NULL ? fread(y, 1, sizeof(y), b) : 1;

    if (a != NULL) (void)fclose(a);
    if (b != NULL) (void)fclose(b);
    return n == m && memcmp(x, y, n) == 0;
}

START_TEST(the_first_and_the_last_colour_are_drawn_whatever_the_values)
{
    static const struct {
        double least, greatest;
        const char *options;
    } range[] = {{-1e308, 1e308, "size=16"},
                 {-DBL_MAX, DBL_MAX, "size=16"},
                 {-1e308, 1e308, "size=16,low=-1e308,high=1e308"},
                 {-1e308, 1e308, "size=16,low=-1,high=1"},
                 {0, 5e-324, "size=16"},
                 {1e300, 1.5e308, "size=16"}};
    char one[300];
    char other[300];

    if (!hit_png_is_there()) return;
    (void)snprintf(one, sizeof(one), "%s", io_path("one.png"));
    (void)snprintf(other, sizeof(other), "%s", io_path("other.png"));
    draw_two(-1, 1, one, "size=16");
    for (size_t k = 0; k < sizeof(range) / sizeof(range[0]); k++) {
        draw_two(range[k].least, range[k].greatest, other, range[k].options);
        if (hit_rank(hit) != 0) continue;
        io_claim(size_of(one) < 4096 && same_bytes(one, other), "is drawn alike",
                 range[k].options);
    }
    io_assert();
}
END_TEST

START_TEST(fields_become_pictures)
{
    static const char *const options[] = {NULL, "colours=grey,low=0,high=3",
                                          "colours=blue-red,size=10", "size=7,high=1"};
    hit_tile *a = io_tile(hit, "block", strided(2), HIT_FLOAT);

    io_fill(a);
    if (hit_tile_pieces(a) > 0) {
        hit_view view;

        HIT_MUST(hit_tile_map(a, 0, HIT_READ_WRITE, &view));
        *(float *)(void *)view.data = NAN; /* is no reason to fail */
    }
    for (size_t k = 0; k < sizeof(options) / sizeof(options[0]); k++) {
        const hit_status status = hit_tile_write_png(a, io_path("f.png"), options[k]);

        if (hit_png_is_there()) {
            io_claim(status == HIT_OK, "is drawn", "picture");
            if (hit_rank(hit) == 0) {
                io_claim(size_of(io_path("f.png")) > 60, "is there", "picture");
            }
        } else {
            io_claim(status == HIT_E_ABSENT, "is refused", "picture");
        }
    }
    hit_tile_destroy(&a);
    io_assert();
}
END_TEST

START_TEST(long_names_and_paths_are_written_and_read)
{
    char name[600] = "";
    hit_tile *a = NULL;

    memset(name, 'x', 246);
    memcpy(name + 246, ".npy", 5);
    there_and_back(name, "block", "cyclic", strided(2), HIT_DOUBLE, NULL);
    if (hit_hdf5_is_there()) {
        memcpy(name + 246, ".h5", 4);
        there_and_back(name, "block", "cyclic", strided(2), HIT_DOUBLE, NULL);
        a = io_tile(hit, "block", strided(2), HIT_DOUBLE);
        io_claim(hit_tile_write(a, io_path(name), "dataset=b,add=yes") == HIT_OK,
                 "is added", "long name");
        hit_tile_destroy(&a);
    }
    memset(name, 'd', sizeof(name)); /* a folder in a folder */
    for (int k = 1; k <= 2; k++) {
        name[251 * k - 1] = '\0';
        if (hit_rank(hit) == 0 && mkdir(io_path(name), 0777) != 0) abort();
        name[251 * k - 1] = '/';
    }
    memcpy(name + 502, "short.npy", 10);
    there_and_back(name, "block", "cyclic", strided(2), HIT_DOUBLE, NULL);
    io_assert();
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("io");
    TCase *c = tcase_create("all");

    tcase_add_test(c, npy_files_do_not_depend_on_the_layout);
    tcase_add_test(c, npy_files_do_not_depend_on_the_rounds);
    tcase_add_test(c, zarr_stores_do_not_depend_on_the_layout);
    tcase_add_test(c, hdf5_files_are_read_into_any_layout);
    tcase_add_test(c, several_tiles_share_an_hdf5_file);
    tcase_add_test(c, selections_are_written_and_read_alone);
    tcase_add_test(c, long_names_and_paths_are_written_and_read);
    tcase_add_test(c, fields_become_pictures);
    tcase_add_test(c, the_first_and_the_last_colour_are_drawn_whatever_the_values);
    suite_add_tcase(s, c);
    return s;
}

int main(int argc, char **argv)
{
    int failed;

    HIT_MUST(hit_open(&argc, &argv, &hit));
    io_begin(hit);
    failed = check_run(suite());
    io_end(hit);
    hit_close(&hit);
    return failed;
}
