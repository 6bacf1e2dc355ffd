import { createRate, requireTurn } from '../rate.ts';

/** Whoever has many addresses guesses at one name no faster than that. */
const guessesPerSecond = 1;
const guessesAtOnce = 30;
const rememberedAtMost = 50_000;

export interface Guesses {
  /** Throws `rate.exceeded` where too many have tried this name, from wherever. */
  requireTurn(attempt: Attempt): void;
  /** The password was right: from there nobody waits for what others try. */
  wasRight(attempt: Attempt): void;
}

interface Attempt {
  userName: string;
  address: string;
}

/**
 * How often one name may be tried, whatever the addresses (each of which has a rate of its own). It slows down and
 * never locks out: there is another turn every second, and where its owner has signed in before no turn is needed.
 */
export function createGuesses({ rateLimit, now }: { rateLimit: number; now: () => Date }): Guesses {
  const byName = createRate({
    perSecond: guessesPerSecond * rateLimit,
    burst: guessesAtOnce * rateLimit,
    now,
  });
  const known = new Set<string>();
  const placeOf = ({ userName, address }: Attempt) => `${userName} ${address}`;

  return {
    requireTurn(attempt) {
      if (!known.has(placeOf(attempt))) requireTurn(byName, attempt.userName);
    },
    wasRight(attempt) {
      const place = placeOf(attempt);
      known.delete(place);
      if (known.size >= rememberedAtMost) known.delete(known.keys().next().value!);
      known.add(place);
    },
  };
}
