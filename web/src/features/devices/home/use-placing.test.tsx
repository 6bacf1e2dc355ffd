import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Device } from '@swarmdeck/bff/contract';
import { ToastProvider } from '../../../ui/toasts/toast.tsx';
// Imported here so that the lazy import of the hook resolves immediately.
import './place-with-undo.ts';
import { usePlacing } from './use-placing.ts';
import { waitFor } from '../../../ui/wait-for.fixture.ts';

const device = { id: 'r1', name: 'Gauge', machine_type: 'bug', user_id: 'ann' } as Device;

const onDraftPlaced = vi.fn<(at: object | null) => void>();
const onPlaced = vi.fn<() => void>();
let placing: ReturnType<typeof usePlacing>;
let page: HTMLElement;
let root: ReturnType<typeof createRoot>;
const button = (name: string) => [...page.querySelectorAll('button')].find((each) => each.textContent === name);

function Page() {
  const rendered = usePlacing({ onDraftPlaced, onPlaced });
  useLayoutEffect(() => {
    placing = rendered;
  });
  return null;
}

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  page = document.createElement('div');
  root = createRoot(page);
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <ToastProvider>
          <Page />
        </ToastProvider>
      </QueryClientProvider>,
    ),
  );
  await act(async () => placing.startWith(device));
});
afterEach(async () => {
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
});

test('an Undo of placing a device whose answer is lost shows a message', async () => {
  vi.stubGlobal('fetch', async () => Response.json(device));
  await act(async () => placing.placeAt({ latitude: 53, longitude: 10 }));
  await waitFor(() => expect(button('Undo')).toBeDefined());

  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await act(async () => button('Undo')?.click());
  await waitFor(() => expect(page.textContent).toContain('A change may not have been made'));
});

test('Undo of placing a device restores what was reported about its position', async () => {
  const before = { position: { latitude: 54, longitude: 8 }, positioned_at: '2026-01-01T00:00:00.000Z', accuracy: 12 };
  await act(async () => placing.startWith({ ...device, ...before }));
  const put = vi.fn<typeof fetch>(async () => Response.json(device));
  vi.stubGlobal('fetch', put);
  await act(async () => placing.placeAt({ latitude: 53, longitude: 10 }));
  await waitFor(() => expect(button('Undo')).toBeDefined());
  await act(async () => button('Undo')?.click());
  await waitFor(() => expect(put).toHaveBeenCalledTimes(2));
  const [placed, undone] = put.mock.calls.map(([, init]) => JSON.parse(init!.body as string) as object);
  expect(placed).toEqual({ position: { latitude: 53, longitude: 10 } });
  expect(undone).toEqual(before);
  // Without it, the old time would be that of an older report.
  expect(new Headers(put.mock.calls[1]![1]!.headers).get('if-match')).toBe('*');
});

test('two clicks send the position once', async () => {
  const put = vi.fn<() => Promise<Response>>(async () => Response.json(device));
  vi.stubGlobal('fetch', put);
  await act(async () => {
    placing.placeAt({ latitude: 53, longitude: 10 });
    placing.placeAt({ latitude: 54, longitude: 10 });
  });
  await waitFor(() => expect(button('Undo')).toBeDefined());
  expect(put).toHaveBeenCalledOnce();
});

test.each([
  ['saved', () => Response.json(device), 'Undo'],
  [
    'refused',
    () => Response.json({ code: 'internal', title: 'Failed' }, { status: 500 }),
    'The device could not be placed',
  ],
])('a position that is %s after another device is placed leaves that one as it is', async (_end, answer, message) => {
  const put = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', () => put.promise);
  await act(async () => placing.placeAt({ latitude: 53, longitude: 10 }));
  await act(async () => placing.cancel());
  await act(async () => placing.startWith({ ...device, id: 'r2', name: 'Buoy' }));
  put.resolve(answer());
  await waitFor(() => expect(page.textContent).toContain(message));
  expect(placing).toMatchObject({ placing: { id: 'r2' }, error: null, busy: false });
  expect(onPlaced).not.toHaveBeenCalled();
});

test('placing a new device that is cancelled returns to its form', async () => {
  await act(async () => placing.cancel());
  expect(onDraftPlaced).not.toHaveBeenCalled();
  await act(async () =>
    placing.start({ id: '', name: 'Gauge', machine_type: 'bug', before: null, at: null, proposed: null }),
  );
  await act(async () => placing.cancel());
  expect(onDraftPlaced).toHaveBeenCalledExactlyOnceWith(null);
});
