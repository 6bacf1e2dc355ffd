/**
 * Deletes memberships and watchers when their time is over, withdraws requests to join for a time that is over, and tells those who
 * may extend them an hour before. What users see and send does not depend on when that happens: sending and reads of rows compare the
 * end with the time (`store/visibility.ts`); only the numbers of members count them until then. Each process has one timer, for the
 * next end, and one of them at a time deletes.
 */
import type { ChangeFeed } from '../../core/feed/change-feed.ts';
import { consentLimits } from '../../core/limits/part-limits.ts';
import { reportedOnce } from '../../core/limits/outage.ts';
import { shareNextRun } from '../../core/limits/share-next-run.ts';
import type { Report } from '../../core/problem.ts';
import type { Database } from '../../core/store/database.ts';
import { createConsentEndsStore, type EndActivity } from './consent-ends.store.ts';

const kindsWithEnd: ReadonlySet<string> = new Set(['membership.changed', 'manager.changed', 'join_request.changed']);

export function createConsentEnds(options: {
  db: Database;
  feed: Pick<ChangeFeed, 'subscribe'>;
  activity: EndActivity;
  /** Has no rounds. */
  isCommand: boolean;
  now: () => Date;
  newId: () => string;
  report: Report;
}) {
  const { db, feed, activity, isCommand, now, newId, report } = options;
  const store = createConsentEndsStore({ db, holder: newId(), activity, report });
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  /** An end may have been set that is not in `next`. */
  let isStale = true;
  /** When there is something to do next. In the future, or another process does it. */
  let next: string | null = null;

  const isDue = () => next !== null && next <= now().toISOString();
  const inAnHour = (at: Date) => new Date(at.getTime() + consentLimits.noticeMs).toISOString();
  const anHourBefore = (end: string) => new Date(Date.parse(end) - consentLimits.noticeMs).toISOString();

  /** When the next one ends, or is to be told. */
  async function readNext(): Promise<void> {
    isStale = false;
    const [end, untold] = await Promise.all([store.firstEnd(), store.firstUntold()]);
    const notice = untold === null ? null : anHourBefore(untold);
    next = notice !== null && (end === null || notice < end) ? notice : end;
  }

  async function round() {
    if (isClosed) return;
    try {
      if (isStale || isDue()) await readNext();
      const at = now();
      if (!isDue() || !(await store.takeLease(at.getTime()))) return;
      await store.tell({ at, until: inAnHour(at) });
      await store.removeWatchers(at.toISOString());
      await store.withdrawRequests(at.toISOString());
      for (let found: number | undefined = 1; found && !isClosed;)
        found = await store.removeSomeMembers(at.toISOString());
      await readNext();
    } catch (error) {
      isStale = true;
      throw error;
    }
  }

  const runRound = shareNextRun(reportedOnce(round, report));

  /** Looks at the clock when something may be due, and at least every second while anything has an end: the clock may be set. */
  function schedule(atLeastMs = 0) {
    clearTimeout(timer);
    timer = undefined;
    if (isClosed || isCommand || (next === null && !isStale)) return;
    const untilNextMs = next === null ? 0 : Date.parse(next) - now().getTime();
    timer = setTimeout(() => void tick(), Math.min(Math.max(untilNextMs, atLeastMs), consentLimits.everyMs)).unref();
  }

  async function tick() {
    if (isStale || isDue()) await runRound();
    // What is due now is deleted by another process, or the database is away.
    schedule(isStale || isDue() ? consentLimits.everyMs : 0);
  }

  const unsubscribe = feed.subscribe((entries) => {
    if (entries && !entries.some(({ kind }) => kindsWithEnd.has(kind))) return;
    isStale = true;
    // At most once a second, whatever joins.
    if (!timer) schedule(consentLimits.everyMs);
  });
  schedule();

  return {
    /** Does what the timer does. Tests call it. */
    round: runRound,
    async close() {
      isClosed = true;
      unsubscribe();
      clearTimeout(timer);
      await runRound();
    },
  };
}
