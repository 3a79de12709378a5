/* SPDX-License-Identifier: MIT
 * HIT_VERSION comes from CMakeLists.txt. */
#include "hit/base/version.h"

const char *hit_version(void)
{
    return HIT_VERSION;
}
