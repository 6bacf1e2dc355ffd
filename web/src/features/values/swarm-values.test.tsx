import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { t } from '../../text/text.ts';
import { KeysProvider } from '../../ui/keys-provider.tsx';
import { HistoryRouter } from '../../ui/router.tsx';
import { SwarmValues } from './swarm-values.tsx';

// The charts ask for it when they are imported.
vi.hoisted(() =>
  Object.assign(globalThis, {
    matchMedia: () => ({ matches: false, addEventListener() {}, removeEventListener() {} }),
  }),
);

const ids = Array.from({ length: 30 }, (_, index) => `d${index}`);

/** A swarm of thirty devices that record a level and have sent nothing today. */
function respond(path: string): object {
  const url = new URL(path, 'http://test');
  const asked = (url.searchParams.get('ids') ?? '').split(',');
  if (url.pathname.endsWith('/messages')) return { items: [], next: null };
  if (url.pathname === '/api/values/keys') return { keys: [{ key: 'level', kind: 'number', devices: 30 }] };
  if (url.pathname === '/api/devices/by-id') return asked.map((id) => ({ id, name: `Gauge ${id}` }));
  if (url.pathname.endsWith('/values')) return { from: '', to: new Date().toISOString(), step: 0, items: [] };
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
