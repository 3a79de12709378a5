/* SPDX-License-Identifier: MIT
 * Plans of messages as text. */
#ifndef TESTS_SUPPORT_MESSAGE_PRINT_H
#define TESTS_SUPPORT_MESSAGE_PRINT_H

#include "hit/comm/message.h"

/** Stable text. Never more than @p size bytes. */
void hit_message_plan_print(const hit_message_plan *plan, char *text, size_t size);

#endif
