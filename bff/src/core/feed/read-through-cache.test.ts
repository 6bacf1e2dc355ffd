import { expect, test } from 'vitest';
import type { FeedRow } from '../store/row-types.ts';
import type { FeedSubscriber } from './change-feed.ts';
import { createReadThroughCache } from './read-through-cache.ts';

/** Values with an id and an owner, such as `1 ann`. `change` is an entry of the feed, about an id or an owner. */
function setUp(most: number) {
  let tell: FeedSubscriber = () => {};
  const source = {
    newest: 0,
    subscribe(subscriber: FeedSubscriber) {
      tell = subscriber;
      return () => {};
    },
  };
  const cache = createReadThroughCache<string>({
    feed: source,
    most,
    kind: 'key.changed',
    idOf: (value) => value.split(' ')[0]!,
    ownerOf: (value) => value.split(' ')[1]!,
  });
  return {
    cache,
    read: (...keys: string[]) => cache.readAll(async () => new Map(keys.map((key) => [key, `${key} ann`]))),
    change(entry: Partial<FeedRow>) {
      source.newest += 1;
      tell([{ kind: 'key.changed', seq: source.newest, record_id: null, owner: null, ...entry } as FeedRow]);
    },
    lose: () => tell(undefined),
    cached: (...keys: string[]) => keys.filter((key) => cache.get(key) !== undefined),
  };
}

test('a full cache drops what was not used, not what is used and was read first', async () => {
  const { cache, read, cached } = setUp(3);
  await read('1', '2', '3');
  cache.get('1');
  await read('4');
  cache.get('1');
  cache.get('4');
  await read('5');
  expect(cached('1', '2', '3', '4', '5')).toEqual(['1', '4', '5']);
  // All are used: one of them goes.
  await read('6');
  expect(cached('1', '4', '5', '6')).toHaveLength(3);
  expect(cache.get('6')).toBe('6 ann');
});

test('a cache drops what an entry of the feed is about: a record, an owner, or everything', async () => {
  const { read, change, lose, cached } = setUp(10);
  await read('1', '2', '3');
  change({ record_id: '2' });
  change({ record_id: '1', kind: 'session.changed' });
  expect(cached('1', '2', '3')).toEqual(['1', '3']);
  change({ owner: 'ben' });
  expect(cached('1', '3')).toEqual(['1', '3']);
  change({ owner: 'ann' });
  expect(cached('1', '3')).toEqual([]);
  await read('1');
  lose();
  expect(cached('1')).toEqual([]);
});

test('a cache does not keep what changed while it was read', async () => {
  const { cache, change, cached } = setUp(10);
  const value = await cache.read('1', async () => {
    change({ record_id: '1' });
    return '1 ann';
  });
  expect([value, cached('1')]).toEqual(['1 ann', []]);
});
