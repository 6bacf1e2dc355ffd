import { describe, expect, test } from 'vitest';
import { createFairQueue } from '../limits/fair-queue.ts';
import { createAudienceIndex } from './audience-index.ts';
import type { IndexRow, Rows } from './audience-rows.store.ts';

const rowOf = (ref: number): IndexRow => [ref, 'pc', ref % 180, 0, '2026-03-04T12:00:00.000Z', 1];

/** An audience of this many devices, whose searches select the multiples of a number. */
function audienceOf(size: number, { audience = 'own' } = {}) {
  const refs = new Set(Array.from({ length: size }, (_, index) => index + 1));
  /** The number of chunks that each search has read. */
  const read = new Map<string, number>();
  function rows<Row>(matches: (ref: number) => boolean, rowOf: (ref: number) => Row, onChunk = () => {}): Rows<Row> {
    const these = (some: Iterable<number>) => [...some].filter((ref) => refs.has(ref) && matches(ref)).map(rowOf);
    return {
      async *chunks() {
        const all = [...refs];
        for (let from = 0; from < all.length; from += 1000) {
          onChunk();
          yield { rows: these(all.slice(from, from + 1000)), of: 1000 };
        }
      },
      these: async (some) => these(some),
      count: async () => refs.size,
    };
  }
  let onChunk = () => {};
  let names = 0;
  const index = createAudienceIndex({
    audience,
    user: 'ann',
    readAll: () => rows(() => true, rowOf),
    readMatching: ({ filters: { q = '' } }) =>
      rows(
        (ref) => ref % Number(q) === 0,
        (ref) => [ref] as const,
        () => {
          read.set(q, (read.get(q) ?? 0) + 1);
          onChunk();
        },
      ),
    queue: createFairQueue({ mostWaiting: Number.POSITIVE_INFINITY }),
    newName: () => `${names++}`,
  });
  const search = (q: number, { user = 'ann', signal }: { user?: string; signal?: AbortSignal } = {}) =>
    index.select({ requester: { user, ...(signal && { signal }) }, filters: { q: String(q) } });
  return { index, refs, read, search, onChunk: (listener: () => void) => (onChunk = listener) };
}

const refsOf = (selection: { each(visit: (ref: number) => void): void } | undefined) => {
  const refs: number[] = [];
  selection?.each((ref) => refs.push(ref));
  return refs.toSorted((a, b) => a - b);
};

describe('concurrent searches in an audience', () => {
  test('all find their devices', async () => {
    const { index, search } = audienceOf(3000);
    await index.all().ready;
    const found = await Promise.all(Array.from({ length: 200 }, (_, number) => search(number + 1)));
    expect(found.map((selection) => selection!.size)).toEqual(
      Array.from({ length: 200 }, (_, number) => Math.floor(3000 / (number + 1))),
    );
    // The user's last searches are cached.
    expect(index.size).toBe(3000 + found.slice(-8).reduce((sum, selection) => sum + selection!.size, 0));
  });

  test('are cached for the next request, and a user cannot evict those of another user', async () => {
    const { index, read, search } = audienceOf(3000, { audience: 'swarm:s1' });
    await index.all().ready;
    await search(1000, { user: 'bob' });
    for (let q = 100; q < 120; q++) await search(q);
    const before = new Map(read);
    await search(1000, { user: 'bob' });
    await search(119);
    expect(read).toEqual(before);
    await search(100);
    expect(read.get('100')).toBe(2 * before.get('100')!);
  });

  test('keep no more refs than twice the devices of the audience, and one search in progress', async () => {
    const { index, onChunk, search } = audienceOf(3000);
    await index.all().ready;
    let most = 0;
    onChunk(() => (most = Math.max(most, index.size)));
    // Searches that match all devices.
    await Promise.all(Array.from({ length: 50 }, (_, number) => search(0.5 ** number)));
    expect(most).toBeLessThanOrEqual(4 * 3000);
    expect(index.size).toBe(9000);
  });

  test('share one scan, which is cancelled only when all clients have disconnected', async () => {
    const { index, read, search } = audienceOf(100_000);
    await index.all().ready;
    const clients = [new AbortController(), new AbortController()];
    const [gone, stays] = clients.map(({ signal }) => search(7, { signal }));
    const dropped = Promise.allSettled([search(11, { signal: clients[0]!.signal })]);
    clients[0]!.abort();
    expect((await stays)!.size).toBe(14_285);
    expect(await dropped).toMatchObject([{ status: 'rejected', reason: { code: 'request.aborted' } }]);
    expect(await gone).toBe(await stays);
    expect(read.get('7')).toBe(100);
    expect(read.get('11') ?? 0).toBeLessThan(100);
    // The dropped search can be repeated.
    expect((await search(11))!.size).toBe(9090);
  });

  test('are correct after changes, during the search and later', async () => {
    const { index, refs, search } = audienceOf(50_000);
    await index.all().ready;
    const searching = search(1000);
    const change = (add: number, remove: number) => {
      refs.add(add);
      refs.delete(remove);
      index.changed([add, remove].map((resource) => ({ resource, user: 'ann' })));
    };
    change(60_000, 3000);
    const selection = (await searching)!;
    await selection.refresh();
    const expected = () => [...refs].filter((ref) => ref % 1000 === 0).toSorted((a, b) => a - b);
    expect(refsOf(selection)).toEqual(expected());
    const { version } = selection;
    change(60_001, 3001);
    await selection.refresh();
    expect(selection.version).toBe(version);
    change(61_000, 4000);
    await selection.refresh();
    expect(refsOf(selection)).toEqual(expected());
    expect(selection.version).not.toBe(version);
    expect(await search(1000)).toBe(selection);
  });
});

test('filters by type need no search', async () => {
  const { index } = audienceOf(10);
  for (const filters of [{}, { swarm: 'none' }]) {
    expect(await index.select({ requester: { user: 'ann' }, filters })).toBeUndefined();
  }
});
