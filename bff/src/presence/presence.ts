/**
 * Whether devices are heard. Each process notes in memory which devices it has heard, and writes them every five seconds. One
 * process at a time looks for those that were not heard, and tells their owners. A stream counts as heard while it is open, so
 * the devices of a process that was killed do not stay online.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeFeed } from '../change-feed/change-feed.ts';
import type { Report } from '../problem.ts';
import { shareNextRun } from '../limits/share-next-run.ts';
import type { Database } from '../store/database.ts';
import { createPresenceStore } from './presence.store.ts';

const everyMs = 5000;
/** In ms: a device that was not online is written sooner. */
const soonMs = 300;
/** Rounds in which the devices with open streams are heard: less often than the shortest interval. */
const streamsEach = 9;
/** In ms, between the changes of a thousand states. */
const pauseMs = 100;

export function createPresence(options: {
  db: Database;
  feed: Pick<ChangeFeed, 'subscribe'>;
  /** The devices with open streams. */
  receiving: () => Iterable<string>;
  silenceActivity: Parameters<typeof createPresenceStore>[0]['silenceActivity'];
  now: () => Date;
  newId: () => string;
  report: Report;
}) {
  const { db, feed, receiving, silenceActivity, now, newId, report } = options;
  const store = createPresenceStore({ db, holder: newId(), silenceActivity, report });
  let heard = new Set<string>();
  /** Written by this process, until the feed says that a state has changed. */
  const online = new Set<string>();
  let rounds = 0;
  let isRoundDue = false;
  let isAway = false;
  let soon: NodeJS.Timeout | undefined;

  async function write() {
    const ids = heard;
    heard = new Set();
    try {
      await store.heard([...ids], now().getTime());
    } catch (error) {
      for (const id of ids) heard.add(id);
      throw error;
    }
    for (const id of ids) online.add(id);
  }

  async function round() {
    const at = now().getTime();
    rounds += 1;
    if (rounds % streamsEach === 0) for (const id of receiving()) heard.add(id);
    await write();
    if (!(await store.takeLease(at))) return;
    while (await store.readExpected());
    // Each reader of events gets its part before the next one.
    while (await store.changeDue(at)) await sleep(pauseMs);
    while (await store.tellDue(at));
  }

  /** One line in the log for each time that the database is away. */
  const run = shareNextRun(async () => {
    const work = isRoundDue ? round : write;
    isRoundDue = false;
    try {
      await work();
      isAway = false;
    } catch (error) {
      if (!isAway) report(error);
      isAway = true;
    }
  });
  const runRound = () => {
    isRoundDue = true;
    return run();
  };

  const unsubscribe = feed.subscribe((entries) => {
    if (!entries) online.clear();
    for (const { kind, resource_id } of entries ?? [])
      if (kind === 'presence.changed' || kind === 'resource.destroyed') online.delete(resource_id!);
  });
  const timer = setInterval(() => void runRound(), everyMs).unref();

  return {
    /** Notes that a device has sent a request. */
    heard(id: string): void {
      if (heard.has(id)) return;
      heard.add(id);
      if (online.has(id)) return;
      soon ??= setTimeout(() => {
        soon = undefined;
        void run();
      }, soonMs).unref();
    },
    /** For tests: what the timer does. */
    round: runRound,
    /** Devices that were heard since the last write. */
    measure: () => heard.size,
    async close() {
      clearInterval(timer);
      clearTimeout(soon);
      unsubscribe();
      await run();
    },
  };
}
