/* SPDX-License-Identifier: MIT
 * The text form: every rule of the grammar, every mistake with its message and the place
 * of its caret, and that what is printed is read back. */
#include "patterns/parse.h"
#include "tests/patterns/random_pattern.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"i", "j", "row", "k2"};

/* Parse a text that must be right; clear the pattern after use. */
static hit_pattern parsed(const char *text)
{
    hit_pattern pattern;
    hit_status st = hit_pattern_parse(text, HIT_MAX_DIMS, names, &pattern);

    ck_assert_msg(st == HIT_OK, "%s", hit_status_text());
    return pattern;
}

static void assert_reads_as(const char *text, const char *expected)
{
    char printed[512];
    hit_pattern pattern = parsed(text);

    hit_pattern_print(&pattern, names, printed, sizeof printed);
    ck_assert_str_eq(printed, expected);
    hit_pattern_clear(&pattern);
}

START_TEST(a_point_is_what_the_constructors_make)
{
    hit_pattern text = parsed("[i, j, row, k2]");
    hit_pattern made;

    ck_assert_int_eq(hit_pattern_point(4, &made), HIT_OK);
    ck_assert(pattern_equal(&text, &made));
    ck_assert_int_eq(text.index_dims, 4);
    hit_pattern_clear(&text);
    hit_pattern_clear(&made);
}
END_TEST

START_TEST(a_star_is_what_the_constructors_make)
{
    const hit_access arm[] = {
        {.range = {hit_range_follow(0, -1, 1), hit_range_follow(1, 0, 0)}},
        {.range = {hit_range_follow(0, 0, 0), hit_range_follow(1, -1, 1)}}};
    hit_pattern made;
    hit_pattern text;

    ck_assert_int_eq(hit_pattern_init(2, 2, &made), HIT_OK);
    ck_assert_int_eq(hit_pattern_add(&made, &arm[0]), HIT_OK);
    ck_assert_int_eq(hit_pattern_add(&made, &arm[1]), HIT_OK);
    ck_assert_int_eq(hit_pattern_parse("[i-1:i+1, j] [i, j-1:j+1]", 2, names, &text),
                     HIT_OK);
    ck_assert(pattern_equal(&text, &made));
    hit_pattern_clear(&text);
    hit_pattern_clear(&made);
}
END_TEST

START_TEST(brackets_without_ranges_are_a_scalar)
{
    hit_pattern pattern = parsed(" [ ] ");

    ck_assert_int_eq(pattern.tile_dims, 0);
    ck_assert_int_eq(pattern.count, 1);
    hit_pattern_clear(&pattern);
}
END_TEST

START_TEST(every_rule_of_the_grammar_is_read)
{
    static const char *const cases[][2] = {
        {"[:]", "[:]"},
        {"[0:3, j]", "[0:3, j]"},
        {"[2*i:2*i+1]", "[2*i:2*i+1]"},
        {"[i*2:1+i*2]", "[2*i:2*i+1]"},
        {"[-i]", "[-i]"},
        {"[-3*row+7]", "[-3*row+7]"},
        {"[-7]", "[-7]"},
        {"[i:]", "[i:]"},
        {"[:i]", "[:i]"},
        {"[::2]", "[::2]"},
        {"[i::2]", "[i::2]"},
        {"[:i:2]", "[:i:2]"},
        {"[i:i+4:2]", "[i:i+4:2]"},
        {"[i:i]", "[i]"},
        {"[i:i:1]", "[i]"},
        {"[0007]", "[7]"},
        {"[0*i]", "[0]"},
        {"[][]", "[] []"},
        {"[i+i-2*i+j*3-1+5]", "[3*j+4]"},
        {"[2*3*i-2*2:i*2*3]", "[6*i-4:6*i]"},
        {"[i::2*2]", "[i::4]"},
        {"[i/2]", "[i/2]"},
        {"[i / 2 + 1 : i/2 + 3]", "[i/2+1:i/2+3]"},
        {"[(i+3)/2]", "[(i+1)/2+1]"},
        {"[(i-3)/2]", "[(i+1)/2-2]"},
        {"[2*i/3]", "[2*i/3]"},
        {"[1+(2*i-j)%7-2]", "[(2*i-j)%7-1]"},
        {"[(i-1)%10]", "[(i+9)%10]"},
        {"[(-i)/2]", "[(-i)/2]"},
        {"[i/1]", "[i]"},
        {"[i%1]", "[i%1]"},
        {"[7/2 + i - (0-7)/2 + 7%4]", "[i+10]"},
        {"[0*i/2]", "[0]"},
        {"[(-7)/2, i-7/2]", "[-4, i-3]"},
        {"[(-7)%2, 3-7%4]", "[1, 0]"},
        {"[i/2:i]", "[i/2:i]"},
        {"[1152921504606846976]", "[1152921504606846976]"},
        {"[-1152921504606846976*i]", "[-1152921504606846976*i]"},
    };

    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        assert_reads_as(cases[n][0], cases[n][1]);
    }
}
END_TEST

START_TEST(long_names_are_printed_whole)
{
    static char name[2][121];
    const char *const long_names[] = {name[0], name[1]};
    char text[300];
    char printed[300];
    hit_pattern pattern;

    memset(name[0], 'a', 120);
    memset(name[1], 'b', 120);
    (void)snprintf(text, sizeof text, "[(%s-%s+1)/2]", name[0], name[1]);
    ck_assert_int_eq(hit_pattern_parse(text, 2, long_names, &pattern), HIT_OK);
    hit_pattern_print(&pattern, long_names, printed, sizeof printed);
    ck_assert_str_eq(printed, text);
    hit_pattern_clear(&pattern);
}
END_TEST

START_TEST(spaces_may_stand_anywhere)
{
    assert_reads_as("  [ -\t2 * i + 1\n: j\r , row:\v:\f3]\n[:,:] ",
                    "[-2*i+1:j, row::3] [:, :]");
    assert_reads_as("[-2*i+1:j,row::3][:,:]", "[-2*i+1:j, row::3] [:, :]");
}
END_TEST

START_TEST(what_is_only_read_stands_behind_an_arrow)
{
    hit_pattern pattern = parsed("[i, j]<-[i-1:i+1, j] [i, j-1:j+1]");
    hit_pattern written = hit_pattern_written(&pattern);

    ck_assert_int_eq(pattern.count, 3);
    ck_assert_int_eq(pattern.only_read, 2);
    ck_assert_int_eq(written.count, 1);
    hit_pattern_clear(&pattern);
    assert_reads_as("[i] [i+1]<- [i-1]\n[i+2]", "[i] [i+1] <- [i-1] [i+2]");
    assert_reads_as("[]<-[]", "[] <- []");
}
END_TEST

/* What is wrong, and the message up to the caret. */
static const char *const mistakes[][2] = {
    {"[i-1:, j+]", "expected a name or a number, found ']'\n"
                   "  [i-1:, j+]\n"
                   "           ^"},
    {"[i, x1]", "unknown index 'x1'; the indices are i, j, row, k2\n"
                "  [i, x1]\n"
                "      ^"},
    {"[ro]", "unknown index 'ro'; the indices are i, j, row, k2\n  [ro]\n   ^"},
    {"[rows]", "unknown index 'rows'; the indices are i, j, row, k2\n  [rows]\n   ^"},
    {"", "expected '[', found the end of the text\n  \n  ^"},
    {"  \t", "expected '[', found the end of the text\n     \n     ^"},
    {"i, j]", "expected '[', found 'i'\n  i, j]\n  ^"},
    {"[i, j", "expected ',' or ']', found the end of the text\n  [i, j\n       ^"},
    {"[i:", "expected ',' or ']', found the end of the text\n  [i:\n     ^"},
    {"[i,", "expected a name or a number, found the end of the text\n  [i,\n     ^"},
    {"[,i]", "expected a name or a number, found ','\n  [,i]\n   ^"},
    {"[i, j] [i]", "expected 2 dimensions as in the first box, found 1\n"
                   "  [i, j] [i]\n"
                   "         ^"},
    {"[] [:]", "expected 0 dimensions as in the first box, found 1\n  [] [:]\n     ^"},
    {"[i,i,i,i, j]", "expected at most 4 dimensions\n  [i,i,i,i, j]\n            ^"},
    {"[9223372036854775808]", "expected a number up to 2^60, found a larger one\n"
                              "  [9223372036854775808]\n"
                              "   ^"},
    {"[i+1152921504606846977]", "expected a number up to 2^60, found a larger one\n"
                                "  [i+1152921504606846977]\n"
                                "     ^"},
    {"[i* 11529215046068469760]", "expected a number up to 2^60, found a larger one\n"
                                  "  [i* 11529215046068469760]\n"
                                  "      ^"},
    {"[1152921504606846976+1]", "expected a sum up to 2^60, found a larger one\n"
                                "  [1152921504606846976+1]\n"
                                "                       ^"},
    {"[-i-1152921504606846976*i]", "expected a sum up to 2^60, found a larger one\n"
                                   "  [-i-1152921504606846976*i]\n"
                                   "      ^"},
    {"[i:j:0]", "expected a stride >= 1, found 0\n  [i:j:0]\n       ^"},
    {"[i:j: -2]", "expected a stride >= 1, found '-'\n  [i:j: -2]\n        ^"},
    {"[i:j:k2]", "expected a stride without an index, found one\n"
                 "  [i:j:k2]\n"
                 "       ^"},
    {"[i:j:]", "expected a name or a number, found ']'\n  [i:j:]\n       ^"},
    {"[i:j:2:3]", "expected ',' or ']', found ':'\n  [i:j:2:3]\n        ^"},
    {"[i+2 : i]", "the end of this range is always before its begin\n"
                  "  [i+2 : i]\n"
                  "         ^"},
    {"[3:-3]", "the end of this range is always before its begin\n  [3:-3]\n     ^"},
    {"[i] j", "expected '[', found 'j'\n  [i] j\n      ^"},
    {"[i]]", "expected '[', found ']'\n  [i]]\n     ^"},
    {"[2i]", "expected '*' between a number and a name\n  [2i]\n    ^"},
    {"[2*]", "expected a name or a number, found ']'\n  [2*]\n     ^"},
    {"[2*i*j]", "expected one index in a product, found another\n  [2*i*j]\n       ^"},
    {"[1152921504606846976*2]", "expected a product up to 2^60, found a larger one\n"
                                "  [1152921504606846976*2]\n"
                                "                       ^"},
    {"[i j]", "expected ',' or ']', found 'j'\n  [i j]\n     ^"},
    {"[--i]", "expected a name or a number, found '-'\n  [--i]\n    ^"},
    {"[+i]", "expected a name or a number, found '+'\n  [+i]\n   ^"},
    {"[i] < [j]", "expected '-' behind '<', found ' '\n  [i] < [j]\n       ^"},
    {"[i] <-", "expected '[', found the end of the text\n  [i] <-\n        ^"},
    {"[i] <- [j] <- [i]", "expected '[', found '<'\n  [i] <- [j] <- [i]\n             ^"},
    {"[(i)]", "expected '/' or '%' behind ')', found ']'\n  [(i)]\n      ^"},
    {"[(i", "expected '+', '-' or ')', found the end of the text\n  [(i\n     ^"},
    {"[((i)/2)/2]", "expected a name or a number, found '('\n  [((i)/2)/2]\n    ^"},
    {"[i/0]", "expected a divisor >= 1, found 0\n  [i/0]\n     ^"},
    {"[i%-2]", "expected a name or a number, found '-'\n  [i%-2]\n     ^"},
    {"[i/j]", "expected a divisor without an index, found one\n  [i/j]\n     ^"},
    {"[-i/2]", "expected no '-' before what is divided: write (-i)/2, not -i/2\n"
               "  [-i/2]\n    ^"},
    {"[-7/2]", "expected no '-' before what is divided: write (-i)/2, not -i/2\n"
               "  [-7/2]\n    ^"},
    {"[i/1+j]", "expected only numbers beside what is divided, found an index\n"
                "  [i/1+j]\n       ^"},
    {"[j+i/2]", "expected only numbers beside what is divided, found an index\n"
                "  [j+i/2]\n     ^"},
    {"[i%2-j]", "expected only numbers beside what is divided, found an index\n"
                "  [i%2-j]\n       ^"},
    {"[i/2*2]", "expected ',' or ']', found '*'\n  [i/2*2]\n      ^"},
    {"[i/2+1:i/2]", "the end of this range is always before its begin\n"
                    "  [i/2+1:i/2]\n         ^"},
    {"[1.5]", "expected ',' or ']', found '.'\n  [1.5]\n    ^"},
    {"[i,\n\xc3\xa9]", "expected a name or a number, found the byte 0xc3\n"
                       "  [i, ??]\n"
                       "      ^"},
};

START_TEST(a_mistake_is_told_with_a_caret_under_its_place)
{
    hit_pattern pattern = {.count = 42};

    for (size_t n = 0; n < sizeof mistakes / sizeof *mistakes; n++) {
        hit_status st = hit_pattern_parse(mistakes[n][0], HIT_MAX_DIMS, names, &pattern);
        ck_assert_int_eq(st, HIT_E_PATTERN);
        ck_assert_msg(
            strncmp(hit_status_text(), mistakes[n][1], strlen(mistakes[n][1])) == 0,
            "expected\n%s\nfound\n%s", mistakes[n][1], hit_status_text());
        ck_assert_int_eq(pattern.count, 42);
    }
}
END_TEST

START_TEST(only_the_names_of_the_launch_are_known)
{
    hit_pattern pattern;

    ck_assert_int_eq(hit_pattern_parse("[j]", 1, names, &pattern), HIT_E_PATTERN);
    ck_assert_ptr_nonnull(
        strstr(hit_status_text(), "unknown index 'j'; the indices are i\n"));
    ck_assert_int_eq(hit_pattern_parse("[i]", 0, names, &pattern), HIT_E_ARG);
    ck_assert_int_eq(hit_pattern_parse("[i]", HIT_MAX_DIMS + 1, names, &pattern),
                     HIT_E_ARG);
}
END_TEST

START_TEST(no_text_is_a_mistake)
{
    hit_pattern pattern;

    ck_assert_int_eq(hit_pattern_parse(NULL, 1, names, &pattern), HIT_E_PATTERN);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "found NULL"));
}
END_TEST

START_TEST(of_a_long_text_the_surroundings_of_the_mistake_are_shown)
{
    char text[400];
    hit_pattern pattern;

    memset(text, ' ', sizeof text);
    memcpy(text, "[i,", 3);
    memcpy(text + 200, "12 ! 34", 7);
    text[sizeof text - 1] = '\0';
    ck_assert_int_eq(hit_pattern_parse(text, 2, names, &pattern), HIT_E_PATTERN);

    const char *shown = strchr(hit_status_text(), '\n') + 1;
    const char *below = strchr(shown, '\n') + 1;
    ck_assert_int_eq(strncmp(shown, "  ...", 5), 0);
    ck_assert_int_lt(below - shown, 90);
    ck_assert_int_eq(shown[strcspn(below, "^")], '!');
    ck_assert_int_eq(strncmp(below - 4, "...", 3), 0);
}
END_TEST

START_TEST(a_long_unknown_name_is_cut)
{
    char text[5000];
    hit_pattern pattern;

    memset(text, 'x', sizeof text);
    text[0] = '[';
    text[sizeof text - 1] = '\0';
    ck_assert_int_eq(hit_pattern_parse(text, 2, names, &pattern), HIT_E_PATTERN);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "'; the indices are i, j\n  [xxx"));
}
END_TEST

/* "first", then more n times, then last; free it after use. */
static char *repeated(const char *first, const char *more, size_t n, const char *last)
{
    size_t size = strlen(first) + n * strlen(more) + strlen(last) + 1;
    char *text = malloc(size);

    ck_assert_ptr_nonnull(text);
    char *end = text + snprintf(text, size, "%s", first);
    for (size_t k = 0; k < n; k++) {
        end += snprintf(end, size - (size_t)(end - text), "%s", more);
    }
    (void)snprintf(end, size - (size_t)(end - text), "%s", last);
    return text;
}

START_TEST(texts_of_megabytes_are_read)
{
    char *text = repeated("", "[i] ", 200000, "");
    hit_pattern boxes = parsed(text);
    ck_assert_int_eq(boxes.count, 200000);
    hit_pattern_clear(&boxes);
    free(text);

    text = repeated("[i", "+i", 2000000, "]");
    hit_pattern terms = parsed(text);
    ck_assert_int_eq(terms.access[0].range[0].begin.coef[0], 2000001);
    hit_pattern_clear(&terms);
    free(text);
}
END_TEST

START_TEST(what_is_printed_is_read_back)
{
    hit_random random = hit_random_start(2012);
    char text[8192];

    for (int n = 0; n < 20000; n++) {
        int dims = (int)hit_random_index(&random, 1, HIT_MAX_DIMS);
        hit_index most = n % 10 == 0 ? HIT_PATTERN_MAX : 3;
        hit_pattern made = random_pattern(&random, dims, n % (HIT_MAX_DIMS + 1), most);
        hit_pattern read;

        hit_pattern_print(&made, names, text, sizeof text);
        hit_status st = hit_pattern_parse(text, dims, names, &read);
        ck_assert_msg(st == HIT_OK, "%s", hit_status_text());
        ck_assert_msg(pattern_equal(&made, &read), "%s", text);
        hit_pattern_clear(&made);
        hit_pattern_clear(&read);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("parse");
    TCase *parse = tcase_create("parse");

    tcase_add_test(parse, a_point_is_what_the_constructors_make);
    tcase_add_test(parse, a_star_is_what_the_constructors_make);
    tcase_add_test(parse, brackets_without_ranges_are_a_scalar);
    tcase_add_test(parse, every_rule_of_the_grammar_is_read);
    tcase_add_test(parse, long_names_are_printed_whole);
    tcase_add_test(parse, spaces_may_stand_anywhere);
    tcase_add_test(parse, what_is_only_read_stands_behind_an_arrow);
    tcase_add_test(parse, a_mistake_is_told_with_a_caret_under_its_place);
    tcase_add_test(parse, only_the_names_of_the_launch_are_known);
    tcase_add_test(parse, no_text_is_a_mistake);
    tcase_add_test(parse, of_a_long_text_the_surroundings_of_the_mistake_are_shown);
    tcase_add_test(parse, a_long_unknown_name_is_cut);
    tcase_add_test(parse, texts_of_megabytes_are_read);
    tcase_add_test(parse, what_is_printed_is_read_back);
    suite_add_tcase(all, parse);
    return all;
}

int main(void)
{
    return check_run(suite());
}
