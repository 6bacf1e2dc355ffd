import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { testBindings } from '../../tests/bindings.fixture.ts';
import { cachedListResponse, createListCache } from './list-responses.ts';
import type { ServiceContext } from './service-app.ts';

type Entries = Parameters<Parameters<Parameters<typeof createListCache>[0]['feed']['subscribe']>[0]>[0];

/** A server with one list, which counts how often it is read. */
function createServer({ parts = ['[1]'] }: { parts?: string[] } = {}) {
  let subscriber: (entries: Entries) => void = () => {};
  let newest = 1;
  let reads = 0;
  const feed = {
    name: 'feed',
    get newest() {
      return newest;
    },
    subscribe: (next: typeof subscriber) => {
      subscriber = next;
      return () => {};
    },
    catchUp: async () => {},
  };
  const listCache = createListCache({ feed });
  let duringNext: (() => void) | undefined;
  const app = new Hono().get('/', (c) =>
    cachedListResponse(c as unknown as ServiceContext, {
      listCache,
      userId: 'ann',
      vary: 'accept',
      async *read() {
        reads += 1;
        const act = duringNext;
        duringNext = undefined;
        act?.();
        yield* parts;
      },
    }),
  );
  return {
    get: async () => app.request('/', undefined, { ...testBindings(), report: () => {} }),
    duringNextRead(act: () => void) {
      duringNext = act;
    },
    change() {
      newest += 1;
      subscriber([{ kind: 'resource.updated', owner: 'ann', seq: newest }] as unknown as Entries);
    },
    get reads() {
      return reads;
    },
  };
}

test('concurrent requests share one read of a list, and a later one reads it again only if it has changed', async () => {
  const server = createServer();
  const answers = await Promise.all(Array.from({ length: 50 }, server.get));
  expect(new Set(await Promise.all(answers.map((answer) => answer.text())))).toEqual(new Set(['[1]']));
  await server.get();
  expect(server.reads).toBe(1);
  server.change();
  await Promise.all(Array.from({ length: 50 }, server.get));
  expect(server.reads).toBe(2);
});

test('what changed while it was read is read again for those who wait', async () => {
  const server = createServer();
  server.duringNextRead(server.change);
  const [first, ...others] = await Promise.all([1, 2, 3].map(server.get));
  expect(first!.headers.get('etag')).toBe('W/"feed-ann-1"');
  expect(others.map(({ headers }) => headers.get('etag'))).toEqual(['W/"feed-ann-2"', 'W/"feed-ann-2"']);
  expect(server.reads).toBe(2);
});

test('a failed read fails for its request alone', async () => {
  const server = createServer();
  server.duringNextRead(() => {
    throw new Error('the disk');
  });
  const answers = await Promise.all([server.get(), server.get()]);
  expect(answers.map(({ status }) => status)).toEqual([500, 200]);
});

test('a list that is too long to be cached is read for each', async () => {
  const server = createServer({ parts: ['x'.repeat(300 * 1024)] });
  const lengths = await Promise.all([1, 2, 3].map(async () => (await (await server.get()).text()).length));
  expect(lengths).toEqual([300 * 1024, 300 * 1024, 300 * 1024]);
  expect(server.reads).toBe(3);
});
