import { Problem } from '../problem.ts';
import { Counts } from './bounded-map.ts';

/** What holds a place until it calls this. A second call does nothing. */
export type Release = () => void;

export type Places = ReturnType<typeof createPlaces>;

/**
 * Counts what is running, by key: a key has `most` places. A rate bounds how much begins in a second, but not how much
 * is held at once when it takes longer than a second.
 */
export function createPlaces(most: number) {
  const taken = new Counts();
  return {
    /** @throws `rate.exceeded` if this key has no place left */
    take(key: string): Release {
      if (taken.of(key) >= most) {
        const detail = `${most.toLocaleString('en')} requests are running. Wait until one has ended`;
        throw new Problem('rate.exceeded', { detail, headers: { 'retry-after': '1' } });
      }
      taken.change(key, 1);
      let isTaken = true;
      return () => {
        if (isTaken) taken.change(key, -1);
        isTaken = false;
      };
    },
  };
}
