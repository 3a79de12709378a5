/* SPDX-License-Identifier: MIT
 * Internal to hit/checkpoint: the folder of checkpoints, as process 0 sees it. In it are
 * the folders checkpoint-RUN-STEP, the file "lock", and "ended" after a regular end. */
#ifndef HIT_CHECKPOINT_FOLDER_H
#define HIT_CHECKPOINT_FOLDER_H

#include "hit/checkpoint/manifest.h"

enum {
    HIT_CHECKPOINT_ROOM = 4096 /**< characters of the path of what is in it */
};

/** Which one: later runs are newer, and later steps of a run. */
typedef struct hit_checkpoint_key {
    hit_index run;
    hit_index step;
} hit_checkpoint_key;

/** Make the folder if it is not there, and keep other runs out of it until *handle is
 * closed. @errors HIT_E_IO the system's reason, or another run is in it */
hit_status hit_checkpoint_lock(const char *folder, int *handle);
void hit_checkpoint_unlock(int *handle);
/** Those in the folder, whole or not, the newest first. @owner *key: free() */
hit_status hit_checkpoint_list(const char *folder, int *count, hit_checkpoint_key **key);
/** The last run that came to its end; 0: none did. */
hit_status hit_checkpoint_ended(const char *folder, hit_index *run);
/** Mark the end of a run. */
hit_status hit_checkpoint_end(const char *folder, hit_index run);
/** Remove all but @p keep up to @p newest, the others behind it, too: those were not
 * whole. */
void hit_checkpoint_clean(const char *folder, hit_checkpoint_key newest, hit_index keep);
/** FOLDER/checkpoint-RUN-STEP, with /@p file behind it unless that is NULL. */
void hit_checkpoint_path(const char *folder, hit_checkpoint_key key, const char *file,
                         char path[HIT_CHECKPOINT_ROOM]);
/** What the checkpoint at @p path says of itself. @owner *text: free()
 * @errors HIT_E_IO, HIT_E_NOMEM */
hit_status hit_checkpoint_text(const char *path, char **text);

#endif
