import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { Message, Swarm } from '@swarmdeck/bff/contract';
import { queryKeys } from './query-keys.ts';
import { addSent, readableSwarms } from './sent-messages.ts';

const message = (number: number, from: string): Message => ({
  id: String(number),
  message_id: `m${number}`,
  swarm_id: 's1',
  from,
  sent_at: '2026-11-26T10:00:00.000Z',
  payload: { number },
});

function withSent(...numbers: number[]) {
  const client = new QueryClient();
  client.setQueryData(
    queryKeys.device.sent('d1'),
    numbers.map((number) => message(number, 'd1')),
  );
  client.setQueryData(queryKeys.device.record('d1'), {});
  return { client, ids: () => client.getQueryData<Message[]>(queryKeys.device.sent('d1'))!.map(({ id }) => id) };
}

test('what the device has sent comes first, each once, without what others have sent', () => {
  const { client, ids } = withSent(2, 1);
  const items = [message(2, 'd1'), message(3, 'd2'), message(4, 'd1'), message(5, 'd1')];
  expect(addSent(client, { items, skipped: 0 })).toEqual([]);
  expect(ids()).toEqual(['5', '4', '2', '1']);
});

test('it is bounded', () => {
  const { client, ids } = withSent(0);
  const many = Array.from({ length: 150 }, (_, index) => message(index + 1, 'd1'));
  addSent(client, { items: many, skipped: 0 });
  expect(ids()).toHaveLength(100);
  expect(ids()[0]).toBe('150');
});

test('is read again if some are missing, or the stream was opened again', () => {
  const { client } = withSent(1);
  const outdated = [queryKeys.device.sent('d1')];
  expect(addSent(client, { items: [message(9, 'd1')], skipped: 3 })).toEqual(outdated);
  expect(addSent(client, { items: [], skipped: 0 })).toEqual(outdated);
});

test('the stream has the messages of own swarms, and of those in which the device receives', () => {
  const swarm = (id: string, user_id: string, resource_type: string) =>
    ({ id, user_id, resources: [{ resource_id: 'd1', resource_type }] }) as unknown as Swarm;
  const swarms = [swarm('own', 'ann', 'producer'), swarm('sends', 'ben', 'producer'), swarm('both', 'ben', 'both')];
  expect(readableSwarms({ id: 'd1', user_id: 'ann' }, swarms).map(({ id }) => id)).toEqual(['own', 'both']);
});
