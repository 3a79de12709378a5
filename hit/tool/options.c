/* SPDX-License-Identifier: MIT
 * The words of the command line: "--name value", "--name=value", and kernels that come
 * with the library, also by short names. */
#include "hit/base/input.h"
#include "hit/base/quote.h"
#include "hit/base/registry.h"
#include "hit/launch/catalogue.h"
#include "hit/tool/tool.h"

#include <math.h>
#include <string.h>

enum {
    COLUMNS = 90 /* of a terminal */
};

bool hit_tool_helps(int argc, char **argv, const char *usage)
{
    for (int a = 1; a < argc; a++) {
        if (strcmp(argv[a], "--help") != 0 && strcmp(argv[a], "-h") != 0) continue;
        (void)fputs(usage, stdout);
        return true;
    }
    return false;
}

bool hit_tool_helps_first(int argc, char **argv, const char *usage)
{
    return argc > 1 && hit_tool_helps(2, argv, usage);
}

hit_status hit_tool_read_option(int argc, char **argv, int *at,
                                const hit_tool_option known[])
{
    const char *text = argv[*at];
    hit_names names;

    for (const hit_tool_option *k = known; k->name != NULL; k++) {
        if (k->value != NULL && hit_option_is(text, k->name, k->value)) return HIT_OK;
        if (strcmp(k->name, text) != 0) continue;
        if (k->flag != NULL) *k->flag = true;
        if (k->value == NULL) return HIT_OK;
        if (*at + 1 == argc) {
            return HIT_FAIL(HIT_E_ARG, "expected a value after %s", text);
        }
        *k->value = argv[++*at];
        return HIT_OK;
    }
    hit_names_begin(&names, text, strcspn(text, "="));
    for (const hit_tool_option *k = known; k->name != NULL; k++) {
        hit_names_add(&names, k->name);
    }
    return HIT_FAIL(HIT_E_ARG, "no option %s%s", text, hit_names_hint(&names));
}

void hit_tool_read_flags(int argc, char **argv, const hit_tool_option known[])
{
    for (const hit_tool_option *k = known; k->name != NULL; k++) {
        for (int a = 1; a < argc && k->flag != NULL; a++) {
            if (strcmp(argv[a], k->name) == 0) *k->flag = true;
        }
    }
}

hit_status hit_tool_read_words(int argc, char **argv, const hit_tool_option known[],
                               int plains, const char **const plain[], const char *what)
{
    int found = 0;

    hit_tool_read_flags(argc, argv, known);
    for (int a = 1; a < argc; a++) {
        if (strncmp(argv[a], "--", 2) == 0) {
            HIT_TRY(hit_tool_read_option(argc, argv, &a, known));
        } else if (found < plains) {
            *plain[found++] = argv[a];
        } else {
            return HIT_FAIL(HIT_E_ARG, "expected one %s but found %s and %s", what,
                            *plain[plains - 1], argv[a]);
        }
    }
    return HIT_OK;
}

void hit_tool_print_failure(const char *command, bool json, const char *status)
{
    hit_json line = {.file = stdout};

    if (json) {
        hit_json_object(&line, NULL);
        hit_json_text(&line, "status", status);
        hit_json_text(&line, "message", hit_status_text());
        hit_json_end_line(&line);
    } else {
        hit_say(stderr, "hit %s: %s\n", command, hit_status_text());
    }
}

int hit_tool_end(const char *command, hit_status status, unsigned no)
{
    if (status == HIT_OK) return 0;
    hit_tool_print_failure(command, false, NULL);
    return (no >> status & 1u) != 0 ? 1 : 2;
}

hit_json hit_tool_ok(void)
{
    hit_json line = {.file = stdout};

    hit_json_object(&line, NULL);
    hit_json_text(&line, "status", "ok");
    return line;
}

const char *hit_tool_colour(int number, double hue, double light, char text[8])
{
    const double turn = 6.283185307179586;
    unsigned shade[3];

    for (int channel = 0; channel < 3; channel++) {
        const double at = fmod(hue + number * 0.381966, 1.0) + channel / 3.0;

        shade[channel] = (unsigned)(light + 55.0 * cos(turn * at));
    }
    (void)snprintf(text, 8, "#%02x%02x%02x", shade[0], shade[1], shade[2]);
    return text;
}

hit_status hit_tool_check_svg(const char *path)
{
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;
    const char *name = slash != NULL ? slash + 1 : path;
    const char *ending = name != NULL ? strrchr(name, '.') : NULL;

    if (ending == NULL || ending == name || strcmp(ending, ".svg") == 0) return HIT_OK;
    return HIT_FAIL(
        HIT_E_ARG, "pictures are SVG: expected a name that ends in .svg but found \"%s\"",
        path);
}

void hit_tool_print_item(int width, const char *name, const char *help)
{
    const size_t room = (size_t)(COLUMNS - width - 3);

    while (strlen(help) > room) {
        size_t length = room;

        while (length > 0 && help[length] != ' ') {
            length--;
        }
        if (length == 0) break;
        hit_say(stdout, "  %-*s %.*s\n", width, name, (int)length, help);
        name = "";
        help += length + 1;
    }
    hit_say(stdout, "  %-*s %s\n", width, name, help);
}

static const struct {
    const char *alias;
    const char *name;
} aliases[] = {{"vector", "vector_add"}};

hit_status hit_tool_find_kernel(const char *text, const char *wanted,
                                const hit_kernel **kernel)
{
    const char *name = text;
    char typed[128];

    for (size_t a = 0; a < sizeof(aliases) / sizeof(aliases[0]); a++) {
        if (strcmp(name, aliases[a].alias) == 0) name = aliases[a].name;
    }
    (void)snprintf(typed, sizeof(typed), "%s_%s", name, wanted != NULL ? wanted : "");
    if (wanted != NULL && hit_kernel_find(NULL, typed, kernel) == HIT_OK) return HIT_OK;
    return hit_kernel_find(NULL, name, kernel);
}
