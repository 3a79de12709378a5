/* SPDX-License-Identifier: MIT
 * What is said about an element that an index touches and should not. */
#include "hit/check/check_impl.h"

void hit_check_undeclared(hit_checker *c, int k, const hit_index at[],
                          const hit_touched *touched)
{
    const hit_pattern *pattern = &c->replica->pattern[k];
    const hit_domain *tile = &c->replica->arg[k].domain;
    char text[200];

    if (!hit_check_begin(c, k, at)) return;
    hit_replica_print_index(tile->dims, touched->at, text, sizeof(text));
    hit_report_add(c->report, "touches %s, but \"%s\" is", text,
                   c->replica->kernel->arg[k].pattern);
    for (int a = 0; a < pattern->count && a < 4; a++) {
        hit_domain_print(&c->box[k][a], text, sizeof(text));
        hit_report_add(c->report, "%s %s", a > 0 ? " and" : "", text);
    }
    hit_report_add(c->report, "%s there", pattern->count > 4 ? " ..." : "");
    if (!hit_domain_has(tile, touched->at)) {
        hit_domain_print(tile, text, sizeof(text));
        hit_report_add(c->report, ", and the tile is %s", text);
    }
    hit_check_end(c, k);
}

/* The index that touched a cell before: its number in the order of visits. */
void hit_check_shared(hit_checker *c, int k, const hit_index at[],
                      const hit_touched *touched)
{
    hit_index other = c->owner[k][touched->cell] - 1;
    const hit_domain *domain = &c->replica->index;
    hit_index first[HIT_MAX_DIMS];
    char text[100];

    if (!hit_check_begin(c, k, at)) return;
    for (int d = domain->dims - 1; d >= 0; d--) {
        first[d] = hit_sig_at(domain->sig[d], other % hit_sig_count(domain->sig[d]));
        other /= hit_sig_count(domain->sig[d]);
    }
    hit_replica_print_index(domain->dims, first, text, sizeof(text));
    hit_report_add(c->report, "and index %s both touch ", text);
    hit_replica_print_index(c->replica->arg[k].domain.dims, touched->at, text,
                            sizeof(text));
    hit_report_add(c->report,
                   "%s, which is written: give each index elements of its own, or write "
                   "mode sum, min or max",
                   text);
}

void hit_check_fresh(hit_checker *c, int k, const hit_index at[],
                     const hit_touched *touched)
{
    char text[100];

    if (!c->replica->arg[k].fresh) return;
    if (c->touches[k] > 1 || !hit_check_begin(c, k, at)) return;
    hit_replica_print_index(c->replica->arg[k].domain.dims, touched->at, text,
                            sizeof(text));
    hit_report_add(c->report,
                   "reads %s, but nothing has been written to the tile: fill it first",
                   text);
}
