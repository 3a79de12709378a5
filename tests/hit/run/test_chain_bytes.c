/* SPDX-License-Identifier: MIT
 * Blocks over processes whose devices have small memories: what moves through these. And
 * the memory that is taken to know what launches are. */
#include "hit/base/context.h"
#include "hit/deep/deep.h"
#include "hit/run/run_impl.h"
#include "tests/hit/run/chains_scene.h"
#include "tests/support/check_main.h"

static hit_context *base; /* keeps MPI open */

static uint64_t moved_bytes(const chains_scene *s)
{
    hit_stats stats;

    hit_context_stats(s->hit, &stats);
    return stats.bytes_in + stats.bytes_out;
}

/* Margins cross, too, and rows with margins are longer, so that fewer of them fit. */
static void expect_fewer_bytes(hit_index extent, size_t memory_bytes, bool columns)
{
    const char *layout = columns ? "block:dims=1" : "block:dims=0";
    chains_scene one = chains_open_over_staged(memory_bytes, 1, layout, extent);
    chains_scene plain = chains_open_over_staged(memory_bytes, 1, layout, extent);

    HIT_MUST(hit_chain(plain.hit, HIT_CHAIN_OFF));
    for (int k = 0; k < 10; k++) {
        chains_run_star(&one);
        chains_run_star(&plain);
    }
    ck_assert_msg(moved_bytes(&one) <= moved_bytes(&plain),
                  "%d x %d, %s, in %d bytes: %llu bytes in blocks, %llu without",
                  (int)extent, (int)extent, layout, (int)memory_bytes,
                  (unsigned long long)moved_bytes(&one),
                  (unsigned long long)moved_bytes(&plain));
    chains_expect_equal(&one, &plain, "through a small memory");
    chains_close(&one);
    chains_close(&plain);
}

START_TEST(blocks_move_no_more_than_launches_alone)
{
    for (hit_index extent = 40; extent <= 160; extent += 40) {
        for (size_t bytes = 3072; bytes <= 24576; bytes *= 2) {
            expect_fewer_bytes(extent, bytes, false);
            expect_fewer_bytes(extent, bytes, true);
        }
    }
}
END_TEST

/* Launches that repeat are kept once, each with memory for its uses. */
START_TEST(the_history_takes_what_its_launches_need)
{
    chains_scene s = chains_open_over(&chains_blocked, 1, "block:dims=0", 64);
    const hit_chains *chains = s.hit->stations->recorded.block;
    size_t bytes = 0;

    ck_assert_uint_le(hit_deep_form_bytes(4), 2048);
    for (int n = 0; n < HIT_MAX_ARGS; n++) {
        ck_assert_uint_le(hit_deep_form_bytes(n + 1), hit_deep_form_bytes(n) + 512);
    }
    if (hit_size(base) > 1) {
        for (int t = 0; t < 4 * HIT_DEEP_HISTORY; t++) {
            chains_launch_star(&s, s.tile[1 - t % 2], s.tile[t % 2], 1);
        }
        for (int k = 0; k < HIT_DEEP_HISTORY; k++) {
            bytes += chains->deep->form[k].memory_bytes;
        }
        ck_assert_uint_le(bytes, 8 * hit_deep_form_bytes(2));
    }
    chains_close(&s);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("bytes of chains over processes");
    TCase *tc = tcase_create("bytes");

    tcase_set_timeout(tc, 600);
    tcase_add_test(tc, blocks_move_no_more_than_launches_alone);
    tcase_add_test(tc, the_history_takes_what_its_launches_need);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
