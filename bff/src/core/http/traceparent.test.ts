import { expect, test } from 'vitest';
import { traceIdOf, validTraceparent } from './traceparent.ts';

const id = '4bf92f3577b34da6a3ce929d0e0e4736';
const header = `00-${id}-00f067aa0ba902b7-01`;

test('a valid header has an id and is passed on unchanged', () => {
  expect(traceIdOf(header)).toBe(id);
  expect(validTraceparent(header)).toBe(header);
});

test.each([
  undefined,
  null,
  '',
  id,
  header.toUpperCase(),
  `${header}-more`,
  `ff${header.slice(2)}`,
  header.replace(id, '0'.repeat(32)),
  header.replace('00f067aa0ba902b7', '0'.repeat(16)),
  `${header}\n`,
  header.replace('-01', '-"}'),
])('%j is not passed on and not logged', (text) => {
  expect(traceIdOf(text)).toBeUndefined();
  expect(validTraceparent(text)).toBeUndefined();
});
