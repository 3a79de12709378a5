/* SPDX-License-Identifier: MIT
 * The command-line tool: finds the subcommand. A new one is one file and one line in the
 * table. */
#include "hit/base/file.h"
#include "hit/base/quote.h"
#include "hit/base/registry.h"
#include "hit/context.h"
#include "hit/tool/tool.h"

#include <string.h>

static const struct {
    const char *name;
    const char *help;
    hit_tool_function run;
} command[] = {
    {"checkpoint", "what a checkpoint holds, and whether it is whole",
     hit_tool_checkpoint},
    {"fit", "the fewest processes on which a program fits in memory", hit_tool_fit},
    {"infer", "the annotations that fit the kernels of a program", hit_tool_infer},
    {"info", "what this build can do, and what this machine has", hit_tool_info},
    {"layout", "who owns what, as text or as a picture", hit_tool_layout},
    {"model", "how fast kernels are: measure, list, show, plot", hit_tool_model},
    {"new", "a project of your own, built and run", hit_tool_new},
    {"partition", "who gets how much, from models of speed", hit_tool_partition},
    {"plan", "how a kernel is cut to fit a device's memory", hit_tool_plan},
    {"schedule", "tasks of a factorisation on a machine, in virtual time",
     hit_tool_schedule},
    {"trace", "what a run did when, as a picture", hit_tool_trace},
};
enum {
    COMMANDS = sizeof(command) / sizeof(command[0])
};

static void print_usage(FILE *out)
{
    (void)fprintf(out,
                  "usage: hit [--help | --version] COMMAND [OPTION...]\n\ncommands:\n");
    for (int c = 0; c < COMMANDS; c++) {
        hit_say(out, "  %-10s %s\n", command[c].name, command[c].help);
    }
    (void)fprintf(out, "\n\"hit help COMMAND\" says more.\n");
}

static int run(int argc, char **argv)
{
    hit_names names;

    if (argc < 2) {
        print_usage(stderr);
        return 2;
    }
    if (strcmp(argv[1], "help") == 0 && argc > 2) {
        char *words[] = {argv[0], argv[2], (char[]){"--help"}, NULL};

        return run(3, words);
    }
    if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 ||
        strcmp(argv[1], "-h") == 0) {
        print_usage(stdout);
        return 0;
    }
    if (strcmp(argv[1], "--version") == 0) {
        hit_say(stdout, "hit %s\n", hit_version());
        return 0;
    }
    for (int c = 0; c < COMMANDS; c++) {
        if (strcmp(argv[1], command[c].name) == 0) {
            return command[c].run(argc - 1, argv + 1);
        }
    }
    hit_names_begin(&names, argv[1], strlen(argv[1]));
    hit_names_add(&names, "help");
    for (int c = 0; c < COMMANDS; c++) {
        hit_names_add(&names, command[c].name);
    }
    hit_say(stderr, "hit: no command \"%s\"%s\n", argv[1], hit_names_hint(&names));
    print_usage(stderr);
    return 2;
}

int main(int argc, char **argv)
{
    const int code = run(argc, argv);

    if (hit_file_check(stdout, "standard output") == HIT_OK) return code;
    hit_say(stderr, "hit: %s\n", hit_status_text());
    return code != 0 ? code : 1;
}
