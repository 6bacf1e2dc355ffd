import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DevicePage } from '../../contract.ts';
import { createFairQueue, type Requester } from '../../core/limits/fair-queue.ts';
import { createLongReads } from '../../core/limits/long-reads.ts';
import type { Reads } from '../caller.ts';
import type { IndexClient } from '../index/index-client.ts';
import { matchingDevices, readDevicePage } from './devices.store.ts';
import { readListQuery } from './device-query-parser.ts';
import { createTestViews, type TestViews } from '../screens.fixture.ts';

let context: TestViews;
beforeAll(async () => {
  context = await createTestViews();
  await context.add({ name: 'b' }, { name: 'a', machine_type: 'bug' }, { name: 'c' });
});
afterAll(() => context[Symbol.asyncDispose]());

/** With an index that never becomes ready. Records the patience of its queries. */
function readPage(
  params: string,
  {
    requester = { user: 'ann', db: context.db },
    takesGzip = false,
  }: { requester?: Requester & { db: Reads }; takesGzip?: boolean } = {},
) {
  const patience: number[] = [];
  const query = async (_type: string, _asker: unknown, { timeoutMs }: { timeoutMs: number }) => {
    patience.push(timeoutMs);
    return { building: 0.4 };
  };
  const index = { query } as unknown as IndexClient;
  const list = readDevicePage({
    requester,
    index,
    query: readListQuery(new URLSearchParams(params)),
    now: () => new Date(),
    takesGzip,
  });
  return { list, patience };
}

function pageOf(params: string) {
  const { list, patience } = readPage(params);
  return { page: list.then(({ bytes }) => JSON.parse(Buffer.from(bytes).toString()) as DevicePage), patience };
}

const namesIn = (items: DevicePage['items']) => items.map(({ name }) => name);

test('rows are returned while their counts are being read, with the progress', async () => {
  const { page, patience } = pageOf('counts=later&limit=2');
  const { items, next, total, facets, building } = await page;
  expect(namesIn(items)).toEqual(['a', 'b']);
  expect(next).not.toBeNull();
  expect({ total, all: facets.all, building }).toEqual({ total: 0, all: 0, building: 0.4 });
  expect(patience[0]).toBeLessThan(1000);
  const byChange = await pageOf('counts=later&sort=-changed&machine_type=pc').page;
  expect(namesIn(byChange.items)).toEqual(['c', 'b']);
});

test.each([true, false])('a page is charged as the text that is made, compressed or not (%s)', async (takesGzip) => {
  let charged = 0;
  const budget = { correct: (_: string, bytes: number) => void (charged += bytes), msUntilLeft: () => 0 };
  const readsOf = createLongReads({ db: context.db, queue: createFairQueue({ mostWaiting: 10, budget }) });
  const requester = { user: 'ann', db: readsOf({ user: 'ann' }) };
  const { bytes, isGzip } = await readPage('counts=later&limit=2', { requester, takesGzip }).list;
  expect(isGzip).toBe(takesGzip);
  expect(charged).toBe((takesGzip ? gunzipSync(bytes) : bytes).length);
});

test('a request waits for the counts without counts=later, or if its rows need the index', async () => {
  for (const query of [
    '',
    'counts=later&q=a',
    'counts=later&limit=0',
    'counts=later&audience=visible',
    'counts=later&placed=no',
  ]) {
    const { page, patience } = pageOf(query);
    await expect(page).rejects.toMatchObject({ code: 'storage.away' });
    expect(patience[0]).toBeGreaterThan(10_000);
  }
});

test('devices that have left the audience since their refs were read are not exported', async () => {
  const [own, foreign] = await context.add({ name: 'own' }, { name: 'foreign', user_id: 'ben' });
  const rows = await context.db.read<{ ref: number; id: string }>({ sql: 'SELECT ref, id FROM resources' });
  const refOf = (wanted: string) => rows.find(({ id }) => id === wanted)!.ref;
  const query = async () => ({ answer: Uint32Array.of(refOf(foreign!.id), refOf(own!.id), 999_999) });
  const exported = matchingDevices({
    requester: { user: 'ann', db: context.db },
    index: { query } as unknown as IndexClient,
    filters: { audience: 'own' },
  });
  const { value } = await exported.next();
  expect(value!.map(({ name }) => name)).toEqual(['own']);
});
