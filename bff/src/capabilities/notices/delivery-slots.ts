import { BoundedMap } from '../../core/limits/bounded-map.ts';
import { deliveryLimits, noticesMemory } from './limits.ts';

/** The last attempt of a user. Times in ms. */
interface Attempt {
  at: number;
  restsUntil: number;
  slowUntil: number;
}

/**
 * Whose delivery is next. Each user has one slot at a time, and who was not tried for longest comes first. A request that takes
 * long rests its user for a multiple of that time, so a user takes a fraction of a slot in the long run; and users who were slow have
 * only some of the slots. `clock`: in ms; it may be set.
 */
export function createDeliverySlots({ clock }: { clock: () => number }) {
  const { atOnce, slowAtOnce, slowMs, slowForMs, restFactor, timeoutMs } = deliveryLimits;
  /** Users beyond are as those who were never sent anything. */
  const users = new BoundedMap<string, Attempt>(noticesMemory.notified_users.most);
  /** Whether the slot of each user is one of those for slow ones. */
  const taken = new Map<string, boolean>();
  const slowTaken = () => [...taken.values()].filter(Boolean).length;

  /** A rest is never longer than it can be: the clock may have been set back. */
  const isBefore = (until: number, longest: number) => until > clock() && until <= clock() + longest;
  const rests = ({ restsUntil }: Attempt) => isBefore(restsUntil, restFactor * timeoutMs);
  const isSlow = (attempt: Attempt) => isBefore(attempt.slowUntil, slowForMs);

  return {
    hasSlot: () => taken.size < atOnce,

    inFairOrder: <Due extends { user_id: string }>(due: readonly Due[]): Due[] => {
      const triedAt = ({ user_id }: Due) => users.get(user_id)?.at ?? 0;
      return due.toSorted((a, b) => triedAt(a) - triedAt(b));
    },

    /** The users who cannot be sent anything now. */
    blockedUsers(): string[] {
      const isFull = slowTaken() >= slowAtOnce;
      const isBlocked = (attempt: Attempt) => rests(attempt) || (isFull && isSlow(attempt));
      return [...taken.keys(), ...[...users].filter(([, attempt]) => isBlocked(attempt)).map(([user]) => user)];
    },

    /** Takes a slot, if the user may have one. */
    take(user: string): boolean {
      if (taken.has(user) || taken.size >= atOnce) return false;
      const attempt = users.get(user);
      const isOfSlow = attempt !== undefined && isSlow(attempt);
      if ((attempt && rests(attempt)) || (isOfSlow && slowTaken() >= slowAtOnce)) return false;
      taken.set(user, isOfSlow);
      users.set(user, { restsUntil: 0, slowUntil: 0, ...attempt, at: clock() });
      return true;
    },

    /** The request of the user has taken so many ms. Returns for how many the user rests. */
    charge(user: string, ms: number): number {
      const attempt = users.get(user);
      if (attempt === undefined || ms <= slowMs) return 0;
      const at = clock();
      const rest = restFactor * Math.min(ms, timeoutMs);
      attempt.restsUntil = at + rest;
      attempt.slowUntil = at + slowForMs;
      return rest;
    },

    /** Until when the user rests; 0 if they do not. */
    restsUntil(user: string): number {
      const attempt = users.get(user);
      return attempt && rests(attempt) ? attempt.restsUntil : 0;
    },

    leave: (user: string) => void taken.delete(user),
  };
}
