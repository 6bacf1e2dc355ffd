import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { loadTexts, t } from '../../text/text.ts';
import { NowProvider } from '../../ui/texts/time.tsx';
import { MemoryRouter } from 'react-router';
import { serveActions } from '../../data/actions/actions.fixture.ts';
import { actionsOf } from '../../data/actions/actions.ts';
import { Extend, ExtendAll } from './ending.tsx';
import { waitFor } from '../../ui/wait-for.fixture.ts';

beforeAll(() => loadTexts('en'));
let root: Root;
let container: HTMLElement;
let sent: { path: string; body: unknown }[];

const at = '2026-11-20T11:00:00.000Z';
const end = '2026-11-20T12:00:00.000Z';
const dayLater = '2026-11-21T12:00:00.000Z';
const swarm = { id: 's', name: 'Harbour weather' };
const device = { at, swarm, detail: end, resource: { id: 'd', name: 'Buoy', user_id: 'ann' } };
const watcher = { at, swarm, detail: 'wim' };
const member = { resource_type: 'producer', ends_at: end };

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(at) }));
afterEach(async () => {
  await act(async () => root.unmount());
  container.remove();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** `now`: the membership or the watcher as it is. */
async function show(entry: Parameters<typeof Extend>[0]['entry'], now?: object) {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  sent = [];
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit = {}) => {
    if (typeof body === 'string') {
      sent.push({ path, body: JSON.parse(body) });
      return Response.json({});
    }
    const found = now ? [now] : [];
    return Response.json(path.endsWith('/managers') ? found : [{ id: 's', resources: found }]);
  });
  container = document.body.appendChild(document.createElement('div'));
  root = createRoot(container);
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <NowProvider>
          <Extend entry={entry} />
        </NowProvider>
      </QueryClientProvider>,
    ),
  );
}

async function press(...shown: Parameters<typeof show>) {
  await show(...shown);
  const button = container.querySelector('button')!;
  button.focus();
  await act(async () => button.click());
  await waitFor(() => expect(container.querySelector('button')).toBeNull());
}

function expectSaid(what: keyof (typeof t)['activity']['extended'], date?: string) {
  expect(container.querySelector('output')!.textContent).toContain(t.activity.extended[what].split('{date}')[0]!);
  expect(container.querySelector('time')?.dateTime).toBe(date);
}

test('one tap lets a device stay a day longer, and says until when', async () => {
  await press(device, member);
  expect(sent).toEqual([{ path: '/api/swarms/s/resources/d', body: { ends_at: dayLater } }]);
  expectSaid('extended', dayLater);
});

test('not longer than the owner of the swarm has offered', async () => {
  const most = '2026-11-20T18:00:00.000Z';
  await press(device, { ...member, ends_at_most: most });
  expect(sent[0]!.body).toEqual({ ends_at: most });
  expectSaid('extended', most);
});

test('what has the latest end that is offered is not extended, and that is said', async () => {
  await press(device, { ...member, ends_at_most: end });
  expect(sent).toEqual([]);
  expectSaid('not_longer', end);
});

test('a device without an end any more gets none', async () => {
  await press(device, { resource_type: 'producer' });
  expect(sent).toEqual([]);
  expectSaid('no_end');
});

test('a device that was extended since the notice, or has left, is not extended', async () => {
  await press(device, { ...member, ends_at: dayLater });
  expect(sent).toEqual([]);
  expectSaid('already', dayLater);
  await act(async () => root.unmount());
  await press(device);
  expect(sent).toEqual([]);
  expectSaid('over');
});

test('a watcher stays a day longer than the present end', async () => {
  const present = '2026-11-20T11:58:00.000Z';
  await press(watcher, { user_id: 'wim', role: 'watcher', ends_at: present });
  const ends_at = '2026-11-21T11:58:00.000Z';
  expect(sent).toEqual([{ path: '/api/swarms/s/managers/wim/end', body: { ends_at } }]);
  expectSaid('extended', ends_at);
});

test('a watcher with a later end, or none, keeps it', async () => {
  await press(watcher, { user_id: 'wim', role: 'watcher', ends_at: dayLater });
  expect(sent).toEqual([]);
  expectSaid('already', dayLater);
  await act(async () => root.unmount());
  await press(watcher, { user_id: 'wim', role: 'watcher' });
  expect(sent).toEqual([]);
  expectSaid('no_end');
});

test('a notice about a past end has no button', async () => {
  vi.setSystemTime(Date.parse(end));
  await show(device, member);
  expect(container.querySelector('button')).toBeNull();
  await act(async () => root.unmount());
  await show(watcher, { user_id: 'wim', role: 'watcher', ends_at: end });
  expect(container.querySelector('button')).toBeNull();
});

test('what a tap did is told by an output that was there, and gets the focus of the button', async () => {
  await show(device, member);
  const told = container.querySelector('output')!;
  expect(told.textContent).toBe('');
  const button = container.querySelector('button')!;
  button.focus();
  await act(async () => button.click());
  await waitFor(() => expect(told.textContent).not.toBe(''));
  expect(document.activeElement).toBe(told);
});

async function showSeveral(client = new QueryClient()) {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const server = serveActions();
  container = document.body.appendChild(document.createElement('div'));
  root = createRoot(container);
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <MemoryRouter>
          <NowProvider>
            <ExtendAll user_id="ann" swarm={swarm} ends_at={end} amount={3} />
          </NowProvider>
        </MemoryRouter>
      </QueryClientProvider>,
    ),
  );
  return server;
}

test('one tap extends all devices whose ends come together, by one action that can be undone', async () => {
  const { requests } = await showSeveral();
  const button = container.querySelector('button')!;
  button.focus();
  await act(async () => button.click());
  expect(requests.at(-1)!.body).toMatchObject({
    kind: 'extend_member',
    about: { swarm, ends_at: end },
    filter: { list: 'ending_members', swarm_id: 's', query: `ends_at=${encodeURIComponent(end)}` },
    expected: 3,
    wait: 10,
  });
  expect(container.querySelector('button')).toBeNull();
  const told = container.querySelector('output')!;
  expect(told.textContent).toBe(t.activity.extending_all);
  expect(document.activeElement).toBe(told);
});

test('the button is back after an undo', async () => {
  const client = new QueryClient();
  await showSeveral(client);
  await act(async () => container.querySelector('button')!.click());
  expect(container.querySelector('button')).toBeNull();
  const [action] = actionsOf({ client }).list();
  await act(async () => void (await actionsOf({ client }).undo(action!.id)));
  expect(container.querySelector('button')!.textContent).toBe(t.activity.extend_all);
  expect(container.querySelector('output')!.textContent).toBe('');
});

test('a notice about several devices also leads to the own ones among the members', async () => {
  await showSeveral();
  expect(container.querySelector('a')!.getAttribute('href')).toBe('/swarms/s?q=ann');
});

test('a notice about several devices leads nowhere when their end is past', async () => {
  vi.setSystemTime(Date.parse(end));
  await showSeveral();
  expect(container.querySelector('a')).toBeNull();
  expect(container.querySelector('button')).toBeNull();
});
