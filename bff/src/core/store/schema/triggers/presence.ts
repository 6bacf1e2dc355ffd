/**
 * Tells subscribers when the state of a device changes, or whether it is connected, and notes in `silences` what its owner is to be told. A device that
 * was silent and is heard again is told, and one that is not expected any more is not. The owner is told a minute later, so
 * that many devices are one notice, and of one device at most every ten minutes.
 */
import { noticeMs } from '../../../limits/part-limits.ts';
import type { Store } from '../tables.ts';
import { feedOf } from './feed-entries.ts';
import type { Trigger } from './trigger.ts';

/** A device that is heard within five seconds of a change is online only after them, with the next round. */
const wasHeard = '(new.heard_at <> old.heard_at OR new.heard_at > old.changed_at)';

const append = (store: Store, kind: string) => `INSERT INTO ${feedOf(store)} (kind, owner, ref, resource_id)
    SELECT '${kind}', user_id, ref, id FROM resources WHERE ref = new.ref;`;

export const presenceTriggers = (store: Store): Trigger[] => [
  {
    name: 'presence_created',
    on: 'AFTER INSERT ON presence',
    when: 'new.heard_at > 0',
    body: append(store, 'presence.changed'),
  },
  {
    name: 'presence_changed',
    on: 'AFTER UPDATE OF state, connected_to ON presence',
    when: 'new.state <> old.state OR (new.connected_to IS NULL) <> (old.connected_to IS NULL)',
    body: append(store, 'presence.changed'),
  },
  {
    name: 'wrong_key_of_unheard',
    on: 'AFTER INSERT ON presence',
    when: 'new.wrong_key_at IS NOT NULL',
    body: append(store, 'refusals.changed'),
  },
  {
    name: 'refusals_changed',
    on: 'AFTER UPDATE OF refused_at, wrong_key_at ON presence',
    when: 'new.refused_at IS DISTINCT FROM old.refused_at OR new.wrong_key_at IS DISTINCT FROM old.wrong_key_at',
    body: append(store, 'refusals.changed'),
  },
  {
    name: 'device_silent',
    on: 'AFTER UPDATE OF state ON presence',
    when: `new.state = 'silent' AND old.state <> 'silent'`,
    body: `INSERT INTO silences (ref, user_id, times, tell_at)
          SELECT ref, user_id, 1, new.changed_at + ${noticeMs.together} FROM resources WHERE ref = new.ref
          ON CONFLICT (ref) DO UPDATE SET times = silences.times + 1, tell_at = CASE WHEN silences.notice = 1 THEN NULL
            ELSE coalesce(silences.tell_at, CASE WHEN silences.told_at + ${noticeMs.pair} > excluded.tell_at
              THEN silences.told_at + ${noticeMs.pair} ELSE excluded.tell_at END) END;`,
  },
  {
    name: 'device_back',
    on: 'AFTER UPDATE OF state ON presence',
    when: `old.state = 'silent' AND new.state <> 'silent' AND ${wasHeard}`,
    body: `UPDATE silences SET tell_at = new.changed_at + ${noticeMs.together} WHERE ref = new.ref AND notice = 1;`,
  },
  {
    name: 'device_not_expected',
    on: 'AFTER UPDATE OF state ON presence',
    when: `old.state = 'silent' AND new.state <> 'silent' AND NOT ${wasHeard}`,
    // The time at which the owner was told stays, so that switching the expectation off and on causes no more notices.
    body: `DELETE FROM silences WHERE ref = new.ref AND told_at IS NULL;
        UPDATE silences SET notice = 0, times = 0, tell_at = NULL WHERE ref = new.ref;`,
  },
];
