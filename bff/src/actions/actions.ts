/**
 * What users do to one or to many records, executed by the server (`runner.ts`). An action is stored with its items; the
 * table `kinds.ts` says how an item is executed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Hono, type Context } from 'hono';
import { z } from '@hono/zod-openapi';
import type {
  Action,
  ActionFilter,
  ActionHistory,
  ActionItem,
  ActionKind,
  ActionList,
  ActionResult,
  ActionResults,
  ActionStart,
  ActionState,
  ActionUndo,
} from '../contract.ts';
import { escapeFormula, toLine } from '../device-files/device-export.ts';
import type { ChangeFeed } from '../change-feed/change-feed.ts';
import { readJsonBody } from '../http/json-body.ts';
import { countLongResponse, replyLong } from '../http/long-responses.ts';
import { reportFailure } from '../http/problem-response.ts';
import { Problem, type Report } from '../problem.ts';
import { oneOf, paramsOf, readQuery } from '../http/query.ts';
import { bindingsOf } from '../http/request-bindings.ts';
import type { FairQueue, Requester } from '../limits/fair-queue.ts';
import { actionLimits } from '../limits/field-rules.ts';
import type { Database } from '../store/database.ts';
import {
  actionOf,
  chunkSize,
  createActionStore,
  latestSeconds,
  resultOf,
  serverFailed,
  type ActionRow,
  type Reads,
  type StoredItem,
} from './actions.store.ts';
import { createActionTurns } from './action-turns.store.ts';
import { createActionEvents } from './action-events.ts';
import type { Kinds } from './kinds.ts';
import { createRunner } from './runner.ts';

const settledEveryMs = 20;
const noStore = { 'cache-control': 'no-store' };

export type Actions = ReturnType<typeof createActions>;

export function createActions(options: {
  db: Database;
  /** For the reader thread. */
  queue: FairQueue;
  feed: ChangeFeed;
  kinds: Partial<Kinds>;
  /** Deletes a batch of what is left of accounts and swarms. Returns false if nothing was left. */
  deleteSome: () => Promise<boolean>;
  importActivity: NonNullable<Parameters<typeof createActionTurns>[0]['importActivity']>;
  /** The items that match a filter now, in pages. */
  itemsOf: (request: { userId: string; filter: ActionFilter }) => AsyncIterable<ActionItem[]>;
  now: () => Date;
  newId: () => string;
  userOf: (c: Context) => Promise<string>;
  report: Report;
}) {
  const { db, queue, feed, kinds, deleteSome, importActivity, itemsOf, now, newId, userOf, report } = options;
  /** Reads that grow with what the user has. */
  const readsOf = (requester: Requester): Reads => ({
    read: (query) => queue.run(requester, () => db.read({ ...query, isLong: true })),
  });
  const readsFor = (c: Context, user: string) => readsOf({ user, signal: c.req.raw.signal });
  const store = createActionStore({ db, now });
  const turns = createActionTurns({ db, now, importActivity });
  const record = (row: ActionRow) =>
    actionOf(row, { at: at(0), isWaiting: runner.isWaiting, canUndo: kinds[row.kind]?.inverse !== undefined });
  const events = createActionEvents({
    feed,
    read: async (ids) =>
      (await store.findAll(ids)).map((row) => ({ ...record(row), is_dismissed: row.is_dismissed === 1 })),
    report,
  });
  const runner = createRunner({
    ...{ store, turns, kinds, deleteSome, now, report },
    onWaiting: (actions) => actions.forEach(({ id, user_id }) => events.note(id, user_id)),
  });
  const at = (seconds: number) => new Date(now().getTime() + seconds * 1000).toISOString();

  const wait = z.int().min(0).max(actionLimits.wait);
  const filter = z.discriminatedUnion('list', [
    z.strictObject({ list: z.literal('devices'), ...filterFields() }),
    z.strictObject({ list: z.literal('members'), swarm_id: z.string().max(64), ...filterFields() }),
    z.strictObject({ list: z.literal('invitations'), ...filterFields() }),
  ]);
  const startSchemas = Object.entries(kinds)
    .filter(([kind]) => kind !== 'undo')
    .map(([kind, { about, item }]) =>
      z
        .strictObject({
          id: z.uuid(),
          kind: z.literal(kind as ActionKind),
          about,
          wait,
          items: z.array(item).min(1).max(actionLimits.part).optional(),
          filter: filter.optional(),
          expected: z.int().min(1).optional(),
          total: z.int().min(1).max(actionLimits.items).optional(),
        })
        .refine(
          (body) => [body.items, body.filter, body.total].filter((given) => given !== undefined).length === 1,
          'needs one of items, filter and total',
        )
        .refine((body) => (body.filter === undefined) === (body.expected === undefined), 'filter needs expected'),
    );
  const startSchema = z.discriminatedUnion('kind', startSchemas as never) as unknown as z.ZodType<StartBody>;

  function filterFields() {
    return {
      query: z.string().max(8000),
      except: z.array(z.string().max(64)).max(actionLimits.part).optional(),
    };
  }

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
        ...{ id, user, from: ['uploading'] },
        to: { state: 'pending', total, runs_at: at(wait) },
        ...(undoes !== undefined && { undoes }),
      });
      runner.wake();
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
      runner.wake();
      return row;
    }
    return (await store.create({ ...action, total: total! })).row;
  }

  /** Leaves out items of the user's open actions, as the app does with their rows. */
  async function* withoutOpen(user: string, pages: AsyncIterable<ActionItem[]>) {
    const open = await store.openIds(user, readsOf({ user }));
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

  async function retry(row: ActionRow): Promise<ActionRow> {
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
    const started = await startFilled({ id: newId(), user_id, kind, about, wait: 0, total: failed }, again());
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

  const routes = new Hono();
  const reply = async (c: Context, row: ActionRow, status: 200 | 201 = 200) =>
    c.json<Action>((await withItems([row]))[0]!, status, noStore);
  const own = async (c: Context) => store.require({ id: c.req.param('id')!, user: await userOf(c) });
  const changing =
    (
      from: ActionState[],
      change: (row: ActionRow) => Pick<Parameters<typeof store.change>[0], 'to' | 'dismissed' | 'unlessDue'>,
    ) =>
    async (c: Context) => {
      const row = await own(c);
      const changed = await store.change({ id: row.id, user: row.user_id, from, ...change(row) });
      runner.wake();
      return reply(c, changed);
    };

  routes.get('/actions', async (c) => {
    const user = await userOf(c);
    const reads = readsFor(c, user);
    return replyLong<ActionList>(c, user, { actions: await withItems(await store.list(reads, user), { reads }) });
  });
  routes.get('/actions/history', async (c) => {
    const user = await userOf(c);
    const { cursor } = readQuery(paramsOf(c.req), z.object({ cursor: z.string().max(100).optional() }));
    const [time = '', id = ''] = cursor?.split('_') ?? [];
    const rows = await store.history(user, cursor === undefined ? undefined : [time, id]);
    const last = rows.length === store.historyPage ? rows.at(-1) : undefined;
    return c.json<ActionHistory>(
      { actions: await withItems(rows, { most: 1 }), next: last ? `${last.ended_at}_${last.id}` : null },
      200,
      noStore,
    );
  });
  routes.post('/actions', async (c) => {
    const user = await userOf(c);
    const { body } = await readJsonBody(c, startSchema);
    return reply(c, await start(user, body), 201);
  });
  routes.put('/actions/:id/parts/:part', async (c) => {
    const row = await own(c);
    const part = Number(c.req.param('part'));
    const least = part * actionLimits.part;
    if (!Number.isInteger(part) || part < 0 || least >= row.total) throw new Problem('action.not_found');
    const count = Math.min(actionLimits.part, row.total - least);
    const { item, withIds = (item: ActionItem) => item } = kinds[row.kind]!;
    const { body } = await readJsonBody(c, z.strictObject({ items: z.array(item).min(count).max(count) }));
    const items = body.items.map((item) => ({ item: withIds(item) }));
    await store.putParts(row.id, { first: least / chunkSize, user: row.user_id, items });
    return c.body(null, 204);
  });
  routes.post('/actions/:id/start', async (c) => {
    const row = await own(c);
    // The request was sent again.
    if (row.state !== 'uploading') return reply(c, row);
    const missing = await store.missingParts(readsFor(c, row.user_id), row, actionLimits.part);
    if (missing.length > 0) {
      const errors = missing
        .slice(0, 100)
        .map((part) => ({ pointer: `/parts/${part}`, code: 'action.parts_missing', detail: 'is missing' }));
      throw new Problem('action.parts_missing', { errors });
    }
    return changing(['uploading'], ({ wait }) => ({ to: { state: 'pending', runs_at: at(wait) } }))(c);
  });
  routes.post('/actions/:id/wait', async (c) => {
    const { body } = await readJsonBody(c, z.strictObject({ seconds: wait }));
    return changing(['pending'], () => ({ to: { runs_at: at(body.seconds) }, unlessDue: true }))(c);
  });
  routes.post(
    '/actions/:id/pause',
    changing(['pending', 'running'], ({ state }) => ({
      to: { state: 'paused', ...(state === 'pending' && { runs_at: at(0) }) },
    })),
  );
  routes.post(
    '/actions/:id/resume',
    // The new time shows the runner that the user may have changed the records since the last chunk.
    changing(['paused'], () => ({ to: { state: 'running', runs_at: at(0) } })),
  );
  routes.post('/actions/:id/stop', async (c) => {
    const row = await own(c);
    const { id, user_id: user, kind } = row;
    if (row.state !== 'uploading') {
      const stopped = await store.change({
        ...{ id, user, from: ['pending', 'running', 'paused'] },
        to: { state: 'ended', ended_at: at(0) },
        ...(!kinds[kind]?.keepsResult && { dismissed: 'unless failed' }),
      });
      runner.wake();
      void store.removeNotExecuted(stopped).catch(report);
      return reply(c, stopped);
    }
    await store.remove({ id, user });
    return c.body(null, 204);
  });
  routes.post(
    '/actions/:id/dismiss',
    changing(['ended'], () => ({ to: {}, dismissed: 'always' })),
  );
  routes.post('/actions/:id/retry', async (c) => reply(c, await retry(await settled(await own(c))), 201));
  routes.post('/actions/:id/undo', async (c) => {
    const row = await own(c);
    const schema: z.ZodType<ActionUndo> = z.strictObject({
      id: z.uuid().exactOptional(),
      items: z.array(z.string().max(64)).min(1).max(actionLimits.removedAtOnce).exactOptional(),
    });
    const hasBody = c.req.header('content-type') !== undefined;
    const { items, id = newId() } = hasBody ? (await readJsonBody(c, schema)).body : {};
    if (row.state === 'ended') {
      const known = row.undone_by === id ? await store.find(id) : undefined;
      return reply(c, known ?? (await undoEnded(await settled(row), { id, items })), 201);
    }
    const left = items && (await removeItems(row, items, readsFor(c, row.user_id)));
    if (left) return reply(c, left);
    await store.remove({ id: row.id, user: row.user_id });
    return c.body(null, 204);
  });

  routes.get('/actions/:id/results', async (c) => {
    const query = z.object({ failed: oneOf(['true', 'false']).optional(), format: oneOf(['json', 'csv']).optional() });
    const { failed, format } = readQuery(paramsOf(c.req), query);
    const row = await own(c);
    async function* parts() {
      for await (const some of resultsOf(row, readsFor(c, row.user_id))) {
        yield failed === 'true' ? some.filter(({ result }) => result) : some;
      }
    }
    const isCsv = format === 'csv';
    const text = isCsv ? csvOf(parts()) : jsonOf(parts());
    const bindings = bindingsOf(c);
    countLongResponse(c, row.user_id);
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const { value, done } = await text.next();
          // After the read: what is sent was read while the user had access.
          await bindings.recheckAccess?.();
          if (done) controller.close();
          else controller.enqueue(Buffer.from(value));
        } catch (error) {
          reportFailure({ error, request: c.req.raw, bindings, report });
          throw error;
        }
      },
    });
    return c.body(body, 200, {
      ...noStore,
      'content-type': isCsv ? 'text/csv; charset=utf-8' : 'application/json',
      ...(isCsv && { 'content-disposition': 'attachment; filename="results.csv"' }),
    });
  });

  return {
    routes,
    subscribe: events.subscribe,
    /** Starts an action with any number of items. */
    async startAll({
      userId,
      kind,
      about,
      items,
    }: Pick<StartBody, 'kind' | 'about'> & { userId: string; items: ActionItem[] }) {
      async function* all() {
        yield items;
      }
      const action = { id: newId(), user_id: userId, kind, about, wait: 0, total: items.length };
      return record(await startFilled(action, stored(all(), kinds[kind]!.withIds)));
    },
    read: async ({ userId, id }: { userId: string; id: string }) => record(await store.require({ id, user: userId })),
    /** Returns the failed items of an action that has ended, and dismisses it. */
    async end({ userId: user, id }: { userId: string; id: string }): Promise<ActionResults> {
      const row = await store.change({ id, user, from: ['ended'], to: {}, dismissed: 'always' });
      const results: ActionResults['results'] = [];
      for await (const some of resultsOf(row)) {
        for (const { item, result } of some) if (result) results.push({ item, result });
      }
      return { results };
    },
    /** Deletes in the background what is left of accounts and swarms. */
    deleteLeft: runner.deleteLeft,
    /** Deletes old actions, and uploads that were not started. */
    async purge() {
      await store.purge();
      await turns.endLostTurns();
    },
    async close() {
      await runner.stop();
      events.stop();
    },
  };
}

type StartBody = Pick<ActionStart, 'id' | 'kind' | 'about' | 'wait'> & {
  items?: ActionItem[];
  filter?: ActionFilter;
  expected?: number;
  total?: number;
};

/** `result`: undefined if the action was stopped before. */
type Outcome = { item: ActionItem; result: ActionResult | undefined };

async function* stored(pages: AsyncIterable<ActionItem[]>, withIds = (item: ActionItem) => item) {
  for await (const items of pages) yield items.map((item) => ({ item: withIds(item) }));
}

/** What the list of an inverse action shows of an item. */
function namedItem(item: ActionItem) {
  const { id = '', name = '' } = item as { id?: string; name?: string };
  return { id, name };
}

async function* jsonOf(parts: AsyncIterable<Outcome[]>): AsyncGenerator<string> {
  yield '{"results":[';
  let isFirst = true;
  for await (const some of parts) {
    const texts = some.map(({ item, result }) => JSON.stringify({ item, result }));
    if (texts.length === 0) continue;
    yield `${isFirst ? '' : ','}${texts.join()}`;
    isFirst = false;
  }
  yield ']}';
}

async function* csvOf(parts: AsyncIterable<Outcome[]>): AsyncGenerator<string> {
  yield `\uFEFF${toLine(['line', 'name', 'id', 'code', 'detail'], ',')}`;
  for await (const some of parts) {
    const lines = some.map(({ item, result }) => {
      const {
        line = '',
        name = '',
        id = '',
        resource_id = '',
      } = item as { line?: number; name?: string; id?: string; resource_id?: string };
      const fields = [String(line), name, id || resource_id, result?.code ?? '', result?.detail ?? ''];
      return toLine(fields.map(escapeFormula), ',');
    });
    yield lines.join('');
  }
}
