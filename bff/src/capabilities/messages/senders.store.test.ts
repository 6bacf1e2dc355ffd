import { expect, test } from 'vitest';
import type { FeedSubscriber } from '../../core/feed/change-feed.ts';
import type { FeedRow } from '../../core/store/row-types.ts';
import { createSenders } from './senders.store.ts';

/** Each read waits for its answer. */
function setUp() {
  const reads: PromiseWithResolvers<object[]>[] = [];
  let publish!: FeedSubscriber;
  const senders = createSenders({
    db: {
      async read<Row>() {
        const answer = Promise.withResolvers<object[]>();
        reads.push(answer);
        return (await answer.promise) as Row[];
      },
    },
    feed: { subscribe: (subscriber) => ((publish = subscriber), () => {}) },
  });
  const swarmsOf = async () => (await senders.find('a')).swarms;
  const change = () => publish([{ kind: 'membership.changed', resource_id: 'a' } as FeedRow]);
  return { senders, reads, swarmsOf, change };
}
const memberOf = (...swarms: string[]) => swarms.map((swarm_id) => ({ user_id: 'ann', swarm_id }));

test('a sender whose membership changes while it is read is read again, and only the newer read is known', async () => {
  const { reads, swarmsOf, change } = setUp();
  const before = swarmsOf();
  change();
  const after = swarmsOf();
  reads[1]!.resolve(memberOf('s', 't'));
  reads[0]!.resolve(memberOf('s'));
  expect([await before, await after]).toEqual([['s'], ['s', 't']]);
  expect(await swarmsOf()).toEqual(['s', 't']);
  expect(reads).toHaveLength(2);
});

test('a read that fails is not known, and takes nothing away that was read since', async () => {
  const { reads, swarmsOf, change } = setUp();
  const failed = swarmsOf();
  change();
  const after = swarmsOf();
  reads[1]!.resolve(memberOf('s'));
  await after;
  reads[0]!.reject(new Error('away'));
  await expect(failed).rejects.toThrow('away');
  expect(await swarmsOf()).toEqual(['s']);
  expect(reads).toHaveLength(2);
  change();
  const again = swarmsOf();
  reads[2]!.reject(new Error('away'));
  await expect(again).rejects.toThrow('away');
  const last = swarmsOf();
  expect(reads).toHaveLength(4);
  reads[3]!.resolve(memberOf('t'));
  expect(await last).toEqual(['t']);
});
