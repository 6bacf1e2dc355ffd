import { expect, test } from 'vitest';
import { noQuotas } from '../limits/quotas.ts';
import { createKeys } from './api-keys.store.ts';

test('keys for many devices are written one request after the other, users in turn, and a user waits with few', async () => {
  const writes: { users: unknown[]; end: () => void }[] = [];
  const keys = createKeys({
    db: {
      write: (statements: { params?: unknown[] }[]) =>
        new Promise((resolve) => {
          writes.push({ users: statements[0]!.params!, end: () => resolve({ ok: true, rows: [] }) });
        }),
    } as never,
    feed: { newest: 0, subscribe: () => () => {} } as never,
    quotas: noQuotas,
    now: () => new Date(),
    newId: () => crypto.randomUUID(),
    report: () => {},
  });
  const create = (userId: string) =>
    keys.mintForDevices({ userId, resourceIds: ['d'] }).catch(({ code }: { code: string }) => code);
  const all = ['ann', 'ann', 'ann', 'ann', 'ann', 'ann', 'ben'].map(create);
  expect(await all[5]).toBe('rate.exceeded');
  for (const user of ['ann', 'ben', 'ann', 'ann', 'ann', 'ann']) {
    await expect.poll(() => writes.length).toBe(1);
    const { users, end } = writes.pop()!;
    expect(users).toEqual([user]);
    end();
  }
  await Promise.all(all);
});
