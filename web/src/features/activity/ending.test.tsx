import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { loadTexts, t } from '../../text/text.ts';
import { NowProvider } from '../../ui/time.tsx';
import { Extend } from './ending.tsx';

beforeAll(() => loadTexts('en'));
let root: Root;
let sent: { path: string; body: unknown }[];
afterEach(async () => {
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
});

const at = '2026-11-20T11:00:00.000Z';
const end = '2026-11-20T12:00:00.000Z';
const dayLater = '2026-11-21T12:00:00.000Z';
const swarm = { id: 's', name: 'Harbour weather' };

async function press(entry: Parameters<typeof Extend>[0]['entry'], member: object = {}) {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  sent = [];
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit = {}) => {
    if (typeof body !== 'string')
      return Response.json([{ id: 's', resources: [{ resource_type: 'producer', ends_at: end, ...member }] }]);
    sent.push({ path, body: JSON.parse(body) });
    return Response.json({});
  });
  const container = document.createElement('div');
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
  await act(async () => container.querySelector('button')!.click());
  await act(() => vi.waitFor(() => expect(container.querySelector('button')).toBeNull()));
  return container;
}

test('one tap lets a device stay a day longer, and says until when', async () => {
  const container = await press({ at, swarm, detail: end, resource: { id: 'd', name: 'Buoy', user_id: 'ann' } });
  expect(sent).toEqual([{ path: '/api/swarms/s/resources/d', body: { resource_type: 'producer', ends_at: dayLater } }]);
  expect(container.querySelector('time')!.dateTime).toBe(dayLater);
  expect(container.textContent).toContain(t.activity.extended.split('{date}')[0]!);
});

test('not longer than the owner of the swarm has offered', async () => {
  const most = '2026-11-20T18:00:00.000Z';
  await press({ at, swarm, detail: end, resource: { id: 'd', name: 'Buoy', user_id: 'ann' } }, { ends_at_most: most });
  expect(sent[0]!.body).toEqual({ resource_type: 'producer', ends_at: most });
});

test('a watcher stays a day longer than the end that was told', async () => {
  await press({ at, swarm, detail: 'wim' });
  expect(sent).toEqual([{ path: '/api/swarms/s/managers/wim/end', body: { ends_at: dayLater } }]);
});
