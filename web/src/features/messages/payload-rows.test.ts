import { expect, test } from 'vitest';
import { distinctMessages, payloadRows } from './payload-rows.ts';

test.each([
  [
    'an object',
    { level: 3, door: 'open' },
    [
      { key: 'level', value: 3 },
      { key: 'door', value: 'open' },
    ],
  ],
  ['a number', 4, [{ key: undefined, value: 4 }]],
  ['an array', [1], [{ key: undefined, value: [1] }]],
  ['a name of Object.prototype', { toString: 1 }, [{ key: 'toString', value: 1 }]],
  ['an own __proto__', JSON.parse('{"__proto__":2}'), [{ key: '__proto__', value: 2 }]],
])('%s', (_case, payload, rows) => {
  expect(payloadRows({ payload })).toEqual(rows);
});

test('a value is shown as it was sent', () => {
  const [row] = payloadRows({ payload: { level: 21 }, payload_text: '{"level":21.0}' });
  expect(JSON.stringify(row!.value)).toBe('21.0');
});

test('a message to two swarms is one', () => {
  const sent = { from: 'd1', sent_at: '2026-11-24T10:00:00.000Z', payload: 1 };
  const rows = ['s1', 's2'].map((swarm_id) => ({ ...sent, id: swarm_id, message_id: 'm1', swarm_id }));
  expect(distinctMessages(rows)).toEqual([rows[0]]);
});
