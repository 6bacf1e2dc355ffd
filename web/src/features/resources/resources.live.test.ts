import { QueryClient, QueryObserver } from '@tanstack/react-query';
import type { GatewayEvent, Resource } from '@swarmdeck/bff/contract';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { resourceQuery } from './resources.api.ts';
import { applyResourceEvent } from './resources.live.ts';

const at = (minute: number) => `2026-01-02T03:0${minute}:00.000Z`;
const resource: Resource = {
  id: 'r1',
  user_id: 'me',
  name: 'Buoy',
  machine_type: 'bug',
  created_at: at(0),
  modified_at: at(2),
};
const moved = { ...resource, position: { longitude: 1, latitude: 2 }, modified_at: at(3) };

let client: QueryClient;
let asked: string[];
beforeEach(() => {
  client = new QueryClient();
  asked = [];
  client.setQueryData(resourceQuery('r1').queryKey, { resource, etag: '"2"', at: at(2) });
});
afterEach(() => client.clear());

const apply = (type: GatewayEvent['type'], data: object) =>
  applyResourceEvent({
    client,
    event: { id: 'p-1', type, at: at(4), data } as GatewayEvent,
    ask: (what) => asked.push(what),
  });
const open = () => client.getQueryData(resourceQuery('r1').queryKey);
const isStale = (key: unknown[]) => client.getQueryState(key)?.isInvalidated;

it('moves the device that is open, and lists and map ask again', () => {
  apply('resource.updated', moved);
  expect(open()).toEqual({ resource: moved, etag: '"2"', at: at(4) });
  expect(asked.toSorted()).toEqual(['devices', 'map']);
});

it('never puts an older state over a newer one, nor a device where none was read', () => {
  apply('resource.updated', { ...moved, modified_at: at(1) });
  apply('resource.updated', { ...moved, id: 'r2' });
  expect(open()?.resource).toBe(resource);
  expect(client.getQueryData(resourceQuery('r2').queryKey)).toBeUndefined();
});

it('is not moved back by an older state that was on its way', async () => {
  const late = Promise.withResolvers<typeof resource>();
  const { queryKey, structuralSharing } = resourceQuery('r1');
  const read = async () => ({ resource: await late.promise, etag: '"2"', at: at(2) });
  const reading = client.query({
    queryKey,
    queryFn: read,
    ...(structuralSharing !== undefined && { structuralSharing }),
  });
  apply('resource.updated', moved);
  late.resolve(resource);
  await reading;
  expect(open()?.resource).toEqual(moved);
});

it('lets the page of a destroyed device find out that it is gone', () => {
  apply('resource.destroyed', { id: 'r1' });
  expect(isStale(['resource', 'r1'])).toBe(true);
  expect(asked.toSorted()).toEqual(['account', 'devices', 'map']);
});

it('asks for lists, map and how many there are at a new device', () => {
  apply('resource.created', resource);
  expect(asked.toSorted()).toEqual(['account', 'devices', 'map']);
});

it('asks for the map that is shown when it has changed, not for that of another tab', () => {
  const queryKey = ['map', { audience: 'own' }, 'view'];
  new QueryObserver(client, { queryKey, queryFn: () => ({}), initialData: {} }).subscribe(() => undefined);
  apply('map.changed', { audience: 'swarm:1' });
  expect(asked).not.toContain('map');
  apply('map.changed', { audience: 'own' });
  expect(asked).toContain('map');
});

it('has nothing to do with invitations', () => {
  apply('invitation.received', { id: 'i1' });
  expect(asked).toEqual([]);
});
