/* SPDX-License-Identifier: MIT
 * JSON as it is written: where a comma stands, and how text and numbers look. */
#include "hit/base/json.h"

#include "hit/base/quote.h"
#include "hit/base/text.h"

#include <inttypes.h>
#include <math.h>

static uint32_t level(const hit_json *json)
{
    return UINT32_C(1) << json->depth;
}

/* What stands before a value. */
static void begin(hit_json *json, const char *key)
{
    if (json->more & level(json)) (void)fputs(", ", json->file);
    if (json->depth > 0) json->more |= level(json);
    if (key != NULL) hit_quote_write(json->file, HIT_LANGUAGE_JSON, "%s: ", key);
}

static void open(hit_json *json, const char *key, bool list)
{
    begin(json, key);
    (void)fputc(list ? '[' : '{', json->file);
    json->depth++;
    json->more &= ~level(json);
    json->lists = list ? json->lists | level(json) : json->lists & ~level(json);
}

void hit_json_object(hit_json *json, const char *key)
{
    open(json, key, false);
}

void hit_json_list(hit_json *json, const char *key)
{
    open(json, key, true);
}

void hit_json_end(hit_json *json)
{
    (void)fputc(json->lists & level(json) ? ']' : '}', json->file);
    json->depth--;
}

void hit_json_end_line(hit_json *json)
{
    while (json->depth > 0) {
        hit_json_end(json);
    }
    (void)fputc('\n', json->file);
}

void hit_json_text(hit_json *json, const char *key, const char *text)
{
    begin(json, key);
    if (text == NULL) {
        (void)fputs("null", json->file);
    } else {
        hit_quote_write(json->file, HIT_LANGUAGE_JSON, "%s", text);
    }
}

void hit_json_whole(hit_json *json, const char *key, int64_t number)
{
    begin(json, key);
    (void)fprintf(json->file, "%" PRId64, number);
}

void hit_json_count(hit_json *json, const char *key, uint64_t number)
{
    begin(json, key);
    (void)fprintf(json->file, "%" PRIu64, number);
}

void hit_json_real(hit_json *json, const char *key, const char *format, double number)
{
    char text[512] = "null"; /* JSON has no infinity */

    begin(json, key);
    if (isfinite(number)) (void)hit_text_print(text, sizeof(text), format, number);
    (void)fputs(text, json->file);
}

void hit_json_truth(hit_json *json, const char *key, bool truth)
{
    begin(json, key);
    (void)fputs(truth ? "true" : "false", json->file);
}

void hit_json_raw(hit_json *json, const char *key, const char *text, size_t size)
{
    begin(json, key);
    (void)fwrite(text, 1, size, json->file);
}

void hit_json_indices(hit_json *json, const char *key, hit_index count,
                      const hit_index number[])
{
    hit_json_list(json, key);
    for (hit_index k = 0; k < count; k++) {
        hit_json_whole(json, NULL, number[k]);
    }
    hit_json_end(json);
}
