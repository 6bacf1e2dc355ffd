import { expect, test } from 'vitest';
import { createIdSource } from '../store/new-id.ts';
import { createDemoData } from './demo-data.ts';

test('a demo ends when its user is deleted before the first swarm', async () => {
  const swarms: string[] = [];
  const stores = {
    resources: { create: async () => 'created' },
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
  expect(swarms).toEqual(['ann']);
});
