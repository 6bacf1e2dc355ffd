import { expect, test } from 'vitest';
import { createIdSource } from '../../core/store/new-id.ts';
import { createDemoData } from './demo-data.ts';

test.each([
  ['first device', []],
  ['first swarm', ['ann']],
] as const)('a demo ends when its user is deleted before the %s', async (before, madeFor) => {
  const swarms: string[] = [];
  const stores = {
    // Of a deleted user, nothing is created.
    resources: { create: async () => (before === 'first device' ? undefined : 'created') },
    swarms: {
      async create({ userId }: { userId: string }) {
        swarms.push(userId);
        return 'no user';
      },
    },
    members: { add: () => expect.unreachable() },
  };
  const both = stores as unknown as Parameters<typeof createDemoData>[0]['stores'];
  const made = createDemoData({
    stores: both,
    pastStores: both,
    addPast: () => expect.unreachable(),
    heardThen: () => expect.unreachable(),
    now: 0,
    newId: createIdSource(),
    remember: () => ({ sql: '' }),
    user: 'ann',
    partners: ['harbour', 'office'],
  });
  await expect(made).rejects.toMatchObject({ code: 'user.not_found' });
  expect(swarms).toEqual(madeFor);
});
