import { BoundedMap } from '../limits/bounded-map.ts';
import { createRate, requireTurn } from '../limits/rate.ts';

/** The limit for one user name, from all addresses together. */
const attemptsPerSecond = 1;
const attemptsAtOnce = 30;
/** Attempts of each address at each name that do not count towards the limit of the name. */
const freeAttemptsPerDay = 3;
const usersAtMost = 20_000;
const addressesOfUser = 5;

interface Attempt {
  /** Has the shape of a user name, which bounds the tables here in bytes. */
  userName: string;
  address: string;
}

export type LoginThrottle = ReturnType<typeof createLoginThrottle>;

/**
 * Limits how often one user name is tried, whatever the addresses (each of which has its own limit).
 * Attackers must not be able to lock the owner out, even if they use up the limit of the name. Therefore neither the
 * first attempts of each address nor those of an address where the owner has signed in before count towards it. With
 * N addresses a guesser gets 3 N guesses a day more.
 */
export function createLoginThrottle({ rateLimit, now }: { rateLimit: number; now: () => Date }) {
  const byName = createRate({ perSecond: attemptsPerSecond * rateLimit, burst: attemptsAtOnce * rateLimit, now });
  const free = createRate({
    perSecond: (freeAttemptsPerDay * rateLimit) / 86_400,
    burst: freeAttemptsPerDay * rateLimit,
    now,
  });
  /** The last sign-in addresses of the most recently signed-in users. */
  const known = new BoundedMap<string, string[]>(usersAtMost);

  return {
    /** @throws Problem `rate.exceeded` if this name was tried too often */
    requireTurn({ userName, address }: Attempt): void {
      if (known.get(userName)?.includes(address) || free.take(`${userName} ${address}`) === 0) return;
      requireTurn(byName, userName);
    },
    /** The password was right: this name is no longer limited at this address. */
    wasRight({ userName, address }: Attempt): void {
      const others = (known.get(userName) ?? []).filter((other) => other !== address);
      known.set(userName, [...others, address].slice(-addressesOfUser));
    },
  };
}
