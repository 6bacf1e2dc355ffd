/**
 * Tells the owners of devices when more users see these than before. Triggers note each change in the commit of the change
 * (`store/schema/triggers/audience.ts`). One process at a time tells what has grown since the last notice of a swarm, some time after
 * the first change: users of a large swarm in slices, and the owners of the swarms in turns.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { audienceLimits } from '../../core/limits/part-limits.ts';
import { reportedOnce } from '../../core/limits/outage.ts';
import { shareNextRun } from '../../core/limits/share-next-run.ts';
import type { Report } from '../../core/problem.ts';
import type { Database } from '../../core/store/database.ts';
import { createAudienceStore, type AudienceActivity } from './audience.store.ts';

const everyMs = 5000;
/** The time in ms between two slices. */
const pauseMs = 100;

export function createAudience(options: {
  db: Database;
  audienceActivity: AudienceActivity;
  /** Has no rounds. */
  isCommand: boolean;
  now: () => Date;
  newId: () => string;
  report: Report;
}) {
  const { db, audienceActivity, isCommand, now, newId, report } = options;
  const store = createAudienceStore({ db, holder: newId(), audienceActivity });
  let isClosed = false;
  /** The owner whose swarm was told last: the next one is another owner's, if one waits. */
  let lastOwner = '';

  /** Returns false if nothing is due, or another process has taken over. */
  async function tellNext(at: number): Promise<boolean> {
    const due = (await store.nextDue(at, lastOwner)) ?? (await store.nextDue(at, ''));
    if (!due) return false;
    lastOwner = due.user_id;
    try {
      return await store.tellSome(due, at);
    } catch (error) {
      // If the database is away, this fails too. Others are told without this swarm.
      await store.postpone(due, at);
      report(error);
      return true;
    }
  }

  /** One bounded pass. What is left waits for the next round. */
  async function round() {
    const at = now().getTime();
    if (isClosed || !(await store.hasWork()) || !(await store.takeLease(at))) return;
    await store.schedule(at);
    for (let slices = 1; !isClosed && (await tellNext(at)) && slices < audienceLimits.slices; slices += 1)
      await sleep(pauseMs);
  }

  const runRound = shareNextRun(reportedOnce(round, report));
  const timer = isCommand ? undefined : setInterval(() => void runRound(), everyMs).unref();

  return {
    /** Does what the timer does. Tests call it. */
    round: runRound,
    /** Forgets changes of long ago. */
    purge: () => store.purge(now().getTime()),
    async close() {
      isClosed = true;
      clearInterval(timer);
      await runRound();
    },
  };
}
