/** The sets of swarms to which the messages of a device went, by their numbers from 1 (`device_values.audiences`). */

interface Audience {
  swarms: readonly string[];
  /** The hour since 1970 in which the last message was sent to them. */
  hour: number;
}

export interface Audiences {
  /** No number is used again: the values of a set that was dropped are seen by nobody but their owner, as those of number 0 are. */
  next: number;
  sets: Map<number, Audience>;
}

type Stored = [next: number, ...sets: [number: number, hour: number, ...swarms: string[]][]];
/** An older form that is still stored: the number of a set is its place in the list. */
type StoredInOrder = string[][];

export function readAudiences(text: string): Audiences {
  const stored = JSON.parse(text) as Stored | StoredInOrder;
  if (!isNumbered(stored))
    return {
      next: stored.length + 1,
      sets: new Map(stored.map((swarms, place) => [place + 1, { swarms, hour: 0 }])),
    };
  const [next, ...sets] = stored;
  return { next, sets: new Map(sets.map(([number, hour, ...swarms]) => [number, { swarms, hour }])) };
}

const isNumbered = (stored: Stored | StoredInOrder): stored is Stored => typeof stored[0] === 'number';

export const writeAudiences = ({ next, sets }: Audiences): string =>
  JSON.stringify([next, ...[...sets].map(([number, { swarms, hour }]) => [number, hour, ...swarms])]);
