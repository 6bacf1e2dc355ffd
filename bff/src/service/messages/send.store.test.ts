import { expect, test, vi } from 'vitest';
import { createLimits } from '../../limits/limit-tables.ts';
import { openTestDatabase } from '../../store/store.fixture.ts';
import { createSending } from './send.store.ts';

test('what fails after messages were written is reported, and the next ones are sent', async () => {
  await using opened = await openTestDatabase();
  const report = vi.fn<(error: unknown) => void>();
  const error = new Error('a mistake');
  const now = () => new Date();
  const { send } = createSending({
    db: {
      ...opened.db,
      write: async ([statement]) => {
        const sent = JSON.parse(String(statement!.params![0])) as { id: string; sender_id: string }[];
        const rows = sent.map(({ id, sender_id }) => ({
          seq: 1,
          rest: 0,
          id,
          sender_id,
          swarm_id: 's',
          to_user: null,
        }));
        return { ok: true, rows };
      },
    },
    senders: { swarmsOf: async () => ['s'], forget: () => {} },
    totalBytes: {
      requireRoom: async () => {},
      add() {
        throw error;
      },
    },
    trimming: { add: () => {} },
    ...createLimits({ factor: 1, now }),
    deliver: (written) => written,
    now,
    newId: () => crypto.randomUUID(),
    report,
  });
  for (const payload of ['1', '2']) {
    const { sent } = await send({ userId: 'ann', id: 'a', body: { payload } });
    expect(sent.swarms).toEqual(['s']);
  }
  await expect.poll(() => report.mock.calls).toEqual([[error], [error]]);
});
