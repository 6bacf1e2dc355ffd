import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { Device } from '@swarmdeck/bff/contract';
import { queryKeys } from '../../data/cache/query-keys.ts';
import { storedMap } from './stored-map.ts';

const device = (id: string, change: Partial<Device> = {}): Device => ({
  id,
  user_id: 'ann',
  name: `Buoy ${id}`,
  machine_type: 'bug',
  created_at: '2026-01-01T00:00:00.000Z',
  changed_at: '2026-01-01T00:00:00.000Z',
  presence: { state: 'never' },
  swarms: [],
  ...change,
});
const at = (longitude: number, latitude: number) => ({ position: { longitude, latitude } });
const devices = [
  device('a', at(10, 54)),
  device('b', { ...at(10.4, 54.2), machine_type: 'pc', swarms: [{ id: 's', name: 'S', resource_type: 'both' }] }),
  device('c', { ...at(-70, -30), name: '‮⁦<b>evil</b>' }),
  device('d'),
];
const whole = { bbox: [-180, -90, 180, 90] as [number, number, number, number], zoom: 1 };
const near = { bbox: [9, 53, 11, 55] as [number, number, number, number], zoom: 10 };

function withLists(all = devices.length) {
  const client = new QueryClient();
  client.setQueryData(queryKeys.account, { user_id: 'ann' });
  const page = (items: Device[], readAt: string) => ({ items, at: readAt, next: null, facets: { all } });
  const pages = [page(devices, '2026-01-01T00:00:00.000Z')];
  client.setQueryData(queryKeys.devices.list('limit=0', null), { pages, pageParams: [null] });
  return { client, page };
}
const shown = (view: ReturnType<typeof storedMap>) =>
  view?.features.map(({ id, properties }) => (properties.cluster ? properties.point_count : id));

test('what is one symbol of the world is several in a closer view', () => {
  const { client } = withLists();
  const filters = { audience: 'own' };
  const world = storedMap({ client, filters, viewport: whole });
  expect(world).toMatchObject({ total: 4, unplaced: 1, all: 4, bounds: [-70, -30, 10.4, 54.2] });
  expect(shown(world)?.toSorted()).toEqual([2, 'c']);
  expect(shown(storedMap({ client, filters, viewport: near }))?.toSorted()).toEqual(['a', 'b']);
});

test('filters apply', () => {
  const { client } = withLists();
  const shownWith = (filters: object) =>
    shown(storedMap({ client, filters: { audience: 'own', ...filters }, viewport: near }));
  expect(shownWith({ machine_type: ['pc'] })).toEqual(['b']);
  expect(shownWith({ swarm: 'none' })).toEqual(['a']);
  expect(shownWith({ swarm: 's' })).toEqual(['b']);
  expect(shownWith({ q: 'BUOY a' })).toEqual(['a']);
  expect(shownWith({ placed: 'no' })).toEqual([]);
  expect(shownWith({ refused: 'yes' })).toEqual([]);
});

test('a search finds what the server finds', () => {
  const client = new QueryClient();
  client.setQueryData(queryKeys.account, { user_id: 'ann' });
  const id = '019b0000-0000-7000-8000-000000000001';
  const items = [device('m', { ...at(10, 54), name: 'Müller–Ørsted', description: 'Silo 3' }), device(id, at(10, 54))];
  const pages = [{ items, at: '2026-01-01T00:00:00.000Z', next: null, facets: { all: 2 } }];
  client.setQueryData(queryKeys.devices.list('limit=0', null), { pages, pageParams: [null] });
  const found = (q: string) => shown(storedMap({ client, filters: { audience: 'own', q }, viewport: near }));
  for (const q of ['muller', 'MÜLLER orsted', 'mullerorsted', '"silo"', 'orsted silo'])
    expect(found(q), q).toEqual(['m']);
  expect(found('019b0000-0000')).toEqual([id]);
  expect(found('müller 4')).toEqual([]);
});

test('without the server, nobody knows what a filter shows that no row has', () => {
  const { client } = withLists();
  for (const filter of [{ action: 'x' }, { value: 'level', value_from: 1 }])
    expect(storedMap({ client, filters: { audience: 'own', ...filter }, viewport: near })).toBeNull();
});

test('a device is where the newest list has it, and devices of others are not among the own', () => {
  const { client, page } = withLists(1200);
  const later = [
    page([device('a', at(10.1, 54.1)), device('e', { ...at(10.2, 54.3), user_id: 'bob' })], '2026-02-01T00:00:00.000Z'),
  ];
  client.setQueryData(queryKeys.devices.list('audience=visible&limit=0', null), { pages: later, pageParams: [null] });
  const own = storedMap({ client, filters: { audience: 'own' }, viewport: { ...near, zoom: 12 } });
  expect(own?.features.find(({ id }) => id === 'a')?.geometry.coordinates).toEqual([10.1, 54.1]);
  expect([shown(own)?.toSorted(), own?.all]).toEqual([['a', 'b'], 1200]);
  const visible = storedMap({ client, filters: { audience: 'visible' }, viewport: { ...near, zoom: 12 } });
  expect(shown(visible)?.toSorted()).toEqual(['a', 'b', 'e']);
});

test('the members of a swarm have their roles, and without a stored list there is nothing', () => {
  const { client } = withLists();
  const view = storedMap({ client, filters: { audience: 'swarm:s' }, viewport: near });
  expect(view?.features).toMatchObject([{ id: 'b', properties: { resource_type: 'both' } }]);
  expect(storedMap({ client: new QueryClient(), filters: { audience: 'own' }, viewport: near })).toBeNull();
});

test('a map without its last member is empty, and one of which only a search without a match is stored is not known', () => {
  const { client, page } = withLists();
  const map = (all: number) => {
    const pages = [{ ...page([], '2026-02-01T00:00:00.000Z'), facets: { all } }];
    client.setQueryData(queryKeys.swarm.memberList('s', {}), { pages, pageParams: [null] });
    return storedMap({ client, filters: { audience: 'swarm:s' }, viewport: near });
  };
  expect(map(0)).toMatchObject({ total: 0, features: [] });
  expect(map(3)).toBeNull();
});

test('a device that waits is there too, once, and only a new one is counted', () => {
  const { client } = withLists(9);
  const filters = { audience: 'own' };
  const known = { device: device('a', { ...at(10, 54), name: 'Older' }), isNew: false };
  const edited = { device: device('e', at(10.2, 54.1)), isNew: false };
  const added = { device: device('f', at(10.8, 54.4)), isNew: true };
  const map = storedMap({ client, filters, viewport: near, waiting: [known, edited, added] });
  expect(shown(map)?.toSorted()).toEqual(['a', 'b', 'e', 'f']);
  expect(map?.all).toBe(10);
  const ofSwarm = storedMap({ client, filters: { audience: 'swarm:s' }, viewport: near, waiting: [added] });
  expect(shown(ofSwarm)).toEqual(['b']);
  expect(storedMap({ client: new QueryClient(), filters, viewport: near, waiting: [added] })?.all).toBe(1);
});
