// stores: SQLite, PostgreSQL
/** Which listeners are told of changes, and how many rows are read for it. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { threadTicks } from '../limits/loop-ticks.ts';
import { eventLimits } from '../limits/part-limits.ts';
import { noQuotas } from '../limits/quotas.ts';
import type { FeedRow } from '../store/row-types.ts';
import { openTestDatabase } from '../store/store.fixture.ts';
import { createEventBuilder, type EventBuilder } from './event-builder.store.ts';
import { createMembers } from '../members/members.store.ts';
import { createResources } from '../resources/resources.store.ts';
import type { Stores } from '../stores.ts';
import { createSwarms } from '../swarms/swarms.store.ts';

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
let builder: EventBuilder;
/** The number of rows of each read. */
let rowsRead: number[];
const at = '2026-01-01T00:00:00.000Z';
const now = () => new Date(at);

beforeEach(async () => {
  opened = await openTestDatabase();
  rowsRead = [];
  const db: typeof opened.db = {
    ...opened.db,
    async read(query) {
      const rows = await opened.db.read<never>(query);
      rowsRead.push(rows.length);
      return rows;
    },
  };
  const options = { db, readsOf: () => db, now, quotas: noQuotas };
  const members = createMembers({ ...options, baseUrl: '' });
  const swarms = createSwarms({ ...options, members, onLeft: () => {} });
  // The other records are in no entry of these tests.
  builder = createEventBuilder({
    db,
    members,
    swarms,
    resources: createResources(options),
    ofCapabilities: [] as const,
  } as Stores & {
    db: typeof db;
    ofCapabilities: [];
  });
});
afterEach(() => opened[Symbol.asyncDispose]());

const put = (sql: string, ...params: string[]) => opened.db.write([{ sql, params }]);
const listOf = (name: string, amount: number) => Array.from({ length: amount }, (_, n) => `${name}${n}`);

const addDevices = (user: string, devices: string[]) =>
  put(
    `INSERT INTO resources (id, user_id, name, machine_type, created_at, changed_at, version, name_key, name_folded)
     SELECT value, $1, value, 'bug', '${at}', '${at}', 1, '', '' FROM elements($2)`,
    user,
    JSON.stringify(devices),
  );
const addSwarms = (user: string, swarms: string[]) =>
  put(
    `INSERT INTO swarms (id, user_id, name, description, public, created_at, version)
     SELECT value, $1, value, '', 0, '${at}', 1 FROM elements($2)`,
    user,
    JSON.stringify(swarms),
  );
const join = (devices: string[], swarms: string[]) =>
  put(
    `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since) SELECT s.value, r.value, 'producer', '${at}' FROM elements($1) s, elements($2) r`,
    JSON.stringify(swarms),
    JSON.stringify(devices),
  );

const entryOf = (values: Partial<FeedRow>): FeedRow =>
  ({ seq: 1, at, owner: 'ann', recipient: null, resource_id: null, swarm_id: null, ...values }) as FeedRow;
const moved = (owner: string, device: string) => entryOf({ kind: 'resource.moved', owner, resource_id: device });

test('a change is read for those who listen, not for all who may see it', async () => {
  const users = listOf('u', 200);
  await addDevices('ann', ['a']);
  await addSwarms('ann', ['s']);
  for (const user of users) await addDevices(user, [`d-${user}`]);
  await join(['a', ...users.map((user) => `d-${user}`)], ['s']);
  const { events } = await builder.read([moved('ann', 'a')], new Set(['u7', 'x']));
  expect(events.map(({ recipients }) => recipients)).toEqual([{ users: [], swarms: new Map([['s', ['u7']]]) }]);
  expect(Math.max(...rowsRead)).toBe(1);
  rowsRead = [];
  expect((await builder.read([moved('ann', 'a')], new Set(['x']))).events).toEqual([]);
  expect(rowsRead).toEqual([1, 0]);
});

test('with very many listeners, too', async () => {
  await addDevices('ann', ['a']);
  await addDevices('bob', ['b']);
  await addSwarms('ann', ['s']);
  await join(['a', 'b'], ['s']);
  const { events } = await builder.read([moved('ann', 'a')], new Set([...listOf('u', 2000), 'bob']));
  expect(events.map(({ recipients }) => recipients)).toEqual([{ users: [], swarms: new Map([['s', ['bob']]]) }]);
});

test('changes beyond the rows of a read wait, and owners take turns', async () => {
  const [anns, bobs] = [listOf('a', 6), listOf('b', 3)];
  const swarms = listOf('s', eventLimits.rows / 4);
  await addSwarms('ann', swarms);
  await addDevices('ann', anns);
  await addDevices('bob', bobs);
  await join(anns, swarms);
  await join(bobs, ['s0']);
  const entries = [...anns.map((device) => moved('ann', device)), ...bobs.map((device) => moved('bob', device))];
  rowsRead = [];
  const { events, left, rows } = await builder.read(entries, new Set(['ann']));
  expect(left.map(({ resource_id }) => resource_id)).toEqual(['a3', 'a4', 'a5']);
  expect(events.map(({ resourceId }) => resourceId)).toEqual(['a0', 'a1', 'a2', ...bobs]);
  expect(Object.fromEntries(rows)).toEqual({ ann: (3 / 4) * eventLimits.rows, bob: 3 });
  expect(Math.max(...rowsRead)).toBe(eventLimits.rows);
  const rest = await builder.read(left, new Set(['ann']));
  expect([rest.left, rest.events.length]).toEqual([[], 3]);
});

test('each statement for many changes begins in a later tick if this one is over, and has some of them', async () => {
  const devices = listOf('a', 250);
  await addDevices('ann', devices);
  await addSwarms('ann', ['s']);
  await join(devices, ['s']);
  let tick = 0;
  vi.spyOn(threadTicks, 'isOver').mockReturnValue(true);
  vi.spyOn(threadTicks, 'next').mockImplementation(async () => void (tick += 1));
  const ticks: number[] = [];
  vi.spyOn(rowsRead, 'push').mockImplementation(() => ticks.push(tick));
  const entries = devices.map((device) => moved('ann', device));
  const { events } = await builder.read(entries, new Set(['ann']));
  expect(events.length).toBe(devices.length);
  // The swarms of the devices, twice three; the viewers of the swarm, twice; the devices.
  expect(ticks.length).toBe(9);
  expect(new Set(ticks).size).toBe(ticks.length);
});

test('a changed swarm is read for those of its invited users who listen', async () => {
  const invited = listOf('i', 500);
  await addSwarms('ann', ['s']);
  await put(
    `INSERT INTO invitations (id, "from", "to", swarm_id, resource_id, resource_type, sent_at, status, created_at)
     SELECT value, 'ann', value, 's', value, 'producer', '${at}', 'new', '${at}' FROM elements($1)`,
    JSON.stringify(invited),
  );
  rowsRead = [];
  const updated = entryOf({ kind: 'swarm.updated', swarm_id: 's' });
  const { events } = await builder.read([updated], new Set(['i3', 'ann']));
  expect(events.map(({ recipients }) => recipients)).toEqual([
    { users: [], swarms: new Map([['s', ['ann']]]) },
    { users: ['i3'], swarms: new Map() },
  ]);
  expect(Math.max(...rowsRead)).toBe(1);
});
