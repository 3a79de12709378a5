/* One step of heat in a plate: each element follows its four neighbours. */
#include "hit/kernel.h"

HIT_OPERATIONS(heat, 7);
HIT_KERNEL(heat, (i, j), (out, float, next, "[i, j]"),
           (in, float, now, "[i-1:i+1, j] [i, j-1:j+1]"), (value, float, c))
{
    hit(next, i, j) = hit(now, i, j) +
                      c * (hit(now, i - 1, j) + hit(now, i + 1, j) + hit(now, i, j - 1) +
                           hit(now, i, j + 1) - 4.0f * hit(now, i, j));
}
