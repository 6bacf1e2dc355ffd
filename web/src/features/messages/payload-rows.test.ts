import { expect, test } from 'vitest';
import { distinctMessages, payloadRows } from './payload-rows.ts';

const rowsOf = (...newestFirst: unknown[]) => payloadRows(newestFirst.map((payload) => ({ payload })));

test.each([
  ['no messages', [], []],
  [
    'numbers of one key, oldest first, without messages that lack it',
    [{ level: 3 }, { level: 'low' }, {}, null, { level: 1 }],
    [{ key: 'level', value: 3, numbers: [1, 3] }],
  ],
  ['a number', [4, { a: 1 }, 2], [{ key: undefined, value: 4, numbers: [2, 4] }]],
  ['an array', [[1], 2], [{ key: undefined, value: [1], numbers: [2] }]],
  ['a name of Object.prototype', [{ toString: 1 }, {}], [{ key: 'toString', value: 1, numbers: [1] }]],
  ['an own __proto__', [JSON.parse('{"__proto__":2}')], [{ key: '__proto__', value: 2, numbers: [2] }]],
])('%s', (_case, payloads, rows) => {
  expect(rowsOf(...payloads)).toEqual(rows);
});

test('a value is shown as it was sent, and is a number of the course', () => {
  const [row] = payloadRows([{ payload: { level: 21 }, payload_text: '{"level":21.0}' }, { payload: { level: 20.5 } }]);
  expect(JSON.stringify(row!.value)).toBe('21.0');
  expect(row!.numbers).toEqual([20.5, 21]);
});

test('a message to two swarms is one', () => {
  const sent = { from: 'd1', sent_at: '2026-11-24T10:00:00.000Z', payload: 1 };
  const rows = ['s1', 's2'].map((swarm_id) => ({ ...sent, id: swarm_id, message_id: 'm1', swarm_id }));
  expect(distinctMessages(rows)).toEqual([rows[0]]);
});
