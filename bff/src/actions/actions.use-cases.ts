/**
 * What users do to actions. `actions.routes.ts` calls these for requests, and the server itself starts some. They throw the
 * problems of the endpoints.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Action, ActionFilter, ActionHistory, ActionItem, ActionStart, ActionState } from '../contract.ts';
import { Problem } from '../problem.ts';
import { actionLimits } from '../limits/field-rules.ts';
import type { ActionTurns } from './action-turns.store.ts';
import {
  chunkSize,
  latestSeconds,
  resultOf,
  serverFailed,
  type ActionRow,
  type ActionStore,
  type Reads,
  type StoredItem,
} from './actions.store.ts';
import type { Kinds } from './kinds.ts';

const settledEveryMs = 20;

export type ActionUseCases = ReturnType<typeof createActionUseCases>;
/** The items are in one of `items`, `filter` with the `expected` number, and parts that follow, with their `total`. */
export type StartBody = Pick<ActionStart, 'id' | 'kind' | 'about' | 'wait'> & {
  items?: ActionItem[];
  filter?: ActionFilter;
  expected?: number;
  total?: number;
};

export function createActionUseCases(options: {
  db: Reads;
  store: ActionStore;
  turns: ActionTurns;
  kinds: Partial<Kinds>;
  record: (row: ActionRow) => Action;
  /** The items that match a filter now, in pages. */
  itemsOf: (request: { userId: string; filter: ActionFilter }) => AsyncIterable<ActionItem[]>;
  /** Reads of this user that grow with what the user has, if no request makes them. */
  readsOf: (user: string) => Reads;
  /** The runner looks for actions that may be executed. */
  wake: () => void;
  /** The time in so many seconds. */
  at: (seconds: number) => string;
  newId: () => string;
  report: (error: unknown) => void;
}) {
  const { db, store, turns, kinds, record, itemsOf, readsOf, wake, at, newId, report } = options;

  type Filled = Parameters<typeof store.create>[0] & { expected?: number | undefined; undoes?: string | undefined };
  /** The actions that this process fills, by user and id. */
  const filling = new Map<string, Promise<ActionRow>>();
  const fillingKey = ({ id, user_id }: Pick<ActionRow, 'id' | 'user_id'>) => `${user_id} ${id}`;

  /**
   * Stores the items that `source` yields, and starts the action. An action without items is deleted. The same request
   * again gets the same action; if another process fills it, in the state `uploading`.
   */
  function startFilled(action: Filled, source: AsyncIterable<StoredItem[]>): Promise<ActionRow> {
    const key = fillingKey(action);
    const started = filling.get(key) ?? fillAndStart(action, source).finally(() => filling.delete(key));
    filling.set(key, started);
    return started;
  }

  async function fillAndStart(action: Filled, source: AsyncIterable<StoredItem[]>): Promise<ActionRow> {
    const { id, user_id: user, kind, wait, expected, undoes } = action;
    const known = await store.find(id);
    if (known) {
      // Another process may still be filling a young one.
      const isOld = turns.inOneProcess || known.created_at < at(-60);
      const isOwn = known.state === 'uploading' && known.user_id === user && known.kind === kind;
      if (!isOwn || !isOld) return store.require({ id, user });
      await store.remove({ id, user });
    }
    const { row, isNew } = await store.create(action);
    if (!isNew) return row;
    try {
      const total = await store.fill(action, source);
      if (expected !== undefined && total !== expected) {
        const errors = [{ pointer: '/expected', code: 'action.count_changed', detail: String(total) }];
        throw new Problem('action.count_changed', { errors });
      }
      const started = await store.change({
        id,
        user,
        from: ['uploading'],
        to: { state: 'pending', total, runs_at: at(wait) },
        ...(undoes !== undefined && { undoes }),
      });
      wake();
      return started;
    } catch (error) {
      // Another process may have taken it over and started it.
      await store.remove({ id, user, from: ['uploading'] }).catch((fault: unknown) => {
        if (!(fault instanceof Problem)) report(fault);
      });
      throw error;
    }
  }

  /** The items of an ended action, with their results. */
  async function* resultsOf({ id, total, done }: ActionRow, reads?: Reads) {
    for (let part = 0; part * chunkSize < total; part++) {
      const [chunk] = await store.chunks(id, part, 1, reads);
      if (!chunk) return;
      const isDone = part * chunkSize < done;
      yield chunk.items.map((item, index) => ({
        item,
        before: chunk.before?.[index] ?? null,
        result: isDone ? resultOf(chunk, index) : undefined,
      }));
    }
  }

  async function start(user: string, body: StartBody): Promise<ActionRow> {
    const { id, kind, about, wait, items, filter, expected, total } = body;
    const { withIds = (item: ActionItem) => item } = kinds[kind]!;
    const action = { id, user_id: user, kind, about, wait };
    if (filter) {
      const pages = withoutOpen(user, itemsOf({ userId: user, filter }));
      return startFilled({ ...action, total: expected!, expected }, stored(pages, withIds));
    }
    if (await store.find(id)) return store.require({ id, user });
    if (items) {
      const { row } = await store.create(
        { ...action, total: items.length },
        items.map((item) => ({ item: withIds(item) })),
      );
      wake();
      return row;
    }
    return (await store.create({ ...action, total: total! })).row;
  }

  /** Leaves out items of the user's open actions, as the app does with their rows. */
  async function* withoutOpen(user: string, pages: AsyncIterable<ActionItem[]>) {
    const open = await store.openIds(user, readsOf(user));
    for await (const page of pages) yield page.filter((item) => !open.has((item as { id: string }).id));
  }

  /** The action when the turn that was executed when it was stopped has its results. */
  async function settled(row: ActionRow): Promise<ActionRow> {
    const { id, user_id: user, state, taken_until } = row;
    if (state !== 'ended' || taken_until === '') return row;
    if (taken_until <= at(0) || taken_until > at(latestSeconds)) await turns.endLostTurn(row);
    else await sleep(settledEveryMs);
    return settled(await store.require({ id, user }));
  }

  /** `items`: the user wanted to undo only these, before it ended. */
  async function undoEnded(
    row: ActionRow,
    { id, items }: { id: string; items: readonly string[] | undefined },
  ): Promise<ActionRow> {
    if (!record(row).can_undo || (items && !(await areAll(items, row)))) throw store.stateProblem(row);
    const { id: action, kind, user_id, undoable } = row;
    async function* undone(): AsyncGenerator<StoredItem[]> {
      for await (const some of resultsOf(row)) {
        const done = some.filter(({ result, before }) => before && (result === null || result === serverFailed));
        yield done.map(({ item, before }) => ({ item: namedItem(item), before: { item, before } }));
      }
    }
    const about = { action, kind, of: JSON.parse(row.about) as object };
    return startFilled({ id, user_id, kind: 'undo', about, wait: 0, total: undoable, undoes: action }, undone());
  }

  async function areAll(ids: readonly string[], { id, total }: ActionRow): Promise<boolean> {
    if (ids.length < total) return false;
    const [chunk] = await store.chunks(id, 0, 1);
    return chunk?.items.every((item) => ids.includes((item as { id?: string }).id!)) === true;
  }

  /** Removes items of an action that waits. Undefined if none would be left. @throws `action.state`, `action.not_found` */
  async function removeItems(found: ActionRow, ids: readonly string[], reads: Reads): Promise<ActionRow | undefined> {
    const { id, user_id: user } = found;
    // Again if another request removes other items between the read and the write.
    let row = found;
    for (; row.state === 'pending'; row = await store.require({ id, user })) {
      const { total } = row;
      // The last items take the places of those that are removed, so that the other chunks stay as they are.
      const from = Math.max(0, Math.floor((total - ids.length) / chunkSize));
      const chunks = (await store.chunksWith(reads, id, ids, from)).map(({ part, items, before }) => ({
        first: part * chunkSize,
        part,
        items: items.map((item, index) => ({ item, ...(before && { before: before[index]! }) })),
      }));
      const isCurrent = chunks[0] && chunks[0].first + chunks[0].items.length === total;
      if (!isCurrent) continue;
      const left = new Set(ids);
      const removed = new Set(
        chunks.flatMap(({ items }) => items.filter(({ item }) => left.delete((item as { id?: string }).id!))),
      );
      const newTotal = total - removed.size;
      if (newTotal === 0) return undefined;
      if (newTotal === total) return row;
      const movers = chunks
        .flatMap(({ first, items }) => items.slice(Math.max(0, newTotal - first)))
        .filter((each) => !removed.has(each));
      const changed = chunks
        .filter(
          ({ first, items }) =>
            first < newTotal && items.some((each, at) => removed.has(each) || first + at >= newTotal),
        )
        .map(({ first, part, items }) => ({
          part,
          items: items.slice(0, newTotal - first).map((each) => (removed.has(each) ? movers.pop()! : each)),
        }));
      const replaced = await store.replaceChunks(row, { changed, newTotal });
      if (replaced) return replaced;
    }
    throw store.stateProblem(row);
  }

  async function retry(row: ActionRow, id: string): Promise<ActionRow> {
    if (row.state !== 'ended' || row.failed === 0) throw store.stateProblem(row);
    const { kind, user_id, failed } = row;
    async function* again(): AsyncGenerator<StoredItem[]> {
      for await (const some of resultsOf(row)) {
        yield some
          .filter(({ result }) => result)
          .map(({ item, before }) => (kind === 'undo' ? { item, before } : { item }));
      }
    }
    const about = JSON.parse(row.about) as object;
    const started = await startFilled({ id, user_id, kind, about, wait: 0, total: failed }, again());
    await store.change({ id: row.id, user: user_id, from: ['ended'], to: {}, dismissed: 'always' });
    return started;
  }

  /** The actions, newest first, with their items if they have few, of few bytes. Counts them before it reads them. */
  async function withItems(
    rows: readonly ActionRow[],
    { most = actionLimits.itemsShown, reads = db }: { most?: number; reads?: Reads } = {},
  ): Promise<Action[]> {
    let [left, bytesLeft]: number[] = [actionLimits.itemsListed, actionLimits.bytesListed];
    const few = rows
      .filter(({ total, state }) => total <= most && state !== 'uploading')
      .filter(({ total }) => (left! -= total) >= 0);
    const bytes = await store.bytesOfItems(
      reads,
      few.map(({ id }) => id),
    );
    const shown = few.filter(({ id }) => (bytesLeft! -= bytes.get(id) ?? 0) >= 0);
    const chunks = await store.chunksOf(
      reads,
      shown.map(({ id }) => id),
    );
    return rows.map((row) => {
      const ofAction = chunks.get(row.id);
      if (!ofAction) return record(row);
      const results = ofAction.flatMap((chunk) => chunk.items.map((_, index) => resultOf(chunk, index)));
      return {
        ...record(row),
        items: ofAction.flatMap(({ items }) => items) as never,
        ...(row.state === 'ended' && { results: results.slice(0, row.done) }),
      };
    });
  }

  const ownOf = ({ id, user_id: user }: ActionRow) => ({ id, user });

  async function changed(
    row: ActionRow,
    from: ActionState[],
    change: Pick<Parameters<typeof store.change>[0], 'to' | 'dismissed' | 'unlessDue'>,
  ): Promise<ActionRow> {
    const result = await store.change({ ...ownOf(row), from, ...change });
    wake();
    return result;
  }

  return {
    withItems,
    resultsOf,
    start,

    /** Starts an action with any number of items, for the server itself. */
    startAll({
      userId,
      kind,
      about,
      items,
    }: Pick<StartBody, 'kind' | 'about'> & { userId: string; items: ActionItem[] }) {
      async function* all() {
        yield items;
      }
      const action = { id: newId(), user_id: userId, kind, about, wait: 0, total: items.length };
      return startFilled(action, stored(all(), kinds[kind]!.withIds));
    },

    /** Starts the action with this id with the failed items; the same request again gets the same. */
    retry: async (row: ActionRow, id: string) => retry(await settled(row), id),

    async history(user: string, cursor: string | undefined): Promise<ActionHistory> {
      const [time = '', id = ''] = cursor?.split('_') ?? [];
      const rows = await store.history(user, cursor === undefined ? undefined : [time, id]);
      const last = rows.length === store.historyPage ? rows.at(-1) : undefined;
      return { actions: await withItems(rows, { most: 1 }), next: last ? `${last.ended_at}_${last.id}` : null };
    },

    async startUploaded(row: ActionRow, reads: Reads): Promise<ActionRow> {
      // The request was sent again.
      if (row.state !== 'uploading') return row;
      const missing = await store.missingParts(reads, row, actionLimits.part);
      if (missing.length > 0) {
        const errors = missing
          .slice(0, 100)
          .map((part) => ({ pointer: `/parts/${part}`, code: 'action.parts_missing', detail: 'is missing' }));
        throw new Problem('action.parts_missing', { errors });
      }
      return changed(row, ['uploading'], { to: { state: 'pending', runs_at: at(row.wait) } });
    },

    wait: (row: ActionRow, seconds: number) =>
      changed(row, ['pending'], { to: { runs_at: at(seconds) }, unlessDue: true }),

    pause: (row: ActionRow) =>
      changed(row, ['pending', 'running'], {
        to: { state: 'paused', ...(row.state === 'pending' && { runs_at: at(0) }) },
      }),

    /** The new time shows the runner that the user may have changed the records since the last chunk. */
    resume: (row: ActionRow) => changed(row, ['paused'], { to: { state: 'running', runs_at: at(0) } }),

    /** Undefined if its items were still being uploaded: then it is deleted. */
    async stop(row: ActionRow): Promise<ActionRow | undefined> {
      if (row.state === 'uploading') {
        await store.remove(ownOf(row));
        return undefined;
      }
      const stopped = await changed(row, ['pending', 'running', 'paused'], {
        to: { state: 'ended', ended_at: at(0) },
        ...(!kinds[row.kind]?.keepsResult && { dismissed: 'unless failed' }),
      });
      void store.removeNotExecuted(stopped).catch(report);
      return stopped;
    },

    dismiss: (row: ActionRow) => changed(row, ['ended'], { to: {}, dismissed: 'always' }),

    /**
     * Of an action that has ended: starts the action with this id that undoes it; the same request again gets the same. Before
     * that: removes these items. Undefined if none are left: then it is deleted.
     */
    async undo(
      row: ActionRow,
      { id, items, reads }: { id: string; items: readonly string[] | undefined; reads: Reads },
    ): Promise<ActionRow | undefined> {
      if (row.state === 'ended') {
        const known = row.undone_by === id ? await store.find(id) : undefined;
        return known ?? undoEnded(await settled(row), { id, items });
      }
      const left = items && (await removeItems(row, items, reads));
      if (!left) await store.remove(ownOf(row));
      return left;
    },
  };
}

async function* stored(pages: AsyncIterable<ActionItem[]>, withIds = (item: ActionItem) => item) {
  for await (const items of pages) yield items.map((item) => ({ item: withIds(item) }));
}

/** What the list of an inverse action shows of an item. */
function namedItem(item: ActionItem) {
  const { id = '', name = '' } = item as { id?: string; name?: string };
  return { id, name };
}
