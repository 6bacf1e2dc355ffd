/**
 * What users do to actions. `actions.routes.ts` calls these for requests, and the server itself starts some. They throw the
 * problems of the endpoints.
 */
import type {
  Action,
  ActionFilter,
  ActionHistory,
  ActionItem,
  ActionResult,
  ActionStart,
  ActionState,
} from '../../contract.ts';
import type { EditedRecord } from '../../core/http/request-bindings.ts';
import { Problem } from '../../core/problem.ts';
import { actionLimits } from '../../core/limits/field-rules.ts';
import { putItems, removeNotExecuted } from './action-items.store.ts';
import { stateProblem, type ActionRow } from './action-row.ts';
import {
  changeAction,
  createAction,
  findAction,
  findOwnDevices,
  historyPage,
  readHistory,
  recordAction,
  removeAction,
  requireAction,
  type ActionChange,
} from './actions.store.ts';
import { chunkSize, findMissingParts, readOpenIds, type Reads, type StoredItem } from './chunks.store.ts';
import { areAll, resultsOf, retryFailed, settled, undoEnded } from './ended-actions.ts';
import { createFilledActions, type Filling, type StartFilled } from './filled-actions.ts';
import type { Kinds } from './kinds/kind.ts';
import { removeItems } from './remove-items.ts';
import { listText, withItems } from './shown-actions.ts';

export type ActionUseCases = ReturnType<typeof createActionUseCases>;
interface FailedItem {
  item: ActionItem;
  result: NonNullable<ActionResult>;
}
/** Has one of `items`, `filter` (with the `expected` number of items), and `total` (of items that follow in parts). */
export type StartBody = Pick<ActionStart, 'id' | 'kind' | 'about' | 'wait'> & {
  items?: ActionItem[];
  filter?: ActionFilter;
  expected?: number;
  total?: number;
};

/** A part of the items, as they are uploaded, in chunks. */
const chunksOfPart = actionLimits.part / chunkSize;

type Options = Filling & {
  kinds: Partial<Kinds>;
  record: (row: ActionRow) => Action;
  /** The items that match a filter now, in pages. */
  itemsOf: (request: { userId: string; filter: ActionFilter }) => AsyncIterable<ActionItem[]>;
  /** Reads of this user that grow with what the user has, if no request makes them. */
  readsOf: (user: string) => Reads;
  newId: () => string;
};

export function createActionUseCases(options: Options) {
  const startFilled = createFilledActions(options);
  return {
    ...readingUseCases(options),
    ...startingUseCases(options, startFilled),
    ...changingUseCases(options, startFilled),
  };
}

function readingUseCases({ db, record, readsOf, at }: Options) {
  return {
    withItems: (rows: readonly ActionRow[], reads: Reads = db) => withItems(reads, rows, { record }),
    /** An ActionList as JSON. */
    listText: (rows: readonly ActionRow[], reads: Reads) => listText(reads, rows, { record }),
    resultsOf: (row: ActionRow, reads: Reads) => resultsOf(reads, row),

    /** The failed items among those of a part, of an action that has ended. */
    async failedOfPart(row: ActionRow, part: number): Promise<FailedItem[]> {
      if (row.state !== 'ended') throw stateProblem(row);
      const failed: FailedItem[] = [];
      const first = part * chunksOfPart;
      for await (const page of resultsOf(readsOf(row.user_id), row, { first, end: first + chunksOfPart }))
        for (const { item, result } of page) if (result) failed.push({ item, result });
      return failed;
    },

    /** The action as it is now; if it was stopped during a batch, when the results of this batch are stored. */
    settled: (row: ActionRow) => settled(db, { row, at }),

    async history(request: {
      user: string;
      cursor: string | undefined;
      resourceId: string | undefined;
      reads: Reads;
    }): Promise<ActionHistory> {
      const { user, cursor, resourceId } = request;
      // Those of one resource are searched for in all actions of the user.
      const reads = resourceId === undefined ? db : request.reads;
      const [time = '', id = ''] = cursor?.split('_') ?? [];
      const before = cursor === undefined ? undefined : ([time, id] as const);
      const rows = await readHistory(reads, { user, before, resourceId });
      const last = rows.length === historyPage ? rows.at(-1) : undefined;
      const actions = await withItems(reads, rows, { record, most: 1 });
      return {
        actions: await withoutLostDevices(reads, user, actions),
        next: last ? `${last.ended_at}_${last.id}` : null,
      };
    },
  };
}

/** An action has its items in the request, finds them by a filter, or gets them in parts before it starts. */
function startingUseCases(options: Options, startFilled: StartFilled) {
  const { db, kinds, itemsOf, readsOf, wake, at, newId } = options;
  return {
    async start(user: string, body: StartBody): Promise<ActionRow> {
      const { id, kind, about, wait, items, filter, expected, total } = body;
      const { withIds } = kinds[kind]!;
      const action = { id, user_id: user, kind, about, wait };
      if (filter) {
        const pages = withoutOpen(readsOf(user), { user, pages: itemsOf({ userId: user, filter }) });
        return startFilled({ ...action, total: expected!, expected: expected! }, storedPages(pages, withIds));
      }
      if (await findAction(db, id)) return requireAction(db, { id, user });
      if (!items) return (await createAction(db, { action: { ...action, total: total! }, at })).row;
      const ofTotal = { ...action, total: items.length };
      const { row } = await createAction(db, { action: ofTotal, items: stored(items, withIds), at });
      wake();
      return row;
    },

    /** Stores a part of the items that are uploaded. One that was stored before is replaced. */
    async putPart(row: ActionRow, { part, items }: { part: number; items: readonly ActionItem[] }): Promise<void> {
      const first = part * chunksOfPart;
      await putItems(db, row, { first, items: stored(items, kinds[row.kind]!.withIds) });
    },

    async startUploaded(row: ActionRow, reads: Reads): Promise<ActionRow> {
      // The request was sent again.
      if (row.state !== 'uploading') return row;
      const missing = await findMissingParts(reads, row, actionLimits.part);
      if (missing.length > 0) {
        const errors = missing
          .slice(0, 100)
          .map((part) => ({ pointer: `/parts/${part}`, code: 'action.parts_missing', detail: 'is missing' }));
        throw new Problem('action.parts_missing', { errors });
      }
      return changed(options, row, { from: ['uploading'], to: { state: 'pending', runs_at: at(row.wait) } });
    },

    /** Starts the action with this id with the failed items, once. */
    retry: async (row: ActionRow, id: string) =>
      retryFailed({ db, reads: readsOf(row.user_id), startFilled }, { row: await settled(db, { row, at }), id }),

    /** Stores what a user has changed of one resource, so that it can be put back. */
    recordEdit: ({ user, edited: { id, name, begins, after, before } }: { user: string; edited: EditedRecord }) =>
      recordAction(db, {
        action: { id: newId(), user_id: user, kind: 'edit', about: after, wait: 0, total: 1 },
        stored: { item: { id, name, ...(begins.length > 0 && { begins }) }, before },
        at,
      }),
  };
}

function changingUseCases(options: Options, startFilled: StartFilled) {
  const { db, kinds, at, report } = options;
  return {
    postpone: (row: ActionRow, seconds: number) =>
      changed(options, row, { from: ['pending'], to: { runs_at: at(seconds) }, unlessDue: { now: at(0) } }),

    pause: (row: ActionRow) =>
      changed(options, row, {
        from: ['pending', 'running'],
        to: { state: 'paused', ...(row.state === 'pending' && { runs_at: at(0) }) },
      }),

    /** The new time shows the runner that the user may have changed the records since the last chunk. */
    resume: (row: ActionRow) => changed(options, row, { from: ['paused'], to: { state: 'running', runs_at: at(0) } }),

    /** Returns undefined for an action whose items are being uploaded, which is deleted. */
    async stop(row: ActionRow): Promise<ActionRow | undefined> {
      if (row.state === 'uploading') {
        await removeAction(db, ownOf(row));
        return undefined;
      }
      const stopped = await changed(options, row, {
        from: ['pending', 'running', 'paused'],
        to: { state: 'ended', ended_at: at(0) },
        ...(!kinds[row.kind]?.keepsResult && { dismissed: 'unless failed' }),
      });
      void removeNotExecuted(db, stopped).catch(report);
      return stopped;
    },

    dismiss: (row: ActionRow) => changed(options, row, { from: ['ended'], to: {}, dismissed: 'always' }),

    /** Undoes an action that has ended, or removes these items from one that has not, all by default. Undefined if no items are left. */
    undo: async (
      row: ActionRow,
      { id, items, reads }: { id: string; items: readonly string[] | undefined; reads: Reads },
    ): Promise<ActionRow | undefined> =>
      row.state === 'ended'
        ? undoOnce(options, startFilled, { row, id, items })
        : removeFrom(options, row, { items, reads }),
  };
}

const ownOf = ({ id, user_id: user }: ActionRow) => ({ id, user });

/** Changes an action that is in one of the states `from`. */
async function changed(
  { db, wake }: Options,
  row: ActionRow,
  change: ActionChange & { from: ActionState[] },
): Promise<ActionRow> {
  const result = await changeAction(db, { ...ownOf(row), ...change });
  wake();
  return result;
}

/** Undoes an action that has ended by another action, which has this id: a repeated request gets that action. */
async function undoOnce(
  { db, record, readsOf, at }: Options,
  startFilled: StartFilled,
  { row, id, items }: { row: ActionRow; id: string; items: readonly string[] | undefined },
): Promise<ActionRow> {
  const known = row.undone_by === id ? await findAction(db, id) : undefined;
  if (known) return known;
  const ended = await settled(db, { row, at });
  if (!record(ended).can_undo) throw stateProblem(ended);
  // These were only some of its items, which the user wanted to undo before it ended.
  if (items && !(await areAll(items, { reads: db, row: ended }))) throw stateProblem(ended);
  return undoEnded({ reads: readsOf(row.user_id), startFilled }, { row: ended, id });
}

/** Removes these items from an action that has not ended, all by default. Undefined if none are left: then it is deleted. */
async function removeFrom(
  { db }: Options,
  row: ActionRow,
  { items, reads }: { items: readonly string[] | undefined; reads: Reads },
): Promise<ActionRow | undefined> {
  const left = items && (await removeItems({ db, reads }, { action: row, ids: items }));
  if (!left) await removeAction(db, ownOf(row));
  return left;
}

/** The change of one device cannot be undone once the device is deleted or belongs to another user. */
async function withoutLostDevices(reads: Reads, user: string, actions: Action[]): Promise<Action[]> {
  const changedDevice = ({ kind, items, can_undo }: Action) =>
    can_undo && (kind === 'edit' || kind === 'update') ? (items as { id: string }[] | undefined)?.[0]?.id : undefined;
  const ids = actions.map(changedDevice).filter((id) => id !== undefined);
  if (ids.length === 0) return actions;
  const own = await findOwnDevices(reads, user, ids);
  return actions.map((action) => {
    const id = changedDevice(action);
    return id === undefined || own.has(id) ? action : { ...action, can_undo: false };
  });
}

/** Leaves out items of the user's open actions, as the app does with their rows. */
async function* withoutOpen(reads: Reads, { user, pages }: { user: string; pages: AsyncIterable<ActionItem[]> }) {
  const openIds = await readOpenIds(reads, user);
  for await (const page of pages) yield page.filter((item) => !openIds.has((item as { id: string }).id));
}

const stored = (items: readonly ActionItem[], withIds = (item: ActionItem) => item): StoredItem[] =>
  items.map((item) => ({ item: withIds(item) }));

async function* storedPages(pages: AsyncIterable<ActionItem[]>, withIds?: (item: ActionItem) => ActionItem) {
  for await (const items of pages) yield stored(items, withIds);
}
