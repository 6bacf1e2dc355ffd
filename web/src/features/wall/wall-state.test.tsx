import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { Resource, WallView } from '@swarmdeck/bff/contract';
import { act, Profiler, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { setLiveState } from '../../data/stream/connection-status.ts';
import { t } from '../../text/text.ts';
import { low, phone, touch } from '../../ui/browser/media.ts';
import { HistoryRouter } from '../../ui/urls/router.tsx';
import { useWallBack } from './use-wall-back.ts';
import { WallState, useWall } from './wall-state.ts';
import { selectNext } from './use-wall-device.ts';
import { useFollowedDevice, useWallMapView } from './use-wall-map-props.ts';
import { wallDeviceQuery } from './wall.api.ts';
import { WallList } from './wall-list.tsx';
import { WallAlert } from './wall-parts.tsx';
import { waitFor } from '../../ui/wait-for.fixture.ts';

const place = { audience: 'all', swarm: null, leaveTo: '/' };
const useWallState = () => ({ ...useWall('device'), onMap: useWallMapView(), followed: useFollowedDevice() });

const items = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
const step = (id: string | null, by: 1 | -1) => selectNext({ items, id, by })?.id;

test('steps wrap around at both ends', () => {
  expect([step('a', 1), step('c', 1), step('b', -1), step('a', -1)]).toEqual(['b', 'a', 'a', 'c']);
});

test('a step without a selection goes to the first or the last', () => {
  expect([step(null, 1), step('removed', -1)]).toEqual(['a', 'c']);
});

test('a step in an empty list selects nothing', () => {
  expect(selectNext({ items: [], id: 'a', by: 1 })).toBeUndefined();
});

/** Mounts the state of a wall with this page. */
async function mount(options: {
  client: QueryClient;
  page: ReactNode;
  onRender?: () => void;
  liveDevice?: Resource | undefined;
  /** The media queries that match. */
  media?: readonly string[];
}) {
  const { client, page, onRender = () => {}, liveDevice, media = [] } = options;
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const listeners = { addEventListener() {}, removeEventListener() {} };
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: media.includes(query), ...listeners }));
  const observer = { observe() {}, disconnect() {} };
  vi.stubGlobal('ResizeObserver', function ResizeObserver() {
    return observer;
  });
  const container = document.createElement('div');
  const root = createRoot(container);
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <HistoryRouter>
          <Profiler id="wall" onRender={onRender}>
            <WallState {...place} liveDevice={liveDevice}>
              {page}
            </WallState>
          </Profiler>
        </HistoryRouter>
      </QueryClientProvider>,
    ),
  );
  return { container, unmount: () => act(async () => root.unmount()) };
}

/** A wall at this URL, with what its hooks returned last. */
async function openWall(url: string, client: QueryClient, liveDevice?: Resource) {
  history.replaceState(null, '', url);
  const renders: ReturnType<typeof useWallState>[] = [];
  function Page() {
    renders.push(useWallState());
    return null;
  }
  const { unmount } = await mount({ client, page: <Page />, liveDevice });
  return {
    wall: () => renders.at(-1)!,
    async close() {
      await unmount();
      history.replaceState(null, '', '/');
    },
  };
}

test('when following ends, the view is written to the URL, whatever has been rendered', async () => {
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 503 }));
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { wall, close } = await openWall('/map?sel=a&follow=1&map=8/54/10', client);
  const { onMap, toggleFollow } = wall();
  const settle = (lat: number, lng: number) =>
    onMap.onView({ lat, lng, zoom: 8, bbox: [lng - 1, lat - 1, lng + 1, lat + 1] });
  const mapInUrl = () => new URLSearchParams(location.search).get('map');
  await act(async () => settle(50, 17));
  expect(mapInUrl(), 'while it follows').toBe('8/54/10');
  await act(async () => {
    toggleFollow();
    expect(mapInUrl(), 'before the page has rendered').toBe('8/50/17');
  });
  await act(async () => settle(51, 18));
  expect(mapInUrl()).toBe('8/51/18');
  await close();
});

test('while a past point of the track is chosen, the map does not follow the device', async () => {
  const position = { latitude: 54, longitude: 10 };
  const points = [1, 2].map((minute) => ({ ...position, at: `2026-01-01T00:0${minute}:00.000Z` }));
  vi.stubGlobal('fetch', async (path: string) =>
    path.endsWith('/track') ? Response.json({ points }) : new Response('{}', { status: 503 }),
  );
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  const device = { id: 'a', keep_track: true, position, changed_at: '' };
  client.setQueryData(wallDeviceQuery({ audience: 'all', id: 'a' }).queryKey, device as never);
  const { wall, close } = await openWall('/map?sel=a&follow=1', client);
  await waitFor(() => expect(wall().track?.points).toHaveLength(2));
  expect(wall().followed.follow).toEqual(position);
  await act(async () => wall().track!.choose(0));
  expect(wall().followed.follow).toBeNull();
  expect(new URLSearchParams(location.search).get('follow')).toBe('1');
  await act(async () => wall().track!.choose(null));
  expect(wall().followed.follow).toEqual(position);
  await close();
});

test('a newer device of the stream has nothing that it has lost, and keeps what only a read device has', async () => {
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 503 }));
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  const resource = { id: 'a', user_id: 'ann', name: 'Buoy', machine_type: 'bug' as const, created_at: '2026-01-01' };
  const place = { position: { latitude: 54, longitude: 10 }, positioned_at: '2026-01-02', accuracy: 9 };
  const beside = { presence: { state: 'never' as const }, swarms: [], resource_type: 'both' as const };
  const read = { ...resource, ...place, ...beside, description: 'Harbour', changed_at: '2026-01-01' };
  client.setQueryData(wallDeviceQuery({ audience: 'all', id: 'a' }).queryKey, read);
  const open = (modified_at: string) => openWall('/map?sel=a', client, { ...resource, modified_at });
  const older = await open('2025-12-31');
  expect(older.wall().device).toEqual(read);
  await older.close();
  const newer = await open('2026-01-03');
  expect(newer.wall().device).toEqual({
    ...resource,
    ...beside,
    modified_at: '2026-01-03',
    changed_at: '2026-01-03',
  });
  await newer.close();
});

test('a wall and its list render when counts have changed, and not for each response', async () => {
  const machine_type = { pc: 0, bug: 0, smartphone: 0 };
  const presence = { online: 0, offline: 0, silent: 0, never: 0 };
  let [answers, total, commits] = [0, 7, 0];
  vi.stubGlobal('fetch', async (path: string) => {
    answers += 1;
    const counts: WallView = {
      total,
      unplaced: 0,
      machine_type,
      presence,
      changed: 0,
      newest: null,
      at: String(answers),
    };
    const list = { items: [], next: null, total: 0, at: String(answers) };
    return new Response(JSON.stringify(path.startsWith('/api/wall') ? counts : list));
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  function Page() {
    return (
      <>
        {useWall('counts').placed}
        <WallList />
      </>
    );
  }
  const { container, unmount } = await mount({ client, page: <Page />, onRender: () => (commits += 1) });
  const refetch = () =>
    act(async () => {
      await client.refetchQueries({ type: 'active' });
      // TanStack Query notifies components in a timer of 0 ms.
      await new Promise((resolve) => setTimeout(resolve));
    });
  await waitFor(() => expect(container.textContent).toContain('7'));
  await refetch();
  [commits, answers] = [0, 0];
  await refetch();
  await refetch();
  expect(answers).toBe(4);
  expect(commits).toBe(0);
  total = 8;
  await refetch();
  expect(container.textContent).toContain('8');
  await unmount();
});

test.each([
  { where: 'on a touch screen', media: [touch], urls: ['/map?list=1', '/map', '/swarms'] },
  { where: 'on a phone', media: [touch, phone], urls: ['/map?list=1', '/map', '/swarms'] },
  // The list is not visible.
  { where: 'under the folded sheet of a phone', media: [touch, phone, low], urls: ['/map?list=1', '/swarms'] },
])('$where, Back closes the card and the list before it leaves the wall', async ({ media, urls }) => {
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 503 }));
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  history.pushState(null, '', '/swarms');
  history.pushState(null, '', '/map?list=1&sel=a');
  function Page() {
    useWallBack();
    return null;
  }
  const { unmount } = await mount({ client, page: <Page />, media });
  const reached: string[] = [];
  // A layer that closes causes two events, and so does a guard that is passed.
  for (const _url of urls) {
    await act(async () => {
      history.back();
      for (let event = 0; event < 2; event += 1) {
        await new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
      }
    });
    reached.push(location.pathname + location.search);
  }
  expect(reached).toEqual(urls);
  await unmount();
});

test('silent devices are said as loudly as a connection that was lost', async () => {
  const counts = { total: 3, unplaced: 0, presence: { online: 1, offline: 0, silent: 2, never: 0 }, changed: 0 };
  vi.stubGlobal('fetch', async () => Response.json(counts));
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  history.replaceState(null, '', '/map');
  setLiveState('live');
  const { container, unmount } = await mount({ client, page: <WallAlert /> });
  const alert = () => container.querySelector('.wall-alert')?.textContent ?? '';
  await waitFor(() => expect(alert()).toBe(t.wall.silent(2)));
  await act(async () => setLiveState('disconnected'));
  expect(alert()).toContain(t.wall.not_live(''));
  await unmount();
  setLiveState(undefined);
});
