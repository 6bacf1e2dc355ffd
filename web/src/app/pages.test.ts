import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { keysQuery, sessionsQuery } from '../features/account/account-page.api.ts';
import { newestActivityQuery } from '../features/account/activity/activity.api.ts';
import { invitationPagesQuery } from '../features/invitations/invitations.api.ts';
import { mapViewQuery, wholeWorld } from '../features/map/map.api.ts';
import { devicePagesQuery, resourceQuery, resourceSwarmsQuery } from '../features/resources/resources.api.ts';
import { swarmListQuery, swarmQuery } from '../features/swarms/swarms.api.ts';
import { pages } from './pages.ts';

afterEach(() => void vi.unstubAllGlobals());

const client = new QueryClient();
const id = '3f5';
const received = { box: 'received', q: '' } as const;
const mapOf = (audience: string) => client.fetchQuery(mapViewQuery({ filters: { audience }, viewport: wholeWorld }));
const maps: Record<string, () => unknown> = {
  '/': () => mapOf('own'),
  '/swarms/:id': () => mapOf(`swarm:${id}`),
  '/swarms/:id/map': () => mapOf(`swarm:${id}`),
  '/map': () => mapOf('visible'),
};
const requests: Record<string, () => unknown> = {
  '/': () => client.fetchInfiniteQuery(devicePagesQuery({ filters: {}, sort: 'name', bbox: null, start: null })),
  '/devices/:id': () => Promise.all([client.fetchQuery(resourceQuery(id)), client.fetchQuery(resourceSwarmsQuery(id))]),
  '/swarms': () => client.fetchInfiniteQuery(swarmListQuery('')),
  '/swarms/:id': () => client.fetchQuery(swarmQuery(id)),
  '/swarms/:id/map': () => client.fetchQuery(swarmQuery(id)),
  '/invitations': () =>
    Promise.all([
      client.fetchInfiniteQuery(invitationPagesQuery({ ...received, side: 'new' })),
      client.fetchInfiniteQuery(invitationPagesQuery({ ...received, side: 'answered' })),
    ]),
  '/account': () =>
    Promise.all([
      client.fetchQuery(keysQuery),
      client.fetchQuery(sessionsQuery),
      client.fetchInfiniteQuery(newestActivityQuery()),
    ]),
};

test('the data that is preloaded for a page is what its queries request', async () => {
  for (const [path, { data = [], map }] of Object.entries(pages)) {
    client.clear();
    const requested: string[] = [];
    vi.stubGlobal('fetch', async (url: string) => {
      requested.push(url);
      return Response.json({ items: [] });
    });
    await requests[path]?.();
    await maps[path]?.();
    expect(requested, path).toEqual([...data, ...(map ? [map] : [])].map((url) => url.replace(':id', id)));
  }
});
