/* SPDX-License-Identifier: MIT
 * Random chains on several played devices: what is not brought in is not there, and the
 * host has the results of the devices that ran before. */
#include "hit/chain/spread.h"
#include "hit/data/domain_set.h"
#include "tests/hit/chain/chain_case.h"
#include "tests/support/check_main.h"

#include <string.h>

static const uint64_t nothing = UINT64_C(0xBADBADBADBADBADB);

enum {
    SHARES = 4 /* at most */
};

/* How a device goes wrong. */
typedef enum fault {
    NONE,
    LESS_BELOW, /* a launch runs one row less */
    LESS_ABOVE,
    NO_HALOS, /* what others have around its rows is read as it is now */
    FAULTS
} fault;

/* The host's memory, that of one device, and the host's before any device ran. */
typedef struct played {
    const chain_case *c;
    const hit_chain_cut *cut;
    const hit_chain_share *share; /* of the device that runs */
    chain_memory host;
    chain_memory before;
    chain_memory device;
    unsigned char out[CASE_STORAGES][CASE_ELEMENTS];
    uint64_t bytes;
    bool halos;
    bool good;
} played;

/* Does the device have a copy of what was there before? */
static bool is_copied(const played *p, int s, const hit_index at[])
{
    for (int side = 0; side < HIT_CHAIN_SIDES; side++) {
        const hit_domain halo =
            hit_chain_cut_halo(p->cut, p->share, s, (hit_chain_side)side);

        if (p->halos && hit_domain_has(&halo, at)) return true;
    }
    return false;
}

/* Each element has one side. */
static bool has_one_side(const played *p, int s, const hit_domain *box)
{
    hit_index count = 0;

    for (int side = 0; side < HIT_CHAIN_SIDES; side++) {
        const hit_domain some =
            hit_chain_share_side(p->share, s, *box, (hit_chain_side)side);

        count += hit_domain_is_empty(&some) ? 0 : hit_domain_count(&some);
    }
    return count == hit_domain_count(box);
}

static void bring(played *p, int s, const hit_domain *box)
{
    hit_index at[HIT_MAX_DIMS];

    p->good = p->good && has_one_side(p, s, box);
    for (bool more = hit_domain_first(box, at); more; more = hit_domain_next(box, at)) {
        const hit_index k = chain_case_element(p->c, s, at);

        p->device.element[s][k] =
            (is_copied(p, s, at) ? &p->before : &p->host)->element[s][k];
        p->bytes += 4;
    }
}

static void send(played *p, int s, const hit_domain *box)
{
    hit_index at[HIT_MAX_DIMS];

    for (bool more = hit_domain_first(box, at); more; more = hit_domain_next(box, at)) {
        const hit_index k = chain_case_element(p->c, s, at);

        p->good = p->good && ++p->out[s][k] == 1;
        p->host.element[s][k] = p->device.element[s][k];
        p->bytes += 4;
    }
}

/* What is no longer in a band is lost. */
static void forget(played *p, int s, hit_index piece)
{
    const hit_domain all = p->c->tile[s];
    const hit_domain now = hit_chain_band_at(&p->share->plan, s, piece);
    hit_index at[HIT_MAX_DIMS];

    for (bool more = hit_domain_first(&all, at); more; more = hit_domain_next(&all, at)) {
        if (hit_domain_has(&now, at)) continue;
        p->device.element[s][chain_case_element(p->c, s, at)] = nothing;
    }
}

static void run_piece(played *p, hit_index piece)
{
    const hit_chain_stream *stream = &p->share->plan;

    for (int l = stream->first; l < stream->first + stream->launches; l++) {
        hit_domain box = p->c->launch[l].domain;
        const int index = p->c->chain.place[l].index[0];
        hit_index begin;
        hit_index end;

        if (!hit_chain_stream_positions(stream, l, piece, &begin, &end)) continue;
        if (index >= 0) box.sig[index] = hit_sig_make(begin, end, 1);
        (void)chain_case_run_box(p->c, l, &box, &p->device);
    }
}

static void run_share(played *p)
{
    const hit_chain_stream *stream = &p->share->plan;
    hit_domain box[HIT_CHAIN_BOXES];

    memset(&p->device, 0xBA, sizeof(p->device));
    for (hit_index piece = 0; piece < stream->pieces; piece++) {
        for (int s = 0; s < CASE_STORAGES; s++) {
            int boxes;

            if (!stream->band[s].used) continue;
            forget(p, s, piece);
            boxes = hit_chain_band_incoming(stream, s, piece, box);
            for (int k = 0; k < boxes; k++) {
                bring(p, s, &box[k]);
            }
        }
        run_piece(p, piece);
        for (int s = 0; s < CASE_STORAGES; s++) {
            const int boxes =
                stream->band[s].used ? hit_chain_band_outgoing(stream, s, piece, box) : 0;

            for (int k = 0; k < boxes; k++) {
                send(p, s, &box[k]);
            }
        }
    }
}

/* Is what need not go out all that differs? */
static bool is_equal(const played *p, const hit_chain_stream_request *r,
                     const chain_memory *expected)
{
    hit_index at[HIT_MAX_DIMS];

    for (int s = 0; s < CASE_STORAGES; s++) {
        const hit_domain all = p->c->tile[s];

        for (bool more = hit_domain_first(&all, at); more;
             more = hit_domain_next(&all, at)) {
            const hit_index k = chain_case_element(p->c, s, at);

            if (r->dead != NULL && hit_domain_has(&r->dead[s], at)) continue;
            if (expected->element[s][k] != p->host.element[s][k]) return false;
        }
    }
    return true;
}

/* The devices run one after the other, the last one first or last. */
static bool is_right(const chain_case *c, const hit_chain_stream_request *r,
                     const hit_chain_cut *cut, bool backwards, bool halos)
{
    static played p;
    static chain_memory expected;

    memset(&p, 0, sizeof(p));
    p.c = c;
    p.cut = cut;
    p.good = true;
    p.halos = halos;
    chain_case_fill(&p.host);
    chain_case_fill(&p.before);
    chain_case_fill(&expected);
    for (int l = r->first; l < r->first + r->launches; l++) {
        (void)chain_case_run_box(c, l, &c->launch[l].domain, &expected);
    }
    for (int k = 0; k < cut->shares; k++) {
        p.share = &cut->share[backwards ? cut->shares - 1 - k : k];
        if (p.share->runs) run_share(&p);
    }
    return p.good && p.bytes == hit_chain_cut_bytes(cut) && is_equal(&p, r, &expected);
}

static hit_chain_cut *random_cut(hit_random *random)
{
    const int shares = (int)hit_random_index(random, 1, SHARES);
    hit_chain_cut *cut = NULL;

    ck_assert_int_eq(hit_chain_cut_create(shares, &cut), HIT_OK);
    for (int k = 0; k < shares; k++) {
        cut->weight[k] = hit_random_index(random, 1, 3);
    }
    return cut;
}

static int running(const hit_chain_cut *cut)
{
    int count = 0;

    for (int k = 0; k < cut->shares; k++) {
        count += cut->share[k].runs;
    }
    return count;
}

START_TEST(devices_give_the_results_of_one_launch_after_the_other)
{
    hit_random random = hit_random_start(1);
    const int cases = hit_random_cases(600);
    int several = 0;
    int refused = 0;

    for (int k = 0; k < cases; k++) {
        hit_domain dead[HIT_CHAIN_STORAGES];
        hit_chain_cut *cut = random_cut(&random);
        chain_case c;

        chain_case_make(&random, false, &c);
        if (c.launches > 0) {
            const hit_chain_stream_request request =
                chain_case_request(&random, &c, 1000, 4, dead);

            if (hit_chain_cut_refused(&c.chain, c.list, c.launches) != NULL) {
                refused++;
            } else if (hit_chain_cut_plan(cut, &request)) {
                several += running(cut) > 1 && request.launches > 1;
                for (int back = 0; back < 2; back++) {
                    ck_assert_msg(is_right(&c, &request, cut, back > 0, true),
                                  "wrong in case %d", k);
                }
            }
        }
        chain_case_clear(&c);
        hit_chain_cut_destroy(&cut);
    }
    ck_assert_int_gt(several, cases / 8);
    ck_assert_int_lt(refused, cases / 4);
}
END_TEST

/* ---- numbers that are wrong by one ---- */

/* A device that is not the first, or the last, runs one row less of a launch. False: it
 * runs none at that end. */
static bool spoil(hit_random *random, const hit_chain_stream_request *r,
                  hit_chain_cut *cut, fault how)
{
    const int share = (int)hit_random_index(random, 0, cut->shares - 1);
    const int l = r->first + (int)hit_random_index(random, 0, r->launches - 1);
    hit_chain_share *of = &cut->share[share];
    const hit_chain_place *all = &r->chain->place[l];
    hit_chain_place *place;

    if (!of->runs || of->narrow == NULL) return false;
    if (how == NO_HALOS) return true;
    place = &of->narrow->chain.place[l];
    if (place->index[0] < 0 || place->begin[0] > place->end[0]) return false;
    if (how == LESS_BELOW) return ++place->begin[0] > all->begin[0] + 1;
    return --place->end[0] < all->end[0] - 1;
}

static int count_wrong(fault how, int cases, int *tried)
{
    hit_random random = hit_random_start(2);
    int wrong = 0;

    *tried = 0;
    for (int k = 0; k < cases; k++) {
        hit_chain_cut *cut = random_cut(&random);
        chain_case c;

        chain_case_make(&random, false, &c);
        if (c.launches > 1 &&
            hit_chain_cut_refused(&c.chain, c.list, c.launches) == NULL) {
            const hit_chain_stream_request request = {.chain = &c.chain,
                                                      .launch = c.list,
                                                      .launches = c.launches,
                                                      .limit_bytes = 40000,
                                                      .async = c.launches % 2 == 0};

            if (hit_chain_cut_plan(cut, &request) && spoil(&random, &request, cut, how)) {
                const bool halos = how != NO_HALOS;

                (*tried)++;
                wrong += !is_right(&c, &request, cut, false, halos) ||
                         !is_right(&c, &request, cut, true, halos);
            }
        }
        chain_case_clear(&c);
        hit_chain_cut_destroy(&cut);
    }
    return wrong;
}

/* Not always: a later launch may read elsewhere, or a launch meet no other one. */
START_TEST(a_margin_that_is_wrong_by_one_gives_wrong_results)
{
    const int cases = hit_random_cases(400);

    for (int how = LESS_BELOW; how < FAULTS; how++) {
        int tried;
        const int wrong = count_wrong((fault)how, cases, &tried);

        ck_assert_int_gt(tried, cases / 8);
        ck_assert_msg(wrong > tried / 3, "fault %d: %d of %d", how, wrong, tried);
    }
}
END_TEST

/* ---- how many at a time ---- */

START_TEST(a_group_is_the_best_that_fits)
{
    hit_random random = hit_random_start(3);
    int several = 0;

    for (int k = 0; k < hit_random_cases(200); k++) {
        hit_chain_cut *cut = random_cut(&random);
        chain_case c;

        chain_case_make(&random, false, &c);
        if (c.launches > 1 &&
            hit_chain_cut_refused(&c.chain, c.list, c.launches) == NULL) {
            hit_chain_stream_request request = {.chain = &c.chain,
                                                .launch = c.list,
                                                .launches = c.launches,
                                                .async = c.launches % 2 == 0};

            request.limit_bytes = (size_t)hit_random_index(&random, 100, 20000);
            request.launches = hit_chain_cut_group(cut, &request, 1);
            several += request.launches > 1;
            if (request.launches > 0) {
                ck_assert(hit_chain_cut_plan(cut, &request));
            } else {
                request.launches = 1;
                ck_assert(!hit_chain_cut_plan(cut, &request));
            }
        }
        chain_case_clear(&c);
        hit_chain_cut_destroy(&cut);
    }
    ck_assert_int_gt(several, 20);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("chains that are cut");
    TCase *tc = tcase_create("cut");

    tcase_set_timeout(tc, 600);
    tcase_add_test(tc, devices_give_the_results_of_one_launch_after_the_other);
    tcase_add_test(tc, a_margin_that_is_wrong_by_one_gives_wrong_results);
    tcase_add_test(tc, a_group_is_the_best_that_fits);
    suite_add_tcase(s, tc);
    return s;
}

int main(void)
{
    return check_run(suite());
}
