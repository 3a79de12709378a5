/* SPDX-License-Identifier: MIT
 * hit new: a project of one's own. The project to copy that is installed
 * (examples/template) under another name, built and run once. */
#define _POSIX_C_SOURCE 200809L /* mkdir */

#include "hit/base/file.h"
#include "hit/base/input.h"
#include "hit/base/quote.h"
#include "hit/tool/tool.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PATH = 4096
};

#define TEMPLATE "examples/template"

/** The files of the template, and what becomes the name of the project in each. */
static const struct {
    const char *name;
    const char *before; /**< in front of "plate" */
} files[] = {{"CMakeLists.txt", ""}, {"heat.k.c", "build/"}, {"main.c", "build/"}};

enum {
    FILES = sizeof(files) / sizeof(files[0])
};

static const char usage[] =
    "usage: hit new FOLDER\n\n"
    "Makes a project in FOLDER, which must not be there yet: a kernel file, a program "
    "and\n"
    "a CMakeLists.txt, named after the last part of FOLDER. Builds it in FOLDER/build "
    "and\n"
    "runs it. hit must be installed: ./run install ~/opt/hit, then "
    "~/opt/hit/bin/hit new plate.\n";

/** Is it a target that CMake or one of its generators makes itself? */
static bool is_taken(const char *name)
{
    static const char *const taken[] = {
        "ALL_BUILD",     "CMakeFiles",     "INSTALL",
        "PACKAGE",       "RUN_TESTS",      "ZERO_CHECK",
        "all",           "clean",          "edit_cache",

        "help",          "install",        "list_install_components",
        "package",       "package_source", "preinstall",
        "rebuild_cache", "test",           "uninstall"};

    for (size_t k = 0; k < sizeof(taken) / sizeof(taken[0]); k++) {
        if (strcmp(name, taken[k]) == 0) return true;
    }
    return false;
}

/** The last part of the path, which names the project. */
static hit_status name_of(const char *folder, const char **name)
{
    const char *slash = strrchr(folder, '/');
    const char *at = slash != NULL ? slash + 1 : folder;

    *name = at;
    if (!isalpha((unsigned char)*at) || strlen(folder) > PATH / 2) at = "";
    while (isalnum((unsigned char)*at) || *at == '_' || *at == '-') {
        at++;
    }
    if (at > *name && *at == '\0' && !is_taken(*name)) return HIT_OK;
    if (at > *name && *at == '\0') {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a name for the project that CMake has no target of its "
                        "own for but found \"%s\"",
                        *name);
    }
    return HIT_FAIL(HIT_E_ARG,
                    "expected a folder whose name begins with a letter and has letters, "
                    "digits, '_' and '-' but found \"%.200s\"",
                    folder);
}

/** Print @p text with the name in place of "plate" where @p before stands in front. */
static void print_named(FILE *out, const char *text, const char *before, const char *name)
{
    char from[32];
    const char *next;

    (void)snprintf(from, sizeof(from), "%splate", before);
    while ((next = strstr(text, from)) != NULL) {
        (void)fwrite(text, 1, (size_t)(next - text), out);
        (void)fputs(before, out);
        (void)fputs(name, out);
        text = next + strlen(from);
    }
    (void)fputs(text, out);
}

static hit_status copy_file(int file, const char *from, const char *folder,
                            const char *name)
{
    char path[PATH];
    char *text;
    hit_draft draft;
    hit_status st;

    (void)snprintf(path, sizeof(path), "%s/%s", from, files[file].name);
    HIT_TRY(hit_lines_load(path, "a file of a project", &text));
    (void)snprintf(path, sizeof(path), "%s/%s", folder, files[file].name);
    st = hit_draft_open(path, &draft);
    if (st == HIT_OK) {
        print_named(draft.stream, text, files[file].before, name);
        hit_say(stdout, "%s\n", path);
        st = hit_draft_close(&draft, HIT_OK);
    }
    free(text);
    return st;
}

static hit_status make(const char *folder, const char *name, const char *from)
{
    if (mkdir(folder, 0777) != 0) {
        return HIT_FAIL(HIT_E_IO, "expected to make the folder %s: %s", folder,
                        strerror(errno));
    }
    for (int k = 0; k < FILES; k++) {
        HIT_TRY(copy_file(k, from, folder, name));
    }
    return HIT_OK;
}

/* ---- building and running ---- */

/** Say the command and run it; its output goes to @p log, if not NULL, which is printed
 * when the command fails. */
static hit_status run(char *const words[], const char *log)
{
    char why[HIT_SPAWN_TEXT];
    char line[1024];
    const char *wrong;
    FILE *found;
    int out = HIT_SPAWN_SAME;

    printf("$");
    for (int k = 0; words[k] != NULL; k++) {
        hit_say(stdout, " %s", words[k]);
    }
    printf("\n");
    (void)fflush(stdout);
    if (log != NULL) out = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    wrong = hit_tool_spawn(words, (const int[]){HIT_SPAWN_SAME, out, out}, why);
    if (out >= 0) (void)close(out);
    if (wrong == NULL) return HIT_OK;
    found = log != NULL ? fopen(log, "r") : NULL;
    while (found != NULL && fgets(line, sizeof(line), found) != NULL) {
        (void)fputs(line, stderr);
    }
    if (found != NULL) (void)fclose(found);
    return HIT_FAIL(HIT_E_IO, "%s", wrong);
}

static bool has_ninja(void)
{
    char *const words[] = {(char[]){"ninja"}, (char[]){"--version"}, NULL};
    char why[HIT_SPAWN_TEXT];

    return hit_tool_spawn(
               words, (const int[]){HIT_SPAWN_SAME, HIT_SPAWN_NOWHERE, HIT_SPAWN_NOWHERE},
               why) == NULL;
}

/** @p prefix: where hit is installed. */
static hit_status build(const char *folder, const char *name, const char *prefix)
{
    char where[PATH];
    char packages[PATH + 32];
    char program[PATH];
    char log[PATH];
    char *const ninja = getenv("CMAKE_GENERATOR") == NULL && has_ninja()
                            ? (char[]){"-GNinja"}
                            : (char[]){"-Wdev"};
    char *const configure[] = {(char[]){"cmake"}, ninja, (char[]){"-S"}, (char *)folder,
                               (char[]){"-B"},    where, packages,       NULL};
    char *const compile[] = {(char[]){"cmake"}, (char[]){"--build"}, where, NULL};
    char *const start[] = {program, NULL};

    (void)snprintf(where, sizeof(where), "%s/build", folder);
    (void)snprintf(packages, sizeof(packages), "-DCMAKE_PREFIX_PATH=%s", prefix);
    (void)snprintf(program, sizeof(program), "%s%s/build/%s",
                   strchr(folder, '/') == NULL ? "./" : "", folder, name);
    (void)snprintf(log, sizeof(log), "%s/build.log", folder);
    HIT_TRY(run(configure, log));
    HIT_TRY(run(compile, log));
    return run(start, NULL);
}

static hit_status new_project(const char *folder)
{
    char from[PATH];
    char prefix[PATH];
    const char *name;

    HIT_TRY(name_of(folder, &name));
    if (!hit_share_find(TEMPLATE, from, sizeof(from))) {
        return HIT_FAIL(HIT_E_IO,
                        "expected the project to copy in share/hit/%s: is hit "
                        "installed?",
                        TEMPLATE);
    }
    (void)snprintf(prefix, sizeof(prefix), "%.*s",
                   (int)(strlen(from) - strlen("/share/hit/" TEMPLATE)), from);
    HIT_TRY(make(folder, name, from));
    return build(folder, name, prefix);
}

int hit_tool_new(int argc, char **argv)
{
    if (argc == 2 && hit_tool_helps(argc, argv, usage)) return 0;
    if (argc != 2 || argv[1][0] == '-') {
        (void)fputs(usage, stderr);
        return 2;
    }
    return hit_tool_end("new", new_project(argv[1]), ~(1u << HIT_E_ARG));
}
