import type { Device, DeviceFilters, DevicePage, Member, MemberRole, Resource } from '../contract.ts';
import { Problem } from '../problem.ts';
import { idFormat } from '../limits/field-rules.ts';
import {
  presenceColumns,
  presenceOf,
  refusalColumns,
  refusalsOf,
  type PhoneReport,
  type PresenceRow,
  type RefusalRow,
} from '../store/presence-row.ts';
import { recordColumns, resourceOf, type RecordRow, type ResourceRow } from '../store/resource-fields.ts';
import { always, listOf, raw, sql } from '../store/statement.ts';
import { seesMembers } from '../store/visibility.ts';
import type { Requester } from '../limits/fair-queue.ts';
import type { Reads } from './caller.ts';
import type { IndexClient } from './index-client.ts';
import { nonePresent } from './device-filter.ts';
import { devicesByRef, swarmOf, type ListQuery } from './device-query.ts';
import { writeCursor } from '../http/query.ts';

type DeviceList = Omit<DevicePage, 'at'>;

/** Longer than any client waits: its queries are dropped when it disconnects. */
const timeoutMs = 600_000;
/** Within this time, an index of ten thousand devices is built. */
const momentMs = 250;

/**
 * One page of the matching devices, with the counts of all matches. The caller has checked access to the audience. The
 * index finds and counts the devices; the reader thread reads their rows. For the audience of a swarm they are members.
 */
export async function readDevicePage(options: {
  requester: Requester & { db: Reads };
  index: IndexClient;
  query: ListQuery;
}): Promise<DeviceList> {
  const { requester, index, query } = options;
  const { db, user } = requester;
  const { counts, ...rest } = query;
  const { sort, filters } = query;
  const later = counts === 'later' && hasOrder(query);
  const reply = await index.query('list', requester, { ...rest, timeoutMs: later ? momentMs : timeoutMs });
  if ('building' in reply && later) {
    return { ...(await readFirstRows({ db, user, query })), ...nothingCounted, building: reply.building };
  }
  const { refs, next, ...result } = answerOf(reply);
  const items = await readShown({ db, user, audience: filters.audience, refs });
  return { items, next: next && writeCursor({ sort, ...next }), ...result };
}

function answerOf<T>(reply: { answer: T } | { building: number }): T {
  if ('building' in reply) throw new Problem('storage.away', { headers: { 'retry-after': '5' } });
  return reply.answer;
}

const chunkSize = 1000;

/**
 * The devices that match when the first chunk is requested, oldest first, in chunks. What the caller can no longer see
 * when its chunk is read is left out. The caller has checked access to the audience.
 */
export async function* matchingDevices(options: {
  requester: Requester & { db: Reads };
  index: IndexClient;
  filters: DeviceFilters;
}): AsyncGenerator<Resource[], void> {
  const { requester, index, filters } = options;
  const refs = answerOf(await index.query('refs', requester, { filters, timeoutMs }));
  for (let from = 0; from < refs.length; from += chunkSize) {
    const chunk = [...refs.subarray(from, from + chunkSize)];
    const rows = await readRows({ ...requester, audience: filters.audience, refs: chunk });
    yield rows.map(resourceOf);
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
} satisfies Partial<DeviceList>;

/** A page of own devices, filtered by type at most, without the index. */
async function readFirstRows(options: {
  db: Reads;
  user: string;
  query: ListQuery;
}): Promise<Pick<DeviceList, 'items' | 'next' | 'offset'>> {
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
    items: await readShown({ db, user, audience: 'own', refs: shown.map(({ ref }) => ref) }),
    next: found.length > limit && last ? writeCursor({ sort, key: last.key, id: last.ref }) : null,
    ...(!cursor && offset !== undefined && { offset }),
  };
}

/** Devices as a list of that audience shows them. Those that the caller cannot see there are left out. */
export async function readDevices(options: {
  db: Reads;
  user: string;
  audience: string;
  ids: readonly string[];
}): Promise<(Device | Member)[]> {
  const { db, ...rest } = options;
  const ids = options.ids.filter((id) => idFormat.test(id));
  const found = await db.read<Pick<ResourceRow, 'ref'>>(
    sql`SELECT ref FROM resources WHERE id IN (SELECT value FROM elements(${JSON.stringify(ids)})) ORDER BY name_key, ref`,
  );
  return readShown({ db, ...rest, refs: found.map(({ ref }) => ref) });
}

type PageRow = RecordRow &
  PresenceRow &
  RefusalRow &
  Pick<ResourceRow, 'ref' | 'changed_at'> & {
    phone: string | null;
    resource_type?: MemberRole;
    member_since?: string;
  };

interface WantedRows {
  db: Reads;
  user: string;
  audience: string;
  refs: readonly number[];
}

/** In the order of the refs. Reads the audience's condition again: what the caller may no longer see is left out. */
async function readRows({ db, ...options }: WantedRows): Promise<PageRow[]> {
  const { audience, refs } = options;
  if (refs.length === 0) return [];
  const member = raw(swarmOf(audience) === undefined ? '' : ', here.resource_type, here.member_since');
  const rows = await db.read<PageRow>(
    sql`SELECT r.ref, ${raw(recordColumns('r'))}, r.changed_at, ${raw(presenceColumns)}, p.phone, ${raw(refusalColumns)}${member} FROM ${devicesByRef(options)}`,
  );
  const byRef = new Map(rows.map((row) => [row.ref, row]));
  return refs.flatMap((ref) => byRef.get(ref) ?? []);
}

async function readShown(wanted: WantedRows): Promise<(Device | Member)[]> {
  const rows = await readRows(wanted);
  if (rows.length === 0) return [];
  const swarms = await readSwarmsOf({ ...wanted, ids: rows.map(({ id }) => id) });
  const swarmsOf = (id: string) => (swarms.get(id) ?? []).map(({ device: _device, ...swarm }) => swarm);
  return rows.map((row) => toDevice(row, { user: wanted.user, swarms: swarmsOf(row.id) }));
}

/** The swarms that the caller may know of, by device. */
async function readSwarmsOf({ db, user, ids }: { db: Reads; user: string; ids: string[] }) {
  const rows = await db.read<Device['swarms'][number] & { device: string }>(
    sql`SELECT m.resource_id AS device, s.id, s.name, m.resource_type
      FROM memberships m JOIN swarms s ON s.id = m.swarm_id
      WHERE m.resource_id IN (SELECT value FROM elements(${JSON.stringify(ids)})) AND ${seesMembers({ user: sql`${user}`, swarm: raw('m.swarm_id') })}
      ORDER BY lower(s.name), s.id`,
  );
  return Map.groupBy(rows, ({ device }) => device);
}

function toDevice(row: PageRow, { user, swarms }: { user: string; swarms: Device['swarms'] }): Device | Member {
  const { changed_at, phone, resource_type, member_since } = row;
  const isOwn = row.user_id === user;
  return {
    ...resourceOf(row),
    changed_at,
    presence: presenceOf(row),
    // Others were not told that they would see it.
    ...(isOwn && phone !== null && { phone: JSON.parse(phone) as PhoneReport }),
    ...(isOwn && (row.refused_at !== null || row.wrong_key_at !== null) && { refusals: refusalsOf(row) }),
    swarms,
    ...(resource_type && member_since && { resource_type, member_since }),
  };
}
