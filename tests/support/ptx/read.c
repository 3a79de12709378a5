/* SPDX-License-Identifier: MIT
 * Reads PTX as nvcc writes it: a statement on each line. */
#define _POSIX_C_SOURCE 200809L /* strnlen */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx.h"

enum {
    LINE = 4096,
    PARTS = 10
};

typedef struct label {
    char name[64];
    int at;
} label;

typedef struct reader {
    ptx_module *module;
    ptx_entry *entry; /* that is being read */
    ptx_change change;
    label *labels;
    int label_count;
    int line;
    bool in_body;
    bool failed;
} reader;

static void *grown(void *memory, size_t count, size_t size_bytes)
{
    void *more = memory;

    if (count % 64 == 0) more = realloc(memory, (count + 64) * size_bytes);
    if (more == NULL) abort();
    memset((char *)more + count * size_bytes, 0, size_bytes);
    return more;
}

static void refuse(reader *r, const char *format, ...)
{
    va_list list;
    int n;

    if (r->failed) return;
    r->failed = true;
    n = snprintf(r->module->why, sizeof(r->module->why), "line %d: ", r->line);
    va_start(list, format);
    (void)vsnprintf(r->module->why + n, sizeof(r->module->why) - (size_t)n, format, list);
    va_end(list);
}

static int add_row(ptx_entry *e, const char *name, ptx_origin origin, int64_t value)
{
    e->row = grown(e->row, (size_t)e->rows, sizeof(*e->row));
    snprintf(e->row[e->rows].name, sizeof(e->row[0].name), "%s", name);
    e->row[e->rows].origin = origin;
    e->row[e->rows].value = value;
    return e->rows++;
}

static int find_row(const ptx_entry *e, const char *name)
{
    for (int k = 0; k < e->rows; k++) {
        if (strcmp(e->row[k].name, name) == 0) return k;
    }
    return PTX_NONE;
}

/* 0f3F800000 and 0d3FF0000000000000 are bits of floating point numbers. */
static bool constant(const char *text, int64_t *out)
{
    char *end;

    if (text[0] == '0' && (text[1] == 'f' || text[1] == 'd')) {
        *out = (int64_t)strtoull(text + 2, &end, 16);
        return *end == '\0';
    }
    *out = text[0] == '-' ? (int64_t)strtoll(text, &end, 0)
                          : (int64_t)strtoull(text, &end, 0);
    return end != text && (*end == '\0' || (*end == 'U' && end[1] == '\0'));
}

static int row_of(reader *r, const char *text)
{
    int row = find_row(r->entry, text);
    int64_t value;

    if (row != PTX_NONE) return row;
    if (constant(text, &value)) return add_row(r->entry, text, PTX_CONSTANT, value);
    refuse(r, "operand %s is not known", text);
    return 0;
}

/* --- declarations ------------------------------------------------------------------- */

static int bits_of(const char *type)
{
    if (strcmp(type, "pred") == 0) return 8;
    return atoi(type + 1);
}

/* .reg .b64 %rd<12>; and .reg .b64 %SP; */
static void read_registers(reader *r, const char *text)
{
    char name[64];
    char one[128];
    int count;

    if (sscanf(text, ".reg .%*s %63[^<;]<%d>", name, &count) == 2) {
        for (int k = 0; k < count; k++) {
            snprintf(one, sizeof(one), "%s%d", name, k);
            add_row(r->entry, one, PTX_REGISTER, 0);
        }
    } else if (sscanf(text, ".reg .%*s %63[^;,]", name) == 1) {
        add_row(r->entry, name, PTX_REGISTER, 0);
    } else {
        refuse(r, "%s", text);
    }
}

/* .local .align 8 .b8 __local_depot0[96]; the same of .shared */
static void read_depot(reader *r, const char *text)
{
    const bool local = strncmp(text, ".local", 6) == 0;
    size_t *bytes = local ? &r->entry->local_bytes : &r->entry->shared_bytes;
    char type[8];
    char name[128];
    size_t align;
    size_t count;

    if (sscanf(text, ".%*s .align %zu .%7s %127[^[][%zu]", &align, type, name, &count) !=
        4) {
        refuse(r, "%s", text);
        return;
    }
    *bytes = (*bytes + 15) / 16 * 16; /* no type wants more */
    add_row(r->entry, name, local ? PTX_DEPOT : PTX_BLOCK, (int64_t)*bytes);
    *bytes += count * (size_t)bits_of(type) / 8;
}

/* .param .align 8 .b8 name[224], or .param .u64 name, */
static void read_param(reader *r, const char *text)
{
    ptx_entry *e = r->entry;
    ptx_param *p = &e->param[e->params];
    char type[8];
    char name[128];
    size_t align = 0;
    size_t count = 1;

    if (sscanf(text, ".param .align %zu .%7s %127[^[][%zu]", &align, type, name,
               &count) != 4 &&
        sscanf(text, ".param .%7s %127[^,]", type, name) != 2) {
        refuse(r, "%s", text);
        return;
    }
    if (e->params == (int)(sizeof(e->param) / sizeof(e->param[0]))) {
        refuse(r, "more parameters than expected");
        return;
    }
    if (align == 0) align = (size_t)bits_of(type) / 8;
    p->size_bytes = count * (size_t)bits_of(type) / 8;
    p->offset = (e->param_bytes + align - 1) / align * align;
    e->param_bytes = p->offset + p->size_bytes;
    e->params++;
    add_row(e, name, PTX_PARAMETER, (int64_t)p->offset);
}

static void read_entry(reader *r, const char *text)
{
    static const char *const threads[PTX_FIRST_ROW] = {
        "%tid.x",   "%tid.y",   "%tid.z",   "%ntid.x",   "%ntid.y",   "%ntid.z",
        "%ctaid.x", "%ctaid.y", "%ctaid.z", "%nctaid.x", "%nctaid.y", "%nctaid.z"};
    ptx_module *m = r->module;

    m->entry = grown(m->entry, (size_t)m->entries, sizeof(*m->entry));
    r->entry = &m->entry[m->entries++];
    r->entry->most_threads = 1024;
    r->label_count = 0;
    for (int k = 0; k < PTX_FIRST_ROW; k++) {
        add_row(r->entry, threads[k], PTX_THREAD, 0);
    }
    if (sscanf(strstr(text, ".entry"), ".entry %1023[^(]", r->entry->name) != 1) {
        refuse(r, "%s", text);
    }
}

/* --- instructions ------------------------------------------------------------------- */

/* Splits at each of `between`; answers how many parts there are. */
static int split(char *text, const char *between, char *part[PARTS])
{
    char *rest = NULL;
    int count = 0;

    for (char *one = strtok_r(text, between, &rest); one != NULL && count < PARTS;
         one = strtok_r(NULL, between, &rest)) {
        part[count++] = one;
    }
    return count;
}

/* ld.global.nc.v2.f32: what is between the dots. */
static void read_kind(reader *r, ptx_instruction *one, const char *name)
{
    static const char *const spaces[] = {NULL,     "param",  "local",
                                         "shared", "global", "nc"};
    char copy[128];
    char *part[PARTS];
    int parts;

    snprintf(copy, sizeof(copy), "%s", name);
    parts = split(copy, ".", part);
    one->count = 1;
    if (parts < 2) {
        refuse(r, "%s: of what type?", name);
        return;
    }
    for (int k = 1; k < parts - 1; k++) {
        bool known = strcmp(part[k], "v2") == 0 || strcmp(part[k], "v4") == 0;
        if (known) one->count = part[k][1] - '0';
        for (int s = PTX_PARAM; s <= (int)PTX_READ_ONLY; s++) {
            if (strcmp(part[k], spaces[s]) != 0) continue;
            one->space = (ptx_space)s;
            known = true;
        }
        if (!known) refuse(r, "%s: .%s is not known", name, part[k]);
    }
    one->bytes = bits_of(part[parts - 1]) / 8;
    one->is_signed = part[parts - 1][0] == 's';
    if (one->bytes != 1 && one->bytes != 2 && one->bytes != 4 && one->bytes != 8) {
        refuse(r, "%s: of what type?", name);
    }
}

/* [%rd1+-16] */
static void read_address(reader *r, ptx_instruction *one, char *text)
{
    char *plus = strchr(text, '+');

    if (plus != NULL) {
        one->offset = strtoll(plus + 1, NULL, 0);
        *plus = '\0';
    }
    one->from[0] = row_of(r, text);
    one->reads = 1;
}

/* ld.global.f32 %f1, [%rd4]; st.global.v2.f32 [%rd4], {%f1, %f2}; */
static void read_access(reader *r, ptx_instruction *one, const char *name, char *operands)
{
    const bool loads = name[0] == 'l';
    char *part[PARTS];
    int parts;

    read_kind(r, one, name);
    one->execute = loads ? ptx_load : ptx_store;
    parts = split(operands, ",[]{} \t", part);
    if (parts != one->count + 1) {
        refuse(r, "%s with %d operands", name, parts);
        return;
    }
    read_address(r, one, loads ? part[parts - 1] : part[0]);
    for (int k = 0; k < one->count; k++) {
        one->to[k] = row_of(r, part[loads ? k : k + 1]);
    }
}

static int label_of(reader *r, const char *name)
{
    for (int k = 0; k < r->label_count; k++) {
        if (strcmp(r->labels[k].name, name) == 0) return k;
    }
    r->labels = grown(r->labels, (size_t)r->label_count, sizeof(*r->labels));
    snprintf(r->labels[r->label_count].name, sizeof(r->labels[0].name), "%s", name);
    r->labels[r->label_count].at = PTX_NONE;
    return r->label_count++;
}

/* add.s64 %rd1, %rd2, 8; */
static void read_arithmetic(reader *r, ptx_instruction *one, const char *name,
                            char *operands)
{
    char *part[PARTS];
    int wanted = 0;
    int parts = split(operands, ", \t", part);

    one->execute = ptx_operation(name, &wanted);
    if (one->execute == NULL || parts != wanted + 1 || strchr(part[0], '|') != NULL) {
        refuse(r, "%s with %d operands is not known", name, parts);
        return;
    }
    if (sscanf(name, "div.%*1[su]%d", &one->divides) == 1 ||
        sscanf(name, "rem.%*1[su]%d", &one->divides) == 1) {
        one->divides /= 8;
    }
    one->to[0] = row_of(r, part[0]);
    one->count = 1;
    one->reads = wanted;
    for (int k = 0; k < wanted; k++) {
        one->from[k] = row_of(r, part[k + 1]);
    }
}

/* The executors of what moves the lanes are in warp.c. */
static bool read_control(reader *r, ptx_instruction *one, const char *name,
                         const char *operands)
{
    char target[64];

    if (strcmp(name, "ret") == 0 || strcmp(name, "exit") == 0) {
        one->execute = ptx_return;
        return true;
    }
    if (strcmp(name, "bar.sync") == 0 || strcmp(name, "barrier.sync") == 0) {
        one->execute = ptx_barrier;
        r->entry->has_barrier = true;
        return true;
    }
    if (strcmp(name, "bra") != 0 && strcmp(name, "bra.uni") != 0) return false;
    if (sscanf(operands, " %63s", target) != 1) refuse(r, "branch without a label");
    one->execute = ptx_branch;
    one->target = label_of(r, target);
    return true;
}

static void read_instruction(reader *r, char *text)
{
    ptx_entry *e = r->entry;
    char guard[64];
    char name[64];
    int used = 0;
    ptx_instruction *one;

    e->code = grown(e->code, (size_t)e->count, sizeof(*e->code));
    one = &e->code[e->count++];
    one->guard = PTX_NONE;
    one->line = r->line;
    snprintf(one->text, sizeof(one->text), "%s", text);
    if (sscanf(text, "@%63s %n", guard, &used) == 1) {
        one->negated = guard[0] == '!';
        one->guard = row_of(r, guard + one->negated);
        text += used;
    }
    if (sscanf(text, "%63s %n", name, &used) != 1) return;
    text += used;
    if (read_control(r, one, name, text)) return;
    if (strncmp(name, "ld.", 3) == 0 || strncmp(name, "st.", 3) == 0) {
        read_access(r, one, name, text);
    } else {
        read_arithmetic(r, one, name, text);
    }
}

/* --- lines -------------------------------------------------------------------------- */

static void end_entry(reader *r)
{
    ptx_entry *e = r->entry;

    for (int k = 0; k < e->count; k++) {
        if (e->code[k].execute != ptx_branch) continue;
        e->code[k].target = r->labels[e->code[k].target].at;
        r->line = e->code[k].line;
        if (e->code[k].target == PTX_NONE) {
            refuse(r, "a branch to a label that is missing");
        }
    }
    r->entry = NULL;
    r->in_body = false;
}

static void read_bounds(reader *r, const char *text)
{
    unsigned x = 1;
    unsigned y = 1;
    unsigned z = 1;

    if (sscanf(text, ".maxntid %u, %u, %u", &x, &y, &z) >= 1) {
        r->entry->most_threads = x * y * z;
    } else if (strncmp(text, ".minnctapersm", 13) != 0) {
        refuse(r, "%s", text);
    }
}

static void read_body(reader *r, char *text)
{
    char *end = text + strlen(text) - 1;

    if (strncmp(text, ".reg", 4) == 0) {
        read_registers(r, text);
    } else if (strncmp(text, ".local", 6) == 0 || strncmp(text, ".shared", 7) == 0) {
        read_depot(r, text);
    } else if (strncmp(text, ".loc", 4) == 0 || strncmp(text, ".pragma", 7) == 0) {
        return;
    } else if (*end == ':') {
        *end = '\0';
        const int number = label_of(r, text); /* it may move the labels */
        r->labels[number].at = r->entry->count;
    } else if (*end == ';') {
        *end = '\0';
        if (end > text) read_instruction(r, text);
    } else {
        refuse(r, "%s", text);
    }
}

static void read_line(reader *r, char *text)
{
    if (r->in_body) {
        if (strcmp(text, "}") == 0) {
            end_entry(r);
        } else {
            read_body(r, text);
        }
    } else if (strstr(text, ".entry") != NULL) {
        read_entry(r, text);
    } else if (r->entry != NULL) {
        if (strncmp(text, ".param", 6) == 0) read_param(r, text);
        if (strncmp(text, ".m", 2) == 0) read_bounds(r, text);
        if (strcmp(text, "{") == 0) r->in_body = true;
    } else if (strncmp(text, ".version", 8) != 0 && strncmp(text, ".target", 7) != 0 &&
               strncmp(text, ".address_size", 13) != 0) {
        refuse(r, "%s", text);
    }
}

/* The statement of this line, or the one that stands in its place; no comment, no blanks
 * around it. */
static char *trimmed(const reader *r, char *line, size_t room)
{
    char *comment;
    char *text = line;
    size_t n;

    if (r->entry != NULL && r->change.entry != NULL && r->line == r->change.line &&
        strcmp(r->entry->name, r->change.entry) == 0) {
        snprintf(line, room, "%s", r->change.text);
    }
    comment = strstr(line, "//");
    if (comment != NULL) *comment = '\0';
    text += strspn(text, " \t");
    n = strlen(text);
    while (n > 0 && strchr(" \t\r", text[n - 1]) != NULL) {
        text[--n] = '\0';
    }
    return text;
}

bool ptx_module_read(const char *text, size_t length, ptx_change change, ptx_module *out)
{
    reader r = {.module = out, .change = change};
    char line[LINE];

    memset(out, 0, sizeof(*out));
    length = strnlen(text, length);
    for (const char *at = text; at < text + length && !r.failed;) {
        const size_t n = strcspn(at, "\n");
        char *statement;
        r.line++;
        snprintf(line, sizeof(line), "%.*s", (int)n, at);
        at += n + (at[n] == '\n');
        statement = trimmed(&r, line, sizeof(line));
        if (*statement != '\0') read_line(&r, statement);
    }
    free(r.labels);
    return !r.failed;
}

void ptx_module_clear(ptx_module *module)
{
    for (int k = 0; k < module->entries; k++) {
        free(module->entry[k].row);
        free(module->entry[k].code);
    }
    free(module->entry);
    memset(module, 0, sizeof(*module));
}
