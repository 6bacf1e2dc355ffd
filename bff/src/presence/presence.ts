/**
 * Whether devices are heard. Each process notes in memory which devices it has heard, and writes them every five seconds. One
 * process at a time looks for those that were not heard, and tells their owners. A stream counts as heard while it is open, so
 * the devices of a process that was killed do not stay online.
 */
import type { Report } from '../http/problem.ts';
import type { Database } from '../store/database.ts';
import { createPresenceStore } from './presence.store.ts';

const everyMs = 5000;
/** In ms: a device that was not online is written sooner. */
const soonMs = 300;
/** Rounds in which the devices with open streams are heard: less often than the shortest interval. */
const streamsEach = 9;
/** In ms: a longer or negative time between two rounds is a clock that was set, or a process that was stopped. */
const longestRoundMs = 30_000;
/** Rounds in which a device is known to be online: less than the shortest interval. */
const knownRounds = 6;

export function createPresence(options: {
  db: Database;
  /** The devices with open streams. */
  receiving: () => Iterable<string>;
  silenceActivity: Parameters<typeof createPresenceStore>[0]['silenceActivity'];
  now: () => Date;
  newId: () => string;
  report: Report;
}) {
  const { db, receiving, silenceActivity, now, newId, report } = options;
  const store = createPresenceStore({ db, holder: newId(), silenceActivity });
  let heard = new Set<string>();
  /** Written in the last rounds, newest first. */
  let known: [Set<string>, Set<string>] = [new Set(), new Set()];
  let rounds = 0;
  let lastRound = now().getTime();
  let runningSince = lastRound;
  let isAway = false;
  let soon: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();

  async function write() {
    const ids = heard;
    heard = new Set();
    try {
      await store.heard([...ids], now().getTime());
    } catch (error) {
      for (const id of ids) heard.add(id);
      throw error;
    }
    for (const id of ids) known[0].add(id);
  }

  async function round() {
    const at = now().getTime();
    const between = at - lastRound;
    lastRound = at;
    if (isAway || between < 0 || between > longestRoundMs) runningSince = at;
    rounds += 1;
    if (rounds % streamsEach === 0) for (const id of receiving()) heard.add(id);
    if (rounds % knownRounds === 0) known = [new Set(), known[0]];
    await write();
    if (!(await store.takeLease(at))) return;
    if (between < 0) await store.forgetFuture(at);
    while (await store.readExpected());
    while (await store.changeDue({ now: at, runningSince }));
    while (await store.tellDue(at));
  }

  /** One after the other. While the database is away, nobody was heard; one line in the log says so. */
  function run(work: () => Promise<void>): Promise<void> {
    last = last.then(work).then(
      () => void (isAway = false),
      (error: unknown) => {
        if (!isAway) report(error);
        isAway = true;
      },
    );
    return last;
  }

  let waiting = false;
  const timer = setInterval(() => {
    if (waiting) return;
    waiting = true;
    void run(round).then(() => (waiting = false));
  }, everyMs).unref();

  return {
    /** Notes that a device has sent a request. */
    heard(id: string): void {
      if (heard.has(id)) return;
      heard.add(id);
      if (known[0].has(id) || known[1].has(id)) return;
      soon ??= setTimeout(() => {
        soon = undefined;
        void run(write);
      }, soonMs).unref();
    },
    /** For tests: what the timer does. */
    round: () => run(round),
    measure: () => ({ unwritten: heard.size }),
    async close() {
      clearInterval(timer);
      clearTimeout(soon);
      await run(write);
    },
  };
}
