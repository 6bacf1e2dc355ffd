import { expect, test } from 'vitest';
import { createBudget } from './budget.ts';
import { createFairQueue } from './fair-queue.ts';
import { createLongReads } from './long-reads.ts';

test('the bytes that are made for a user are charged, and more reads of this user wait for it', async () => {
  const read: string[] = [];
  const db = {
    async read<R>({ sql }: { sql: string }) {
      read.push(sql);
      // A compressed page, and a text.
      return [{ bytes: new Uint8Array(10), made: 1000 }, { text: 'ten letters', made: 10 }, { rows: 7 }] as R[];
    },
  };
  const budget = createBudget({ perSecond: 100, burst: 1000 });
  const readsOf = createLongReads({ db, queue: createFairQueue({ mostWaiting: 10, budget }) });
  const shape = { module: '', name: '', options: {} };
  await readsOf({ user: 'ann' }).read({ sql: 'rows' });
  const from = performance.now();
  await readsOf({ user: 'ann' }).read({ sql: 'a page', shape });
  const next = readsOf({ user: 'ann' }).read({ sql: 'the next page', shape });
  await readsOf({ user: 'bob' }).read({ sql: 'of bob', shape });
  await next;
  expect(read).toEqual(['rows', 'a page', 'of bob', 'the next page']);
  expect(performance.now() - from).toBeGreaterThan(95);
});
