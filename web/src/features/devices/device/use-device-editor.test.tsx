import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import type { Resource } from '@swarmdeck/bff/contract';
import { act, useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { queryKeys } from '../../../data/cache/query-keys.ts';
import { valuesOf, type Draft } from '../../../data/forms/device-fields.ts';
import { deviceOutbox } from '../../../data/outbox/device-outbox.ts';
import { OfflineError } from '../../../data/problem.ts';
import { deviceRecordQuery } from '../device.api.ts';
import { useDeviceForm } from './use-device-editor.tsx';
import { useOwnLocation } from '../../../ui/browser/use-own-location.ts';
import { waitFor } from '../../../ui/wait-for.fixture.ts';

const device: Resource = {
  id: 'a',
  user_id: 'me',
  name: 'Gate',
  machine_type: 'pc',
  description: 'before',
  created_at: '2026-01-02T03:00:00.000Z',
};
const elsewhere: Resource = { ...device, description: 'theirs', modified_at: '2026-01-02T03:01:00.000Z' };

/** Requests that wait for their answer. */
let requests: { method: string; body: unknown; answer(status: number, body: object): void }[];
let form: ReturnType<typeof useDeviceForm>;
let own: ReturnType<typeof useOwnLocation>;
let root: ReturnType<typeof createRoot>;

function Page() {
  const read = useQuery({ ...deviceRecordQuery('a'), enabled: false }).data!;
  const rendered = useDeviceForm(read);
  const location = useOwnLocation(() => undefined);
  useLayoutEffect(() => {
    form = rendered;
    own = location;
  });
  return null;
}

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  requests = [];
  vi.stubGlobal('fetch', (_path: string, { method = 'GET', body }: RequestInit) => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const answer = (status: number, sent: object) =>
      resolve(new Response(JSON.stringify(sent), { status, headers: { etag: '"2"' } }));
    requests.push({ method, body: body ? (JSON.parse(body as string) as unknown) : undefined, answer });
    return promise;
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(queryKeys.account, { user_id: 'me' });
  client.setQueryData(deviceRecordQuery('a').queryKey, { resource: device, etag: '"1"', at: device.created_at });
  root = createRoot(document.createElement('div'));
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <Page />
      </QueryClientProvider>,
    ),
  );
});
afterEach(() => act(async () => root.unmount()));

const type = (change: Partial<Draft>) => act(async () => form.draft.change({ ...form.draft.draft, ...change }));
const save = () => act(async () => void form.saving.save());
/** Answers the next request, and waits until it has been rendered. */
async function answer(method: string, status: number, body: object) {
  await waitFor(() => expect(requests[0]?.method).toBe(method));
  const request = requests.shift()!;
  await act(async () => {
    request.answer(status, body);
    // TanStack Query notifies components in a timer of 0 ms.
    await new Promise((resolve) => setTimeout(resolve));
  });
  return request;
}

async function conflictWhileTyping(typed: Partial<Draft>) {
  await type({ description: 'mine' });
  await save();
  await type(typed);
  await answer('PUT', 412, { status: 412 });
  await answer('GET', 200, elsewhere);
  await waitFor(() => expect(form.conflict.found).not.toBeNull());
}

test('what is saved replaces what waits of its fields, but a conflict replaces nothing yet', async () => {
  const replaced = vi.spyOn(deviceOutbox, 'replaced');
  await conflictWhileTyping({});
  expect(replaced).not.toHaveBeenCalled();
  await act(async () => form.conflict.resolve({}));
  await answer('PUT', 200, { ...elsewhere, description: 'mine' });
  await waitFor(() => expect(form.conflict.found).toBeNull());
  expect(replaced.mock.calls).toEqual([['a', ['description']]]);
  replaced.mockRestore();
});

test('the value before a conflict is one that the server had, also if the form showed an edit that waits', async () => {
  const base = valuesOf({ ...device, description: 'of the server' });
  const edits = vi.spyOn(deviceOutbox, 'afterEdits').mockImplementation((_id, change) => ({ ...change, base }));
  await conflictWhileTyping({});
  expect(form.conflict.found?.merge.conflicts).toMatchObject([{ before: 'of the server', theirs: 'theirs' }]);
  edits.mockRestore();
});

test('an edit that only waits in this browser leaves nothing in the form, and is not said to be saved', async () => {
  const add = vi.spyOn(deviceOutbox, 'add').mockResolvedValue();
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await type({ description: 'mine' });
  let isDone: Promise<boolean> | undefined;
  await act(async () => {
    ({ isDone } = form.saving.save());
    await isDone;
  });
  await waitFor(() => expect(form.saving.outcome).toBe('waits'));
  expect([await isDone, form.draft.changed, add.mock.calls[0]?.[0].user_id]).toEqual([true, [], 'me']);
  await type({ description: 'and more' });
  expect(form.saving.outcome).toBeUndefined();
  add.mockRestore();
});

test.each([
  ['48.137000', { accuracy: 4000 }],
  ['48.138000', {}],
])('an own location is saved with its accuracy, unless it was changed: %s', async (latitude, stored) => {
  const coords = { latitude: 48.137, longitude: 11.575, accuracy: 4000 };
  const getCurrentPosition = (found: PositionCallback) => found({ coords } as GeolocationPosition);
  Object.defineProperty(navigator, 'geolocation', { value: { getCurrentPosition }, configurable: true });
  await act(async () => own.locate());
  await type({ latitude, longitude: '11.575000' });
  await save();
  const position = { latitude: Number(latitude), longitude: 11.575 };
  expect((await answer('PUT', 200, { ...device, position })).body).toEqual({ position, ...stored });
});

test('text typed during a save stays when its conflict is resolved', async () => {
  await conflictWhileTyping({ name: 'Gate 18', description: 'mine, and more' });
  await act(async () => form.conflict.resolve({}));
  expect(form.draft.draft).toMatchObject({ name: 'Gate 18', description: 'mine, and more' });
  expect((await answer('PUT', 200, { ...elsewhere, description: 'mine' })).body).toEqual({ description: 'mine' });
  await waitFor(() => expect(form.conflict.found).toBeNull());
  expect(form.draft.draft).toMatchObject({ name: 'Gate 18', description: 'mine, and more' });
  expect(form.draft.changed).toEqual(['name', 'description']);
});

test('the choice of theirs replaces only its own field, also in what waits', async () => {
  const replaced = vi.spyOn(deviceOutbox, 'replaced');
  await conflictWhileTyping({ name: 'Gate 18' });
  await act(async () => form.conflict.resolve({ description: 'theirs' }));
  expect(replaced.mock.calls).toEqual([['a', ['description']]]);
  replaced.mockRestore();
  expect(form.conflict.found).toBeNull();
  expect(form.draft.draft).toMatchObject({ name: 'Gate 18', description: 'theirs' });
  expect(form.draft.changed).toEqual(['name']);
});

describe('a save that reached neither the server nor the storage of the browser', () => {
  let put: unknown[];
  beforeEach(async () => {
    put = [];
    vi.spyOn(deviceOutbox, 'add').mockRejectedValue(new OfflineError('Too many changes wait', { code: 'outbox.full' }));
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    await type({ name: 'Gate 18', description: 'mine' });
    await save();
    await waitFor(() => expect(form.saving.isUnsent).toBe(true));
    vi.stubGlobal('fetch', async (_path: string, { body }: RequestInit) => {
      const sent = JSON.parse(body as string) as Partial<Resource>;
      put.push(sent);
      return Response.json({ ...device, ...sent }, { headers: { etag: '"2"' } });
    });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  const later = () => act(async () => void (await vi.advanceTimersByTimeAsync(5000)));

  test('is sent again as it was: what was typed since stays in the form', async () => {
    await type({ description: 'mine, and more', expected_every: '900' });
    await later();
    expect(put).toEqual([{ name: 'Gate 18', description: 'mine' }]);
    expect(form.draft.changed).toEqual(['description', 'expected_every']);
  });

  test('is not sent again once some of it is taken back', async () => {
    await type({ description: 'before' });
    expect([form.saving.isUnsent, form.draft.changed]).toEqual([false, ['name']]);
    await later();
    expect(put).toEqual([]);
  });
});
