import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import type { Device } from '@swarmdeck/bff/contract';
import { createKeys } from './create-keys.tsx';
import { printCodes } from './print-codes.tsx';
import { readSelected, swarmsOf } from './read-selected.ts';

const device = (number: number, ...swarms: string[]) =>
  ({
    id: `id-${number}`,
    user_id: 'ann',
    name: `Device ${number}`,
    machine_type: 'pc',
    swarms: swarms.map((name) => ({ id: name, name, resource_type: 'producer' })),
  }) as unknown as Device;
const all = Array.from({ length: 2500 }, (_, number) => device(number));

/** A server with 2,500 devices, which answers in pages. Returns the requests. */
function serve(devices = all): string[] {
  const requests: string[] = [];
  vi.stubGlobal('fetch', async (path: string) => {
    requests.push(path);
    const { pathname, searchParams: params } = new URL(path, 'https://deck.example');
    const [, one] = /^\/api\/devices\/(.+)$/.exec(pathname) ?? [];
    const found = devices.find(({ id }) => id === one);
    if (one !== undefined) return Response.json(found ?? { code: 'not_found' }, { status: found ? 200 : 404 });
    const q = params.get('q');
    const matching = q === null ? devices : devices.filter(({ id, name }) => id === q || name.includes(q));
    const [from, limit] = [Number(params.get('cursor') ?? 0), Number(params.get('limit'))];
    const next = from + limit < matching.length ? String(from + limit) : null;
    return Response.json({ items: matching.slice(from, from + limit), next, total: matching.length });
  });
  return requests;
}
afterEach(() => vi.unstubAllGlobals());

const none = { all: false, ids: new Set<string>(), anchor: null, filters: {}, isActive: true };
const read = (
  selection: Partial<typeof none>,
  known: (id: string) => Device | undefined = () => undefined,
  atMost?: number,
) =>
  readSelected({
    client: new QueryClient(),
    selection: { ...none, ...selection },
    known,
    atMost,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });

test('all that match are read page by page, without the excluded ones', async () => {
  const requests = serve();
  const found = await read({ all: true, ids: new Set(['id-7']) });
  expect([found.length, requests.length]).toEqual([2499, 3]);
  expect(requests[0]).toContain('limit=1000');
  expect((await read({ all: true, filters: { q: 'Device 24' } })).length).toBe(111);
});

test('no more are read than are used', async () => {
  const requests = serve();
  expect((await read({ all: true, ids: new Set(['id-7']) }, undefined, 500)).length).toBe(500);
  expect((await read({ ids: new Set(all.map(({ id }) => id)) }, undefined, 1000)).length).toBe(1000);
  expect(requests.length).toBe(2);
});

test('rows of the list cost no request, and a few others one request each', async () => {
  const requests = serve();
  const found = await read({ ids: new Set(['id-1', 'id-2', 'id-2400']) }, (id) => (id === 'id-1' ? all[1] : undefined));
  expect([found.map(({ id }) => id), requests.length]).toEqual([['id-1', 'id-2', 'id-2400'], 2]);
});

test('many others are looked for in the newest devices until all are found', async () => {
  const requests = serve();
  const found = await read({ ids: new Set(all.slice(0, 900).map(({ id }) => id)) });
  expect([found.length, requests.length]).toEqual([900, 1]);
});

test('devices that no longer exist are left out', async () => {
  serve(all.slice(0, 10));
  const ids = new Set(all.slice(0, 100).map(({ id }) => id));
  expect((await read({ ids })).length).toBe(10);
  expect((await read({ ids: new Set(['id-5', 'id-99']) })).length).toBe(1);
});

test('swarms are counted, the largest first', () => {
  const swarms = swarmsOf([
    device(1, 'Coast'),
    device(2, 'Harbour'),
    device(3, 'Harbour', 'Coast'),
    device(4, 'Harbour'),
  ]);
  expect(swarms.map(({ name, count }) => [name, count])).toEqual([
    ['Harbour', 3],
    ['Coast', 2],
  ]);
});

test('of all that match, printing and keys read only as many as they use', async () => {
  const requests = serve();
  for (const { atMost } of [printCodes, createKeys]) {
    requests.length = 0;
    const found = await read({ all: true }, undefined, atMost);
    expect([found.length, requests.length]).toEqual([atMost, 1]);
  }
});
