/** Browsers that watch a swarm: each is sent its new messages at most twice a second. */
import type { SetsByKey } from '../../core/limits/bounded-map.ts';
import { Problem } from '../../core/problem.ts';
import { sleep, type HubContext } from './hub-context.ts';

/** In ms between the reads for a browser that watches. */
const flushEveryMs = 500;

/** By swarm. */
export type Watchers = SetsByKey<Watcher>;

interface Watcher {
  /** A message of its swarm was delivered. */
  notify: () => void;
  /** The rights of its user may have changed. */
  isChanged: boolean;
}

export interface Watched<Item> {
  userId: string;
  swarmId: string;
  /** Returns the messages that the user may see, newest first. Throws a Problem if the user may not: then nothing more comes. */
  read: (between: { since: string; before: string }) => Promise<Item[]>;
  /** Waits for a client that reads slowly. */
  ready: () => Promise<void>;
  /** Called without items at the beginning, when the client reads its list again. */
  send: (news: { items: Item[]; count: number }) => void;
}

/** Reads the new messages of a swarm until `stop` is called. `started` resolves after the first read. */
export function watch<Item>(
  hub: HubContext,
  { watchers, onEnd, ...watched }: Watched<Item> & { watchers: Watchers; onEnd: () => void },
): { started: Promise<void>; stop: () => void } {
  const { recent, reads, outage, cursors } = hub;
  const { userId, swarmId, read, ready, send } = watched;
  const begun = Promise.withResolvers<void>();
  let notified = Promise.withResolvers<void>();
  let hasEnded = false;
  let count = 0;
  const watcher: Watcher = {
    isChanged: false,
    notify() {
      count += 1;
      notified.resolve();
    },
  };
  function stop() {
    if (hasEnded) return;
    hasEnded = true;
    watchers.remove(swarmId, watcher);
    begun.resolve();
    onEnd();
  }
  async function run() {
    /** Undefined until the first read. */
    let cursor: number | undefined;
    while (!hasEnded && !hub.isStopped) {
      notified = Promise.withResolvers();
      try {
        await recent.start();
        await ready();
        const { upTo } = recent;
        const counted = count;
        watcher.isChanged = false;
        const between = { since: cursors.cursorOf(cursor ?? upTo), before: cursors.cursorOf(upTo + 1) };
        const items = await reads.run({ user: userId }, () => read(between));
        outage.succeeded();
        if (hasEnded) return;
        if (!watcher.isChanged) {
          // The client has read its list before the first cursor.
          if (items.length > 0 || cursor === undefined) send({ items, count: counted });
          cursor = upTo;
          count -= counted;
        }
      } catch (error) {
        // Who may not read the swarm costs no more than the first read.
        if (error instanceof Problem) return stop();
        outage.failed(error);
      }
      begun.resolve();
      await sleep(flushEveryMs);
      if (count === 0 && cursor !== undefined) await notified.promise;
    }
  }
  watchers.add(swarmId, watcher);
  void run();
  return { started: begun.promise, stop };
}
