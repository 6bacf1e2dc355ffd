import { beforeEach, describe, expect, test } from 'vitest';
import { createFairQueue } from '../../core/limits/fair-queue.ts';
import { createAudienceCache } from './audience-cache.ts';
import type { IndexRow } from './index-row.store.ts';
import { createViewedAudience } from './viewed-audience.ts';

const noon = '2026-03-04T12:00:00.000Z';
const rowOf = (ref: number): IndexRow => [
  ...([ref, 'pc', ref % 180, 0, noon, noon, null] as const),
  ...([`id${ref}`, 'ann', 'n', 'n', null, null, null, 0, 0] as const),
];

/** An audience of this many devices, whose actions have the multiples of a number. */
function audienceOf(size: number, { audience = 'own' } = {}) {
  const refs = new Set(Array.from({ length: size }, (_, index) => index + 1));
  /** The number of chunks that each search has read. */
  const read = new Map<string, number>();
  const among = (some: Iterable<number>) => [...some].filter((ref) => refs.has(ref));
  function* chunks() {
    const all = [...refs];
    for (let from = 0; from < all.length; from += 1000) yield among(all.slice(from, from + 1000));
  }
  let onChunk = () => {};
  let names = 0;
  const viewed = createViewedAudience({
    audience,
    user: 'ann',
    readAll: () => ({
      async *chunks() {
        for (const chunk of chunks()) yield { rows: chunk.map(rowOf), count: 1000 };
      },
      byRefs: async (some) => among(some).map(rowOf),
      heard: async () => [],
      values: async () => [],
      readable: async () => new Map(),
      valueCursor: async () => 0,
      count: async () => refs.size,
    }),
    readAction: ({ action }) => {
      const isOfAction = (ref: number) => ref % Number(action) === 0;
      return {
        async *chunks() {
          for (const chunk of chunks()) {
            read.set(action, (read.get(action) ?? 0) + 1);
            onChunk();
            yield chunk.filter(isOfAction);
          }
        },
        byRefs: async (some) => among(some).filter(isOfAction),
      };
    },
    queue: createFairQueue({ mostWaiting: Number.POSITIVE_INFINITY }),
    newName: () => `${names++}`,
  });
  async function search(of: number, { user = 'ann', signal }: { user?: string; signal?: AbortSignal } = {}) {
    const requester = { user, ...(signal && { signal }) };
    const held = (await viewed.search({ requester, filters: { action: String(of) } }))!;
    held.release();
    return held.result;
  }
  /** The refs that a search has found. */
  const refsOf = ({ has }: Awaited<ReturnType<typeof search>>) => {
    const { table } = viewed.index();
    return [...table.columns.ref].filter((_, slot) => has(slot)).toSorted((a, b) => a - b);
  };
  /** The memory of this number of searches. */
  const bytesOf = (searches: number) => searches * viewed.index().table.columns.ref.length;
  return { refsOf, bytesOf, viewed, refs, read, search, onChunk: (listener: () => void) => (onChunk = listener) };
}

describe('concurrent searches in an audience', () => {
  test('all find their devices', async () => {
    const { bytesOf, viewed, refsOf, search } = audienceOf(3000);
    await viewed.index().ready;
    const before = viewed.bytes;
    const found = await Promise.all(Array.from({ length: 200 }, (_, number) => search(number + 1)));
    expect(found.map((result) => refsOf(result).length)).toEqual(
      Array.from({ length: 200 }, (_, number) => Math.floor(3000 / (number + 1))),
    );
    // The user's last searches are cached.
    expect(viewed.bytes - before).toBe(bytesOf(8));
  });

  test('are cached for the next request, and a user cannot evict those of another user', async () => {
    const { viewed, read, search } = audienceOf(3000, { audience: 'swarm:s1' });
    await viewed.index().ready;
    await search(1000, { user: 'bob' });
    for (let q = 100; q < 120; q++) await search(q);
    const before = new Map(read);
    await search(1000, { user: 'bob' });
    await search(119);
    expect(read).toEqual(before);
    await search(100);
    expect(read.get('100')).toBe(2 * before.get('100')!);
  });

  test('of one user take the memory of nine, and of all users of 64', async () => {
    const { bytesOf, viewed, onChunk, search } = audienceOf(3000);
    await viewed.index().ready;
    const before = viewed.bytes;
    let most = 0;
    onChunk(() => (most = Math.max(most, viewed.bytes - before)));
    // Searches that match all devices.
    await Promise.all(Array.from({ length: 50 }, (_, number) => search(0.5 ** number)));
    expect(most).toBeLessThanOrEqual(bytesOf(9));
    for (let user = 0; user < 10; user++) {
      for (let of = 1; of <= 10; of++) await search(of, { user: `user${user}` });
    }
    expect(viewed.bytes - before).toBe(bytesOf(64));
  });

  test('share one scan, which is cancelled only when all clients have disconnected', async () => {
    const { viewed, read, refsOf, search } = audienceOf(100_000);
    await viewed.index().ready;
    const clients = [new AbortController(), new AbortController()];
    const [gone, stays] = clients.map(({ signal }) => search(7, { signal }));
    const dropped = Promise.allSettled([search(11, { signal: clients[0]!.signal })]);
    clients[0]!.abort();
    expect(refsOf((await stays)!)).toHaveLength(14_285);
    expect(await dropped).toMatchObject([{ status: 'rejected', reason: { code: 'request.aborted' } }]);
    expect(await gone).toBe(await stays);
    expect(read.get('7')).toBe(100);
    expect(read.get('11') ?? 0).toBeLessThan(100);
    // The dropped search can be repeated.
    expect(refsOf(await search(11))).toHaveLength(9090);
  });

  test('are correct after changes, during the search and later', async () => {
    const { viewed, refs, refsOf, search } = audienceOf(50_000);
    await viewed.index().ready;
    const searching = search(1000);
    const change = (add: number, remove: number) => {
      refs.add(add);
      refs.delete(remove);
      viewed.changed([add, remove].map((resource) => ({ resource, user: 'ann' })));
    };
    change(60_000, 3000);
    const selection = await searching;
    await viewed.refresh();
    const expected = () => [...refs].filter((ref) => ref % 1000 === 0).toSorted((a, b) => a - b);
    expect(refsOf(selection)).toEqual(expected());
    const { version } = selection;
    change(60_001, 3001);
    await viewed.refresh();
    expect(selection.version).toBe(version);
    change(61_000, 4000);
    await viewed.refresh();
    expect(refsOf(selection)).toEqual(expected());
    expect(selection.version).not.toBe(version);
    expect(await search(1000)).toBe(selection);
  });
});

test('filters by type need no search', async () => {
  const { viewed } = audienceOf(10);
  for (const filters of [{}, { swarm: 'none' }, { q: ' ' }]) {
    expect(await viewed.search({ requester: { user: 'ann' }, filters })).toBeUndefined();
  }
});

describe('the cache of audiences', () => {
  let now = 0;
  let audiences: ReturnType<typeof createAudienceCache<{ bytes: number }>>;
  beforeEach(() => {
    now = 0;
    audiences = createAudienceCache({ mostBytes: 100, mostOfUser: 4, idleMs: 1000, clock: () => now });
  });
  const take = (key: string, bytes = 10, user = 'ann') => audiences.take(key, user, () => ({ bytes }));

  test('a cached audience is created once', () => {
    expect(take('a')).toBe(take('a'));
    expect([...audiences.all()]).toHaveLength(1);
  });

  test('an idle audience is dropped unless it is watched', () => {
    const [idle, watched] = [take('idle'), take('watched')];
    audiences.watch('watched', true);
    now = 900;
    const asked = take('asked');
    now = 1500;
    audiences.tidy();
    expect([...audiences.all()]).toEqual([watched, asked]);
    expect(take('idle')).not.toBe(idle);
    audiences.watch('watched', false);
    audiences.tidy();
    expect(take('watched')).not.toBe(watched);
  });

  test('a user has a few, of which the least recently used one is dropped that is not watched', () => {
    const others = take('ben', 1, 'ben');
    const [watched, , used] = ['watched', 'oldest', 'used', 'newer'].map((key) => take(key, 1));
    audiences.watch('watched', true);
    take('used');
    take('new', 1);
    expect([...audiences.all()]).toHaveLength(5);
    expect([take('ben', 1, 'ben'), take('watched'), take('used')]).toEqual([others, watched, used]);
    // An entry counts for who has used it last.
    for (const key of ['new', 'newer']) take(key, 1, 'ben');
    for (const key of ['c', 'd']) take(key, 1);
    expect([...audiences.all()]).toHaveLength(7);
  });

  test('the least recently used audience is evicted, and the last one stays at any size', () => {
    const first = take('a', 60);
    take('b', 60);
    take('a');
    audiences.tidy();
    expect([...audiences.all()]).toEqual([first]);
    const huge = take('c', 1000);
    audiences.tidy();
    expect([...audiences.all()]).toEqual([huge]);
  });

  test('who has most loses first, also if those of others were used longer ago', () => {
    const ofBen = take('ben', 30, 'ben');
    take('ann 1', 40);
    const second = take('ann 2', 40);
    audiences.tidy();
    expect([...audiences.all()]).toEqual([ofBen, second]);
    // It counts for the last one who has used it.
    take('ann 2', 40, 'cat');
    const fourth = take('cat', 50, 'cat');
    audiences.tidy();
    expect([...audiences.all()]).toEqual([ofBen, fourth]);
  });
});
