import { expect, test } from 'vitest';
import { parseMessages, type ReadMessage } from './exact-json.ts';
import { exactPayload } from './exact-payload.ts';

const read = (payload: string) =>
  parseMessages(`{"items":[{"message_id":"m","payload":${payload}}]}`) as { items: [ReadMessage] };

test.each([
  ['a number beyond 2^53', '1234567890123456789'],
  ['a number with a zero at its end', '21.0'],
  ['numbers in lists and objects', '{"a":[1.50,{"b":-0}],"c":"1.0","payload":2.0,"d":1}'],
])('%s is printed as it was sent', (_case, payload) => {
  const { items } = read(payload);
  expect(JSON.stringify(exactPayload(items[0]))).toBe(payload);
  expect(items[0].payload).toEqual(JSON.parse(payload));
});

test('a payload that is a message stays as it was sent', () => {
  const inner = '{"message_id":"i","payload":{"level":1.0}}';
  const { items } = read(inner);
  expect(items[0]).toEqual({ message_id: 'm', payload: JSON.parse(inner), payload_text: inner });
});

test.each(['1', '{"a":1.5,"payload":[true,null,"1.0"]}'])('%s needs no text', (payload) => {
  const { items } = read(payload);
  expect(items[0]).toEqual({ message_id: 'm', payload: JSON.parse(payload) });
  expect(exactPayload(items[0])).toEqual(items[0].payload);
});

test('one of two messages has a text', () => {
  const text = '[{"message_id":"a","payload":1.0},{"message_id":"b","payload":2}]';
  expect(parseMessages(text)).toEqual([
    { message_id: 'a', payload: 1, payload_text: '1.0' },
    { message_id: 'b', payload: 2 },
  ]);
});
