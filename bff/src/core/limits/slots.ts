import { Problem } from '../problem.ts';
import { Counts } from './bounded-map.ts';

/** Gives a slot back. A second call does nothing. */
export type Release = () => void;

export type Slots = ReturnType<typeof createSlots>;

/**
 * Counts what is running or held, by key: a key has `most` slots. A rate bounds how much begins in a second, but not how much
 * is held at once when it takes longer than a second. `detail`: the text for who has no slot left.
 */
export function createSlots(
  most: number,
  detail = `${most.toLocaleString('en')} requests are running. Wait until one has ended`,
) {
  const taken = new Counts();
  return {
    /** @throws `rate.exceeded` if this key has not so many slots left */
    take(key: string, count = 1): Release {
      if (taken.of(key) + count > most) throw new Problem('rate.exceeded', { detail, headers: { 'retry-after': '1' } });
      taken.change(key, count);
      let isTaken = true;
      return () => {
        if (isTaken) taken.change(key, -count);
        isTaken = false;
      };
    },
  };
}
