/* SPDX-License-Identifier: MIT
 * `hit model`: the models that were measured on this machine, and measuring. */
#include "hit/base/quote.h"
#include "hit/base/registry.h"
#include "hit/chain/tuner.h"
#include "hit/model/fpm_file.h"
#include "hit/model/fpm_time.h"
#include "hit/model/store_impl.h"
#include "hit/tool/tool.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: hit model list [--json]\n"
    "       hit model show NAME\n"
    "       hit model plot NAME [--out PREFIX]\n"
    "       hit model clear [NAME]\n"
    "       hit model measure KERNEL --size NxM[,NxM...] [OPTION...]\n"
    "       hit model measure links [OPTION...]\n"
    "\n"
    "  list     all models of the store, $XDG_CACHE_HOME/hit/models: of speed, and the "
    "tiles\n"
    "           in which chains of launches were tried\n"
    "  show     one of them, as text; of speed: that \"hit partition\" and layouts read\n"
    "  plot     a model of speed: PREFIX.dat, and PREFIX.png where gnuplot is there;\n"
    "           default: NAME\n"
    "  clear    remove one, or all\n"
    "  measure  run a kernel on pieces of these sizes, or time copies to and from the\n"
    "           device, and messages; \"hit model measure --help\"\n"
    "\n"
    "  NAME     a name from the list, or the beginning of one; for show and plot also\n"
    "           the path of a model file\n";

/* ---- list ---- */

static void print_key_json(const hit_model_entry *entry, hit_json *list)
{
    hit_json_object(list, NULL);
    hit_json_text(list, "name", entry->name);
    hit_json_text(list, "kernel", entry->key.kernel);
    hit_json_text(list, "device", entry->key.device);
    hit_json_text(list, "build", entry->key.build);
}

static void print_key(const hit_model_entry *entry)
{
    hit_say(stdout, "%s\n  %-7s %s\n  %-7s %s\n  %-7s %s\n", entry->name, "kernel",
            entry->key.kernel, "device", entry->key.device, "build", entry->key.build);
}

static void print_broken(const hit_model_entry *entry)
{
    hit_say(stdout, "%s\n  not a model: %s\n", entry->name, hit_status_text());
}

static void print_speed(const hit_model_entry *entry, hit_json *list)
{
    hit_model_entry found;
    hit_fpm *fpm = NULL;
    const bool good = hit_store_read(entry->name, &found, &fpm) == HIT_OK;

    if (list != NULL) {
        print_key_json(entry, list);
        hit_json_count(list, "points", good ? hit_fpm_count(fpm) : 0);
        hit_json_end(list);
    } else if (good) {
        print_key(entry);
        hit_say(stdout, "  %-7s %zu, up to %.4g units/%s\n", "points", hit_fpm_count(fpm),
                hit_fpm_fastest(fpm),
                strncmp(entry->name, "joules_", 7) == 0 ? "J" : "s");
    } else {
        print_broken(entry);
    }
    hit_fpm_destroy(&fpm);
}

/* The fastest of what was tried, and how many times as fast it is as one launch after the
 * other; 0: that was not tried. */
static const hit_tried *fastest(int count, const hit_tried tried[], double *gain)
{
    const hit_tried *best = &tried[0];

    *gain = 0;
    for (int k = 1; k < count; k++) {
        if (tried[k].seconds < best->seconds) best = &tried[k];
    }
    for (int k = 0; k < count; k++) {
        if (tried[k].choice.plain) *gain = tried[k].seconds / best->seconds;
    }
    return best;
}

static void print_tried(int count, const hit_tried tried[], hit_json *list)
{
    double gain = 0;
    const hit_tried *best = fastest(count, tried, &gain);

    if (list != NULL) {
        hit_json_whole(list, "tried", count);
        hit_json_whole(list, "steps",
                       count == 0 || best->choice.plain ? 1 : best->choice.steps);
        hit_json_real(list, "gain", "%.4g", gain);
        hit_json_end(list);
    } else if (count == 0) {
        hit_say(stdout, "  %-7s none tried\n", "tiles");
    } else if (best->choice.plain) {
        hit_say(stdout, "  %-7s %d tried, one launch after the other is the fastest\n",
                "tiles", count);
    } else {
        hit_say(stdout, "  %-7s %d tried, the fastest of %d steps", "tiles", count,
                best->choice.steps);
        if (gain > 0) printf(", %.2f times as fast as one launch after the other", gain);
        printf("\n");
    }
}

static void print_tiles(const hit_model_entry *entry, hit_json *list)
{
    hit_tried tried[HIT_CHOICES];
    hit_model_entry found;
    char *text = NULL;
    int count = 0;
    hit_status st = hit_store_read_text(entry->name, &found, &text);

    if (st == HIT_OK) st = hit_tuner_parse(text, entry->name, &count, tried);
    if (list != NULL) {
        print_key_json(entry, list);
    } else if (st == HIT_OK) {
        print_key(entry);
    } else {
        print_broken(entry);
    }
    if (list != NULL || st == HIT_OK) print_tried(count, tried, list);
    free(text);
}

/* @p list: NULL, or where it is added as JSON. */
static void print_entry(const hit_model_entry *entry, hit_json *list)
{
    if (entry->kind == HIT_STORE_TILES) {
        print_tiles(entry, list);
    } else {
        print_speed(entry, list);
    }
}

static hit_status list(bool json)
{
    hit_model_entry *entry = NULL;
    hit_json line = {.file = stdout};
    int count = 0;

    HIT_TRY(hit_store_list(&count, &entry));
    if (json) {
        line = hit_tool_ok();
        hit_json_list(&line, "models");
    }
    for (int k = 0; k < count; k++) {
        print_entry(&entry[k], json ? &line : NULL);
    }
    if (json) hit_json_end_line(&line);
    if (!json && count == 0) printf("no models; \"hit model measure\" makes some\n");
    free(entry);
    return HIT_OK;
}

/* ---- show, plot, clear ---- */

/* The only name that begins with @p begin, or is it. */
static hit_status complete(const char *begin, char name[64])
{
    hit_model_entry *entry = NULL;
    int count = 0;
    int found = 0;

    HIT_TRY(hit_store_list(&count, &entry));
    for (int k = 0; k < count; k++) {
        if (strncmp(entry[k].name, begin, strlen(begin)) != 0) continue;
        memcpy(name, entry[k].name, 64);
        found++;
        if (strcmp(name, begin) == 0) {
            found = 1;
            break;
        }
    }
    free(entry);
    if (found == 1) return HIT_OK;
    if (found == 0) {
        return HIT_FAIL(HIT_E_ARG,
                        "no model's name begins with \"%s\": \"hit model list\" has them",
                        begin);
    }
    return HIT_FAIL(HIT_E_ARG,
                    "expected the beginning of one model's name but %d begin with \"%s\"",
                    found, begin);
}

/* A file, or a model of the store. */
static hit_status load(const char *what, char title[512], hit_fpm **fpm)
{
    hit_model_entry entry;
    char name[64];

    if (strchr(what, '/') != NULL || strchr(what, '.') != NULL) {
        (void)snprintf(title, 512, "%s", what);
        return hit_fpm_load(what, fpm);
    }
    HIT_TRY(complete(what, name));
    HIT_TRY(hit_store_read(name, &entry, fpm));
    (void)snprintf(title, 512, "%s on %s", entry.key.kernel, entry.key.device);
    return HIT_OK;
}

static hit_status show_tiles(const char *what, bool *shown)
{
    hit_model_entry entry;
    char name[64];
    char *text = NULL;

    *shown = false;
    if (complete(what, name) != HIT_OK) return HIT_OK;
    HIT_TRY(hit_store_read_text(name, &entry, &text));
    *shown = entry.kind == HIT_STORE_TILES;
    if (*shown) hit_say_lines(stdout, text);
    free(text);
    return HIT_OK;
}

static hit_status show(const char *what)
{
    char title[512];
    hit_fpm *fpm;
    hit_status st;
    bool shown;

    HIT_TRY(show_tiles(what, &shown));
    if (shown) return HIT_OK;
    HIT_TRY(load(what, title, &fpm));
    st = hit_fpm_write(fpm, stdout);
    hit_say(stdout, "# %s\n", title);
    hit_fpm_destroy(&fpm);
    return st;
}

static hit_status plot(const char *what, const char *prefix)
{
    char title[512];
    char name[64];
    hit_fpm *fpm;
    hit_status st;

    HIT_TRY(load(what, title, &fpm));
    if (prefix == NULL) prefix = complete(what, name) == HIT_OK ? name : what;
    st = hit_tool_plot(title, fpm, prefix);
    hit_fpm_destroy(&fpm);
    return st;
}

static hit_status clear(const char *what)
{
    hit_model_entry *entry = NULL;
    char name[64];
    int count = 0;
    int removed = 0;
    hit_status st = HIT_OK;

    if (what[0] != '\0') {
        HIT_TRY(complete(what, name));
        HIT_TRY(hit_store_remove(name));
        printf("1 removed\n");
        return HIT_OK;
    }
    HIT_TRY(hit_store_list(&count, &entry));
    for (; removed < count && st == HIT_OK; removed++) {
        st = hit_store_remove(entry[removed].name);
    }
    free(entry);
    if (st == HIT_OK) printf("%d removed\n", removed);
    return st;
}

/* Where it is none, else the words behind it are wrong. */
static void tell_command(const char *command)
{
    static const char *const known[] = {"list", "show", "plot", "clear", "measure"};
    hit_names names;

    hit_names_begin(&names, command, strlen(command));
    for (size_t k = 0; k < sizeof(known) / sizeof(known[0]); k++) {
        if (strcmp(command, known[k]) == 0) return;
        hit_names_add(&names, known[k]);
    }
    if (command[0] == '\0') return;
    hit_say(stderr, "hit model: expected %s but found \"%s\"%s\n", hit_names_list(&names),
            command, hit_names_hint(&names));
}

int hit_tool_model(int argc, char **argv)
{
    const char *command = argc > 1 ? argv[1] : "";
    const char *what = argc > 2 ? argv[2] : "";
    const char *prefix = NULL;
    bool json = false;
    hit_status st;

    if (strcmp(command, "measure") == 0) {
        return hit_tool_model_measure(argc - 1, argv + 1);
    }
    if (hit_tool_helps_first(argc, argv, usage)) return 0;
    if (strcmp(command, "list") == 0) json = strcmp(what, "--json") == 0;
    if (argc == 5 && strcmp(argv[3], "--out") == 0) prefix = argv[4];
    if (strcmp(command, "list") == 0 && (argc == 2 || (argc == 3 && json))) {
        st = list(json);
    } else if (strcmp(command, "show") == 0 && argc == 3) {
        st = show(what);
    } else if (strcmp(command, "plot") == 0 && (argc == 3 || prefix != NULL)) {
        st = plot(what, prefix);
    } else if (strcmp(command, "clear") == 0 && argc <= 3) {
        st = clear(what);
    } else {
        tell_command(command);
        (void)fputs(usage, stderr);
        return 2;
    }
    if (st == HIT_OK) return 0;
    hit_tool_print_failure("model", json, "error");
    return 2;
}
