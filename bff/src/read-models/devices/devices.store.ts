import type { DeviceFilters, DevicePage } from '../../contract.ts';
import { Problem } from '../../core/problem.ts';
import { idFormat } from '../../core/limits/field-rules.ts';
import { expectedEvery } from '../../core/store/expected-every.ts';
import { presenceColumns, refusalColumns } from '../../core/store/presence-row.ts';
import { recordColumns, type RecordRow, type ResourceRow } from '../../core/store/resource-fields.ts';
import type { Shape } from '../../core/store/shape.ts';
import { always, listOf, raw, sql } from '../../core/store/statement.ts';
import { isOpen, seesMembers } from '../../core/store/visibility.ts';
import type { Requester } from '../../core/limits/fair-queue.ts';
import type { Reads } from '../caller.ts';
import type { IndexClient } from '../index/index-client.ts';
import { nonePresent } from '../index/device-filter.ts';
import { readLastValues, valuesShown } from '../last-values/last-values.store.ts';
import { deviceTexts, type DeviceTexts } from './device-texts.shape.ts';
import { gzipOf, noSums } from './gzip-parts.ts';
import { devicesByRef, swarmOf, type ListQuery } from './device-query.ts';
import { writeCursor } from '../../core/http/query.ts';

/** A page without its devices, by their refs. */
type PageOfRefs = Omit<DevicePage, 'at' | 'items'> & { refs: readonly number[] };

/** Longer than any client waits: its queries are dropped when it disconnects. */
const timeoutMs = 600_000;
/** Within this time, an index of ten thousand devices is built. */
const momentMs = 250;

/**
 * One page of the matching devices as JSON, with the counts of all matches. The caller has checked access to the audience. The
 * index finds and counts the devices; the reader thread reads their rows. For the audience of a swarm they are members.
 */
export async function readDevicePage(options: {
  requester: Requester & { db: Reads };
  index: IndexClient;
  query: ListQuery;
  now: () => Date;
  takesGzip: boolean;
}): Promise<DeviceList> {
  const { requester, query, now, takesGzip } = options;
  const { db, user } = requester;
  const { refs, ...page } = await findPage(options);
  const rest: Omit<DevicePage, 'items'> = { ...page, at: now().toISOString() };
  const after = `],${JSON.stringify(rest).slice(1)}`;
  const { filters, values = [] } = query;
  return readTexts({ db, user, audience: filters.audience, refs, values, before: '{"items":[', after, takesGzip });
}

async function findPage({
  requester,
  index,
  query,
}: {
  requester: Requester & { db: Reads };
  index: IndexClient;
  query: ListQuery;
}): Promise<PageOfRefs> {
  const { db, user } = requester;
  const { counts, values: _values, ...rest } = query;
  const later = counts === 'later' && hasOrder(query);
  const reply = await index.query('list', requester, { ...rest, timeoutMs: later ? momentMs : timeoutMs });
  if ('building' in reply && later) {
    return { ...(await findFirst({ db, user, query })), ...nothingCounted, building: reply.building };
  }
  const { next, ...result } = answerOf(reply);
  return { ...result, next: next && writeCursor({ sort: query.sort, ...next }) };
}

function answerOf<T>(reply: { answer: T } | { building: number }): T {
  if ('building' in reply) throw new Problem('storage.away', { headers: { 'retry-after': '5' } });
  return reply.answer;
}

const chunkSize = 250;

/**
 * The devices that match when the first chunk is requested, oldest first, in chunks, or what `shape` makes of each chunk. What the
 * caller can no longer see when its chunk is read is left out. The caller has checked access to the audience.
 */
export async function* matchingDevices<Row = RecordRow>(options: {
  requester: Requester & { db: Reads };
  index: IndexClient;
  filters: DeviceFilters;
  shape?: Shape | undefined;
}): AsyncGenerator<Row[], void> {
  const { requester, index, filters, shape } = options;
  const { db, user } = requester;
  const refs = answerOf(await index.query('refs', requester, { filters, timeoutMs }));
  for (let from = 0; from < refs.length; from += chunkSize) {
    const chunk = [...refs.subarray(from, from + chunkSize)];
    const found = devicesByRef({ user, audience: filters.audience, refs: chunk });
    const query = sql`SELECT r.ref, ${raw(recordColumns('r'))} FROM ${found} ORDER BY r.ref`;
    yield await db.read<Row>({ ...query, ...(shape && { shape }) });
  }
}

/** An index of the database has own devices in these orders, so that it reads no more rows than it returns. */
const databaseOrders = {
  name: { column: 'name_key', after: '>', direction: 'ASC' },
  '-changed': { column: 'changed_at', after: '<', direction: 'DESC' },
  '-created': { column: 'created_at', after: '<', direction: 'DESC' },
} as const;
type DatabaseOrder = keyof typeof databaseOrders;

function hasOrder({ filters, sort, limit, around }: ListQuery): boolean {
  const { audience, machine_type: _type, ...others } = filters;
  return (
    sort in databaseOrders &&
    audience === 'own' &&
    Object.keys(others).length === 0 &&
    limit > 0 &&
    around === undefined
  );
}

const nothingCounted = {
  total: 0,
  facets: {
    all: 0,
    machine_type: { pc: 0, bug: 0, smartphone: 0 },
    presence: nonePresent(),
    no_swarm: 0,
    unplaced: 0,
    swarms: [],
  },
} satisfies Partial<PageOfRefs>;

/** A page of own devices, filtered by type at most, without the index. */
async function findFirst(options: {
  db: Reads;
  user: string;
  query: ListQuery;
}): Promise<Pick<PageOfRefs, 'refs' | 'next' | 'offset'>> {
  const { db, user, query } = options;
  const { sort, limit, cursor, offset, filters } = query;
  const order = databaseOrders[sort as DatabaseOrder];
  const [column, after, direction] = [raw(order.column), raw(order.after), raw(order.direction)];
  const ofType = filters.machine_type ? sql`machine_type IN (${listOf(filters.machine_type)})` : always;
  const rest = cursor ? sql`(${column}, ref) ${after} (${cursor.key}, ${cursor.id})` : always;
  const found = await db.read<{ ref: number; key: string }>(sql`SELECT ref, ${column} AS key FROM resources
    WHERE user_id = ${user} AND ${ofType} AND ${rest}
    ORDER BY ${column} ${direction}, ref ${direction} LIMIT ${limit + 1} OFFSET ${cursor ? 0 : (offset ?? 0)}`);
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return {
    refs: shown.map(({ ref }) => ref),
    next: found.length > limit && last ? writeCursor({ sort, key: last.key, id: last.ref }) : null,
    ...(!cursor && offset !== undefined && { offset }),
  };
}

/**
 * Devices as a list of that audience shows them, as JSON with commas between them. Those that the caller cannot see there are left
 * out.
 */
export async function readDevices(options: {
  db: Reads;
  user: string;
  audience: string;
  ids: readonly string[];
  /** Keys whose last values they have. */
  values: readonly string[];
  /** How often they are expected: a search in their swarms for each. */
  withExpected?: boolean;
  before: string;
  after: string;
}): Promise<DeviceList> {
  const { db, ...rest } = options;
  const ids = options.ids.filter((id) => idFormat.test(id));
  const found = await db.read<Pick<ResourceRow, 'ref'>>(
    sql`SELECT ref FROM resources WHERE id IN (SELECT value FROM elements(${JSON.stringify(ids)})) ORDER BY name_key, ref`,
  );
  return readTexts({ db, ...rest, refs: found.map(({ ref }) => ref), takesGzip: false });
}

/** Devices as JSON. `isGzip`: whether it is compressed. */
interface DeviceList {
  count: number;
  bytes: Uint8Array<ArrayBuffer>;
  isGzip: boolean;
}

/** Devices of a chunk: some 2 ms of the reader, with texts of 1,000 characters. */
const refsOfChunk = 100;

interface ListOfRefs {
  user: string;
  audience: string;
  refs: readonly number[];
  values: readonly string[];
  withExpected?: boolean;
  before: string;
  after: string;
}

/**
 * In the order of the refs, in chunks, so that the reader thread has time for others between them. Reads the audience's condition again:
 * what the caller may no longer see is left out.
 */
async function readTexts({
  db,
  takesGzip,
  ...list
}: ListOfRefs & { db: Reads; takesGzip: boolean }): Promise<DeviceList> {
  const { refs, before, after } = list;
  if (refs.length === 0) return { count: 0, bytes: Buffer.from(before + after), isGzip: false };
  const chunks: DeviceTexts[] = [];
  let count = 0;
  for (let from = 0; from < refs.length; from += refsOfChunk) {
    const chunk = await readChunk(db, {
      ...list,
      refs: refs.slice(from, from + refsOfChunk),
      before: from === 0 ? before : '',
      between: count === 0 ? '' : ',',
      after: from + refsOfChunk < refs.length ? '' : after,
      gzipAfter: takesGzip ? (chunks.at(-1)?.sums ?? noSums) : undefined,
    });
    chunks.push(chunk);
    count += chunk.count;
  }
  const bytes = takesGzip ? gzipOf(chunks) : Buffer.concat(chunks.map((chunk) => chunk.bytes));
  return { count, bytes, isGzip: takesGzip };
}

async function readChunk(
  db: Reads,
  part: ListOfRefs & Pick<Parameters<typeof deviceTexts>[0], 'between' | 'gzipAfter'>,
): Promise<DeviceTexts> {
  const { audience, user, refs, values: keys, withExpected = false, before, between, after, gzipAfter } = part;
  const last = await readLastValues({ reader: db, user, audience, refs, keys });
  const values = new Map([...last].map(([ref, found]) => [ref, valuesShown(found)]));
  const ofMember = ', here.resource_type, here.member_since, here.ends_at, here.ends_at_most, here.shown_by_links';
  const member = raw(swarmOf(audience) === undefined ? '' : ofMember);
  const swarms = sql`SELECT json_agg(json_build_object('id', s.id, 'name', s.name, 'resource_type', m.resource_type)
      ORDER BY lower(s.name), s.id) FROM memberships m JOIN swarms s ON s.id = m.swarm_id
    WHERE m.resource_id = r.id AND ${raw(isOpen('m'))} AND ${seesMembers({ user: sql`${user}`, swarm: raw('m.swarm_id') })}`;
  const columns = sql`${raw(recordColumns('r'))}, r.changed_at, ${raw(presenceColumns)}, p.phone, ${raw(refusalColumns)}`;
  const [texts] = await db.read<DeviceTexts>({
    ...sql`SELECT r.ref, ${columns}, coalesce((${swarms}), '[]') AS swarms${withExpected ? expectedColumns(user) : raw('')}${member} FROM ${devicesByRef(part)}`,
    shape: deviceTexts({ user, refs, values, before, between, after, gzipAfter }),
  });
  return texts!;
}

/** How often the resource `r` is expected, and the swarm that sets it, if this user sees its members. */
const expectedColumns = (
  user: string,
) => sql`, ${raw(expectedEvery)} AS expected_within, CASE WHEN r.expected_every IS NULL THEN
  (SELECT json_build_object('id', s.id, 'name', s.name) FROM memberships m JOIN swarms s ON s.id = m.swarm_id
    WHERE m.resource_id = r.id AND ${raw(isOpen('m'))} AND s.expected_every = ${raw(expectedEvery)}
      AND ${seesMembers({ user: sql`${user}`, swarm: raw('m.swarm_id') })} ORDER BY lower(s.name), s.id LIMIT 1) END AS expected_by`;
