import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { Message } from '@swarmdeck/bff/contract';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { patchByChanges } from '../../data/stream/changes.ts';
import { setLiveState } from '../../data/stream/connection-status.ts';
import { refetchOutdated } from '../../data/cache/query-cache.ts';
import { formatDateTimeSeconds } from '../../text/formats.ts';
import { t } from '../../text/text.ts';
import { KeysProvider } from '../../ui/keys/keys-provider.tsx';
import { HistoryRouter } from '../../ui/urls/router.tsx';
import { liveMessagesQuery } from './messages.api.ts';
import { SwarmMessages } from './swarm-messages.tsx';
import { waitFor } from '../../ui/wait-for.fixture.ts';

const sent_at = '2026-11-24T10:00:00.000Z';
const messageOf = (id: string, from: string) =>
  ({ id, message_id: id, swarm_id: 's', from, sent_at, payload: id }) as Message;

let client: QueryClient;
let root: Root;
let container: HTMLElement;
let messages: Message[];
let names: Record<string, string>;
/** The names of the user's own devices, whatever swarm they are in. */
let ownNames: Record<string, string>;
/** While set, the messages of one device are not answered. */
let held: Promise<void> | undefined;
let failNames: boolean;
/** While set, names are not answered. */
let heldNames: Promise<void> | undefined;
/** The text and the position of each request of a search. */
let searched: string[];
/** The user's own devices in the swarm. */
let own: object[];
/** Whether the list may have older messages. */
let hasMore: boolean;

beforeEach(() => {
  Object.assign(HTMLElement.prototype, { showPopover: () => undefined, scrollIntoView: () => undefined });
  Object.assign(HTMLDialogElement.prototype, { showModal: () => undefined, close: () => undefined });
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(300);
  [held, heldNames, failNames, hasMore, searched, own] = [undefined, undefined, false, false, [], []];
  messages = [messageOf('2', 'b'), messageOf('1', 'a')];
  names = { a: 'Anchor', b: 'Buoy' };
  ownNames = {};
  vi.stubGlobal('fetch', async (path: string) => {
    const params = new URL(path, 'http://test').searchParams;
    if (path.includes('by-id')) {
      await heldNames;
      if (failNames) throw new TypeError('failed');
      const known = params.get('audience') === 'own' ? ownNames : names;
      const found = params
        .get('ids')!
        .split(',')
        .filter((id) => known[id] !== undefined);
      return new Response(JSON.stringify(found.map((id) => ({ id, name: known[id] }))));
    }
    if (path.startsWith('/api/devices')) return new Response(JSON.stringify({ items: own }));
    const from = params.get('resource_id');
    if (from !== null) await held;
    const q = params.get('q');
    searched.push(...(q === null ? [] : [`${q} ${params.get('before') ?? ''}`]));
    // A search looks at two of them at once.
    if (q !== null) {
      const left = messages.filter(
        ({ id }) => params.get('before') === null || Number(id) < Number(params.get('before')),
      );
      const items = left.slice(0, 2).filter(({ payload }) => String(payload).includes(q));
      return new Response(JSON.stringify({ items, next: left.length > 2 ? left[1]!.id : null }));
    }
    if (params.get('before')) return new Response('{"items":[],"next":null}');
    const items = messages.filter((message) => from === null || message.from === from);
    return new Response(JSON.stringify({ items, next: hasMore ? '1' : null }));
  });
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  container = document.body.appendChild(document.createElement('div'));
  root = createRoot(container);
});

afterEach(async () => {
  await act(async () => root.unmount());
  client.clear();
  container.remove();
  history.replaceState(null, '', '/');
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const show = (url: string) =>
  act(async () => {
    history.replaceState(null, '', url);
    root.render(
      <QueryClientProvider client={client}>
        <HistoryRouter key={url}>
          <KeysProvider>
            <SwarmMessages swarm_id="s" />
          </KeysProvider>
        </HistoryRouter>
      </QueryClientProvider>,
    );
  });
const rows = () => [...container.querySelectorAll('.message-row')].map(({ textContent }) => textContent);
const says = (text: string) => waitFor(() => expect(container.textContent).toContain(text));
const press = (label: string) =>
  act(async () => [...container.querySelectorAll('button')].find(({ textContent }) => textContent === label)!.click());
const choose = async (name: string) => {
  await act(async () => container.querySelector<HTMLElement>('[role=combobox]')!.click());
  const options = [...container.querySelectorAll<HTMLElement>('[role=option]')];
  await act(async () => options.find(({ textContent }) => textContent === name)!.click());
};

test('a paused list of one device is not shown as that of all devices', async () => {
  await show('/?from=a');
  await says('Anchor');
  await press(t.messages.pause);
  expect(container.querySelector('output')?.textContent).toBe(t.messages.is_paused);
  await act(async () => {
    history.pushState(null, '', '/');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await waitFor(() => expect(rows()).toHaveLength(2));
  expect(container.querySelector('output')?.textContent).toBe(t.messages.is_live);
});

test('a list is not said to be live while the stream is disconnected', async () => {
  await show('/');
  await says('Anchor');
  await act(async () => setLiveState('disconnected'));
  expect(container.querySelector('output')?.textContent).toBe(t.shell.not_live);
  await act(async () => setLiveState('live'));
  expect(container.querySelector('output')?.textContent).toBe(t.messages.is_live);
});

test('the messages of another device are not shown under the name of the chosen one', async () => {
  await show('/');
  await waitFor(() => expect(rows()).toHaveLength(2));
  const answer = Promise.withResolvers<void>();
  held = answer.promise;
  await choose('Anchor');
  expect(rows()).toEqual([]);
  await act(async () => answer.resolve());
  await waitFor(() => expect(rows()).toHaveLength(1));
});

test('a list that was paused near its end is live again, at its top', async () => {
  hasMore = true;
  messages = Array.from({ length: 100 }, (_, index) => messageOf(String(1000 - index), 'a'));
  await show('/');
  await waitFor(() => expect(rows()).not.toEqual([]));
  const list = container.querySelector('.virtual-list')!;
  list.scrollTo = (({ top }: ScrollToOptions) => (list.scrollTop = top!)) as typeof list.scrollTo;
  list.scrollTop = 44 * 80;
  await act(async () => list.dispatchEvent(new Event('scroll', { bubbles: true })));
  await says(t.messages.is_paused);
  await press(t.messages.resume(0, false));
  expect(container.querySelector('output')?.textContent).toBe(t.messages.is_live);
});

test('a paused list says how many messages have arrived', async () => {
  await show('/');
  await waitFor(() => expect(rows()).toHaveLength(2));
  await press(t.messages.pause);
  const items = [messageOf('3', 'a'), messageOf('4', 'b')];
  // The list may be read again.
  messages = [...items.toReversed(), ...messages];
  await act(
    async () => void patchByChanges(client, [{ type: 'message.sent', data: { swarm_id: 's', items, skipped: 0 } }]),
  );
  await says('Resume · 2 new');
  expect(rows()).toHaveLength(2);
  Object.assign(container.querySelector('.virtual-list')!, { scrollTo() {} });
  await press('Resume · 2 new');
  await waitFor(() => expect(rows()).toHaveLength(4));
});

test('a search does not end a pause: the messages that arrive meanwhile are counted, and Resume ends both', async () => {
  await show('/');
  await waitFor(() => expect(rows()).toHaveLength(2));
  await press(t.messages.pause);
  const search = async (q: string) => {
    const field = container.querySelector<HTMLInputElement>('input[type=search]')!;
    await act(async () => {
      field.setRangeText(q, 0, field.value.length);
      field.dispatchEvent(new Event('input', { bubbles: true }));
      field.form?.requestSubmit();
    });
  };
  const arrive = (id: string) =>
    act(async () => {
      const items = [messageOf(id, 'a')];
      messages = [...items, ...messages];
      patchByChanges(client, [{ type: 'message.sent', data: { swarm_id: 's', items, skipped: 0 } }]);
    });
  await search('1');
  await says(t.messages.found(1, false));
  await arrive('3');
  await says('Resume · 1 new');
  await press(t.messages.end_search);
  await says(t.messages.is_paused);
  await waitFor(() => expect(rows()).toHaveLength(2));
  await search('1');
  await says(t.messages.found(1, false));
  Object.assign(container.querySelector('.virtual-list')!, { scrollTo() {} });
  await press('Resume · 1 new');
  await says(t.messages.is_live);
  await waitFor(() => expect(rows()).toHaveLength(3));
});

test('an opened message says when it was sent, with the seconds', async () => {
  messages = [{ ...messageOf('2', 'b'), sent_at: '2026-11-24T10:00:07.000Z' }];
  await show('/');
  await waitFor(() => expect(rows()).toHaveLength(1));
  await act(async () => container.querySelector<HTMLElement>('.message-row')!.click());
  expect(container.querySelector('dialog')!.textContent).toContain(
    t.messages.sent(formatDateTimeSeconds(messages[0]!.sent_at)),
  );
  expect(container.querySelector('dialog')!.textContent).toMatch(/\d\d:00:07/);
});

test('names are read again after a failed request, and after a change of the members', async () => {
  failNames = true;
  await show('/');
  await waitFor(() => expect(rows()).toHaveLength(2));
  failNames = false;
  names = { a: 'Anchor' };
  messages = [messageOf('3', 'c'), ...messages];
  await act(async () => client.refetchQueries({ queryKey: ['messages'] }));
  await says('Anchor');
  await says(t.messages.former);
  names = { a: 'Anchor', b: 'Buoy', c: 'Crane' };
  const joined = { type: 'membership.changed', data: { swarm_id: 's', resource_id: 'c' } } as const;
  await act(async () => refetchOutdated(client, patchByChanges(client, [joined])));
  await says('Crane');
  expect(container.textContent).not.toContain(t.messages.former);
});

test('messages are also read while the stream is live, which has those of five swarms at most', () => {
  const { refetchInterval } = liveMessagesQuery('s', '');
  setLiveState('live');
  expect((refetchInterval as (query: object) => unknown)({ state: {} })).toBe(60_000);
  setLiveState(undefined);
});

test('no message is shown before the name of its device', async () => {
  const answer = Promise.withResolvers<void>();
  heldNames = answer.promise;
  await show('/');
  await waitFor(() => expect(client.getQueryData(liveMessagesQuery('s', '').queryKey)).toBeDefined());
  expect(rows()).toEqual([]);
  await act(async () => answer.resolve());
  await waitFor(() => expect(rows()).toHaveLength(2));
  expect(container.textContent).not.toContain('…');
});

test('a search goes on while it finds nothing, and does not move', async () => {
  messages = Array.from({ length: 7 }, (_, index) => messageOf(String(9 - index), 'a'));
  await show('/?q=3');
  await waitFor(() => expect(rows()).toHaveLength(1));
  expect(searched).toEqual(['3 ', '3 8', '3 6', '3 4']);
  expect(container.querySelector('output')?.textContent).toBe(t.messages.found(1, false));
  expect(container.textContent).not.toContain(t.messages.pause);
  const items = [messageOf('33', 'a')];
  await act(
    async () => void patchByChanges(client, [{ type: 'message.sent', data: { swarm_id: 's', items, skipped: 0 } }]),
  );
  expect(rows()).toHaveLength(1);
  await press(t.messages.end_search);
  await waitFor(() => expect(rows()).toHaveLength(7));
});

test('a search without a match says so', async () => {
  await show('/?q=none');
  await says(t.messages.none_found);
  expect(searched).toEqual(['none ']);
});

test('an empty tab leads to the own devices that send', async () => {
  messages = [];
  const swarms = (resource_type: string) => [{ id: 's', name: 'River', resource_type }];
  own = [
    { id: 'd1', name: 'Gauge', swarms: swarms('producer') },
    { id: 'd2', name: 'Display', swarms: swarms('consumer') },
  ];
  await show('/');
  await says('Connect Gauge');
  expect([...container.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual(['/devices/d1']);
});

test('a device that has left the swarm has its name if it is the user’s own', async () => {
  messages = [messageOf('3', 'c'), messageOf('2', 'b')];
  [names, ownNames] = [{}, { b: 'Buoy' }];
  await show('/');
  await says('Buoy');
  expect(rows()).toEqual([expect.stringContaining(t.messages.former), expect.stringContaining('Buoy')]);
});
