/* SPDX-License-Identifier: MIT
 * usage: stops OUT STEPS LAYOUT [CALL RANK]: the steps of steps_case.h, with checkpoints
 * where HIT_CHECKPOINT asks for them; writes what is there after them to OUT. Process
 * RANK is killed at its CALLth call that reads or writes a file. */
#include "tests/hit/checkpoint/steps_case.h"
#include "tests/support/faults.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
    hit_context *hit;
    steps s;

    if (argc != 4 && argc != 6) return 2;
    HIT_MUST(hit_open(NULL, NULL, &hit));
    steps_begin(&s, hit, argv[3]);
    if (argc == 6 && atoi(argv[5]) == hit_rank(hit)) {
        test_fault = (test_faults){.kind = FAULT_FILE, .kills = true};
        test_fault.fail_at = atoi(argv[4]);
        test_fault_begin();
    }
    HIT_MUST(steps_do(&s, atoi(argv[2])));
    test_fault.on = false;
    if (!steps_right(&s)) return 3;
    HIT_MUST(hit_tile_write(s.now, argv[1], NULL));
    steps_end(&s);
    hit_close(&hit);
    return 0;
}
