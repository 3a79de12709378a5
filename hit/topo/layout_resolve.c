/* SPDX-License-Identifier: MIT
 * Layouts that are decided by doubles or files: one process turns them into whole numbers
 * and tells the others. Were each to compute them, two kinds of processors in one machine
 * could round differently, own different parts, and wait for each other for ever. */
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/topo/layout_impl.h"

#include <stdlib.h>
#include <string.h>

/** What is sent ahead of the text. */
typedef struct envelope {
    uint64_t status;
    uint64_t size_bytes; /**< of the text, with its end */
} envelope;

/** Copy @p text. */
static hit_status copy_text(const char *text, char **copy)
{
    const size_t size = strlen(text) + 1;

    HIT_TRY(hit_memory_zeroed(size, 1, copy));
    memcpy(*copy, text, size);
    return HIT_OK;
}

/** The options in whole numbers, as the plug-in says. */
static hit_status resolve_here(const hit_layout_spec *wanted, const char *options,
                               char **resolved)
{
    hit_layout reading = {.ops = wanted->ops, .spec = *wanted};
    hit_status st = hit_layout_options_read(options, &reading);

    if (st == HIT_OK) st = wanted->ops->resolve(&reading.spec, resolved);
    free(reading.words);
    free(reading.text);
    if (st != HIT_OK || *resolved != NULL) return st;
    return copy_text(options != NULL ? options : "", resolved); /* they are already */
}

/** Send or receive @p size_bytes, in pieces, so that a process without memory for the
 * text (NULL) does not leave the others waiting. */
static hit_status pass_text(hit_context *context, char *text, size_t size_bytes)
{
    char piece[4096] = {0};

    for (size_t at = 0; at < size_bytes; at += sizeof piece) {
        const size_t rest = size_bytes - at;
        const size_t now = rest < sizeof piece ? rest : sizeof piece;

        if (context->rank == 0 && text != NULL) memcpy(piece, text + at, now);
        HIT_TRY(context->broadcast(context, 0, piece, now));
        if (context->rank != 0 && text != NULL) memcpy(text + at, piece, now);
    }
    return HIT_OK;
}

/** Rank 0 gives a status, and the options or the text of the failure; all others get it.
 */
static hit_status share(hit_context *context, hit_status st, char **text)
{
    envelope head = {0};
    hit_status sent;

    if (context->rank == 0) {
        head = (envelope){(uint64_t)st, strlen(*text) + 1};
    }
    HIT_TRY(context->broadcast(context, 0, &head, sizeof head));
    if (context->rank == 0) return pass_text(context, *text, (size_t)head.size_bytes);

    st = hit_memory_zeroed((size_t)head.size_bytes, 1, text);
    sent = pass_text(context, st == HIT_OK ? *text : NULL, (size_t)head.size_bytes);
    if (st != HIT_OK) return st;
    if (sent != HIT_OK) return sent;
    if (head.status == HIT_OK) return HIT_OK;
    return HIT_FAIL((hit_status)head.status, "%s", *text);
}

static hit_status resolve_on_root(hit_context *context, const hit_layout_spec *wanted,
                                  const char *options, char **resolved)
{
    hit_status st = HIT_OK;
    hit_status sent;
    char failure[1024];
    char *text = failure;

    if (context->rank != 0) return share(context, HIT_OK, resolved);
    st = resolve_here(wanted, options, resolved);
    if (st != HIT_OK) {
        strncpy(failure, hit_status_text(), sizeof failure - 1);
        failure[sizeof failure - 1] = '\0';
    }
    sent = share(context, st, st == HIT_OK ? resolved : &text);
    return st != HIT_OK ? st : sent;
}

/** Is there an option kernel=, which asks for measuring? *resolved is what that found. */
static hit_status search(hit_context *context, const hit_layout_spec *wanted,
                         const char *options, char **resolved)
{
    hit_layout reading = {.ops = wanted->ops, .spec = *wanted};
    hit_status st = hit_layout_options_read(options, &reading);

    if (st == HIT_OK && hit_layout_option(&reading.spec, "kernel", NULL) != NULL) {
        if (context == NULL || context->search == NULL) {
            st = HIT_FAIL(HIT_E_ARG,
                          "layout %s: option kernel measures, which needs the processes "
                          "of hit_layout_create()",
                          wanted->ops->name);
        } else {
            st = context->search(context, &reading.spec, resolved);
        }
    }
    free(reading.words);
    free(reading.text);
    return st;
}

hit_status hit_layout_resolve(hit_context *context, const hit_layout_spec *wanted,
                              const char *options, char **resolved)
{
    hit_status st;

    *resolved = NULL;
    if (wanted->ops->search != NULL) {
        HIT_TRY(search(context, wanted, options, resolved));
        if (*resolved != NULL) return HIT_OK;
    }
    if (wanted->ops->resolve == NULL) return HIT_OK;
    if (context != NULL && context->size > 1 && context->broadcast != NULL) {
        st = resolve_on_root(context, wanted, options, resolved);
    } else {
        st = resolve_here(wanted, options, resolved);
    }
    if (st != HIT_OK) {
        free(*resolved);
        *resolved = NULL;
    }
    return st;
}
