import { expect, test, vi } from 'vitest';
import { createWills } from './wills.ts';

test.each([
  ['a rate', 429],
  ['the database is away', 503],
])('a will that is put off because of %s is sent again, and one that is refused is not', async (_why, status) => {
  const answers = [
    new Response(null, { status, headers: { 'retry-after': '0' } }),
    new Response(null, { status: 403 }),
  ];
  const fetch = vi.fn<() => Promise<Response>>(async () => answers.shift()!);
  const report = vi.fn<() => void>();
  const service = { fetch, baseUrl: 'http://127.0.0.1', keyHeader: 'x-key', newId: () => 'id' };
  const wills = createWills({ service, report });
  const packet = { topic: 'messages', payload: Buffer.from('"lost"'), qos: 1 as const, retain: false };
  const device = { id: 'd', key: 'k', userId: 'ann' };
  wills.hold(packet, { connection: { address: '::1' } as never, device: device as never, client: '' })!.due();
  await expect.poll(() => answers).toEqual([]);
  expect(fetch).toHaveBeenCalledTimes(2);
  expect(report).not.toHaveBeenCalled();
});
