import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { SwarmAudience } from '@swarmdeck/bff/contract';
import { dayMs } from '@swarmdeck/bff/durations';
import { setLiveState } from '../../data/stream/connection-status.ts';
import { loadTexts, t } from '../../text/text.ts';
import { KeysProvider } from '../../ui/keys/keys-provider.tsx';
import { NowProvider } from '../../ui/texts/time.tsx';
import { ToastProvider } from '../../ui/toasts/toast.tsx';
import { AudienceBox, knownSince } from './audience-box.tsx';
import { audienceQuery, newestAudienceQuery } from './audience.api.ts';
import { LeaveAll } from './leave-all.tsx';
import { waitFor } from '../../ui/wait-for.fixture.ts';

const of = { resource_id: 'd' };
let root: Root;
let container: HTMLElement;
let client: QueryClient;
let respond: (path: string) => Promise<Response> | Response;

beforeAll(() => loadTexts('en'));
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  // jsdom has no modal dialogs.
  HTMLDialogElement.prototype.showModal = () => undefined;
  HTMLDialogElement.prototype.close = () => undefined;
  vi.stubGlobal('fetch', (path: string) => Promise.resolve(respond(path)));
  container = document.createElement('div');
});
afterEach(async () => {
  await act(async () => root.unmount());
  setLiveState(undefined);
  vi.unstubAllGlobals();
});

async function show(children: ReactNode) {
  root = createRoot(container);
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <MemoryRouter>
          <KeysProvider>
            <NowProvider>
              <ToastProvider>{children}</ToastProvider>
            </NowProvider>
          </KeysProvider>
        </MemoryRouter>
      </QueryClientProvider>,
    ),
  );
}
const says = (text: string) => waitFor(() => expect(container.textContent).toContain(text));
const isPast = (path: string) => path.includes('from=');

const seenBy = (name: string, known_since = new Date(Date.now() - 3 * dayMs).toISOString()): SwarmAudience => ({
  swarm: { id: 's', name: 'Harbour weather' },
  named: [{ user_id: name, role: 'owner' }],
  reach: 'private',
  since: known_since,
  known_since,
});

async function chooseYesterday() {
  const field = container.querySelector<HTMLInputElement>('input[type=date]')!;
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(
      field,
      new Date(Date.now() - dayMs).toISOString().slice(0, 10),
    );
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

test('that nothing has changed is not said of what links show of a device', async () => {
  const device = { id: 'd', name: 'Pump' };
  const item = { ...seenBy('max'), guest_links: 1, shown_by_links: true };
  respond = () => Response.json({ items: [item], next: null });
  await show(<AudienceBox of={of} device={device} user_id="ann" />);
  await waitFor(() => expect(container.textContent).toContain('except for the counts and what links show'));
});

test('the counts say whether the reader is one of the counted users', async () => {
  const counted = (users: number, own_devices: number, receivers: SwarmAudience['receivers']) => {
    respond = () => Response.json({ items: [{ ...seenBy('max'), users, own_devices, receivers }], next: null });
  };
  counted(1, 2, { users: 1, devices: 1, own: 1 });
  await show(<AudienceBox of={of} user_id="ann" />);
  await says('You are the only user with devices in this swarm.');
  await says('1 other device of yours receives messages.');
  counted(3, 2, { users: 2, devices: 4, own: 1 });
  await act(() => client.refetchQueries());
  await says('3 users, including you, have devices in this swarm.');
  await says('4 other devices of 2 users, including you, receive messages.');
  counted(1, 0, { users: 1, devices: 1, own: 0 });
  await act(() => client.refetchQueries());
  await says('1 user has devices in this swarm.');
  await waitFor(() => expect(container.textContent).toContain('1 other device receives messages.'));
});

test('who sees a device is told that this includes recorded values', async () => {
  respond = () => Response.json({ items: [], next: null });
  await show(<AudienceBox of={of} user_id="ann" />);
  await waitFor(() => expect(container.textContent).toContain('If its values are recorded, they also see the values'));
});

test('while a past day is read, nobody of today is named, and the answer says what it lacks', async () => {
  const past = Promise.withResolvers<Response>();
  respond = (path) => (isPast(path) ? past.promise : Response.json({ items: [seenBy('max')], next: 's' }));
  await show(<AudienceBox of={of} user_id="ann" guests={<p>2 links</p>} />);
  await says('max');
  await says('2 links');
  await says(t.audience.more);
  await chooseYesterday();
  expect(container.textContent).not.toContain('max');
  expect(container.textContent).not.toContain('2 links');
  expect(container.textContent).not.toContain(t.audience.more);
  past.resolve(Response.json({ items: [seenBy('wim')], next: null }));
  await says('wim');
  await says(t.audience.past);
});

test('the first day that can be chosen is the first one that is known', async () => {
  const now = Date.now();
  const known = (days: number) => seenBy('max', new Date(now - days * dayMs).toISOString());
  expect(knownSince([known(3), known(5)], now)).toBe(now - 5 * dayMs);
  expect(knownSince([known(200)], now)).toBe(now - 90 * dayMs);
  expect(knownSince([], now)).toBe(now - 90 * dayMs);
  respond = () => Response.json({ items: [seenBy('max')], next: null });
  await show(<AudienceBox of={of} user_id="ann" />);
  await says('max');
  const first = new Date(container.querySelector<HTMLInputElement>('input[type=date]')!.min);
  expect(Math.abs(first.getTime() - (now - 3 * dayMs))).toBeLessThan(1.5 * dayMs);
});

test('without the server, a device that was in no swarm is not said to be seen by nobody', async () => {
  respond = () => Response.json({ items: [], next: null });
  await show(<AudienceBox of={of} user_id="ann" />);
  await says(t.audience.none);
  respond = () => Promise.reject(new TypeError('no network'));
  await act(() => client.refetchQueries());
  await says(t.account.failed);
  expect(container.textContent).not.toContain(t.audience.none);
});

test('who sees a device is also asked again while the stream is live', () => {
  respond = () => Response.json({});
  root = createRoot(container);
  setLiveState('live');
  const { refetchInterval } = audienceQuery(of);
  expect((refetchInterval as (query: object) => unknown)({ state: {} })).toBe(60_000);
  expect((newestAudienceQuery('d').refetchInterval as () => unknown)()).toBe(60_000);
});

const buttons = () => [...container.querySelectorAll('.dialog-foot button')].map(({ textContent }) => textContent);
const harbour = { id: 's', name: 'Harbour weather' };

test('before devices leave, their number is read, and an error can be tried again', async () => {
  respond = () => Promise.reject(new TypeError('no network'));
  await show(<LeaveAll swarm={harbour} onClose={() => undefined} />);
  await says(t.account.failed);
  expect(container.textContent).not.toContain('leaves the swarm');
  expect(buttons()).toEqual(['Cancel']);
  respond = () => Response.json({ items: [{ id: 'd', name: 'Buoy' }], total: 12 });
  const retry = [...container.querySelectorAll('button')].find(({ textContent }) => /again|retry/iu.test(textContent));
  await act(async () => retry!.click());
  await says(t.audience.leave_text(12));
  expect(buttons()).toEqual(['Leave', 'Cancel']);
});

test('without devices in the swarm there is only Close', async () => {
  respond = () => Response.json({ items: [], total: 0 });
  await show(<LeaveAll swarm={harbour} onClose={() => undefined} />);
  await says(t.audience.leave_none);
  expect(buttons()).toEqual(['Close']);
});
