/**
 * Whether devices are heard. Each process notes in memory which devices it has heard, and writes them every five seconds. One
 * process at a time looks for those that were not heard, and tells their owners, and who wants to know it of their swarms. An open connection is no sign of life, because
 * its client may hang: it is shown beside the state, and ends with the process that has it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeFeed } from '../../core/feed/change-feed.ts';
import { dayMs } from '../../core/limits/durations.ts';
import type { Report } from '../../core/problem.ts';
import { presenceRound, refusalLimits } from '../../core/limits/part-limits.ts';
import { reportedOnce } from '../../core/limits/outage.ts';
import { shareNextRun } from '../../core/limits/share-next-run.ts';
import type { Database } from '../../core/store/database.ts';
import type { PhoneReport } from '../../core/store/presence-row.ts';
import { createConnections } from './connections.ts';
import { createConnectionStore } from './connections.store.ts';
import { createRefusals } from './refusals.ts';
import { createRefusalStore } from './refusals.store.ts';
import { createPresenceStore } from './presence.store.ts';

/** In ms: a device that was not online is written sooner. */
const soonMs = 300;
/** The time in ms between the changes of a thousand states. */
const pauseMs = 100;

type StoreOptions = Parameters<typeof createPresenceStore>[0];

export function createPresence(options: {
  db: Database;
  feed: Pick<ChangeFeed, 'subscribe'>;
  silenceActivity: StoreOptions['silenceActivity'];
  swarmSilenceActivity: StoreOptions['swarmSilenceActivity'];
  /** Has no rounds. */
  isCommand: boolean;
  now: () => Date;
  newId: () => string;
  report: Report;
}) {
  const { db, feed, silenceActivity, swarmSilenceActivity, isCommand, now, newId, report } = options;
  const holder = newId();
  const store = createPresenceStore({ db, holder, silenceActivity, swarmSilenceActivity, report });
  const refusalStore = createRefusalStore({ db });
  const connectionStore = createConnectionStore({ db, holder });
  let heard = new Set<string>();
  /** What their phones have said since then, as JSON. */
  let said = new Map<string, string>();
  /** Written by this process, until the feed says that a state has changed. */
  const online = new Set<string>();
  const connections = createConnections({ store: connectionStore, now });
  const refusals = createRefusals({ store: refusalStore, feed, now, onNew: writeSoon });
  let isClosed = false;
  let soon: NodeJS.Timeout | undefined;
  /** The end of the last round. */
  let completedAt = now().getTime();

  async function write() {
    const [ids, phones] = [heard, said];
    heard = new Set();
    said = new Map();
    try {
      await store.heard([...ids], { now: now().getTime(), phones });
    } catch (error) {
      for (const id of ids) heard.add(id);
      for (const [id, phone] of phones) if (!said.has(id)) said.set(id, phone);
      throw error;
    }
    for (const id of ids) online.add(id);
    await connections.write();
    await refusals.write();
  }

  /** Calls `step` until it returns false. Each reader of events gets its part before the next one. */
  async function inChunks(step: () => Promise<boolean>) {
    for (let chunks = 1; !isClosed && (await step()) && chunks < presenceRound.chunks; chunks += 1)
      await sleep(pauseMs);
  }

  /** One bounded pass. What is left waits for the next round. */
  async function round() {
    if (isClosed) return;
    const at = now().getTime();
    if (await store.takeLease(at)) {
      await inChunks(store.markExpected);
      await inChunks(() => store.changeDue(at));
      await inChunks(() => store.changeMarked(at));
      await inChunks(() => connectionStore.endConnections(at));
      if (!isClosed) await store.tellDue(at);
      if (!isClosed) await store.tellSwarms(at);
    }
    completedAt = now().getTime();
  }

  const writeHeard = shareNextRun(reportedOnce(write, report));
  const runRound = shareNextRun(reportedOnce(round, report));

  /** What was heard is written also while a round is under way, before the next one. */
  async function tick() {
    await writeHeard();
    await runRound();
  }

  const unsubscribe = feed.subscribe((entries) => {
    if (!entries) online.clear();
    for (const { kind, resource_id } of entries ?? [])
      if (kind === 'presence.changed' || kind === 'resource.destroyed') {
        online.delete(resource_id!);
        connections.changed(resource_id!);
      }
    // It may have another owner now, who is not shown what it did before.
    for (const { kind, resource_id } of entries ?? [])
      if (kind === 'resource.destroyed') {
        heard.delete(resource_id!);
        said.delete(resource_id!);
      }
  });
  const timer = isCommand ? undefined : setInterval(() => void tick(), presenceRound.everyMs).unref();

  function noteHeard(id: string): void {
    if (heard.has(id)) return;
    heard.add(id);
    if (!online.has(id)) writeSoon();
  }

  function writeSoon(): void {
    if (isCommand) return;
    soon ??= setTimeout(() => {
      soon = undefined;
      void writeHeard();
    }, soonMs).unref();
  }

  return {
    /** Notes that a device has sent a request. */
    heard: noteHeard,
    /** Writes that devices with these ids were heard then: what the demo says of the past. */
    heardThen: (ids: readonly string[], at: number) => store.heard(ids, { now: at, phones: new Map() }),
    /** Notes what a phone says about itself, which its owner is shown. */
    said(id: string, phone: PhoneReport): void {
      said.set(id, JSON.stringify(phone));
      noteHeard(id);
    },
    refused: refusals.refused,
    accepted: refusals.accepted,
    wrongKey: refusals.wrongKey,
    /** Forgets what was refused long ago. */
    async purge() {
      await refusalStore.purge(now().getTime() - refusalLimits.days * dayMs);
      await store.purge();
    },
    /** Notes that a device has its first connection to this process, or none any more. */
    connected: connections.onChange,
    /** The server stops: connections that end from now on are no news. */
    stop: connections.stop,
    /** Does what the timer does. Tests call it. */
    round: tick,
    /** `unwritten`: devices that were heard since the last write. `roundAgeMs`: since the last complete round. */
    measure: () => ({ unwritten: heard.size, roundAgeMs: Math.max(0, now().getTime() - completedAt) }),
    async close() {
      isClosed = true;
      connections.stop();
      clearInterval(timer);
      clearTimeout(soon);
      unsubscribe();
      refusals.close();
      // The second one waits for the round that is under way.
      await Promise.all([writeHeard(), runRound()]);
      await connections.close().catch(report);
    },
  };
}
