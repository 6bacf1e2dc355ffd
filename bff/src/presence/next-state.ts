import type { PresenceState } from '../contract.ts';
import { presenceLimits } from '../limits/field-rules.ts';

type HeardState = Exclude<PresenceState, 'never'>;

/** What was heard is written up to 5 s later, and one of two writes may be late. */
const graceMs = 10_000;

/**
 * The state of a device that was heard, and when it may change without being heard; null: never. Times in ms. `every`: the
 * seconds within which it is expected; null: it is not. A device is not silent for a time in which nobody could hear it:
 * `runningSince` is when the server began to listen, or its clock was set.
 */
export function nextState(of: {
  state: HeardState;
  heardAt: number;
  every: number | null;
  now: number;
  runningSince: number;
}): { state: HeardState; dueAt: number | null } {
  const { state, heardAt, every, now, runningSince } = of;
  const onlineUntil = heardAt + (every ?? presenceLimits.otherwise) * 1000 + graceMs;
  if (now < onlineUntil) return { state: 'online', dueAt: onlineUntil };
  if (every === null) return { state: 'offline', dueAt: null };
  const silentAt = (state === 'silent' ? heardAt : Math.max(heardAt, runningSince)) + 2 * every * 1000;
  return now < silentAt ? { state: 'offline', dueAt: silentAt } : { state: 'silent', dueAt: null };
}
