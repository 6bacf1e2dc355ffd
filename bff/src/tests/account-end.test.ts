import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readUsage, endAccount } from '../core/gateway/account.store.ts';
import { createKeyTable, type KeyTable } from '../core/gateway/gateway-keys.fixture.ts';
import { createEventStreams } from '../core/http/event-streams.ts';
import { createDeviceConnections } from '../core/limits/device-connections.ts';
import { createFairQueue } from '../core/limits/fair-queue.ts';
import type { QuotaRow } from '../core/limits/limit-rows.ts';
import { createLimits, quotaTable } from '../core/limits/limit-tables.ts';
import { noQuotas } from '../core/limits/quotas.ts';
import { createKeys } from '../core/keys/api-keys.store.ts';
import { createActivityLog } from '../core/activity/activity-log.store.ts';
import { createLongReads } from '../core/limits/long-reads.ts';
import { createStores } from '../core/stores.ts';
import { createSilenceNotices } from '../core/swarms/silence-notices.store.ts';
import { createUseCases } from '../core/use-cases.ts';
import { createTracks } from '../capabilities/tracks/tracks.store.ts';
import { createService } from '../service/service.ts';

let table: KeyTable;
beforeAll(async () => {
  table = await createKeyTable();
  for (const owner of ['ann', 'bob']) await fill(owner);
  // Each user has a device in the other's swarm.
  await insert('memberships', { swarm_id: 'swarm-ann', resource_id: 'lamp-bob' });
  await insert('memberships', { swarm_id: 'swarm-bob', resource_id: 'lamp-ann' });
});
afterAll(() => table[Symbol.asyncDispose]());

const ownerColumns = ['user_id', 'userId', 'from', 'to'];

/** Adds a row to every table with a column for a user, for all tables of the current schema. */
async function fill(owner: string) {
  await table.addUser(owner);
  const theirs = Object.fromEntries(ownerColumns.map((name) => [name, owner]));
  const parts = { swarm_id: `swarm-${owner}`, resource_id: `lamp-${owner}`, session_id: `session-${owner}` };
  await insert('resources', { ...theirs, id: parts.resource_id });
  await insert('swarms', { ...theirs, id: parts.swarm_id });
  const [device] = await table.db.read<{ ref: number }>({
    sql: 'SELECT ref FROM resources WHERE id = $1',
    params: [parts.resource_id],
  });
  const tables = (
    await table.db.read<{ name: string }>({
      sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    })
  )
    .map(({ name }) => name)
    // The keys of the server are nobody's.
    .filter((name) => !['resources', 'swarms', 'push_keys'].includes(name));
  for (const name of tables) {
    const columns = (await columnsOf(name)).map((column) => column.name);
    if (columns.some((column) => [...ownerColumns, 'resource_id', 'ref'].includes(column))) {
      await insert(name, { ...theirs, ...parts, ref: device!.ref, id: `${name}-${owner}` });
    }
  }
}

interface Column {
  name: string;
  type: string;
  notnull: number;
}

async function columnsOf(name: string) {
  return await table.db.read<Column>({ sql: `SELECT name, type, "notnull" FROM pragma_table_info('${name}')` });
}

const choices: Record<string, string> = {
  machine_type: 'pc',
  resource_type: 'both',
  kind: 'device',
  status: 'new',
  state: 'online',
  scope: 'read',
};
let filled = 0;

async function insert(name: string, values: Record<string, string | number>) {
  const columns = (await columnsOf(name)).filter((column) => column.notnull || values[column.name] !== undefined);
  filled += 1;
  const params = columns.map((column) => {
    const given = values[column.name] ?? choices[column.name];
    if (given !== undefined) return given;
    return /int/i.test(column.type) ? filled : `${name}-${filled}`;
  });
  const names = columns.map((column) => `"${column.name}"`).join(', ');
  await table.db.write([
    { sql: `INSERT OR IGNORE INTO "${name}" (${names}) VALUES (${columns.map(() => '?').join(', ')})`, params },
  ]);
}

async function deleteAnn(precondition = { sql: 'SELECT 1', orFail: 'session ended' as const }) {
  const { db, feed, now } = table;
  const newId = () => crypto.randomUUID();
  const report = (error: unknown) => {
    throw error;
  };
  const quotas = noQuotas;
  const keys = createKeys({ db, feed, quotas, now, newId, report });
  const streams = createEventStreams({
    endedOf: { key: async () => [], session: async () => [], link: async () => [] },
    quotas,
    report,
  });
  const limits = createLimits({ factor: 1, now });
  const queue = createFairQueue({ mostWaiting: 1000 });
  const baseUrl = 'http://localhost/service';
  const tracks = createTracks({ db, queue, now });
  const notices = createSilenceNotices({ db });
  const stores = createStores({ db, baseUrl, quotas, now, onLeft() {}, readsOf: createLongReads({ db, queue }) });
  const { deletions } = createService({
    db,
    queue,
    feed,
    keys,
    streams,
    async *matchingResources() {},
    addRoutes() {},
    baseUrl,
    stores,
    useCases: createUseCases({ ...stores, insertPoint: tracks.insert, notices, now, newId }),
    tracks,
    notices,
    activity: createActivityLog({ db, queue, now }),
    events: [],
    limits,
    messageBytes: Infinity,
    isCommand: true,
    quotas,
    now,
    newId,
    viewersOf: () => 0,
    devices: { heard() {}, said() {}, refused() {}, accepted() {}, wrongKey() {} },
    connections: createDeviceConnections({ takeovers: limits.rates.takeovers, onChange() {} }),
    report,
  });
  const hasEnded = await endAccount({ db, userName: 'ann', precondition });
  while (hasEnded && (await deletions.deleteBatch()));
  return hasEnded;
}

/** Every row of every table, by table. Without the feed, which keeps ids and names of deleted records for a day. */
async function everything(): Promise<[string, string][]> {
  const tables = await table.db.read<{ name: string }>({
    sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('feed', 'sqlite_sequence')",
  });
  const rows = tables.map(async ({ name }) => {
    const found = await table.db.read({ sql: `SELECT * FROM "${name}"` });
    return found.map((row): [string, string] => [name, JSON.stringify(row)]);
  });
  return (await Promise.all(rows)).flat();
}
/** Without what the activity logs of other users say about this one. */
const rowsOf = async (owner: string) =>
  (await everything()).filter(([name, row]) =>
    name === 'activity' ? isLogOf(owner, row) : new RegExp(`\\b${owner}\\b`).test(row),
  );
const isLogOf = (owner: string, row: string) => row.startsWith(`{"user_id":"${owner}"`);

/** A swarm that loses a member changes its version and its numbers, and notes that the member does not receive any more. */
const withoutVersions = (rows: [string, string][]) =>
  rows
    .filter(([name]) => name !== 'audience_changes')
    .map(([name, row]) => [name, row.replaceAll(/"(version|members|users|consumers|consumer_users)":\d+/g, '')]);

/** Each table that a capability counts has one row of each user. */
const ofCapabilities = Object.fromEntries(
  Object.entries<QuotaRow>(quotaTable).flatMap(([quota, { table: counted }]) => (counted ? [[quota, 1]] : [])),
);

describe('the deletion of an account', () => {
  it('returns what is deleted', async () => {
    expect(await readUsage({ db: table.db, userName: 'ann' })).toEqual({
      created_at: '2026-03-04T12:00:00.000Z',
      role: null,
      unstored_codes: 0,
      counts: {
        resources: 1,
        tracks: 0,
        swarms: 1,
        members: 2,
        invitations: 0,
        keys: 0,
        device_keys: 1,
        ...ofCapabilities,
      },
    });
    expect(await readUsage({ db: table.db, userName: 'nobody' })).toBeUndefined();
  });

  it('does not happen if the session has ended meanwhile', async () => {
    const before = await everything();
    expect(await deleteAnn({ sql: 'SELECT 1 AS still WHERE FALSE', orFail: 'session ended' })).toBe(false);
    expect(await everything()).toEqual(before);
  });

  it('deletes the account from every table and changes no other user', async () => {
    const before = (await rowsOf('bob')).filter(([, row]) => !/\bann\b/.test(row));
    expect(new Set((await rowsOf('ann')).map(([name]) => name)).size).toBeGreaterThanOrEqual(9);

    await deleteAnn();
    expect(await rowsOf('ann')).toEqual([['retired_names', '{"name":"ann"}']]);
    const after = (await rowsOf('bob')).filter(([, row]) => !/\bann\b/.test(row));
    expect(withoutVersions(after)).toEqual(withoutVersions(before));
  });

  it('is idempotent', async () => {
    await deleteAnn();
    expect(await rowsOf('ann')).toHaveLength(1);
  });
});
