import { QueryClient, type InfiniteData } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { Message, MessagePage } from '@swarmdeck/bff/contract';
import { addMessages, liveRows } from './cached-messages.ts';
import { queryKeys } from './query-keys.ts';

const swarm_id = 's1';
const message = (number: number, from = 'd1'): Message => ({
  id: String(number),
  message_id: `m${number}`,
  swarm_id,
  from,
  sent_at: '2026-11-24T10:00:00.000Z',
  payload: { number },
});
const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => message(first + index));

function listOf(newestFirst: Message[], key = queryKeys.messages.list(swarm_id, {})) {
  const client = new QueryClient();
  const data: InfiniteData<MessagePage> = { pages: [{ items: newestFirst, next: null }], pageParams: [''] };
  client.setQueryData(key, data);
  const page = () => client.getQueryData<InfiniteData<MessagePage>>(key)!.pages[0]!;
  return { client, page, ids: () => page().items.map(({ id }) => id) };
}

test('new messages come first, each once', () => {
  const { client, ids } = listOf([message(2), message(1)]);
  expect(addMessages(client, { swarm_id, items: [message(2), message(3), message(4)], skipped: 0 })).toEqual([]);
  expect(ids()).toEqual(['4', '3', '2', '1']);
});

test('a live list has a bounded number of rows, and continues after its last one', () => {
  const { client, page, ids } = listOf([message(1)]);
  for (let first = 2; first < 100_000; first += 1000) {
    addMessages(client, { swarm_id, items: range(first, first + 999), skipped: 0 });
  }
  expect(ids()).toHaveLength(liveRows);
  expect(page().next).toBe(ids().at(-1));
});

test('a list that would have a gap is fetched again', () => {
  const { client, ids } = listOf([message(2), message(1)]);
  const outdated = addMessages(client, { swarm_id, items: range(8, 9), skipped: 5 });
  expect(outdated).toEqual([queryKeys.messages.of(swarm_id)]);
  expect(ids()).toEqual(['2', '1']);
});

test('a list that is being fetched is fetched again, because the response may be older', async () => {
  const { client } = listOf([message(1)]);
  const response = Promise.withResolvers<MessagePage>();
  const fetched = client.fetchInfiniteQuery({
    queryKey: queryKeys.messages.list(swarm_id, {}),
    queryFn: () => response.promise,
    initialPageParam: '',
  });
  const outdated = addMessages(client, { swarm_id, items: [message(2)], skipped: 0 });
  expect(outdated).toEqual([queryKeys.messages.of(swarm_id)]);
  response.resolve({ items: [], next: null });
  await fetched;
});

test('a list of one device gets only its messages', () => {
  const { client, ids } = listOf([message(1)], queryKeys.messages.list(swarm_id, { resource: 'd1' }));
  addMessages(client, { swarm_id, items: [message(2, 'd2'), message(3)], skipped: 0 });
  expect(ids()).toEqual(['3', '1']);
});

test('a paused list stays as it is', () => {
  const { client, ids } = listOf([message(1)], queryKeys.messages.paused(swarm_id, {}, '1'));
  addMessages(client, { swarm_id, items: [message(2)], skipped: 0 });
  expect(ids()).toEqual(['1']);
});

test('a stream that was opened again has the list fetched again', () => {
  const { client } = listOf([message(1)]);
  expect(addMessages(client, { swarm_id, items: [], skipped: 0 })).toEqual([queryKeys.messages.of(swarm_id)]);
});
