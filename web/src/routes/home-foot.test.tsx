import { QueryClient } from '@tanstack/react-query';
import type { SwarmItem } from '@swarmdeck/bff/contract';
import { act } from 'react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { HomeState } from '../features/devices/home/home-state.ts';
import { nextStepsPreference } from '../features/start/next-steps.tsx';
import { loadTexts, t } from '../text/text.ts';
import { mountPart } from '../ui/mounted.fixture.tsx';
import { Foot } from './home-foot.tsx';
import { waitFor } from '../ui/wait-for.fixture.ts';

beforeAll(() => loadTexts('en'));
afterEach(() => nextStepsPreference.set('no'));

const at = '2026-01-02T04:00:00.000Z';
const device = {
  id: 'b',
  name: 'Buoy',
  user_id: 'ann',
  machine_type: 'pc' as const,
  created_at: at,
  changed_at: at,
  presence: { state: 'never' as const },
  swarms: [],
};
const facets = {
  all: 1,
  machine_type: { pc: 1, bug: 0, smartphone: 0 },
  presence: { online: 0, offline: 0, silent: 0, never: 1 },
  no_swarm: 1,
  unplaced: 1,
  swarms: [],
};
const none = { producer: 0, consumer: 0, both: 0 };

/** The home page of a user with one device. `list`: the answer about swarms. */
async function mountFoot(list: Response | Promise<Response>) {
  nextStepsPreference.set('yes');
  const fetched = vi.fn<(path: string) => Promise<Response>>(async (path) => {
    if (path.startsWith('/api/swarm-list')) return list;
    if (path.startsWith('/api/devices')) return Response.json({ items: [device], next: null, total: 1, at, facets });
    return Response.json({});
  });
  vi.stubGlobal('fetch', fetched);
  const mounted = await mountPart(
    <HomeState userId="ann">
      <Foot user_id="ann" />
    </HomeState>,
    new QueryClient({ defaultOptions: { queries: { retry: false } } }),
  );
  const steps = () => [...mounted.container.querySelectorAll('h2')].map(({ textContent }) => textContent);
  return { ...mounted, fetched, steps };
}

const listOf = (...items: Pick<SwarmItem, 'relation' | 'own'>[]) =>
  Response.json({ items: items.map((item, id) => ({ id: String(id), ...item })), next: null, at });

const connect = 'Connect Buoy';
const { swarm } = t.start.steps;

test.each([
  ['none', listOf(), true],
  ['watched and managed ones', listOf({ relation: 'watcher', own: none }, { relation: 'manager', own: none }), true],
  ['an own one', listOf({ relation: 'owner', own: none }), false],
  ['one that a device is in', listOf({ relation: 'member', own: { ...none, both: 1 } }), false],
  ['a watched one that a device is in', listOf({ relation: 'watcher', own: { ...none, producer: 1 } }), false],
  // A step that may be done is not the next one.
  ['unknown ones', Response.json({}, { status: 500 }), false],
])('a user with %s', async (_, list, isTold) => {
  const { steps, unmount } = await mountFoot(list);
  await waitFor(() => expect(steps()).toContain(connect));
  expect(steps().includes(swarm.title)).toBe(isTold);
  await unmount();
});

test('the steps appear once it is known which one is the next', async () => {
  const list = Promise.withResolvers<Response>();
  const { fetched, steps, unmount } = await mountFoot(list.promise);
  await waitFor(() =>
    expect(fetched).toHaveBeenCalledWith(expect.stringMatching('/api/swarm-list'), expect.anything()),
  );
  expect(steps()).toEqual([]);
  await act(async () => list.resolve(listOf({ relation: 'owner', own: none })));
  await waitFor(() => expect(steps()).toContain(connect));
  await unmount();
});
