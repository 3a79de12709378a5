/* SPDX-License-Identifier: MIT
 * A text that one process has, or the text of its failure, on all. */
#include "hit/base/memory.h"
#include "hit/comm/comm.h"

#include <stdio.h>
#include <string.h>

/** What is sent ahead of the text. */
typedef struct envelope {
    uint64_t status;
    uint64_t size_bytes; /**< of the text, with its end */
} envelope;

/** Send or receive @p size_bytes, in pieces, so that a process without memory for the
 * text (NULL) does not leave the others waiting. */
static hit_status pass(hit_comm *comm, char *text, size_t size_bytes)
{
    const bool sends = hit_comm_rank(comm) == 0;
    char piece[4096] = {0};

    for (size_t at = 0; at < size_bytes; at += sizeof piece) {
        const size_t rest = size_bytes - at;
        const size_t now = rest < sizeof piece ? rest : sizeof piece;

        if (sends && text != NULL) memcpy(piece, text + at, now);
        HIT_TRY(hit_comm_broadcast(comm, 0, piece, now));
        if (!sends && text != NULL) memcpy(text + at, piece, now);
    }
    return HIT_OK;
}

hit_status hit_comm_share_text(hit_comm *comm, hit_status st, char **text)
{
    envelope head = {0};
    char failure[1024];
    char *sent = *text;
    hit_status passed;

    if (hit_comm_rank(comm) == 0) {
        (void)snprintf(failure, sizeof failure, "%s", hit_status_text());
        if (st != HIT_OK) sent = failure;
        head = (envelope){(uint64_t)st, strlen(sent) + 1};
    }
    HIT_TRY(hit_comm_broadcast(comm, 0, &head, sizeof head));
    if (hit_comm_rank(comm) == 0) {
        passed = pass(comm, sent, (size_t)head.size_bytes);
        return st != HIT_OK ? st : passed;
    }
    st = hit_memory_zeroed((size_t)head.size_bytes, 1, text);
    passed = pass(comm, st == HIT_OK ? *text : NULL, (size_t)head.size_bytes);
    HIT_TRY(st);
    HIT_TRY(passed);
    if (head.status == HIT_OK) return HIT_OK;
    return HIT_FAIL((hit_status)head.status, "%s", *text);
}
