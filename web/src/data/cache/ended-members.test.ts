import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, test } from 'vitest';
import type { Device, Member } from '@swarmdeck/bff/contract';
import { removeEnded } from './ended-members.ts';
import { queryKeys } from './query-keys.ts';

const at = '2026-01-02T03:00:00.000Z';
const end = '2026-01-02T04:00:00.000Z';
const harbour = { id: 'harbour', name: 'Harbour', resource_type: 'both' } as const;
const river = { id: 'river', name: 'River', resource_type: 'both' } as const;
const device = (id: string, user_id: string, ...swarms: Device['swarms']): Device => ({
  id,
  user_id,
  name: id,
  machine_type: 'bug',
  created_at: at,
  changed_at: at,
  presence: { state: 'never' },
  swarms,
});
const memberOf = (of: Device, ends_at?: string): Member => ({
  ...of,
  resource_type: 'both',
  member_since: at,
  ...(ends_at !== undefined && { ends_at }),
});

const mine = device('mine', 'ann', harbour);
const theirs = device('theirs', 'ben', harbour);
const elsewhere = device('elsewhere', 'ben', harbour, river);
const stays = device('stays', 'ben', harbour);
const keys = {
  members: queryKeys.swarm.memberList('harbour', {}),
  wall: queryKeys.wall.list('audience=swarm%3Aharbour&limit=100'),
  otherWall: queryKeys.wall.list('audience=swarm%3Ariver&limit=100'),
  devices: queryKeys.devices.list('audience=visible', null),
};
let client: QueryClient;

const list = (items: Device[]) => ({
  pages: [{ items, total: items.length, next: null, at, facets: { all: items.length } }],
  pageParams: [null],
});
beforeEach(() => {
  client = new QueryClient();
  client.setQueryData(queryKeys.account, { user_id: 'ann' });
  const members = [mine, theirs, elsewhere].map((each) => memberOf(each, end));
  for (const key of [keys.members, keys.wall]) client.setQueryData(key, list([...members, memberOf(stays)]));
  client.setQueryData(keys.otherWall, list([elsewhere]));
  client.setQueryData(keys.devices, list([mine, theirs, elsewhere, stays]), { updatedAt: 1 });
  client.setQueryData(queryKeys.device.row('theirs', 'swarm:harbour'), theirs);
});
const page = (key: readonly unknown[]) => client.getQueryData<ReturnType<typeof list>>(key)!.pages[0]!;
const listed = (key: readonly unknown[]) => page(key).items.map(({ id }) => id);
const pass = (time: string) => removeEnded(client, Date.parse(time));

test('members are in the lists of their swarm until their end', () => {
  pass('2026-01-02T03:59:59.999Z');
  expect([listed(keys.members).length, listed(keys.devices).length]).toEqual([4, 4]);
  pass(end);
  expect(page(keys.members)).toMatchObject({ total: 1, facets: { all: 1 } });
  for (const key of [keys.members, keys.wall]) expect(listed(key)).toEqual(['stays']);
  expect(listed(keys.otherWall)).toEqual(['elsewhere']);
  expect(client.getQueryData(queryKeys.device.row('theirs', 'swarm:harbour'))).toBeNull();
});

test('devices of others that were seen only as members leave all lists, and the others are in one swarm less', () => {
  pass(end);
  expect(listed(keys.devices)).toEqual(['mine', 'elsewhere', 'stays']);
  expect(page(keys.devices).items.map(({ swarms }) => swarms.map(({ id }) => id))).toEqual([
    [],
    ['river'],
    ['harbour'],
  ]);
  expect(client.getQueryState(keys.devices)?.dataUpdatedAt).toBe(1);
});
