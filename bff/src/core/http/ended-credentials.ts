/** What open streams and connections do about credentials that end while they are open. */
import { setImmediate as nextLoopTick } from 'node:timers/promises';

/** In ms: how often they ask. A revoked credential is of no use to anybody after a second. */
export const credentialsCheckedEveryMs = 800;
export const askedAtOnce = 500;

/** Calls `onEnded` with each of these credentials that has ended. Other work runs between its reads. */
export async function endRevoked(options: {
  ids: readonly string[];
  /** Returns those that are revoked or expired. */
  endedOf: (ids: string[]) => Promise<string[]>;
  onEnded: (id: string) => void;
}): Promise<void> {
  const { ids, endedOf, onEnded } = options;
  for (let from = 0; from < ids.length; from += askedAtOnce) {
    for (const id of await endedOf(ids.slice(from, from + askedAtOnce))) onEnded(id);
    await nextLoopTick();
  }
}
