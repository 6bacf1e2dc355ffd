/** The requests of the browser about actions. `actions.use-cases.ts` does what they ask for. */
import { Hono, type Context } from 'hono';
import { z } from '@hono/zod-openapi';
import type {
  Action,
  ActionHistory,
  ActionItem,
  ActionKind,
  ActionResult,
  ActionRetry,
  ActionUndo,
} from '../../contract.ts';
import { escapeFormula, toLine } from '../../core/resources/device-export.ts';
import { readJsonBody } from '../../core/http/json-body.ts';
import { Problem, type Report } from '../../core/problem.ts';
import { oneOf, paramsOf, readQuery } from '../../core/http/query.ts';
import { bodyOf } from '../../core/http/streamed-body.ts';
import { actionLimits, idFormat } from '../../core/limits/field-rules.ts';
import type { Database } from '../../core/store/database.ts';
import type { ActionRow } from './action-row.ts';
import { listActions, requireAction } from './actions.store.ts';
import type { Reads } from './chunks.store.ts';
import type { ActionUseCases, StartBody } from './actions.use-cases.ts';
import { never, type Kinds } from './kinds/kind.ts';
import { queryLimits } from '../../core/limits/part-limits.ts';

const noStore = { 'cache-control': 'no-store' };
const wait = z.int().min(0).max(actionLimits.undoSeconds);
const filterFields = {
  query: z.string().max(queryLimits.filterLength),
  except: z.array(z.string().max(64)).max(actionLimits.part).optional(),
};
const filter = z.discriminatedUnion('list', [
  z.strictObject({ list: z.literal('devices'), ...filterFields }),
  z.strictObject({ list: z.enum(['members', 'ending_members']), swarm_id: z.string().max(64), ...filterFields }),
  z.strictObject({ list: z.literal('invitations'), ...filterFields }),
]);

export function actionRoutes(options: {
  db: Database;
  useCases: ActionUseCases;
  kinds: Partial<Kinds>;
  readsFor: (c: Context, user: string) => Reads;
  newId: () => string;
  userOf: (c: Context) => string;
  report: Report;
}) {
  const { db, useCases, kinds, readsFor, newId, userOf, report } = options;
  /** Made for the first action, because it takes 3 ms. */
  let startSchema: z.ZodType<StartBody> | undefined;
  const routes = new Hono();

  const own = async (c: Context) => requireAction(db, { id: c.req.param('id')!, user: userOf(c) });
  /** `row`: undefined if the action was deleted. */
  const reply = async (c: Context, row: ActionRow | undefined, status: 200 | 201 = 200) =>
    row ? c.json<Action>((await useCases.withItems([row]))[0]!, status, noStore) : c.body(null, 204);
  const bodyIfAny = async <Body>(c: Context, schema: z.ZodType<Body>): Promise<Partial<Body>> =>
    c.req.header('content-type') === undefined ? {} : (await readJsonBody(c, schema)).body;
  const changing = (change: (row: ActionRow) => Promise<ActionRow | undefined>) => async (c: Context) =>
    reply(c, await change(await own(c)));

  routes.get('/actions', async (c) => {
    const user = userOf(c);
    const reads = readsFor(c, user);
    const text = await useCases.listText(await listActions(reads, user), reads);
    return c.body(text, 200, { ...noStore, 'content-type': 'application/json' });
  });
  routes.get('/actions/history', async (c) => {
    const user = userOf(c);
    const fields = { cursor: z.string().max(100).optional(), resource_id: z.string().regex(idFormat).optional() };
    const { cursor, resource_id: resourceId } = readQuery(paramsOf(c.req), z.object(fields));
    const reads = readsFor(c, user);
    return c.json<ActionHistory>(await useCases.history({ user, cursor, resourceId, reads }), 200, noStore);
  });
  routes.post('/actions', async (c) => {
    const user = userOf(c);
    const { body } = await readJsonBody(c, (startSchema ??= startSchemaOf(kinds)));
    return reply(c, await useCases.start(user, body), 201);
  });
  routes.put('/actions/:id/parts/:part', async (c) => {
    const row = await own(c);
    const part = Number(c.req.param('part'));
    const least = part * actionLimits.part;
    if (!Number.isInteger(part) || part < 0 || least >= row.total) throw new Problem('action.not_found');
    const count = Math.min(actionLimits.part, row.total - least);
    const { item } = kinds[row.kind]!;
    const { body } = await readJsonBody(c, z.strictObject({ items: z.array(item).min(count).max(count) }));
    await useCases.putPart(row, { part, items: body.items });
    return c.body(null, 204);
  });
  routes.post('/actions/:id/start', async (c) => {
    const row = await own(c);
    return reply(c, await useCases.startUploaded(row, readsFor(c, row.user_id)));
  });
  routes.post('/actions/:id/wait', async (c) => {
    const { body } = await readJsonBody(c, z.strictObject({ seconds: wait }));
    return reply(c, await useCases.postpone(await own(c), body.seconds));
  });
  routes.post('/actions/:id/pause', changing(useCases.pause));
  routes.post('/actions/:id/resume', changing(useCases.resume));
  routes.post('/actions/:id/stop', changing(useCases.stop));
  routes.post('/actions/:id/dismiss', changing(useCases.dismiss));
  routes.post('/actions/:id/retry', async (c) => {
    const row = await own(c);
    const { id = newId() } = await bodyIfAny<ActionRetry>(c, z.strictObject({ id: z.uuid().exactOptional() }));
    return reply(c, await useCases.retry(row, id), 201);
  });
  routes.post('/actions/:id/undo', async (c) => {
    const row = await own(c);
    const schema: z.ZodType<ActionUndo> = z.strictObject({
      id: z.uuid().exactOptional(),
      items: z.array(z.string().max(64)).min(1).max(actionLimits.removedAtOnce).exactOptional(),
    });
    const { items, id = newId() } = await bodyIfAny(c, schema);
    const undone = await useCases.undo(row, { id, items, reads: readsFor(c, row.user_id) });
    return reply(c, undone, row.state === 'ended' ? 201 : 200);
  });

  routes.get('/actions/:id/results', async (c) => {
    const query = z.object({ failed: oneOf(['true', 'false']).optional(), format: oneOf(['json', 'csv']).optional() });
    const { failed, format } = readQuery(paramsOf(c.req), query);
    const row = await own(c);
    async function* results() {
      for await (const page of useCases.resultsOf(row, readsFor(c, row.user_id))) {
        yield failed === 'true' ? page.filter(({ result }) => result) : page;
      }
    }
    const isCsv = format === 'csv';
    const body = await bodyOf(c, isCsv ? csvOf(results()) : jsonOf(results()), report);
    return c.body(body, 200, {
      ...noStore,
      'content-type': isCsv ? 'text/csv; charset=utf-8' : 'application/json',
      ...(isCsv && { 'content-disposition': 'attachment; filename="results.csv"' }),
    });
  });

  return routes;
}

function startSchemaOf(kinds: Partial<Kinds>): z.ZodType<StartBody> {
  const startSchemas = Object.entries(kinds)
    .filter(([, { item }]) => item !== never)
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
  return z.discriminatedUnion('kind', startSchemas as never);
}

/** `result`: undefined if the action was stopped before. */
type Outcome = { item: ActionItem; result: ActionResult | undefined };

async function* jsonOf(results: AsyncIterable<Outcome[]>): AsyncGenerator<string> {
  yield '{"results":[';
  let isFirst = true;
  for await (const page of results) {
    const texts = page.map(({ item, result }) => JSON.stringify({ item, result }));
    if (texts.length === 0) continue;
    yield `${isFirst ? '' : ','}${texts.join()}`;
    isFirst = false;
  }
  yield ']}';
}

async function* csvOf(results: AsyncIterable<Outcome[]>): AsyncGenerator<string> {
  yield `\uFEFF${toLine(['line', 'name', 'id', 'code', 'detail'], ',')}`;
  for await (const page of results) {
    const lines = page.map(({ item, result }) => {
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
