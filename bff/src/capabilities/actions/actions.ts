/**
 * What users do to one or to many records, executed by the server (`runner.ts`). An action is stored with its items; the
 * table `kinds.ts` says how an item is executed.
 */
import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import type { ActionFilter, ActionItem } from '../../contract.ts';
import type { ChangeFeed } from '../../core/feed/change-feed.ts';
import type { Report } from '../../core/problem.ts';
import type { FairQueue } from '../../core/limits/fair-queue.ts';
import { createLongReads } from '../../core/limits/long-reads.ts';
import type { Database } from '../../core/store/database.ts';
import { actionRoutes } from './actions.routes.ts';
import { purgeActions } from './action-limits.store.ts';
import { endLostBatches } from './action-results.store.ts';
import { actionOf, type ActionRow } from './action-row.ts';
import { findActions, requireAction } from './actions.store.ts';
import { createActionUseCases, type StartBody } from './actions.use-cases.ts';
import { createActionEvents } from './action-events.ts';
import type { Execution } from './execute-batch.ts';
import type { Kinds } from './kinds/kind.ts';
import { createRunner } from './runner.ts';

interface OwnAction {
  userId: string;
  id: string;
}

export type Actions = ReturnType<typeof createActions>;

export function createActions(options: {
  db: Database;
  /** The queue of the reader thread, in which users take turns. */
  queue: FairQueue;
  feed: ChangeFeed;
  kinds: Partial<Kinds>;
  /** Deletes a batch of what is left of accounts and swarms. Returns false if nothing was left. */
  deleteBatch: () => Promise<boolean>;
  importActivity: Execution['importActivity'];
  /** The items that match a filter now, in pages. */
  itemsOf: (request: { userId: string; filter: ActionFilter }) => AsyncIterable<ActionItem[]>;
  /** A command of the operator: it executes actions only after it has started one. */
  isCommand: boolean;
  now: () => Date;
  newId: () => string;
  userOf: (c: Context) => string;
  report: Report;
}) {
  const { db, queue, feed, kinds, deleteBatch, importActivity, itemsOf, isCommand, now, newId, userOf, report } =
    options;
  /** Reads that grow with what the user has. */
  const readsOf = createLongReads({ db, queue });
  const at = (seconds: number) => new Date(now().getTime() + seconds * 1000).toISOString();
  const record = (row: ActionRow) =>
    actionOf(row, { at: at(0), isWaiting: runner.isWaiting, canUndo: kinds[row.kind]?.inverse !== undefined });
  const events = createActionEvents({
    feed,
    read: async (ids) =>
      (await findActions(db, ids)).map((row) => ({ ...record(row), is_dismissed: row.is_dismissed === 1 })),
    report,
  });
  const runner = createRunner({
    executor: { db, process: randomUUID(), at },
    kinds,
    importActivity,
    deleteBatch,
    isCommand,
    now,
    report,
    onWaiting: (actions) => actions.forEach(({ id, user_id }) => events.note(id, user_id)),
  });
  const useCases = createActionUseCases({
    db,
    kinds,
    record,
    itemsOf,
    at,
    newId,
    report,
    readsOf: (user) => readsOf({ user }),
    wake: runner.wake,
  });

  return {
    routes: actionRoutes({
      db,
      useCases,
      kinds,
      newId,
      userOf,
      report,
      readsFor: (c, user) => readsOf({ user, signal: c.req.raw.signal }),
    }),
    subscribe: events.subscribe,
    /** Stores an edit so that it can be undone. The edit was made, so a failure of this is only reported. */
    recordEdit: (edit: Parameters<typeof useCases.recordEdit>[0]) => useCases.recordEdit(edit).catch(report),
    /** An action of the server itself, whose items are uploaded as those of the app: `begin`, `putPart` for each part, `start`. */
    async begin({ userId, ...body }: { userId: string } & Pick<StartBody, 'kind' | 'about' | 'total'>) {
      return record(await useCases.start(userId, { id: newId(), wait: 0, ...body }));
    },
    putPart: async ({ userId: user, id, ...part }: OwnAction & { part: number; items: readonly ActionItem[] }) =>
      useCases.putPart(await requireAction(db, { id, user }), part),
    start: async ({ userId: user, id }: OwnAction) =>
      record(await useCases.startUploaded(await requireAction(db, { id, user }), readsOf({ user }))),
    async stop({ userId: user, id }: OwnAction): Promise<void> {
      await useCases.stop(await requireAction(db, { id, user }));
    },
    /** The action; if it was stopped during a batch, when the results of this batch are stored. */
    read: async ({ userId: user, id }: OwnAction) =>
      record(await useCases.settled(await requireAction(db, { id, user }))),
    /** The failed items among those of a part, of an action that has ended. */
    failedOfPart: async ({ userId: user, id, part }: OwnAction & { part: number }) =>
      useCases.failedOfPart(await requireAction(db, { id, user }), part),
    async dismiss({ userId: user, id }: OwnAction): Promise<void> {
      await useCases.dismiss(await requireAction(db, { id, user }));
    },
    /** Deletes in the background what is left of accounts and swarms. */
    deleteLeft: runner.deleteLeft,
    /** Deletes old actions, and uploads that were not started. */
    async purge() {
      await purgeActions(db, now());
      await endLostBatches({ db, at });
    },
    async close() {
      await runner.stop();
      events.stop();
    },
  };
}
