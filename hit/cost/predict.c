/* SPDX-License-Identifier: MIT
 * Times of launches. What is not known has no time, but a list of what is missing. */
#include "hit/cost/predict.h"

#include "hit/cost/clocks.h"

#include <math.h>

/* What is missing if a time is not known. */
static unsigned lacks_of(const hit_rates *rates)
{
    const unsigned copies =
        1u << HIT_LINK_IN | 1u << HIT_LINK_OUT | 1u << HIT_LINK_WITHIN;
    unsigned lacks = 0;

    if (rates->kernel == NULL) lacks |= HIT_LACKS_KERNEL;
    if ((rates->links.known & copies) != copies) lacks |= HIT_LACKS_COPIES;
    return lacks;
}

/* A model may say that so many indices are impossible: then it does not know. */
static hit_forecast checked(hit_forecast found)
{
    if (!isfinite(found.first_s)) found.lacks = HIT_LACKS_KERNEL;
    if (found.lacks != 0) found.first_s = found.again_s = 0;
    return found;
}

hit_forecast hit_predict_on_device(const hit_rates *rates, int dims,
                                   const hit_plan_arg arg[], int args,
                                   const hit_superblocks *superblocks)
{
    const bool stays = superblocks->arena_bytes == 0;
    hit_forecast found = {.lacks = lacks_of(rates)};

    if (found.lacks != 0 || superblocks->plan.pieces == 0) return found;
    if (stays) {
        found = hit_clocks_resident(rates, dims, arg, args, superblocks);
    } else if (hit_clocks_follow(rates, dims, arg, args, superblocks, &found.first_s) ==
               HIT_OK) {
        found.again_s = found.first_s;
    } else { /* no memory for a list of boxes */
        found.lacks = HIT_LACKS_COPIES;
    }
    return checked(found);
}

hit_forecast hit_predict_in_place(const hit_rates *rates, const hit_domain *index)
{
    const hit_index units = hit_domain_count(index);
    hit_forecast found = {0};

    if (rates->kernel == NULL) {
        found.lacks = HIT_LACKS_KERNEL;
    } else {
        found.first_s = (double)units / hit_fpm_speed(rates->kernel, (double)units);
        found.again_s = found.first_s;
    }
    return checked(found);
}

hit_forecast hit_predict_messages(const hit_rates *rates, int sends, uint64_t bytes_sent,
                                  int receives, uint64_t bytes_received)
{
    const hit_link *link = &rates->links.link[HIT_LINK_MESSAGE];
    hit_forecast found = {0};
    double in_s;
    double out_s;

    if (sends == 0 && receives == 0) return found;
    if ((rates->links.known >> HIT_LINK_MESSAGE & 1u) == 0) {
        found.lacks = HIT_LACKS_MESSAGES;
        return found;
    }
    out_s = sends * link->latency_s + (double)bytes_sent * link->byte_s;
    in_s = receives * link->latency_s + (double)bytes_received * link->byte_s;
    found.first_s = found.again_s = fmax(in_s, out_s);
    return found;
}

hit_forecast hit_forecast_add(hit_forecast a, hit_forecast b)
{
    return (hit_forecast){a.first_s + b.first_s, a.again_s + b.again_s,
                          a.lacks | b.lacks};
}

hit_forecast hit_forecast_max(hit_forecast a, hit_forecast b)
{
    return (hit_forecast){fmax(a.first_s, b.first_s), fmax(a.again_s, b.again_s),
                          a.lacks | b.lacks};
}
