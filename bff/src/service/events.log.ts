import type { StreamEventType } from '../contract.ts';

export interface Told {
  number: number;
  id: string;
  type: StreamEventType;
  /** Id of the resource whose state it tells. */
  about?: string;
  /** Whose list of resources it changes. */
  owner?: string;
  /** Tells a new position and nothing else. */
  moved: boolean;
  /** As it goes over the wire. */
  bytes: Uint8Array;
}

/** The last events, for who was away for a moment. Bounded by their number and by their weight in characters. */
interface EventLog {
  add(told: Told, audience: string): void;
  /** What this user was told after that number; undefined: that is not known any more. */
  since(options: { number: number; user: string }): Told[] | undefined;
}

/** `audience` of an event is a text that has each name in double quotes, and no other word in them. */
export function createEventLog({ most, mostCharacters }: { most: number; mostCharacters: number }): EventLog {
  const kept: { told: Told; audience: string }[] = [];
  /** Of the newest event. */
  let last = 0;
  let characters = 0;

  const weight = ({ told, audience }: { told: Told; audience: string }) => told.bytes.length + audience.length;

  return {
    add(told, audience) {
      last = told.number;
      characters += weight(kept[kept.push({ told, audience }) - 1]!);
      while (kept.length > most || characters > mostCharacters) characters -= weight(kept.shift()!);
    },
    since({ number, user }) {
      const missed = last - number;
      if (missed < 0 || missed > kept.length) return undefined;
      if (missed === 0) return [];
      const name = JSON.stringify(user);
      return kept.slice(-missed).flatMap(({ told, audience }) => (audience.includes(name) ? [told] : []));
    },
  };
}
