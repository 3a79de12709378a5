/* SPDX-License-Identifier: MIT
 * Internal: plans of messages as text. */
#ifndef HIT_COMM_MESSAGE_PRINT_H
#define HIT_COMM_MESSAGE_PRINT_H

#include "hit/comm/message.h"

/** Stable text. Never more than @p size bytes. */
void hit_message_plan_print(const hit_message_plan *plan, char *text, size_t size);

#endif
