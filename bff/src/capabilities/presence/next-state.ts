import type { PresenceState } from '../../contract.ts';
import { presenceLimits } from '../../core/limits/field-rules.ts';

type HeardState = Exclude<PresenceState, 'never'>;

/** A time in which no process listened, or by which the clock was set forward. In ms. */
export interface Pause {
  started_at: number;
  ended_at: number;
}

/** What was heard is written up to 5 s later, and one of two writes may be late. */
const graceMs = 10_000;
/** In ms. At most this much of all pauses keeps a device online: the time of a restart. */
const restartMs = 60_000;

/**
 * The state of a device that was heard, and when it may change without being heard; null: never. Times in ms. `every`: the
 * seconds within which it is expected; null: it is not. `pauses`, oldest first, are added to the time in which it is expected,
 * because nobody could hear it; after one, it has its whole time once more, but only once, or a server that is started again
 * often would never notice. A device stays online for `restartMs` of them: after a long one, as before a restore, it may have
 * been away for hours.
 */
export function nextState(options: { heardAt: number; every: number | null; now: number; pauses: readonly Pause[] }): {
  state: HeardState;
  dueAt: number | null;
} {
  const { heardAt, every, now, pauses } = options;
  const extended = (ms: number) =>
    pauses.reduce(
      (end, { started_at, ended_at }) =>
        ended_at > heardAt && started_at < end ? end + ended_at - Math.max(started_at, heardAt) : end,
      heardAt + ms,
    );
  const onlineMs = (every ?? presenceLimits.whenNotSet) * 1000 + graceMs;
  const onlineUntil = Math.min(extended(onlineMs), heardAt + onlineMs + restartMs);
  if (now < onlineUntil) return { state: 'online', dueAt: onlineUntil };
  if (every === null) return { state: 'offline', dueAt: null };
  const everyMs = every * 1000;
  const twice = extended(2 * everyMs);
  const last = pauses.findLast(({ started_at, ended_at }) => ended_at > heardAt && started_at < twice);
  const silentAt = last ? Math.max(twice, Math.min(last.ended_at + everyMs, extended(3 * everyMs))) : twice;
  return now < silentAt ? { state: 'offline', dueAt: silentAt } : { state: 'silent', dueAt: null };
}
