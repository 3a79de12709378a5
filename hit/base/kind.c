/* SPDX-License-Identifier: MIT
 * Names of element types, for messages. */
#include "hit/base/kind.h"

const char *hit_kind_name(hit_kind kind)
{
    switch (kind) {
    case HIT_KIND_FLOAT:
        return "float";
    case HIT_KIND_DOUBLE:
        return "double";
    case HIT_KIND_INT32:
        return "int32";
    case HIT_KIND_INT64:
        return "int64";
    case HIT_KIND_UINT8:
        return "uint8";
    case HIT_KIND_BYTES:
        break;
    }
    return "plain bytes";
}
