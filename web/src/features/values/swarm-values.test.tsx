import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, test, vi } from 'vitest';
import { formatDateTime, t } from '../../text/text.ts';
import { KeysProvider } from '../../ui/keys/keys-provider.tsx';
import { HistoryRouter } from '../../ui/urls/router.tsx';
import { SwarmValues } from './swarm-values.tsx';

// The charts ask for it when they are imported.
vi.hoisted(() =>
  Object.assign(globalThis, {
    matchMedia: () => ({ matches: false, addEventListener() {}, removeEventListener() {} }),
    ...Object.fromEntries(
      ['ResizeObserver', 'IntersectionObserver'].map((name) => [
        name,
        class {
          observe() {}
          disconnect() {}
        },
      ]),
    ),
  }),
);

const ids = Array.from({ length: 30 }, (_, index) => `d${index}`);

/** Who has sent today, newest first. */
let senders: readonly string[] = [];
/** Devices that have left the swarm. */
let former: readonly string[] = [];
beforeEach(() => {
  senders = [];
  former = [];
});

const now = new Date().toISOString();
const messageFrom = (from: string) => ({ from, sent_at: now, payload: { level: 1 } });
const valuesOf = (resource_id: string) => ({
  resource_id,
  series: [{ key: 'level', kind: 'number', times: [Date.now()], values: [1] }],
});

/** A swarm of thirty devices that record a level. Those that have sent today have a value. */
function respond(path: string): object {
  const url = new URL(path, 'http://test');
  const asked = (url.searchParams.get('ids') ?? '').split(',');
  if (url.pathname.endsWith('/messages')) return { items: senders.map(messageFrom), next: null };
  if (url.pathname === '/api/values/keys') return { keys: [{ key: 'level', kind: 'number', devices: 30 }] };
  if (url.pathname === '/api/devices/by-id')
    return asked.flatMap((id) => (former.includes(id) ? [] : { id, name: `Gauge ${id}` }));
  if (url.pathname.endsWith('/values')) {
    const compared = (url.searchParams.get('resource_ids') ?? '').split(',');
    return { from: '', to: now, step: 0, items: compared.filter((id) => senders.includes(id)).map(valuesOf) };
  }
  const q = url.searchParams.get('q') ?? '';
  const found = ids.filter((id) => id.includes(q)).slice(0, Number(url.searchParams.get('limit')));
  return { items: found.map((id) => ({ id, name: `Gauge ${id}` })), next: null };
}

function mount() {
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  root.render(
    <QueryClientProvider client={new QueryClient()}>
      <KeysProvider>
        <HistoryRouter>
          <SwarmValues swarm_id="s" />
        </HistoryRouter>
      </KeysProvider>
    </QueryClientProvider>,
  );
  const unmount = () => {
    root.unmount();
    container.remove();
    history.replaceState(null, '', '/');
  };
  return { container, unmount };
}

test('says that there are no values only once those of a year are read', async () => {
  const year = Promise.withResolvers<void>();
  let reads = 0;
  vi.stubGlobal('fetch', async (path: string) => {
    const isYear = /\/values\?/.test(path) && (reads += 1) > 1;
    if (isYear) await year.promise;
    return Response.json(respond(path));
  });
  history.replaceState(null, '', '/swarms/s?tab=values');
  const { container, unmount } = mount();
  await expect.poll(() => reads).toBe(2);
  expect(container.textContent).not.toContain(t.values.none_in_range);
  expect(container.textContent).toContain(t.values.loading);
  year.resolve();
  await expect.poll(() => container.textContent).toContain(t.values.none_in_range);
  unmount();
});

test('who sees the swarm only since today is told that earlier values are not shown', async () => {
  const since = new Date(Date.now() - 60_000).toISOString();
  vi.stubGlobal('fetch', async (path: string) => {
    if (!/\/values\?/.test(path)) return Response.json(respond(path));
    return Response.json({ from: '', to: now, step: 0, items: [{ resource_id: 'd0', since, series: [] }] });
  });
  history.replaceState(null, '', '/swarms/s?tab=values');
  const { container, unmount } = mount();
  await expect.poll(() => container.textContent).toContain(t.values.none_in_range);
  expect(container.textContent).toContain(t.values.seen_since(formatDateTime(Date.parse(since))));
  unmount();
});

test('a device beyond the first ones is found by its name, and what is shown stays', async () => {
  vi.stubGlobal('fetch', async (path: string) => Response.json(respond(path)));
  history.replaceState(null, '', '/swarms/s?tab=values');
  const { container, unmount } = mount();
  const buttons = () => [...container.querySelectorAll<HTMLElement>('fieldset button')];
  const named = (id: string) => buttons().find(({ textContent }) => textContent === `Gauge ${id}`);
  const pressed = () => buttons().filter((button) => button.getAttribute('aria-pressed') === 'true').length;
  await expect.poll(() => named('d0')).toBeDefined();
  expect([buttons().length, pressed(), named('d29')]).toEqual([24, 8, undefined]);
  const field = container.querySelector<HTMLInputElement>('input[type=search], input')!;
  expect(field.getAttribute('aria-label') ?? field.placeholder).toBe(t.values.search_devices);
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field, 'd29');
  field.dispatchEvent(new Event('input', { bubbles: true }));
  await expect.poll(() => named('d29')).toBeDefined();
  expect(pressed()).toBe(8);
  unmount();
});

/** The names in the legend, and the numbers of their colours. */
const legendIn = (container: HTMLElement) =>
  [...container.querySelectorAll<HTMLElement>('.values-line')].map((line) => [
    line.querySelector('bdi')!.textContent,
    Number(/values-line-(\d)/.exec(line.className)![1]),
  ]);

test.each([[['d2', 'd2', 'd0']], [['d0', 'd0', 'd2']]])(
  'a device keeps its colour when another one has sent more: %j',
  async (sent) => {
    vi.stubGlobal('fetch', async (path: string) => Response.json(respond(path)));
    senders = sent;
    history.replaceState(null, '', '/swarms/s?tab=values');
    const { container, unmount } = mount();
    await expect
      .poll(() => legendIn(container))
      .toEqual([
        ['Gauge d0', 1],
        // Also if those before it have no value in this time.
        ['Gauge d2', 3],
      ]);
    unmount();
  },
);

test('a device that has left the swarm is not compared', async () => {
  vi.stubGlobal('fetch', async (path: string) => Response.json(respond(path)));
  senders = ['d0', 'd1'];
  former = ['d1'];
  history.replaceState(null, '', '/swarms/s?tab=values');
  const { container, unmount } = mount();
  await expect
    .poll(() => pressedIn(container).map(({ textContent }) => textContent))
    .toEqual(['d0', 'd2', 'd3', 'd4', 'd5', 'd6', 'd7', 'd8'].map((id) => `Gauge ${id}`));
  unmount();
});

const pressedIn = (container: HTMLElement) => [
  ...container.querySelectorAll<HTMLElement>('fieldset button[aria-pressed=true]'),
];

test.each(['d1', 'd1,d2'])('a link whose devices have left the swarm says so: %s', async (devices) => {
  vi.stubGlobal('fetch', async (path: string) => Response.json(respond(path)));
  former = ['d1', 'd2'];
  history.replaceState(null, '', `/swarms/s?tab=values&key=level&devices=${devices}`);
  const { container, unmount } = mount();
  await expect.poll(() => container.textContent).toContain(t.values.all_left);
  expect(container.textContent).not.toContain(t.values.loading);
  expect(pressedIn(container)).toEqual([]);
  unmount();
});

test('after the last device is switched off, the others have their names, and nothing is requested', async () => {
  const fetched = vi.fn<(path: string) => Promise<Response>>(async (path) => Response.json(respond(path)));
  vi.stubGlobal('fetch', fetched);
  senders = ['d0'];
  history.replaceState(null, '', '/swarms/s?tab=values&key=level&devices=d0');
  const { container, unmount } = mount();
  await expect.poll(() => legendIn(container)).toEqual([['Gauge d0', 1]]);
  fetched.mockClear();
  pressedIn(container)[0]!.click();
  await expect.poll(() => container.textContent).toContain(t.values.none_chosen);
  expect(container.querySelector('fieldset')!.textContent).not.toContain('…');
  expect(pressedIn(container)).toEqual([]);
  expect(fetched).not.toHaveBeenCalled();
  unmount();
});

test('a value that no member has sent or recorded', async () => {
  vi.stubGlobal('fetch', async (path: string) =>
    Response.json(path.includes('/members?') ? { items: [], next: null } : respond(path)),
  );
  history.replaceState(null, '', '/swarms/s?tab=values&key=salt');
  const { container, unmount } = mount();
  await expect.poll(() => container.textContent).toContain(t.values.none_title);
  unmount();
});
